//! The page selection of the published method: links in document order until enough pages all link to each other.

use indexmap::IndexMap;
use url::Url;

use super::{Arrivals, PageSelection};
use crate::extraction::{Extraction, Outcome, Visit};
use crate::links::{Address, links};
use crate::mapping::Equality;
use crate::options::Options;
use crate::page::Page;
use crate::select::{CliqueSearch, SelectionReason};
use crate::template::Template;

/// The published method: a clique of pages, and the intersection of their mappings.
pub(super) struct CliqueSelection {
    key_page: Page,
    options: Options,
    equality: Box<dyn Equality>,
    /// The links of the key page, in document order.
    candidates: IndexMap<Address, Candidate>,
    /// The candidate to ask for next.
    next: usize,
    search: CliqueSearch,
    arrivals: Arrivals,
}

/// Why a loaded page is not compared.
const NOT_IN_CLIQUE: &str = "not one of the largest set of pages that all link to each other";
const OTHER_ROOT: &str = "has another root than the key page";

/// A link of the key page, and its page once it is loaded.
struct Candidate {
    url: Url,
    page: Option<Page>,
}

impl CliqueSelection {
    pub(super) fn new(key_page: Page, options: Options, equality: Box<dyn Equality>) -> Self {
        let candidates: IndexMap<_, _> = links(&key_page, options.same_site)
            .into_iter()
            .map(|link| {
                let candidate = Candidate {
                    url: link.url,
                    page: None,
                };
                (link.address, candidate)
            })
            .collect();
        Self {
            search: CliqueSearch::new(candidates.len(), options.pages_to_compare),
            arrivals: Arrivals::new(&key_page, options.same_site),
            key_page,
            options,
            equality,
            candidates,
            next: 0,
        }
    }

    fn record_visit(&mut self, found_at: Option<Url>) {
        let url = self.candidates[self.next].url.clone();
        self.arrivals.visit(url, SelectionReason::DocumentOrder, found_at);
    }

    fn skip(&mut self, cause: String) {
        let url = self.candidates[self.next].url.clone();
        self.arrivals.fail(url, cause);
        self.advance();
    }

    /// Adds the page of a candidate, with its links to other candidates.
    fn add(&mut self, candidate: usize, page: Page) {
        let existing_links: Vec<usize> = links(&page, self.options.same_site)
            .iter()
            .filter_map(|link| self.candidates.get_index_of(&link.address))
            .filter(|&other| other != candidate)
            .collect();
        self.search.add(candidate, existing_links);
        self.candidates[candidate].page = Some(page);
    }

    /// Moves to the next candidate that a redirect has not loaded yet.
    fn advance(&mut self) {
        self.arrivals.asked += 1;
        self.next += 1;
        while self
            .candidates
            .get_index(self.next)
            .is_some_and(|(_, candidate)| candidate.page.is_some())
        {
            self.next += 1;
        }
    }
}

impl PageSelection for CliqueSelection {
    fn next_wanted(&self) -> Option<&Url> {
        let has_asked_enough = self
            .options
            .max_pages
            .is_some_and(|most| self.arrivals.asked >= most);
        if self.search.is_complete() || has_asked_enough {
            return None;
        }
        self.candidates
            .get_index(self.next)
            .map(|(_, candidate)| &candidate.url)
    }

    fn wanted_ahead(&self) -> Vec<Url> {
        if self.next_wanted().is_none() {
            return Vec::new();
        }
        let have = self.arrivals.loaded.len() - 1;
        let needed = self.options.pages_to_compare.saturating_sub(have).max(1);
        let allowed = self.wanted_at_most();
        let candidates = self.candidates.values().skip(self.next);
        let open = candidates.filter(|candidate| candidate.page.is_none());
        open.take(needed.min(allowed))
            .map(|candidate| candidate.url.clone())
            .collect()
    }

    fn wanted_at_most(&self) -> usize {
        if self.next_wanted().is_none() {
            return 0;
        }
        let most = self.options.max_pages.unwrap_or(usize::MAX);
        (most - self.arrivals.asked).min(self.candidates.len() - self.next)
    }

    fn why_wanted(&self) -> Option<SelectionReason> {
        self.next_wanted().map(|_| SelectionReason::DocumentOrder)
    }

    fn give(&mut self, page: Page) {
        self.record_visit(Some(page.url.clone()));
        match self.arrivals.take(&page) {
            Ok(address) => {
                // A redirect may lead to another candidate.
                let candidate = self.candidates.get_index_of(&address).unwrap_or(self.next);
                self.add(candidate, page);
                self.advance();
            }
            Err(cause) => self.skip(cause),
        }
    }

    fn give_up(&mut self, cause: String) {
        self.record_visit(None);
        self.skip(cause);
    }

    fn visits(&self) -> &[Visit] {
        &self.arrivals.visits
    }

    fn finish(mut self: Box<Self>) -> Extraction {
        let clique: Vec<&Page> = self
            .search
            .best()
            .filter_map(|candidate| self.candidates[candidate].page.as_ref())
            .collect();
        let (template, was_compared) =
            Template::by_intersection(&self.key_page, clique.iter().copied(), &*self.equality);
        let compared: Vec<Url> = clique
            .iter()
            .zip(was_compared)
            .filter(|(_, was)| *was)
            .map(|(page, _)| page.url.clone())
            .collect();
        let in_clique: Vec<Url> = clique.iter().map(|page| page.url.clone()).collect();
        for visit in &mut self.arrivals.visits {
            let Some(url) = visit
                .found_at
                .as_ref()
                .filter(|_| visit.outcome == Outcome::Compared)
            else {
                continue;
            };
            if !in_clique.contains(url) {
                visit.outcome = Outcome::Refused(NOT_IN_CLIQUE.to_owned());
            } else if !compared.contains(url) {
                visit.outcome = Outcome::Refused(OTHER_ROOT.to_owned());
            }
        }
        let clique = Some(in_clique.len());
        let mut pages: Vec<Page> = self
            .candidates
            .into_values()
            .filter_map(|candidate| candidate.page)
            .collect();
        let loaded = &self.arrivals.loaded;
        pages.sort_by_key(|page| loaded.iter().position(|url| *url == page.url));
        Extraction {
            key_page: self.key_page,
            method: self.options.method.name(),
            loaded: self.arrivals.loaded,
            compared,
            pages,
            failures: self.arrivals.failures,
            visits: self.arrivals.visits,
            clique,
            template,
        }
    }
}
