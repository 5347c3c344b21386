//! How outputs are written: one set of options for all of them.

use serde::{Deserialize, Serialize};

use super::resources::Resources;
use super::urls::Relocation;

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
    /// Whether readers' comments are written after the content.
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
    /// Images, fonts and style sheets saved along with the page, which are embedded instead of linked.
    #[serde(skip)]
    pub resources: Option<Resources>,
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
