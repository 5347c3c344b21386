//! All sites together, in room that does not grow with their number.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, BufRead};

use super::extent::{Extent, Shares};
use super::menu::{first_entries, first_letters};
use super::summary::{SiteSummary, read_sites};
use super::tally::PageSizes;

/// What a report says: sums and counts over all sites, and the largest of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Overview {
    pub(super) totals: Totals,
    /// The largest sites, most pages first.
    pub(super) largest: Vec<SiteSummary>,
}

impl Overview {
    /// Reads a `sites.jsonl`, and keeps so many of its sites.
    pub(super) fn read(sites: impl BufRead, most: usize) -> io::Result<Self> {
        let mut totals = Totals::default();
        let mut largest = BinaryHeap::new();
        read_sites(sites, |summary| {
            totals.add(&summary);
            let listed = Listed(summary);
            let has_room = largest.len() < most;
            let is_larger = || largest.peek().is_some_and(|Reverse(least)| listed > *least);
            if has_room || is_larger() {
                if !has_room {
                    largest.pop();
                }
                largest.push(Reverse(listed.cut()));
            }
        })?;
        let mut largest: Vec<_> = largest.into_iter().map(|Reverse(listed)| listed).collect();
        largest.sort_by(|one, other| other.cmp(one));
        let largest = largest.into_iter().map(|Listed(summary)| summary).collect();
        Ok(Self { totals, largest })
    }
}

/// A site of the list: the one with more pages is greater, and of two the one whose name comes first.
#[derive(Debug)]
struct Listed(SiteSummary);

impl Listed {
    /// So many entries of a menu are shown,
    const ENTRIES: usize = 60;
    /// so many layouts, the largest,
    const LAYOUTS: usize = 20;
    /// so many letters of a name,
    const LETTERS: usize = 300;
    /// and so many kinds of warnings.
    const WARNINGS: usize = 50;

    /// Leaves of a site what the list shows: thousands of them are in memory, and in one page.
    fn cut(self) -> Self {
        let Self(mut site) = self;
        let (menu, left_out) = first_entries(&site.menu, Self::ENTRIES);
        site.menu = menu;
        site.menu_left_out = site.menu_left_out.saturating_add(left_out);
        site.layouts.sort_by_key(|layout| Reverse(layout.pages));
        site.layouts.truncate(Self::LAYOUTS);
        site.site = first_letters(&site.site, Self::LETTERS).to_owned();
        while site.warnings.len() > Self::WARNINGS {
            site.warnings.pop_last();
        }
        Self(site)
    }
}

impl Ord for Listed {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_pages = self.0.pages.cmp(&other.0.pages);
        by_pages.then_with(|| other.0.site.cmp(&self.0.site))
    }
}

impl PartialOrd for Listed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Listed {}

/// Sums and counts over all sites.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    pub(super) sites: u64,
    pub(super) pages: u64,
    pub(super) captured_bytes: u64,
    pub(super) told_by_page_alone: u64,
    pub(super) unknown_layout: u64,
    /// Pages whose template is known, and what they have.
    pub(super) measured: u64,
    pub(super) page: Extent,
    pub(super) template: Extent,
    /// The shares of sites: bytes, words, links.
    pub(super) shares: [ShareCounts; 3],
    /// How many sites have so many pages, and which share of their bytes is template.
    pub(super) spread: Spread,
    pub(super) by_layouts: [Several; LAYOUT_NUMBERS.len()],
    pub(super) by_pages: [u64; SITE_SIZES],
    pub(super) page_sizes: [u64; PageSizes::SIZES],
    pub(super) warnings: BTreeMap<String, u64>,
}

/// Sites, and their pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Several {
    pub(super) sites: u64,
    pub(super) pages: u64,
}

/// Numbers of layouts that are told apart: from each up to the next.
pub(super) const LAYOUT_NUMBERS: [usize; 7] = [0, 1, 2, 3, 4, 5, 10];

/// Numbers of pages that are told apart: from 1, 2, 5, 10, 20, 50 and so on, up to a million.
pub(super) const SITE_SIZES: usize = 19;

/// The number of pages from which on a site has one of these sizes.
pub(super) fn site_size(place: usize) -> u64 {
    [1, 2, 5][place % 3] * 10_u64.pow(place as u32 / 3)
}

/// So many warnings have a count of their own: our own are fewer, and a file may have any.
const MOST_WARNINGS: usize = 50;

impl Totals {
    fn add(&mut self, site: &SiteSummary) {
        let sum = |sum: &mut u64, value: u64| *sum = sum.saturating_add(value);
        self.sites += 1;
        sum(&mut self.pages, site.pages);
        sum(&mut self.captured_bytes, site.captured_bytes);
        sum(&mut self.told_by_page_alone, site.told_by_page_alone);
        sum(&mut self.unknown_layout, site.unknown_layout);
        sum(&mut self.measured, site.measured);
        self.page = self.page.plus(site.page);
        self.template = self.template.plus(site.template);
        let shares = Shares::of(site.template, site.page);
        for (counts, share) in self.shares.iter_mut().zip(shares.all()) {
            counts.add(share);
        }
        if let Some(share) = shares.bytes {
            self.spread.add(site.pages, share);
        }
        let layouts = LAYOUT_NUMBERS.partition_point(|&from| from <= site.layouts_in_use()) - 1;
        self.by_layouts[layouts].sites += 1;
        sum(&mut self.by_layouts[layouts].pages, site.pages);
        if let Some(place) = (0..SITE_SIZES)
            .rev()
            .find(|&place| site_size(place) <= site.pages)
        {
            self.by_pages[place] += 1;
        }
        for (all, &count) in self.page_sizes.iter_mut().zip(site.page_sizes.counts()) {
            sum(all, count);
        }
        for (name, &pages) in &site.warnings {
            if self.warnings.contains_key(name) || self.warnings.len() < MOST_WARNINGS {
                sum(self.warnings.entry(name.clone()).or_default(), pages);
            }
        }
    }

