//! A source with an additional list of pages.

use std::collections::BTreeSet;

use husk::{Address, Page, SameSite, Url};

use crate::source::{AsyncSource, LoadError, Source};

/// A source together with a list of URLs, such as a sitemap: if the links of the key page lead to too few siblings, the
/// listed pages are tried too.
#[derive(Debug, Clone)]
pub struct WithList<S> {
    source: S,
    list: Vec<Url>,
}

impl<S> WithList<S> {
    /// Adds a list of URLs to those that the source knows.
    pub fn new(source: S, list: Vec<Url>) -> Self {
        Self { source, list }
    }

    /// The source without the list.
    pub fn inner(&mut self) -> &mut S {
        &mut self.source
    }

    /// The URLs that the source knows, then those that are only in the list.
    fn with_listed(&self, own: Option<Vec<Url>>) -> Vec<Url> {
        let mut all = own.unwrap_or_default();
        let mut seen: BTreeSet<Address> = all.iter().map(Address::of).collect();
        let new = self.list.iter().filter(|url| seen.insert(Address::of(url)));
        all.extend(new.cloned());
        all
    }
}

impl<S: Source> Source for WithList<S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source.load(url)
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let own = self.source.page_urls();
        Some(self.with_listed(own))
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.source.unused_pages()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.source.stay_on(key_page, same_site);
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.source.take_warnings()
    }
}

impl<S: AsyncSource + Send + Sync> AsyncSource for WithList<S> {
    async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source.load(url).await
    }

    async fn page_urls(&mut self) -> Option<Vec<Url>> {
        let own = self.source.page_urls().await;
        Some(self.with_listed(own))
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.source.unused_pages()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.source.stay_on(key_page, same_site);
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.source.take_warnings()
    }
}
