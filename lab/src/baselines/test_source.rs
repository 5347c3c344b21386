//! A site written as strings, for the tests of baselines.

use std::collections::BTreeMap;

use husk::dom::{name, outline_marked};
use husk::{Extraction, Page, SameSite, Url};
use husk_sources::{LoadError, Source};

use super::Baseline;

/// A site of pages by their paths.
pub(crate) struct TestSource {
    pages: BTreeMap<Url, String>,
    lists_pages: bool,
}

pub(crate) fn url(path: &str) -> Url {
    Url::parse("https://example.org/").unwrap().join(path).unwrap()
}

impl TestSource {
    pub(crate) fn new<'a>(pages: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        Self {
            pages: pages.into_iter().map(|(path, html)| (url(path), html)).collect(),
            lists_pages: true,
        }
    }

    /// The same site without a list of its pages.
    pub(crate) fn without_list(self) -> Self {
        Self {
            lists_pages: false,
            ..self
        }
    }

    /// Runs a baseline on one of the pages.
    pub(crate) fn extract(&mut self, baseline: &dyn Baseline, key: &str) -> Extraction {
        let key_page = self.load(&url(key)).unwrap();
        baseline.extract(key_page, self, SameSite::Host)
    }
}

impl Source for TestSource {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        match self.pages.get(url) {
            Some(html) => Ok(Page::parse(url.clone(), html)),
            None => Err(LoadError::NotFound {
                object: url.to_string(),
                root: "/site".into(),
            }),
        }
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        self.lists_pages.then(|| self.pages.keys().cloned().collect())
    }
}

/// The template below the body, one node a line, marked with T.
pub(crate) fn outline(extraction: &Extraction) -> String {
    let dom = &extraction.key_page.dom;
    let mark = |node| {
        Some(if extraction.template.contains(node) {
            'T'
        } else {
            '-'
        })
    };
    outline_marked(dom, dom.part(&name!("body")).unwrap(), mark)
}

/// The texts of the template below the body.
pub(crate) fn texts(extraction: &Extraction) -> Vec<&str> {
    let dom = &extraction.key_page.dom;
    dom.subtree(dom.part(&name!("body")).unwrap())
        .filter(|&node| dom.kind(node) == husk::dom::NodeKind::Text && !dom.is_blank_text(node))
        .filter(|&node| extraction.template.contains(node))
        .map(|node| dom.text_of(node).trim())
        .collect()
}
