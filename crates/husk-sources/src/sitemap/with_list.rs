//! A source, and a list of pages beside it.

use std::collections::BTreeSet;

use husk::{Address, Page, Url};

use crate::source::{AsyncSource, LoadError, Source};

/// Any source together with a list of addresses that somebody has, such as a sitemap: where the links of the key page
/// lead to too few siblings, the listed pages are tried too.
#[derive(Debug, Clone)]
pub struct WithList<S> {
    source: S,
    list: Vec<Url>,
}

impl<S> WithList<S> {
    /// Adds a list to what the source itself can list.
    pub fn new(source: S, list: Vec<Url>) -> Self {
        Self { source, list }
    }

    /// The source itself.
    pub fn inner(&mut self) -> &mut S {
        &mut self.source
    }

    /// What the source lists, and what is only in the list.
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

    fn addresses(&mut self) -> Option<Vec<Url>> {
        let own = self.source.addresses();
        Some(self.with_listed(own))
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.source.loaded_in_vain()
    }
}

impl<S: AsyncSource + Send + Sync> AsyncSource for WithList<S> {
    async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source.load(url).await
    }

    async fn addresses(&mut self) -> Option<Vec<Url>> {
        let own = self.source.addresses().await;
        Some(self.with_listed(own))
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.source.loaded_in_vain()
    }
}
