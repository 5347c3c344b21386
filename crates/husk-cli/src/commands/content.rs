//! `husk content`: the main content of a page.

use anyhow::bail;
use husk::output::{
    ContentHtmlOptions, ContentJson, MarkdownOptions, Relocation, Resources, nodes_html, nodes_markdown,
    nodes_text, nodes_xpath,
};
use husk::{Content, ContentMethod, Extraction, Measures, NodeSet, Page, Selectors};

use crate::args::{ContentArgs, ContentFormat, WrittenFormat};
use crate::extract::{self, Found};
use crate::failure::Failure;
use crate::output::{self, Notes, selectors};

pub(crate) fn run(args: &ContentArgs) -> anyhow::Result<()> {
    let format = args.format.unwrap_or(ContentFormat::Markdown);
    require_sense(args, format)?;
    let notes = Notes::new(&args.output);
    let find = if args.alone { extract::alone } else { extract::find };
    let Found {
        extraction,
        relocation,
        resources,
        siblings,
        ..
    } = find(&args.page, &args.method, &args.output)?;
    if args.no_fallback {
        extract::require_sibling(&extraction, siblings)?;
    }
    let page = &extraction.key_page;
    let content = Content::of(&extraction);
    match content.method {
        ContentMethod::Template => notes.say(&extract::summary(&extraction)),
        ContentMethod::SinglePage if args.alone => {}
        ContentMethod::SinglePage => notes.say("no sibling page: the content was told by the page alone"),
    }
    if format != ContentFormat::Json {
        require_content(page, &content)?;
    }
    let written = Written {
        page,
        relocation,
        resources,
    };
    let result = match format {
        ContentFormat::Markdown => written.all(args, &content, WrittenFormat::Markdown),
        ContentFormat::Text => written.all(args, &content, WrittenFormat::Text),
        ContentFormat::Html => written.all(args, &content, WrittenFormat::Html),
        ContentFormat::Json => json(args, &extraction, &content, &written)?,
        ContentFormat::Xpath => nodes_xpath(&page.dom, content.nodes.iter()),
        ContentFormat::Selectors => selectors(&Selectors::of_content(&extraction, &content), notes),
    };
    output::write(&result, &args.output)
}

/// Fails if a flag would change nothing: whoever gave it expects something else than what would be printed.
fn require_sense(args: &ContentArgs, format: ContentFormat) -> Result<(), Failure> {
    if args.content_format.is_some() && format != ContentFormat::Json {
        let message = "--content-format is about the content in the JSON: --format json goes with it";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.comments && matches!(format, ContentFormat::Xpath | ContentFormat::Selectors) {
        let message = "--comments goes with the formats markdown, text, html and json only";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

/// Fails if there is nothing to print: an empty file would look like a page that was read.
fn require_content(page: &Page, content: &Content) -> anyhow::Result<()> {
    let words = |nodes: &NodeSet| {
        Measures::of_those(&page.dom, |node| nodes.contains(node))
            .of_all()
            .words
    };
    if words(&content.nodes) > 0 {
        return Ok(());
    }
    let url = &page.url;
    if Measures::of(&page.dom).of_all().words == 0 {
        bail!("no text in the body of {url}: if scripts write it, --render loads the page through a browser");
    }
    if words(&content.comments) > 0 {
        bail!("no content on {url} but comments: --comments --format json prints these");
    }
    match content.method {
        ContentMethod::Template => {
            bail!("no content on {url}: all that it says stands on its siblings too and is template")
        }
        ContentMethod::SinglePage => bail!("no content found on {url}"),
    }
}

/// Nodes of a page in the form that is wanted.
struct Written<'a> {
    page: &'a Page,
    relocation: Option<Relocation>,
    resources: Option<Resources>,
}

impl Written<'_> {
    /// The content, and the comments behind it if they are wanted.
    fn all(&self, args: &ContentArgs, content: &Content, format: WrittenFormat) -> String {
        let mut out = self.nodes(&content.nodes, format);
        let is_html = format == WrittenFormat::Html;
        if is_html {
            out = format!("<article>{out}</article>\n");
        }
        let comments = if args.comments {
            self.nodes(&content.comments, format)
        } else {
            String::new()
        };
        if comments.is_empty() {
            out
        } else if is_html {
            format!("{out}<section>{comments}</section>\n")
        } else {
            format!("{out}\n---\n\n{comments}")
        }
    }

    fn nodes(&self, nodes: &NodeSet, format: WrittenFormat) -> String {
        let relocation = self.relocation.clone();
        match format {
            WrittenFormat::Markdown => nodes_markdown(self.page, nodes, &MarkdownOptions { relocation }),
            WrittenFormat::Text => nodes_text(self.page, nodes),
            WrittenFormat::Html => {
                let whole_document = false;
                nodes_html(
                    self.page,
                    nodes,
                    &ContentHtmlOptions {
                        relocation,
                        resources: self.resources.clone(),
                        whole_document,
                    },
                )
            }
        }
    }
}

fn json(
    args: &ContentArgs,
    extraction: &Extraction,
    content: &Content,
    written: &Written<'_>,
) -> anyhow::Result<String> {
    let format = args.content_format.unwrap_or(WrittenFormat::Markdown);
    let mut json = ContentJson::new(
        extraction,
        content,
        format.name(),
        written.nodes(&content.nodes, format),
    );
    json.comments = args.comments.then(|| written.nodes(&content.comments, format));
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}
