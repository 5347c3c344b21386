//! How outputs are written: one set of options for all of them.

use serde::{Deserialize, Serialize};
use url::Url;

use super::resources::Resources;
use super::urls::Relocation;
use crate::analysis::OutputError;

/// How an output is written. Each output lists the options that it heeds; it ignores the others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputOptions {
    /// Whether the page's scripts stay in the template.
    pub scripts: Scripts,
    /// How URLs are written in the template.
    pub links: Links,
    /// Whether every block of links is written, not only the main menu.
    pub all: bool,
    /// The parts that are written with the body text of the content; without a list, what was found to be content.
    pub include: Option<Vec<ContentPart>>,
    /// Whether readers' comments are written after the content: short for `comments` in `include`.
    pub comments: bool,
    /// The format of the content inside JSON.
    #[serde(alias = "content-format")]
    pub content_format: ContentFormat,
    /// Whether the HTML of the content is a whole document with title and language.
    pub document: bool,
    /// Whether an inspection loads nothing when it is opened.
    pub offline: bool,
    /// Where the site really is, if its pages were given a placeholder URL.
    #[serde(skip)]
    pub relocation: Option<Relocation>,
    /// Where the output is put: links to files of this computer are written relative to it.
    #[serde(skip)]
    pub place: Option<Url>,
    /// The bytes that the output may have; if `None`, a multiple of the page.
    #[serde(skip)]
    pub max_output: Option<usize>,
    /// Images, fonts and style sheets saved along with the page, which are embedded instead of linked.
    #[serde(skip)]
    pub resources: Option<Resources>,
}

impl OutputOptions {
    /// Whether a part of the content is to be written; none if what was found to be content is.
    pub(super) fn includes(&self, part: ContentPart) -> Option<bool> {
        if part == ContentPart::Comments && self.comments {
            return Some(true);
        }
        self.include.as_ref().map(|parts| parts.contains(&part))
    }

    /// Whether readers' comments are to be written.
    pub(super) fn includes_comments(&self) -> bool {
        self.includes(ContentPart::Comments) == Some(true)
    }
}

/// A part of a page that may be written with the body text of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentPart {
    /// The heading that is the page's title.
    Title,
    /// The author and the date by the title.
    Byline,
    /// The captions of pictures.
    Captions,
    /// Readers' comments.
    Comments,
}

impl ContentPart {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Title, Self::Byline, Self::Captions, Self::Comments];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Byline => "byline",
            Self::Captions => "captions",
            Self::Comments => "comments",
        }
    }

    /// Reads a comma-separated list of names. An empty text is an empty list.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, OutputError> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        names
            .map(|name| {
                let found = Self::ALL.into_iter().find(|part| part.name() == name);
                found.ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    OutputError::UnknownFormat(format!(
                        "unknown part of the content {name:?}: expected a comma-separated list of {names}"
                    ))
                })
            })
            .collect()
    }
}

/// Whether the page's scripts stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scripts {
    /// Scripts, event handlers, `javascript:` links and refreshes are left out.
    #[default]
    Drop,
    /// They stay as they are.
    Keep,
}

/// How URLs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Links {
    /// In full, so that the template works wherever it is put.
    #[default]
    Absolute,
    /// As the page has them.
    AsWritten,
}

/// The format of a page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentFormat {
    /// GitHub's Markdown.
    #[default]
    Markdown,
    /// Plain paragraphs.
    Text,
    /// Clean HTML.
    Html,
}

impl ContentFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Markdown, Self::Text, Self::Html];

    /// Its name in options and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Html => "html",
        }
    }
}
