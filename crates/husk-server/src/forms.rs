//! What was found, in every form that is kept or sent.

use husk::output::{
    ContentHtmlOptions, ContentJson, Engine, HtmlOptions, InspectOptions, MarkdownOptions, MarkedPage,
    MenuOptions, Resources, Scripts, content_html, content_markdown, content_text, in_document, marks_json,
    menu_html, menu_json, menu_markdown, menu_text, nodes_html, nodes_markdown, nodes_text, pagelets_json,
    pagelets_text, to_engine, to_html, to_inspection, to_json, to_outline, to_selectors, to_xpath,
};
use husk::{Content, Extraction, Metadata, Navigation, Selectors, pagelets};
use serde::Serialize;

use crate::problem::{Problem, ProblemType};
use crate::request::{ContentFormat, WriteOptions};

pub(crate) const JSON: &str = "application/json";
pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const MARKDOWN: &str = "text/markdown; charset=utf-8";
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

/// A form of a result, written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) media_type: &'static str,
    pub(crate) text: String,
}

impl Written {
    fn new(media_type: &'static str, text: String) -> Self {
        Self { media_type, text }
    }

    fn json(value: &impl Serialize) -> Result<Self, Problem> {
        let text = serde_json::to_string_pretty(value).map_err(Problem::internal)?;
        Ok(Self::new(JSON, text + "\n"))
    }
}

/// The part of a page that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Template,
    Menu,
    Content,
    Pagelets,
    Inspect,
}

impl Part {
    /// The media types that it can be written in, the usual one first.
    pub(crate) fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Template | Self::Inspect => &[JSON, HTML, PLAIN],
            Self::Menu | Self::Content => &[JSON, HTML, MARKDOWN, PLAIN],
            Self::Pagelets => &[JSON, PLAIN],
        }
    }
}

/// An extraction, and what follows from it.
pub(crate) struct Found {
    pub(crate) extraction: Extraction,
    /// Those of the page that are at hand, for where it is looked at.
    pub(crate) style_sheets: Resources,
    navigation: Navigation,
    content: Content,
}

impl Found {
    pub(crate) fn of(extraction: Extraction) -> Self {
        Self {
            navigation: Navigation::of(&extraction),
            content: Content::of(&extraction),
            style_sheets: Resources::default(),
            extraction,
        }
    }

    /// A part in a form, as the command prints it.
    pub(crate) fn write(
        &self,
        part: Part,
        media_type: &str,
        options: &WriteOptions,
    ) -> Result<Written, Problem> {
        match part {
            Part::Template => self.template(media_type, options),
            Part::Menu => self.menu(media_type, options),
            Part::Content => self.content(media_type, options),
            Part::Pagelets => self.pagelets(media_type),
            Part::Inspect => self.inspect(media_type, options),
        }
    }

    fn template(&self, media_type: &str, options: &WriteOptions) -> Result<Written, Problem> {
        self.require_sibling()?;
        Ok(match media_type {
            HTML => {
                let options = HtmlOptions {
                    scripts: options.scripts.unwrap_or_default(),
                    links: options.links.unwrap_or_default(),
                    ..HtmlOptions::default()
                };
                Written::new(HTML, to_html(&self.extraction, &options))
            }
            PLAIN => Written::new(PLAIN, to_outline(&self.extraction)),
            _ => Written::json(&to_json(&self.extraction))?,
        })
    }

    fn menu(&self, media_type: &str, options: &WriteOptions) -> Result<Written, Problem> {
        self.require_sibling()?;
        let menu = MenuOptions {
            all: options.all,
            relocation: None,
        };
        if media_type == JSON {
            return Written::json(&menu_json(&self.extraction, &self.navigation, &menu));
        }
        let has_some = self.navigation.main().is_some() || (menu.all && !self.navigation.blocks.is_empty());
        if !has_some {
            let url = &self.extraction.key_page.url;
            let message = format!(
                "no main menu found on {url}; write.all shows other blocks of links, if there are any"
            );
            return Err(Problem::new(ProblemType::NoMenu, message));
        }
        Ok(match media_type {
            HTML => Written::new(HTML, menu_html(&self.navigation, &menu)),
            MARKDOWN => Written::new(MARKDOWN, menu_markdown(&self.navigation, &menu)),
            _ => Written::new(PLAIN, menu_text(&self.navigation, &menu)),
        })
    }

