//! Pages per site and the sample keys of each site. Each worker counts its share of a crawl; counts merge in any order.

use std::collections::{BTreeMap, BTreeSet};

use crate::sample_key::{MIN_SAMPLE_PAGES, SampleKey};

/// Counts for the sites of a crawl, or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCounts {
    sites: BTreeMap<String, SiteCount>,
    sample_pages: usize,
}

/// Counts for one site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteCount {
    /// Number of pages.
    pub pages: u64,
    /// Size of the pages.
    pub bytes: u64,
    /// The lowest keys, one per URL.
    keys: BTreeSet<SampleKey>,
}

impl SiteCounts {
    /// Empty counts for samples of up to `sample_pages` pages per site.
    pub fn new(sample_pages: usize) -> Self {
        Self {
            sites: BTreeMap::new(),
            sample_pages: sample_pages.max(MIN_SAMPLE_PAGES),
        }
    }

    /// Counts a page of so many bytes.
    pub fn add(&mut self, site: &str, url: &str, bytes: u64) {
        let max_keys = self.sample_pages;
        let count = match self.sites.get_mut(site) {
            Some(count) => count,
            None => self.sites.entry(site.to_owned()).or_default(),
        };
        count.pages += 1;
        count.bytes += bytes;
        count.add_key(SampleKey::lowest_of_url(url), max_keys);
    }

    /// Adds counts from another worker: pages, their bytes, and keys in the form of [`SiteCount::key_bytes`]. Incomplete
    /// keys are ignored.
    pub fn merge(&mut self, site: &str, pages: u64, bytes: u64, key_bytes: &[u8]) {
        let max_keys = self.sample_pages;
        let count = self.sites.entry(site.to_owned()).or_default();
        count.pages += pages;
        count.bytes += bytes;
        for key in key_bytes.as_chunks().0 {
            count.add_key(u64::from_le_bytes(*key).into(), max_keys);
        }
    }

    /// The sites by name.
    pub fn sites(&self) -> impl Iterator<Item = (&str, &SiteCount)> {
        self.sites.iter().map(|(site, count)| (site.as_str(), count))
    }

    /// Takes all counts and leaves this empty.
    pub fn take(&mut self) -> BTreeMap<String, SiteCount> {
        std::mem::take(&mut self.sites)
    }
}

impl SiteCount {
    fn add_key(&mut self, key: SampleKey, max_keys: usize) {
        if self.keys.len() < max_keys || self.keys.last().is_some_and(|last| key < *last) {
            self.keys.insert(key);
        }
        if self.keys.len() > max_keys {
            self.keys.pop_last();
        }
    }

    /// The keys as bytes, to be sent to another process.
    pub fn key_bytes(&self) -> Vec<u8> {
        self.keys
            .iter()
            .flat_map(|key| key.value().to_le_bytes())
            .collect()
    }

    /// The highest key that a sampled page can have.
    pub fn cutoff(&self) -> SampleKey {
        self.keys
            .last()
            .map_or(SampleKey::from(0), |last| last.highest_of_url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_key::sample_pages;

    fn urls(count: usize) -> Vec<String> {
        (0..count)
            .map(|page| format!("https://example.org/{page}"))
            .collect()
    }

    #[test]
    fn merged_parts_equal_the_whole() {
        let urls = urls(200);
        let mut whole = SiteCounts::new(16);
        let mut parts = [SiteCounts::new(16), SiteCounts::new(16), SiteCounts::new(16)];
        for (number, url) in urls.iter().enumerate() {
            let site = if number % 5 == 0 { "a" } else { "b" };
            whole.add(site, url, number as u64);
            parts[number % 3].add(site, url, number as u64);
        }
        let mut merged = SiteCounts::new(16);
        for part in parts.iter_mut().rev() {
            for (site, count) in part.take() {
                merged.merge(&site, count.pages, count.bytes, &count.key_bytes());
            }
        }
        assert_eq!(merged, whole);
        let pages: Vec<u64> = whole.sites().map(|(_, count)| count.pages).collect();
        assert_eq!(pages, [40, 160]);
    }

    #[test]
    fn pages_up_to_the_cutoff_are_the_sample() {
        let mut counts = SiteCounts::new(16);
        let mut keys = Vec::new();
        for (number, url) in urls(90).iter().enumerate() {
            // Some URLs were captured several times.
            for copy in 0..=number % 3 {
                counts.add("example.org", url, 1);
                keys.push((SampleKey::of(url, &[copy as u8]), 1));
            }
        }
        let (_, count) = counts.sites().next().unwrap();
        let mut sampled: Vec<u64> = sample_pages(&keys, 16, 1_000)
            .iter()
            .map(|&index| keys[index].0.url_hash())
            .collect();
        let within = keys
            .iter()
            .map(|(key, _)| key)
            .filter(|key| **key <= count.cutoff());
        let within: BTreeSet<u64> = within.map(|key| key.url_hash()).collect();
        sampled.sort_unstable();
        assert_eq!(within.into_iter().collect::<Vec<_>>(), sampled);
    }
}
