//! A page: an address and what stands there.

use husk_dom::Dom;
use url::Url;

/// A page of a site.
#[derive(Debug, Clone)]
pub struct Page {
    /// Where the page was found, after any redirect.
    pub url: Url,
    /// What stands there.
    pub dom: Dom,
}

impl Page {
    /// A page from its parsed form.
    pub fn new(url: Url, dom: Dom) -> Self {
        Self { url, dom }
    }

    /// A page from its text.
    pub fn parse(url: Url, text: &str) -> Self {
        Self::new(url, Dom::parse(text))
    }
}