    fn content(&self, media_type: &str, options: &WriteOptions) -> Result<Written, Problem> {
        let (page, content) = (&self.extraction.key_page, &self.content);
        if media_type == JSON {
            let format = options.content_format.unwrap_or_default();
            let text = self.nodes(format, &content.nodes);
            let mut json = ContentJson::new(&self.extraction, content, name_of(format), text);
            json.comments = options.comments.then(|| self.nodes(format, &content.comments));
            return Written::json(&json);
        }
        if content_text(page, content).trim().is_empty() {
            let message = format!(
                "no content found on {}: all that it says stands on other pages, too",
                page.url
            );
            return Err(Problem::new(ProblemType::NoContent, message));
        }
        let format = match media_type {
            HTML => ContentFormat::Html,
            MARKDOWN => ContentFormat::Markdown,
            _ => ContentFormat::Text,
        };
        let mut text = self.nodes(format, &content.nodes);
        let comments = self.nodes(format, &content.comments);
        let has_comments = options.comments && !comments.trim().is_empty();
        if format == ContentFormat::Html {
            text = format!("<article>{text}</article>\n");
            if has_comments {
                text += &format!("<section>{comments}</section>\n");
            }
        } else if has_comments {
            text += &format!("\n---\n\n{comments}");
        }
        Ok(Written::new(media_type_of(format), text))
    }

    fn nodes(&self, format: ContentFormat, nodes: &husk::NodeSet) -> String {
        let page = &self.extraction.key_page;
        match format {
            ContentFormat::Markdown => nodes_markdown(page, nodes, &MarkdownOptions::default()),
            ContentFormat::Text => nodes_text(page, nodes),
            ContentFormat::Html => nodes_html(page, nodes, &ContentHtmlOptions::default()),
        }
    }

    fn pagelets(&self, media_type: &str) -> Result<Written, Problem> {
        let found = pagelets(&self.extraction, &self.navigation, &self.content);
        match media_type {
            PLAIN => Ok(Written::new(PLAIN, pagelets_text(&self.extraction, &found))),
            _ => Written::json(&pagelets_json(&self.extraction, &found)),
        }
    }

    fn inspect(&self, media_type: &str, options: &WriteOptions) -> Result<Written, Problem> {
        let options = InspectOptions {
            offline: options.offline,
            ..InspectOptions::default()
        };
        Ok(match media_type {
            HTML => Written::new(HTML, to_inspection(&self.extraction, &options)),
            PLAIN => Written::new(PLAIN, to_outline(&self.extraction)),
            _ => Written::json(&marks_json(&self.extraction))?,
        })
    }

    /// A form that is kept with a result.
    pub(crate) fn output(&self, output: Output) -> Result<Written, Problem> {
        let (extraction, page) = (&self.extraction, &self.extraction.key_page);
        // What is kept is shown in browsers: scripts have no place there.
        let html = HtmlOptions {
            scripts: Scripts::Drop,
            ..HtmlOptions::default()
        };
        let engine = |engine| Written::new(HTML, to_engine(extraction, engine, &html));
        let style_sheets = Some(self.style_sheets.clone());
        let offline = InspectOptions {
            offline: true,
            resources: style_sheets.clone(),
            ..InspectOptions::default()
        };
        let all = MenuOptions {
            all: true,
            relocation: None,
        };
        Ok(match output {
            Output::TemplateHtml => Written::new(HTML, to_html(extraction, &html)),
            Output::TemplatePage => {
                let styled = HtmlOptions {
                    resources: style_sheets,
                    ..html
                };
                Written::new(HTML, to_html(extraction, &styled))
            }
            Output::TemplateJson => Written::json(&to_json(extraction))?,
            Output::TemplateJinja => engine(Engine::Jinja),
            Output::TemplateLiquid => engine(Engine::Liquid),
            Output::TemplateHandlebars => engine(Engine::Handlebars),
            Output::TemplateHtmlSlots => engine(Engine::HtmlSlots),
            Output::TemplateXpath => Written::new(PLAIN, to_xpath(extraction)),
            Output::TemplateSelectors => Written::new(
                PLAIN,
                to_selectors(&Selectors::of_template(extraction, &self.content)),
            ),
            Output::MenuJson => Written::json(&menu_json(extraction, &self.navigation, &all))?,
            Output::MenuMarkdown => {
                let main = MenuOptions {
                    all: false,
                    relocation: None,
                };
                Written::new(MARKDOWN, menu_markdown(&self.navigation, &main))
            }
            Output::ContentHtml => {
                let metadata = Metadata::with_siblings(page, &extraction.pages);
                let html = content_html(page, &self.content, &ContentHtmlOptions::default());
                Written::new(HTML, in_document(&html, &metadata))
            }
            Output::ContentMarkdown => Written::new(
                MARKDOWN,
                content_markdown(page, &self.content, &MarkdownOptions::default()),
            ),
            Output::ContentJson => self.content(JSON, &WriteOptions::default())?,
            Output::PageletsJson => self.pagelets(JSON)?,
            Output::Marks => Written::json(&marks_json(extraction))?,
            Output::Page => Written::json(&MarkedPage::of(extraction, &offline))?,
            Output::Inspection => Written::new(HTML, to_inspection(extraction, &offline)),
        })
    }

