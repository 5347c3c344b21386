//! The default method's choice: pages most like the key page first, until further ones would change nothing.

use url::Url;

use super::Arrivals;
use crate::extraction::Extraction;
use crate::fingerprint::{ClassNames, Fingerprints};
use crate::links::is_view;
use crate::mapping::{Side, align};
use crate::options::Options;
use crate::page::Page;
use crate::refusal::{leads_on, refusal};
use crate::select::Ranking;
use crate::template::Template;
use crate::vote::Votes;

/// A session by the default method.
pub(super) struct RankedChoice {
    key_page: Page,
    fingerprints: Fingerprints,
    class_names: ClassNames,
    options: Options,
    ranking: Ranking,
    /// The candidate that is asked for next.
    next: Option<usize>,
    votes: Votes,
    compared: Vec<Url>,
    is_settled: bool,
    was_offered: bool,
    arrivals: Arrivals,
}

impl RankedChoice {
    pub(super) fn new(key_page: Page, options: Options) -> Self {
        let mut class_names = ClassNames::new();
        let fingerprints = Fingerprints::with(&key_page, &mut class_names);
        let key = Side {
            dom: &key_page.dom,
            fingerprints: &fingerprints,
        };
        let mut ranking = Ranking::of(&key_page, options.same_site, &options.thresholds);
        Self {
            votes: Votes::new(key, &options.thresholds),
            next: ranking.next(&options.thresholds),
            arrivals: Arrivals::new(&key_page, options.same_site),
            key_page,
            fingerprints,
            class_names,
            options,
            ranking,
            compared: Vec::new(),
            is_settled: false,
            was_offered: false,
        }
    }

    pub(super) fn next_wanted(&self) -> Option<&Url> {
        let next = self
            .next
            .filter(|_| !self.is_settled && self.still_allowed() > 0)?;
        Some(self.ranking.url(next))
    }

    pub(super) fn wanted_at_most(&self) -> usize {
        if self.next_wanted().is_none() {
            return 0;
        }
        // A page that was loaded may link to more.
        self.still_allowed()
    }

    /// How many more pages may be asked for. Unless the user says how many may be asked for at all, pages that
    /// cannot be had hardly count.
    fn still_allowed(&self) -> usize {
        let asked = self.arrivals.asked;
        if let Some(most) = self.options.max_pages {
            return most.saturating_sub(asked);
        }
        let thresholds = &self.options.thresholds;
        let most = thresholds.most_pages.max(self.options.pages_to_compare);
        let loaded = self.arrivals.loaded.len() - 1;
        most.saturating_sub(loaded)
            .min(thresholds.most_tries.saturating_sub(asked))
    }

    pub(super) fn wants_addresses(&self) -> bool {
        self.next.is_none()
            && !self.was_offered
            && !self.is_settled
            && self.still_allowed() > 0
            && self.votes.pages() < self.options.pages_to_compare
    }

    pub(super) fn offer(&mut self, addresses: Vec<Url>) {
        if self.wants_addresses() {
            self.was_offered = true;
            self.ranking.add_listed(addresses, &self.options.thresholds);
            self.next = self.ranking.next(&self.options.thresholds);
        }
    }

    pub(super) fn give(&mut self, page: Page) {
        match self.arrivals.take(&page) {
            Ok(address) => {
                self.ranking.is_loaded(&address);
                match self.compare(&page) {
                    Ok(()) => self.go_on(Some(&page)),
                    Err(cause) => self.refuse(&page, cause),
                }
            }
            Err(cause) => self.give_up(cause),
        }
    }

    pub(super) fn give_up(&mut self, cause: String) {
        if let Some(next) = self.next {
            self.arrivals.fail(self.ranking.url(next).clone(), cause);
        }
        self.go_on(None);
    }

    pub(super) fn finish(self) -> Extraction {
        let dom = &self.key_page.dom;
        let template = if self.votes.pages() == 0 {
            Template::of_nothing(dom)
        } else {
            let nodes = self
                .votes
                .template(dom, &self.fingerprints, &self.options.thresholds);
            Template::by_vote(dom, nodes, &self.votes)
        };
        Extraction {
            key_page: self.key_page,
            method: self.options.method.name(),
            loaded: self.arrivals.loaded,
            compared: self.compared,
            failures: self.arrivals.failures,
            clique: None,
            template,
        }
    }

    /// Lets a page vote, or says why it may not.
    fn compare(&mut self, page: &Page) -> Result<(), String> {
        if let Some(target) = leads_on(page) {
            if let Some(next) = self.next {
                self.ranking.add_instead(target.clone(), next);
            }
            return Err(format!("leads on to {target}"));
        }
        let thresholds = &self.options.thresholds;
        let fingerprints = Fingerprints::with(page, &mut self.class_names);
        let key = Side {
            dom: &self.key_page.dom,
            fingerprints: &self.fingerprints,
        };
        let other = Side {
            dom: &page.dom,
            fingerprints: &fingerprints,
        };
        let alignment = align(key, other, thresholds.moved_block);
        if let Some(reason) = refusal(
            key,
            other,
            &alignment,
            is_view(&self.key_page.url, &page.url),
            thresholds,
        ) {
            return Err(reason);
        }
        self.votes.count(key, other, &alignment);
        self.compared.push(page.url.clone());
        self.is_settled = self.would_change_nothing();
        Ok(())
    }

    /// Refuses a page its vote; its links may be of use.
    fn refuse(&mut self, page: &Page, cause: String) {
        self.arrivals.fail(page.url.clone(), cause);
        self.go_on(Some(page));
    }

    /// Whether further pages would not change the answer.
    fn would_change_nothing(&self) -> bool {
        let thresholds = &self.options.thresholds;
        let in_doubt = || {
            self.votes
                .share_in_doubt(&self.key_page.dom, &self.fingerprints, thresholds)
        };
        let wanted = self.options.pages_to_compare;
        match self.votes.pages() {
            pages if pages >= wanted => in_doubt() <= thresholds.settled,
            pages if pages >= 2 && pages + 1 == wanted => in_doubt() == 0.0,
            _ => false,
        }
    }

    /// Turns to the next candidate, those that a loaded page links to included.
    fn go_on(&mut self, page: Option<&Page>) {
        self.arrivals.asked += 1;
        if self.is_settled || self.still_allowed() == 0 {
            self.next = None;
            return;
        }
        let thresholds = &self.options.thresholds;
        if let Some(page) = page
            && self.ranking.needs_links(self.still_allowed(), thresholds)
        {
            self.ranking.add_links_of(page, thresholds);
        }
        self.next = self.ranking.next(thresholds);
    }
}
