//! A page: a URL and its document.

use husk_dom::Dom;
use url::Url;

/// A page of a site.
#[derive(Debug, Clone)]
pub struct Page {
    /// The URL of the page, after redirects.
    pub url: Url,
    /// The parsed document.
    pub dom: Dom,
}

impl Page {
    /// A page from its parsed form.
    pub fn new(url: Url, dom: Dom) -> Self {
        Self { url, dom }
    }

    /// Parses a page.
    pub fn parse(url: Url, text: &str) -> Self {
        Self::new(url, Dom::parse(text))
    }
}