    /// Fails if the page was compared with nothing.
    fn require_sibling(&self) -> Result<(), Problem> {
        let extraction = &self.extraction;
        if extraction.template.compared() > 0 {
            return Ok(());
        }
        let url = &extraction.key_page.url;
        let cause = match extraction.failures.first() {
            None => "it links to no other page of its site".to_owned(),
            Some(first) => format!(
                "none of the {} that were tried could be used, the first because: {}",
                extraction.failures.len(),
                first.cause
            ),
        };
        let message = format!(
            "no sibling page to compare {url} with: {cause}; send the pages along if you have them (page, siblings)"
        );
        Err(Problem::new(ProblemType::NoSibling, message))
    }
}

fn name_of(format: ContentFormat) -> &'static str {
    match format {
        ContentFormat::Markdown => "markdown",
        ContentFormat::Text => "text",
        ContentFormat::Html => "html",
    }
}

fn media_type_of(format: ContentFormat) -> &'static str {
    match format {
        ContentFormat::Markdown => MARKDOWN,
        ContentFormat::Text => PLAIN,
        ContentFormat::Html => HTML,
    }
}

/// The forms that are kept with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    TemplateHtml,
    /// With its style sheets in it, to be looked at.
    TemplatePage,
    TemplateJson,
    TemplateJinja,
    TemplateLiquid,
    TemplateHandlebars,
    TemplateHtmlSlots,
    TemplateXpath,
    TemplateSelectors,
    MenuJson,
    MenuMarkdown,
    ContentHtml,
    ContentMarkdown,
    ContentJson,
    PageletsJson,
    Marks,
    Page,
    Inspection,
}

impl Output {
    /// All of them, with their names, their media types and the names of their files.
    pub(crate) const ALL: [(Self, &'static str, &'static str, &'static str); 18] = [
        (Self::TemplateHtml, "template-html", HTML, "template.html"),
        (Self::TemplatePage, "template-page", HTML, "template.page.html"),
        (Self::TemplateJson, "template-json", JSON, "template.json"),
        (Self::TemplateJinja, "template-jinja", HTML, "template.jinja.html"),
        (
            Self::TemplateLiquid,
            "template-liquid",
            HTML,
            "template.liquid.html",
        ),
        (
            Self::TemplateHandlebars,
            "template-handlebars",
            HTML,
            "template.handlebars.html",
        ),
        (
            Self::TemplateHtmlSlots,
            "template-html-slots",
            HTML,
            "template.slots.html",
        ),
        (Self::TemplateXpath, "template-xpath", PLAIN, "template.xpath.txt"),
        (
            Self::TemplateSelectors,
            "template-selectors",
            PLAIN,
            "template.css.txt",
        ),
        (Self::MenuJson, "menu-json", JSON, "menu.json"),
        (Self::MenuMarkdown, "menu-markdown", MARKDOWN, "menu.md"),
        (Self::ContentHtml, "content-html", HTML, "content.html"),
        (Self::ContentMarkdown, "content-markdown", MARKDOWN, "content.md"),
        (Self::ContentJson, "content-json", JSON, "content.json"),
        (Self::PageletsJson, "pagelets-json", JSON, "pagelets.json"),
        (Self::Marks, "marks", JSON, "marks.json"),
        (Self::Page, "page", JSON, "page.json"),
        (Self::Inspection, "inspection", HTML, "inspection.html"),
    ];

    /// Its media type and the name of its file.
    pub(crate) fn named(name: &str) -> Option<(&'static str, &'static str)> {
        let found = Self::ALL.iter().find(|(_, known, ..)| *known == name);
        found.map(|&(_, _, media_type, file)| (media_type, file))
    }
}
