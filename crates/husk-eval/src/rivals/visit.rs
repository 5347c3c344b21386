//! What a rival loads of a site: each page once, all of it on record.

use std::collections::HashSet;

use husk::{Address, Extraction, Failure, Outcome, Page, SameSite, Template, Url, Why};
use husk_sources::Source;

/// A visit to the site of a key page.
pub(super) struct Visit {
    site: Url,
    same_site: SameSite,
    /// The key page and all pages taken in.
    known: HashSet<Address>,
    loaded: Vec<Url>,
    failures: Vec<Failure>,
    visits: Vec<husk::Visit>,
}

impl Visit {
    /// Begins with the key page, which is loaded already.
    pub(super) fn new(key_page: &Page, same_site: SameSite) -> Self {
        Self {
            site: key_page.url.clone(),
            same_site,
            known: HashSet::from([Address::of(&key_page.url)]),
            loaded: vec![key_page.url.clone()],
            failures: Vec::new(),
            visits: Vec::new(),
        }
    }

    /// Whether the page at an address is the key page or was taken in before.
    pub(super) fn knows(&self, address: &Address) -> bool {
        self.known.contains(address)
    }

    /// Whether an address belongs to the site of the key page.
    pub(super) fn is_on_site(&self, url: &Url) -> bool {
        self.same_site.holds(&self.site, url)
    }

    /// What makes two pages belong to one site.
    pub(super) fn same_site(&self) -> SameSite {
        self.same_site
    }

    /// Loads a page, if it is a new one of the site.
    pub(super) fn load(&mut self, source: &mut dyn Source, url: &Url) -> Option<Page> {
        match source.load(url) {
            Ok(page) => {
                self.visit(url, Some(&page));
                self.take_in(url, page)
            }
            Err(cause) => {
                self.visit(url, None);
                self.fail(url, cause.to_string());
                None
            }
        }
    }

    fn take_in(&mut self, url: &Url, page: Page) -> Option<Page> {
        self.loaded.push(page.url.clone());
        if !self.is_on_site(&page.url) {
            self.fail(url, format!("leads to another site, {}", page.url));
            return None;
        }
        if !self.known.insert(Address::of(&page.url)) {
            self.fail(url, format!("leads to {} again", page.url));
            return None;
        }
        Some(page)
    }

    fn visit(&mut self, url: &Url, page: Option<&Page>) {
        self.visits.push(husk::Visit {
            url: url.clone(),
            found_at: page.map(|page| page.url.clone()),
            why: Why::RivalsChoice,
            outcome: Outcome::Compared,
        });
    }

    fn fail(&mut self, url: &Url, cause: String) {
        if let Some(visit) = self.visits.last_mut() {
            visit.outcome = match visit.found_at {
                Some(_) => Outcome::Refused(cause.clone()),
                None => Outcome::NotHad(cause.clone()),
            };
        }
        self.failures.push(Failure {
            url: url.clone(),
            cause,
        });
    }

    /// The result of the rival whose visit this was.
    pub(super) fn finish(mut self, method: &'static str, key_page: Page, found: Found) -> Extraction {
        for visit in &mut self.visits {
            let is_compared = |url| found.compared.contains(url);
            if visit.outcome == Outcome::Compared && !visit.found_at.as_ref().is_some_and(is_compared) {
                visit.outcome = Outcome::Refused("the method did not compare it".to_owned());
            }
        }
        Extraction {
            key_page,
            method,
            loaded: self.loaded,
            compared: found.compared,
            pages: Vec::new(),
            failures: self.failures,
            visits: self.visits,
            clique: found.clique,
            template: found.template,
        }
    }
}

/// What a rival found out with the pages of its visit.
pub(super) struct Found {
    /// The template.
    pub(super) template: Template,
    /// The pages that the key page was compared with.
    pub(super) compared: Vec<Url>,
    /// How many of them all link to each other; none where a rival does not look.
    pub(super) clique: Option<usize>,
}
