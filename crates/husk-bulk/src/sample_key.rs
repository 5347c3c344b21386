//! Which pages of a site templates are learned from: those with the lowest sample keys.
//!
//! The key is a hash of the page alone. So the sample doesn't depend on the order of pages, and machines that hold some
//! pages of a site each can agree on it without exchanging the pages.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Smallest sample, whatever the size of its pages: templates can't be learned from fewer.
pub(crate) const MIN_SAMPLE_PAGES: usize = 3;

/// Low bits of a key, from the bytes of the page; the high bits come from its URL.
const PAGE_BITS: u32 = 20;

/// Keeps keys independent of other hashes of the same URLs.
const SEED: u64 = 0x6c6f_7473;

/// The sampling key of a page. Keys of captures of one URL are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SampleKey(u64);

impl SampleKey {
    /// The key of a page: a hash of its URL, then of its bytes.
    pub fn of(url: &str, page: &[u8]) -> Self {
        let of_page = xxh3_64(page) & ((1 << PAGE_BITS) - 1);
        // 63 bits, so that engines with signed integers only order keys in the same way.
        Self((Self::lowest_of_url(url).0 | of_page) & (u64::MAX >> 1))
    }

    /// The lowest key that a page at a URL can have.
    pub fn lowest_of_url(url: &str) -> Self {
        Self((xxh3_64_with_seed(url.as_bytes(), SEED) & (u64::MAX >> 1)) >> PAGE_BITS << PAGE_BITS)
    }

    /// The highest key that a page at the same URL can have.
    pub fn highest_of_url(self) -> Self {
        Self(self.0 | ((1 << PAGE_BITS) - 1))
    }

    /// The part of the key that all captures of one URL share.
    pub fn url_hash(self) -> u64 {
        self.0 >> PAGE_BITS
    }

    /// The key as a number of 63 bits.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl From<u64> for SampleKey {
    fn from(value: u64) -> Self {
        Self(value)
    }
}

/// The indexes of the pages to learn from, lowest key first: one page per URL, up to so many pages and bytes. `pages` has
/// the key and the size of each page.
pub fn sample_pages(pages: &[(SampleKey, u64)], max_pages: usize, max_bytes: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&index| (pages[index].0, index));
    order.dedup_by_key(|index| pages[*index].0.url_hash());
    order.truncate(max_pages.max(MIN_SAMPLE_PAGES));
    let mut bytes = 0;
    let fits = |&(number, &index): &(usize, &usize)| {
        bytes += pages[index].1;
        number < MIN_SAMPLE_PAGES || bytes <= max_bytes
    };
    let count = order.iter().enumerate().take_while(fits).count();
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pages(numbers: &[u64], bytes: u64) -> Vec<(SampleKey, u64)> {
        let key = |&number: &u64| (SampleKey(number << PAGE_BITS | 1), bytes);
        numbers.iter().map(key).collect()
    }

    #[test]
    fn lowest_keys_come_first() {
        assert_eq!(sample_pages(&pages(&[5, 3, 9, 1, 7], 1), 4, 100), [3, 1, 0, 4]);
        assert_eq!(sample_pages(&[], 4, 100), [0; 0]);
    }

    #[test]
    fn large_pages_make_a_smaller_sample() {
        assert_eq!(sample_pages(&pages(&[5, 3, 9, 1, 7], 30), 5, 120), [3, 1, 0, 4]);
        assert_eq!(sample_pages(&pages(&[5, 3, 9, 1, 7], 1000), 5, 120), [3, 1, 0]);
        assert_eq!(sample_pages(&pages(&[5, 3], 1000), 5, 120), [1, 0]);
    }

    #[test]
    fn a_url_is_sampled_once() {
        let keys = [
            SampleKey::of("https://example.org/a", b"2"),
            SampleKey::of("https://example.org/b", b""),
        ];
        let again = SampleKey::of("https://example.org/a", b"1");
        let pages = [(keys[0], 1), (again, 1), (keys[1], 1)];
        let mut sampled = sample_pages(&pages, 5, 100);
        sampled.sort_unstable();
        assert_eq!(sampled, [usize::from(again < keys[0]), 2]);
        assert_eq!(keys[0].url_hash(), again.url_hash());
        let lowest = SampleKey::lowest_of_url("https://example.org/a");
        assert!(lowest <= again && again <= keys[0].highest_of_url());
    }

    proptest! {
        #[test]
        fn the_sample_of_the_whole_is_in_the_sample_of_a_part(
            pages in proptest::collection::vec((0_u64..200, 0_u64..3), 0..300),
            every in 1_usize..5,
        ) {
            let key = |&(url, page): &(u64, u64)| (SampleKey(url << PAGE_BITS | page), 1);
            let pages: Vec<(SampleKey, u64)> = pages.iter().map(key).collect();
            let keys = |pages: &[(SampleKey, u64)]| -> Vec<SampleKey> {
                sample_pages(pages, 64, 1_000).into_iter().map(|index| pages[index].0).collect()
            };
            let part: Vec<(SampleKey, u64)> = pages.iter().step_by(every).copied().collect();
            let of_part = keys(&part);
            for key in keys(&pages).iter().filter(|key| part.iter().any(|(other, _)| other == *key)) {
                prop_assert!(of_part.contains(key), "{key:?}");
            }
            let reversed: Vec<(SampleKey, u64)> = pages.iter().rev().copied().collect();
            prop_assert_eq!(keys(&reversed), keys(&pages));
        }
    }
}
