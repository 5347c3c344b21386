//! Why a page is selected.

use std::fmt;

use serde::Serialize;

/// Why a page was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionReason {
    /// It is in one list of links with the key page.
    BesideKeyPage,
    /// The key page links to it, and its URL is like the key page's.
    LikeAddress,
    /// The key page links to it, and there was no better candidate.
    Linked,
    /// It is the page of a folder above the key page, which likely links to pages like it.
    PageAbove,
    /// A loaded page links to it.
    LinkedFromLoaded,
    /// A loaded page redirects to it by a refresh.
    LedTo,
    /// The source lists it, and its URL is like the key page's.
    Listed,
    /// It was the next link of the key page in document order.
    DocumentOrder,
}

impl fmt::Display for SelectionReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::BesideKeyPage => "in a list of links with the key page",
            Self::LikeAddress => "its URL is like the key page's",
            Self::Linked => "linked from the key page",
            Self::PageAbove => "the page of a folder above",
            Self::LinkedFromLoaded => "linked from a loaded page",
            Self::LedTo => "a loaded page redirects to it",
            Self::Listed => "listed by the site",
            Self::DocumentOrder => "next link of the key page",
        })
    }
}
