//! Which pages a site is learned from: those whose lots are drawn first.
//!
//! A lot comes from the page alone, so that the same pages are drawn whatever order they come in, and wherever: machines
//! that hold some pages of a site each find out together which these are without looking at the pages of the others.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// So many pages are looked at however large they are: from fewer nothing can be learned.
pub(crate) const FEWEST: usize = 3;

/// Bits of a lot that come from what the page is; the others come from its address.
const PAGE_BITS: u32 = 20;

/// Neither lots nor what is made of them must go with other hashes of the same addresses.
const SEED: u64 = 0x6c6f_7473;

/// The lot of a page. Pages with smaller ones are drawn before others; those of one address are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lot(u64);

impl Lot {
    /// The lot of a page at an address.
    pub fn of(url: &str, page: &[u8]) -> Self {
        let of_page = xxh3_64(page) & ((1 << PAGE_BITS) - 1);
        // Engines that have no other numbers than signed ones order them in the same way.
        Self((Self::least(url).0 | of_page) & (u64::MAX >> 1))
    }

    /// The smallest lot that a page at an address can have.
    pub fn least(url: &str) -> Self {
        Self((xxh3_64_with_seed(url.as_bytes(), SEED) & (u64::MAX >> 1)) >> PAGE_BITS << PAGE_BITS)
    }

    /// The largest lot of the same address.
    pub fn greatest_of_address(self) -> Self {
        Self(self.0 | ((1 << PAGE_BITS) - 1))
    }

    /// What all pages at the address have in common.
    pub fn address(self) -> u64 {
        self.0 >> PAGE_BITS
    }

    /// As a number, which is no larger than those of 64 bit with a sign.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl From<u64> for Lot {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

/// The places of the pages that a site is learned from, those drawn first before others: of each address one, so many pages
/// and bytes at most.
pub fn draw(pages: &[(Lot, u64)], most_pages: usize, most_bytes: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&place| (pages[place].0, place));
    order.dedup_by_key(|place| pages[*place].0.address());
    order.truncate(most_pages.max(FEWEST));
    let mut bytes = 0;
    let is_taken = |&(number, &place): &(usize, &usize)| {
        bytes += pages[place].1;
        number < FEWEST || bytes <= most_bytes
    };
    let taken = order.iter().enumerate().take_while(is_taken).count();
    order.truncate(taken);
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pages(numbers: &[u64], bytes: u64) -> Vec<(Lot, u64)> {
        let lot = |&number: &u64| (Lot(number << PAGE_BITS | 1), bytes);
        numbers.iter().map(lot).collect()
    }

    #[test]
    fn the_smallest_lots_are_drawn_first() {
        assert_eq!(draw(&pages(&[5, 3, 9, 1, 7], 1), 4, 100), [3, 1, 0, 4]);
        assert_eq!(draw(&[], 4, 100), [0; 0]);
    }

    #[test]
    fn large_pages_are_fewer_but_some() {
        assert_eq!(draw(&pages(&[5, 3, 9, 1, 7], 30), 5, 120), [3, 1, 0, 4]);
        assert_eq!(draw(&pages(&[5, 3, 9, 1, 7], 1000), 5, 120), [3, 1, 0]);
        assert_eq!(draw(&pages(&[5, 3], 1000), 5, 120), [1, 0]);
    }

    #[test]
    fn an_address_is_drawn_once() {
        let lots = [
            Lot::of("https://example.org/a", b"2"),
            Lot::of("https://example.org/b", b""),
        ];
        let again = Lot::of("https://example.org/a", b"1");
        let pages = [(lots[0], 1), (again, 1), (lots[1], 1)];
        let mut drawn = draw(&pages, 5, 100);
        drawn.sort_unstable();
        assert_eq!(drawn, [usize::from(again < lots[0]), 2]);
        assert_eq!(lots[0].address(), again.address());
        assert!(Lot::least("https://example.org/a") <= again && again <= lots[0].greatest_of_address());
    }

    proptest! {
        #[test]
        fn what_is_drawn_of_all_is_drawn_of_a_part(
            pages in proptest::collection::vec((0_u64..200, 0_u64..3), 0..300),
            every in 1_usize..5,
        ) {
            let lot = |&(address, page): &(u64, u64)| (Lot(address << PAGE_BITS | page), 1);
            let pages: Vec<(Lot, u64)> = pages.iter().map(lot).collect();
            let lots = |pages: &[(Lot, u64)]| -> Vec<Lot> {
                draw(pages, 64, 1_000).into_iter().map(|place| pages[place].0).collect()
            };
            let part: Vec<(Lot, u64)> = pages.iter().step_by(every).copied().collect();
            let of_part = lots(&part);
            for lot in lots(&pages).iter().filter(|lot| part.iter().any(|(other, _)| other == *lot)) {
                prop_assert!(of_part.contains(lot), "{lot:?}");
            }
            let other_order: Vec<(Lot, u64)> = pages.iter().rev().copied().collect();
            prop_assert_eq!(lots(&other_order), lots(&pages));
        }
    }
}
