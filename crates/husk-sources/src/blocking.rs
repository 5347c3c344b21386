//! A source to wait for, for callers that wait.

use std::io;

use husk::{Page, Url};
use tokio::runtime::Runtime;

use crate::source::{AsyncSource, LoadError, Source};

/// Makes an asynchronous source a blocking one, with a runtime of its own.
///
/// It must not be used from within another runtime: there the source can be waited for as it is.
#[derive(Debug)]
pub struct Blocking<S> {
    source: S,
    runtime: Runtime,
}

impl<S: AsyncSource> Blocking<S> {
    /// Makes it, if the system has what a runtime needs.
    pub fn new(source: S) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Self { source, runtime })
    }

    /// The source itself.
    pub fn inner(&mut self) -> &mut S {
        &mut self.source
    }
}

impl<S: AsyncSource> Source for Blocking<S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.runtime.block_on(self.source.load(url))
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        self.runtime.block_on(self.source.addresses())
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        let _entered = self.runtime.enter();
        self.source.load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.source.loaded_in_vain()
    }
}
