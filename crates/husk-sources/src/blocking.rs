//! Asynchronous sources for blocking callers.

use std::io;

use husk::{Page, SameSite, Url};
use tokio::runtime::Runtime;

use crate::source::{AsyncSource, LoadError, Source};

/// An asynchronous source as a blocking one, with a runtime of its own.
///
/// Do not use it within another runtime: await the source there.
#[derive(Debug)]
pub struct Blocking<S> {
    source: S,
    runtime: Runtime,
}

impl<S: AsyncSource> Blocking<S> {
    /// Starts a runtime for the source.
    pub fn new(source: S) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Self { source, runtime })
    }

    /// The asynchronous source.
    pub fn inner(&mut self) -> &mut S {
        &mut self.source
    }
}

impl<S: AsyncSource> Source for Blocking<S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.runtime.block_on(self.source.load(url))
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        self.runtime.block_on(self.source.page_urls())
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        let _entered = self.runtime.enter();
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
