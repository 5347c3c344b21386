//! What comes out of the technique.

use url::Url;

use crate::page::Page;
use crate::select::SelectionReason;
use crate::template::Template;

/// What was found out about a page.
#[derive(Debug, Clone)]
pub struct Extraction {
    /// The page whose template was wanted.
    pub key_page: Page,
    /// The name of the method: how it was done.
    pub method: &'static str,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<Url>,
    /// The pages that the key page was compared with.
    pub compared: Vec<Url>,
    /// The other pages that were loaded and could be read, in that order, whether compared or not.
    pub pages: Vec<Page>,
    /// Pages that were asked for and could not be had or not be used.
    pub failures: Vec<Failure>,
    /// Every page that was asked for, in that order, with why and what came of it.
    pub visits: Vec<Visit>,
    /// How many pages all link to each other, of those loaded; none if the method does not look for such pages.
    pub clique: Option<usize>,
    /// The template of the key page; all of it when it was compared with nothing.
    pub template: Template,
}

/// A page that could not be had or not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The page.
    pub url: Url,
    /// Why not.
    pub cause: String,
}

/// A page that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// The address that was asked for.
    pub url: Url,
    /// Where the page was found, after any redirect; none if it could not be had.
    pub found_at: Option<Url>,
    /// Why it was asked for.
    pub why: SelectionReason,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a page that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The key page was compared with it.
    Compared,
    /// It was loaded and has no vote, and why.
    Refused(String),
    /// It could not be had, and why.
    Unavailable(String),
}

impl Outcome {
    /// Why the page was of no use, if it was not.
    pub fn cause(&self) -> Option<&str> {
        match self {
            Self::Compared => None,
            Self::Refused(cause) | Self::Unavailable(cause) => Some(cause),
        }
    }
}
