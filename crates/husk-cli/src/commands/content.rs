//! `husk content`: the main content of a page.

use husk::output::{
    ContentHtmlOptions, ContentJson, MarkdownOptions, Relocation, nodes_html, nodes_markdown, nodes_text,
    nodes_xpath,
};
use husk::{Content, Extraction, NodeSet, Page, ToldBy};

use crate::args::{ContentArgs, ContentFormat, WrittenFormat};
use crate::extract::{self, Found};
use crate::output::{self, Notes};

pub(crate) fn run(args: &ContentArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let Found {
        extraction,
        relocation,
        ..
    } = extract::find(&args.page, &args.method, &args.output)?;
    if args.no_fallback {
        extract::require_sibling(&extraction)?;
    }
    let page = &extraction.key_page;
    let content = if args.alone {
        Content::of_page_alone(page)
    } else {
        Content::of(&extraction)
    };
    match content.told_by {
        ToldBy::Template => notes.say(&extract::summary(&extraction)),
        ToldBy::PageAlone if args.alone => {}
        ToldBy::PageAlone => notes.say("no sibling page: the content was told by the page alone"),
    }
    let written = Written { page, relocation };
    let result = match args.format.unwrap_or(ContentFormat::Markdown) {
        ContentFormat::Markdown => written.all(args, &content, WrittenFormat::Markdown),
        ContentFormat::Text => written.all(args, &content, WrittenFormat::Text),
        ContentFormat::Html => written.all(args, &content, WrittenFormat::Html),
        ContentFormat::Json => json(args, &extraction, &content, &written)?,
        ContentFormat::Xpath => nodes_xpath(&page.dom, content.nodes.iter()),
    };
    output::write(&result, &args.output)
}

/// Nodes of a page in the form that is wanted.
struct Written<'a> {
    page: &'a Page,
    relocation: Option<Relocation>,
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
