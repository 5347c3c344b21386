//! Sums over all sites, in memory that doesn't grow with their number.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, BufRead};

use super::amounts::{Amounts, Shares};
use super::menu::{first_chars, first_items};
use super::summary::{SiteSummary, read_sites};
use super::tally::PageSizes;

/// The contents of a report: sums over all sites, and the largest sites.
#[derive(Debug, Clone, Default)]
pub(super) struct Overview {
    pub(super) totals: ReportTotals,
    /// The largest sites, most pages first.
    pub(super) largest: Vec<SiteSummary>,
    /// Records that are not pages, by reason.
    pub(super) skipped: BTreeMap<String, u64>,
}

impl Overview {
    /// Reads a `sites.jsonl`, and keeps its largest sites.
    pub(super) fn read(sites: impl BufRead, max_sites: usize) -> io::Result<Self> {
        let mut totals = ReportTotals::default();
        let mut largest = BinaryHeap::new();
        read_sites(sites, |summary| {
            totals.add(&summary);
            let listed = ListedSite(summary);
            let has_room = largest.len() < max_sites;
            let is_larger = || largest.peek().is_some_and(|Reverse(least)| listed > *least);
            if has_room || is_larger() {
                if !has_room {
                    largest.pop();
                }
                largest.push(Reverse(listed.shorten()));
            }
        })?;
        let mut largest: Vec<_> = largest.into_iter().map(|Reverse(listed)| listed).collect();
        largest.sort_by(|one, other| other.cmp(one));
        let largest = largest.into_iter().map(|ListedSite(summary)| summary).collect();
        Ok(Self {
            totals,
            largest,
            skipped: BTreeMap::new(),
        })
    }
}

/// A site of the list, ordered by pages, then by name.
#[derive(Debug)]
struct ListedSite(SiteSummary);

impl ListedSite {
    /// Menu items shown.
    const MENU_ITEMS: usize = 60;
    /// Layouts shown.
    const LAYOUTS: usize = 20;
    /// Characters of a name shown.
    const NAME_CHARS: usize = 300;
    /// Warnings shown.
    const WARNINGS: usize = 50;

    /// Keeps what the list shows: a thousand sites are in memory and on the page.
    fn shorten(self) -> Self {
        let Self(mut site) = self;
        let (menu, omitted) = first_items(&site.menu, Self::MENU_ITEMS);
        site.menu = menu;
        site.menu_omitted = site.menu_omitted.saturating_add(omitted);
        site.layouts.sort_by_key(|layout| Reverse(layout.pages));
        site.layouts.truncate(Self::LAYOUTS);
        site.site = first_chars(&site.site, Self::NAME_CHARS).to_owned();
        while site.warnings.len() > Self::WARNINGS {
            site.warnings.pop_last();
        }
        Self(site)
    }
}

impl Ord for ListedSite {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_pages = self.0.pages.cmp(&other.0.pages);
        by_pages.then_with(|| other.0.site.cmp(&self.0.site))
    }
}

impl PartialOrd for ListedSite {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ListedSite {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ListedSite {}

/// Sums over all sites.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportTotals {
    pub(super) sites: u64,
    pub(super) pages: u64,
    pub(super) captured_bytes: u64,
    pub(super) single_page: u64,
    pub(super) unknown_layout: u64,
    /// Pages whose template is known, and their amounts.
    pub(super) measured: u64,
    pub(super) page: Amounts,
    pub(super) template: Amounts,
    /// Sites by share: of bytes, words, links.
    pub(super) shares: [ShareCounts; 3],
    /// Sites by number of pages and share of bytes.
    pub(super) spread: Spread,
    pub(super) by_layouts: [SiteGroup; LAYOUT_CLASSES.len()],
    pub(super) by_pages: [u64; PAGE_CLASSES],
    pub(super) page_sizes: [u64; PageSizes::SIZES],
    pub(super) warnings: BTreeMap<String, u64>,
}

/// A number of sites and their pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SiteGroup {
    pub(super) sites: u64,
    pub(super) pages: u64,
}

/// Classes of sites by number of layouts: the first number of each class.
pub(super) const LAYOUT_CLASSES: [usize; 7] = [0, 1, 2, 3, 4, 5, 10];

/// Number of classes of sites by pages: from 1, 2, 5, 10, 20, 50 and so on to a million.
pub(super) const PAGE_CLASSES: usize = 19;

/// The first number of pages of a class.
pub(super) fn page_class(class: usize) -> u64 {
    [1, 2, 5][class % 3] * 10_u64.pow(class as u32 / 3)
}

