//! Which pages were learned from, so that none votes twice, and which layout each had.

use indexmap::{IndexMap, IndexSet};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::numbers::MOST_KNOWN_PAGES;
use crate::fingerprint::{Fingerprints, mix};
use crate::links::Address;
use crate::page::Page;

/// A page that was learned from: a hash of its URL and document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct KnownPage(u64);

impl KnownPage {
    pub(super) fn of(page: &Page, prints: &Fingerprints) -> Self {
        let address = xxh3_64(Address::of(&page.url).as_str().as_bytes());
        Self(mix(address, prints.get(page.dom.root()).whole))
    }
}

/// The pages that were learned from, oldest first.
#[derive(Debug, Default)]
pub(super) struct KnownPages(IndexSet<KnownPage>);

impl KnownPages {
    pub(super) fn contains(&self, page: KnownPage) -> bool {
        self.0.contains(&page)
    }

    /// Remembers pages and forgets the oldest if there are too many.
    pub(super) fn add(&mut self, pages: impl IntoIterator<Item = KnownPage>) {
        self.0.extend(pages);
        let too_many = self.0.len().saturating_sub(MOST_KNOWN_PAGES);
        self.0.drain(..too_many);
    }

    /// To be stored.
    pub(super) fn hashes(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|page| page.0)
    }

    /// Reads them back.
    pub(super) fn of_hashes(hashes: Vec<u64>) -> Self {
        let mut known = Self::default();
        known.add(hashes.into_iter().map(KnownPage));
        known
    }
}

/// The layouts of pages by a hash of their URLs, oldest first.
#[derive(Debug, Default)]
pub(super) struct KnownUrls(IndexMap<u32, usize>);

impl KnownUrls {
    fn key(url: &Url) -> u32 {
        // Half a hash keeps the file small; of 10,000 pages about one is mistaken for another in 90 sites.
        xxh3_64(Address::of(url).as_str().as_bytes()) as u32
    }

    /// The layout that the page at a URL had.
    pub(super) fn layout(&self, url: &Url) -> Option<usize> {
        self.0.get(&Self::key(url)).copied()
    }

    /// Remembers a page, and forgets the oldest if there are too many.
    pub(super) fn add(&mut self, url: &Url, layout: usize) {
        self.insert(Self::key(url), layout);
    }

    fn insert(&mut self, key: u32, layout: usize) {
        // A page that was learned from again is a recent one.
        self.0.shift_remove(&key);
        self.0.insert(key, layout);
        if self.0.len() > MOST_KNOWN_PAGES {
            self.0.shift_remove_index(0);
        }
    }

    /// Those of a layout, to be stored.
    pub(super) fn hashes(&self, layout: usize) -> impl Iterator<Item = u32> {
        let of_layout = self.0.iter().filter(move |&(_, &found)| found == layout);
        of_layout.map(|(&key, _)| key)
    }

    /// Adds those of a layout.
    pub(super) fn add_hashes(&mut self, stored: &[u32], layout: usize) {
        for &hash in stored {
            self.insert(hash, layout);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_are_remembered() {
        let mut known = KnownPages::default();
        known.add((0..MOST_KNOWN_PAGES as u64 + 5).map(KnownPage));
        assert!(!known.contains(KnownPage(4)) && known.contains(KnownPage(5)));
        let back = KnownPages::of_hashes(known.hashes().collect());
        assert!(back.hashes().eq(known.hashes()));
        assert_eq!(back.0.len(), MOST_KNOWN_PAGES);
    }
}
