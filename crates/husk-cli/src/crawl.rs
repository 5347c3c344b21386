//! Pages of a site from the web: those that the first one links to, then those that these link to.

use std::collections::{BTreeSet, VecDeque};

use husk::{Address, Page, SameSite, Url, links};
use husk_bulk::sample_evenly;
use husk_sources::OpenedPage;

use crate::args::PlaceArgs;
use crate::loading::Loading;
use crate::output::Notes;
use crate::pages::Opening;

/// How a site is gone through.
pub(crate) struct Crawl<'a> {
    pub(crate) loading: Loading<'a>,
    pub(crate) same_site: SameSite,
    /// So many pages are wanted.
    pub(crate) most: usize,
    pub(crate) notes: Notes,
}

/// For each page that is wanted, so many addresses are tried: links may lead nowhere for a long time.
const TRIES: usize = 3;

impl Crawl<'_> {
    /// Pages of the site of the first address, in the order in which they were met: by breadth, so that pages of all
    /// layouts that a menu leads to come first.
    pub(crate) fn pages(&self, from: &[Url]) -> anyhow::Result<Vec<Page>> {
        let Some((first, others)) = from.split_first() else {
            return Ok(Vec::new());
        };
        let place = PlaceArgs {
            page: first.as_str().into(),
            ..PlaceArgs::default()
        };
        let opening = Opening {
            place: &place,
            loading: self.loading,
            same_site: self.same_site,
            is_alone: false,
            recorder: None,
            notes: self.notes,
        };
        let OpenedPage {
            key_page, mut source, ..
        } = opening.open()?.page;
        let mut way = Way::from(first);
        way.met.insert(Address::of(&key_page.url));
        others.iter().for_each(|url| way.add(url));
        if self.loading.flags.sitemap.is_some() {
            let listed = source.page_urls().unwrap_or_default();
            for place in sample_evenly(&vec![0; listed.len()], self.most, u64::MAX) {
                way.add(&listed[place]);
            }
        }
        way.add_links(&key_page, self.same_site);
        let mut pages = vec![key_page];
        let mut tries = 1;
        while pages.len() < self.most && tries < self.most.saturating_mul(TRIES) {
            let Some(url) = way.next.pop_front() else { break };
            tries += 1;
            self.notes.say(&format!(
                "loading {url} (at most {} more)",
                self.most - pages.len() - 1
            ));
            match source.load(&url) {
                Ok(page) => {
                    // A redirect may lead to what was loaded before.
                    let address = Address::of(&page.url);
                    if address == Address::of(&url) || way.met.insert(address) {
                        way.add_links(&page, self.same_site);
                        pages.push(page);
                    }
                }
                Err(cause) => self.notes.say(&cause.to_string()),
            }
        }
        Ok(pages)
    }
}

/// What was met, and what comes next.
struct Way {
    met: BTreeSet<Address>,
    next: VecDeque<Url>,
}

impl Way {
    fn from(first: &Url) -> Self {
        Self {
            met: BTreeSet::from([Address::of(first)]),
            next: VecDeque::new(),
        }
    }

    fn add(&mut self, url: &Url) {
        if self.met.insert(Address::of(url)) {
            self.next.push_back(url.clone());
        }
    }

    fn add_links(&mut self, page: &Page, same_site: SameSite) {
        for link in links(page, same_site) {
            self.add(&link.url);
        }
    }
}
