//! Why a page is asked for.

use std::fmt;

use serde::Serialize;

/// Why a page was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionReason {
    /// It stands in one list of links with the key page.
    BesideKeyPage,
    /// The key page links to it, and its address is built like the key page's.
    LikeAddress,
    /// The key page links to it, and nothing better was known.
    Linked,
    /// It is the page of a folder above the key page, which likely lists pages like it.
    PageAbove,
    /// A page that was loaded links to it.
    LinkedFromLoaded,
    /// A page that was loaded sends its readers there.
    LedTo,
    /// The source has it, and its address is built like the key page's; nothing need link to it.
    Listed,
    /// It was the next in the order of the key page's links.
    DocumentOrder,
}

impl fmt::Display for SelectionReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::BesideKeyPage => "in a list of links with the key page",
            Self::LikeAddress => "its address is built like the key page's",
            Self::Linked => "linked from the key page",
            Self::PageAbove => "the page of a folder above",
            Self::LinkedFromLoaded => "linked from a page loaded before",
            Self::LedTo => "a page loaded before leads on to it",
            Self::Listed => "found among all pages of the site",
            Self::DocumentOrder => "next in the order of the key page's links",
        })
    }
}
