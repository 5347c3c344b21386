//! What of a page is measured.

use serde::Serialize;

/// A part of a page that a method finds and the labels tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// What the site wraps around every page.
    #[default]
    Template,
    /// The main menu.
    Menu,
    /// What a reader came for.
    Content,
    /// The same, told by the page alone, as if it had no site.
    ContentAlone,
    /// The same, by templates that were learned from the other pages of its site.
    ContentStripped,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Template,
        Self::Menu,
        Self::Content,
        Self::ContentAlone,
        Self::ContentStripped,
    ];

    /// The name it has on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Menu => "menu",
            Self::Content => "content",
            Self::ContentAlone => "content-alone",
            Self::ContentStripped => "content-stripped",
        }
    }

    /// What its nodes are, in a sentence: "not content".
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Menu => "menu",
            Self::Content | Self::ContentAlone | Self::ContentStripped => "content",
        }
    }
}
