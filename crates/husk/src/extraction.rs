//! The result of an extraction.

use url::Url;

use crate::options::Method;
use crate::page::Page;
use crate::select::SelectionReason;
use crate::template::Template;

/// The template of a page, and how it was found.
#[derive(Debug, Clone)]
pub struct Extraction {
    /// The page.
    pub key_page: Page,
    /// The name of the method.
    pub method: &'static str,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<Url>,
    /// The pages that the key page was compared with.
    pub compared: Vec<Url>,
    /// The other pages that were loaded, compared or not.
    pub pages: Vec<Page>,
    /// Pages that were unavailable or not usable.
    pub failures: Vec<Failure>,
    /// Every page that was asked for, in that order.
    pub visits: Vec<Visit>,
    /// Size of the largest clique among the loaded pages, for methods that look for one.
    pub clique: Option<usize>,
    /// The template of the key page; the whole page if it was compared with nothing.
    pub template: Template,
}

impl Extraction {
    /// A page that is compared with nothing: all of it is its template.
    pub fn of_single_page(key_page: Page) -> Self {
        Self {
            template: Template::of_nothing(&key_page.dom),
            loaded: vec![key_page.url.clone()],
            key_page,
            method: Method::Husk.name(),
            compared: Vec::new(),
            pages: Vec::new(),
            failures: Vec::new(),
            visits: Vec::new(),
            clique: None,
        }
    }
}

/// A page that was unavailable or not usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its URL.
    pub url: Url,
    /// The reason.
    pub cause: String,
}

/// A page that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// The requested URL.
    pub url: Url,
    /// The URL of the page after redirects; none if it was unavailable.
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
    /// It was loaded and not compared, for this reason.
    Refused(String),
    /// It could not be loaded, for this reason.
    Unavailable(String),
}

impl Outcome {
    /// Why the page was not compared.
    pub fn cause(&self) -> Option<&str> {
        match self {
            Self::Compared => None,
            Self::Refused(cause) | Self::Unavailable(cause) => Some(cause),
        }
    }
}
