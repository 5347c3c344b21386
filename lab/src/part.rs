//! What of a page is measured.

use clap::ValueEnum;
use serde::Serialize;

/// A part of a page that methods find and labels mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The template
    #[default]
    Template,
    /// The main menu
    Menu,
    /// The main content
    Content,
    /// The main content, extracted from the page alone
    ContentAlone,
    /// The main content, extracted with templates learned from the other pages of the site, as husk strip does
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
