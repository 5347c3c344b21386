//! How many pages each site of a crawl has, and whose lots are drawn: counted on many machines, each for itself, and put
//! together in any order.

use std::collections::{BTreeMap, BTreeSet};

use crate::lot::{FEWEST, Lot};

/// The sites of a crawl, or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    sites: BTreeMap<String, SiteCount>,
    sample_pages: usize,
}

/// The pages of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteCount {
    /// How many there are.
    pub pages: u64,
    /// The lots of the addresses that are drawn first, each address by its least.
    lots: BTreeSet<Lot>,
}

impl Census {
    /// Nothing was counted yet; sites are learned from so many pages at most.
    pub fn new(sample_pages: usize) -> Self {
        Self {
            sites: BTreeMap::new(),
            sample_pages: sample_pages.max(FEWEST),
        }
    }

    /// Counts a page.
    pub fn add(&mut self, site: &str, url: &str) {
        let most = self.sample_pages;
        let count = match self.sites.get_mut(site) {
            Some(count) => count,
            None => self.sites.entry(site.to_owned()).or_default(),
        };
        count.pages += 1;
        count.draw(Lot::least(url), most);
    }

    /// Adds what was counted elsewhere: pages, and lots as [`SiteCount::lot_bytes`] has them. What is no lot is left out.
    pub fn merge(&mut self, site: &str, pages: u64, lot_bytes: &[u8]) {
        let most = self.sample_pages;
        let count = self.sites.entry(site.to_owned()).or_default();
        count.pages += pages;
        for lot in lot_bytes.as_chunks().0 {
            count.draw(u64::from_le_bytes(*lot).into(), most);
        }
    }

    /// The sites by name, with what was counted of each.
    pub fn sites(&self) -> impl Iterator<Item = (&str, &SiteCount)> {
        self.sites.iter().map(|(site, count)| (site.as_str(), count))
    }

    /// Hands the sites over and begins anew.
    pub fn take(&mut self) -> BTreeMap<String, SiteCount> {
        std::mem::take(&mut self.sites)
    }
}

impl SiteCount {
    fn draw(&mut self, lot: Lot, most: usize) {
        if self.lots.len() < most || self.lots.last().is_some_and(|last| lot < *last) {
            self.lots.insert(lot);
        }
        if self.lots.len() > most {
            self.lots.pop_last();
        }
    }

    /// The lots as bytes, to be sent to another process.
    pub fn lot_bytes(&self) -> Vec<u8> {
        self.lots
            .iter()
            .flat_map(|lot| lot.number().to_le_bytes())
            .collect()
    }

    /// The largest lot that a page can have that is drawn.
    pub fn cutoff(&self) -> Lot {
        self.lots
            .last()
            .map_or(Lot::from(0), |last| last.greatest_of_address())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lot::draw;

    fn urls(count: usize) -> Vec<String> {
        (0..count)
            .map(|page| format!("https://example.org/{page}"))
            .collect()
    }

    #[test]
    fn parts_that_are_put_together_are_the_whole() {
        let urls = urls(200);
        let mut whole = Census::new(16);
        let mut parts = [Census::new(16), Census::new(16), Census::new(16)];
        for (number, url) in urls.iter().enumerate() {
            let site = if number % 5 == 0 { "a" } else { "b" };
            whole.add(site, url);
            parts[number % 3].add(site, url);
        }
        let mut together = Census::new(16);
        for part in parts.iter_mut().rev() {
            for (site, count) in part.take() {
                together.merge(&site, count.pages, &count.lot_bytes());
            }
        }
        assert_eq!(together, whole);
        let pages: Vec<u64> = whole.sites().map(|(_, count)| count.pages).collect();
        assert_eq!(pages, [40, 160]);
    }

    #[test]
    fn up_to_the_cutoff_are_those_that_are_drawn() {
        let mut census = Census::new(16);
        let mut lots = Vec::new();
        for (number, url) in urls(90).iter().enumerate() {
            // Some are there several times.
            for copy in 0..=number % 3 {
                census.add("example.org", url);
                lots.push((Lot::of(url, &[copy as u8]), 1));
            }
        }
        let (_, count) = census.sites().next().unwrap();
        let mut drawn: Vec<u64> = draw(&lots, 16, 1_000)
            .iter()
            .map(|&place| lots[place].0.address())
            .collect();
        let within = lots
            .iter()
            .map(|(lot, _)| lot)
            .filter(|lot| **lot <= count.cutoff());
        let within: BTreeSet<u64> = within.map(|lot| lot.address()).collect();
        drawn.sort_unstable();
        assert_eq!(within.into_iter().collect::<Vec<_>>(), drawn);
    }
}