    /// The shares of all pages together, as if they were one.
    pub(super) fn together(&self) -> Shares {
        Shares::of(self.template, self.page)
    }
}

/// How many sites have which share.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShareCounts {
    /// By steps of 5 %; the last has its end, too.
    pub(super) counts: [u64; ShareCounts::STEPS],
    pub(super) sites: u64,
    sum: f64,
}

impl ShareCounts {
    pub(super) const STEPS: usize = 20;

    fn add(&mut self, share: Option<f64>) {
        let Some(share) = share else { return };
        self.counts[step(share, Self::STEPS)] += 1;
        self.sites += 1;
        self.sum += share;
    }

    /// The mean over sites, large and small alike.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.sites > 0).then(|| self.sum / self.sites as f64)
    }
}

/// How many sites have which number of pages and which share, on a grid.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    /// By numbers of pages, each by shares.
    pub(super) cells: Box<[[u64; Spread::SHARES]; Spread::PAGES]>,
}

impl Spread {
    /// Eight steps from each power of ten to the next, up to ten million pages.
    pub(super) const STEPS: usize = 8;
    pub(super) const PAGES: usize = 7 * Self::STEPS;
    pub(super) const SHARES: usize = 40;

    fn add(&mut self, pages: u64, share: f64) {
        let log = (pages.max(1) as f64).log10() * Self::STEPS as f64;
        let place = (log as usize).min(Self::PAGES - 1);
        self.cells[place][step(share, Self::SHARES)] += 1;
    }
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            cells: Box::new([[0; Self::SHARES]; Self::PAGES]),
        }
    }
}

/// Which of so many steps from 0 to 1 a share lies in.
fn step(share: f64, steps: usize) -> usize {
    ((share * steps as f64) as usize).min(steps - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tally::SiteTally;

    /// A site of so many pages, of which so much of 100 bytes, 10 words and 10 links is template.
    fn site(name: &str, pages: u64, share: u64) -> SiteSummary {
        let mut site = SiteTally::default().summary(name, Vec::new(), None);
        site.pages = pages;
        site.measured = pages;
        let extent = |share: u64| Extent {
            bytes: share * pages,
            words: share / 10 * pages,
            links: 0,
        };
        (site.page, site.template) = (extent(100), extent(share));
        site.warnings = BTreeMap::from([("floor".to_owned(), pages)]);
        site
    }

    fn overview(sites: &[SiteSummary], most: usize) -> Overview {
        let mut file = Vec::new();
        for site in sites {
            site.write_line(&mut file).unwrap();
        }
        Overview::read(&*file, most).unwrap()
    }

    #[test]
    fn all_pages_together_differ_from_the_mean_of_sites() {
        let totals = overview(&[site("a", 3, 20), site("b", 1, 100)], 10).totals;
        assert_eq!((totals.sites, totals.pages, totals.measured), (2, 4, 4));
        assert_eq!(totals.together().all(), [Some(0.4), Some(0.4), None]);
        let means = totals.shares.map(|counts| counts.mean());
        assert_eq!(means, [Some(0.6), Some(0.6), None]);
        assert_eq!(totals.shares[0].counts[4], 1);
        assert_eq!(totals.shares[0].counts[19], 1);
        assert_eq!(totals.warnings["floor"], 4);
        let spread = &totals.spread.cells;
        assert_eq!((spread[3][8], spread[0][39]), (1, 1));
    }

    #[test]
    fn the_largest_sites_are_kept_and_all_are_counted() {
        let sites: Vec<_> = [("e", 5), ("b", 7), ("d", 7), ("a", 1), ("c", 7), ("f", 9)]
            .map(|(name, pages)| site(name, pages, 50))
            .into();
        let overview = overview(&sites, 3);
        let names: Vec<_> = overview.largest.iter().map(|site| &*site.site).collect();
        assert_eq!(names, ["f", "b", "c"]);
        assert_eq!(overview.totals.pages, 36);
    }

    #[test]
    fn sites_are_told_apart_by_size() {
        let sizes = [0, 1, 2, 4, 5, 10, 999_999, 1_000_000, u64::MAX];
        let sites = sizes.map(|pages| SiteSummary {
            pages,
            ..site("x", 1, 50)
        });
        let totals = overview(&sites, 1).totals;
        let counted: Vec<_> = (0..SITE_SIZES)
            .filter(|&place| totals.by_pages[place] > 0)
            .map(|place| (site_size(place), totals.by_pages[place]))
            .collect();
        assert_eq!(
            counted,
            [(1, 1), (2, 2), (5, 1), (10, 1), (500_000, 1), (1_000_000, 2)]
        );
        assert_eq!(totals.pages, u64::MAX);
    }

    #[test]
    fn no_sites_are_no_error() {
        let overview = overview(&[], 10);
        assert_eq!(overview.totals.together(), Shares::default());
        assert!(overview.largest.is_empty());
    }
}
