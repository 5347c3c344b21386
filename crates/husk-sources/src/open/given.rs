//! Pages that the caller has, as the source of a site.

use std::collections::BTreeMap;

use husk::{Address, Page, Url};

use crate::source::{LoadError, Source};

pub(super) struct GivenPages {
    pages: BTreeMap<Address, Page>,
    name: &'static str,
}

impl GivenPages {
    pub(super) fn new(pages: Vec<Page>, name: &'static str) -> Self {
        let pages = pages.into_iter().map(|page| (Address::of(&page.url), page));
        Self {
            pages: pages.collect(),
            name,
        }
    }
}

impl Source for GivenPages {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let page = self.pages.get(&Address::of(url));
        page.cloned().ok_or_else(|| LoadError::NotFound {
            object: url.to_string(),
            root: self.name.into(),
        })
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        Some(self.pages.values().map(|page| page.url.clone()).collect())
    }
}
