//! Loads the pages that a baseline asks for, each once, and records them.

use std::collections::HashSet;

use husk::{Address, Extraction, Failure, Page, SameSite, Template, Url};
use husk_sources::Source;

/// Loads pages of the key page's site.
pub(super) struct PageLoader {
    key_url: Url,
    same_site: SameSite,
    /// The key page and all pages loaded.
    known: HashSet<Address>,
    loaded: Vec<Url>,
    failures: Vec<Failure>,
}

impl PageLoader {
    /// Begins with the key page, which is loaded already.
    pub(super) fn new(key_page: &Page, same_site: SameSite) -> Self {
        Self {
            key_url: key_page.url.clone(),
            same_site,
            known: HashSet::from([Address::of(&key_page.url)]),
            loaded: vec![key_page.url.clone()],
            failures: Vec::new(),
        }
    }

    /// Whether this is the key page or was loaded before.
    pub(super) fn knows(&self, address: &Address) -> bool {
        self.known.contains(address)
    }

    /// Whether a URL belongs to the site of the key page.
    pub(super) fn is_on_site(&self, url: &Url) -> bool {
        self.same_site.holds(&self.key_url, url)
    }

    /// Which pages belong to the site.
    pub(super) fn same_site(&self) -> SameSite {
        self.same_site
    }

    /// Loads a page, if it is a new one of the site.
    pub(super) fn load(&mut self, source: &mut dyn Source, url: &Url) -> Option<Page> {
        let cause = match source.load(url) {
            Ok(page) => match self.check_new(&page) {
                Ok(()) => return Some(page),
                Err(cause) => cause,
            },
            Err(cause) => cause.to_string(),
        };
        self.failures.push(Failure {
            url: url.clone(),
            cause,
        });
        None
    }

    fn check_new(&mut self, page: &Page) -> Result<(), String> {
        self.loaded.push(page.url.clone());
        if !self.is_on_site(&page.url) {
            return Err(format!("redirects to another site, {}", page.url));
        }
        if !self.known.insert(Address::of(&page.url)) {
            return Err(format!("redirects to {}, which was loaded before", page.url));
        }
        Ok(())
    }

    /// The result of the baseline for which pages were loaded.
    pub(super) fn finish(self, method: &'static str, key_page: Page, result: BaselineResult) -> Extraction {
        Extraction {
            key_page,
            method,
            loaded: self.loaded,
            compared: result.compared,
            pages: Vec::new(),
            failures: self.failures,
            visits: Vec::new(),
            clique: result.clique,
            template: result.template,
        }
    }
}

/// What a baseline found.
pub(super) struct BaselineResult {
    /// The template.
    pub(super) template: Template,
    /// The pages that the key page was compared with.
    pub(super) compared: Vec<Url>,
    /// How many of them all link to each other; none for a baseline that does not check.
    pub(super) clique: Option<usize>,
}