/// Bounds memory: Husk has fewer warnings, but a file may hold any name.
const MAX_WARNINGS: usize = 50;

impl ReportTotals {
    fn add(&mut self, site: &SiteSummary) {
        let sum = |sum: &mut u64, value: u64| *sum = sum.saturating_add(value);
        self.sites += 1;
        sum(&mut self.pages, site.pages);
        sum(&mut self.captured_bytes, site.captured_bytes);
        sum(&mut self.single_page, site.single_page);
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
        let layouts = LAYOUT_CLASSES.partition_point(|&from| from <= site.layouts_in_use()) - 1;
        self.by_layouts[layouts].sites += 1;
        sum(&mut self.by_layouts[layouts].pages, site.pages);
        if let Some(class) = (0..PAGE_CLASSES)
            .rev()
            .find(|&class| page_class(class) <= site.pages)
        {
            self.by_pages[class] += 1;
        }
        for (all, &count) in self.page_sizes.iter_mut().zip(site.page_sizes.counts()) {
            sum(all, count);
        }
        for (name, &pages) in &site.warnings {
            if self.warnings.contains_key(name) || self.warnings.len() < MAX_WARNINGS {
                sum(self.warnings.entry(name.clone()).or_default(), pages);
            }
        }
    }

    /// Shares over all pages together.
    pub(super) fn together(&self) -> Shares {
        Shares::of(self.template, self.page)
    }
}

/// Sites by share.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShareCounts {
    /// In steps of 5 %; the last includes 100 %.
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

    /// The mean over sites, regardless of size.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.sites > 0).then(|| self.sum / self.sites as f64)
    }
}

/// Sites by number of pages and share, on a grid.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    /// First index: number of pages; second index: share.
    pub(super) cells: Box<[[u64; Spread::SHARES]; Spread::PAGES]>,
}

impl Spread {
    /// Steps per power of ten.
    pub(super) const STEPS: usize = 8;
    pub(super) const PAGES: usize = 7 * Self::STEPS;
    pub(super) const SHARES: usize = 40;

    fn add(&mut self, pages: u64, share: f64) {
        let log = (pages.max(1) as f64).log10() * Self::STEPS as f64;
        let class = (log as usize).min(Self::PAGES - 1);
        self.cells[class][step(share, Self::SHARES)] += 1;
    }
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            cells: Box::new([[0; Self::SHARES]; Self::PAGES]),
        }
    }
}

/// The step from 0 to 1 that a share lies in.
fn step(share: f64, steps: usize) -> usize {
    ((share * steps as f64) as usize).min(steps - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tally::SiteTally;

    /// A site of so many pages of 100 bytes and 10 words, `share` % of them template.
    fn site(name: &str, pages: u64, share: u64) -> SiteSummary {
        let mut site = SiteTally::default().summary(name, Vec::new(), None);
        site.pages = pages;
        site.measured = pages;
        let amounts = |share: u64| Amounts {
            bytes: share * pages,
            words: share / 10 * pages,
            links: 0,
        };
        (site.page, site.template) = (amounts(100), amounts(share));
        site.warnings = BTreeMap::from([("low-coverage".to_owned(), pages)]);
        site
    }

    fn overview(sites: &[SiteSummary], max_sites: usize) -> Overview {
        let mut file = Vec::new();
        for site in sites {
            site.write_line(&mut file).unwrap();
        }
        Overview::read(&*file, max_sites).unwrap()
    }

    #[test]
    fn sums_differ_from_the_mean_of_sites() {
        let totals = overview(&[site("a", 3, 20), site("b", 1, 100)], 10).totals;
        assert_eq!((totals.sites, totals.pages, totals.measured), (2, 4, 4));
        assert_eq!(totals.together().all(), [Some(0.4), Some(0.4), None]);
        let means = totals.shares.map(|counts| counts.mean());
        assert_eq!(means, [Some(0.6), Some(0.6), None]);
        assert_eq!(totals.shares[0].counts[4], 1);
        assert_eq!(totals.shares[0].counts[19], 1);
        assert_eq!(totals.warnings["low-coverage"], 4);
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
    fn sites_are_classified_by_pages() {
        let sizes = [0, 1, 2, 4, 5, 10, 999_999, 1_000_000, u64::MAX];
        let sites = sizes.map(|pages| SiteSummary {
            pages,
            ..site("x", 1, 50)
        });
        let totals = overview(&sites, 1).totals;
        let counted: Vec<_> = (0..PAGE_CLASSES)
            .filter(|&class| totals.by_pages[class] > 0)
            .map(|class| (page_class(class), totals.by_pages[class]))
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
