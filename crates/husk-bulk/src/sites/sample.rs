//! Which pages a site is learned from.

use std::collections::BTreeSet;
use std::iter;

/// So many pages are looked at however large they are: from fewer nothing can be learned.
const FEWEST: usize = 3;

/// The numbers of the pages that a site is learned from: all if they are few, else some that are spread evenly, since
/// neighbours are often of one layout. Fewer if they would be too large together.
pub fn sample(sizes: &[u64], most_pages: usize, most_bytes: u64) -> Vec<usize> {
    sample_of(sizes.len(), |page| sizes[page], most_pages, most_bytes)
}

/// The same of so many pages, where sizes are known of those that may be chosen only: see [`sample_candidates`].
pub fn sample_of(
    count: usize,
    size_of: impl Fn(usize) -> u64,
    most_pages: usize,
    most_bytes: u64,
) -> Vec<usize> {
    let is_too_much = |sample: &[usize]| sample.iter().map(|&page| size_of(page)).sum::<u64>() > most_bytes;
    let mut tries = tries(count, most_pages).peekable();
    loop {
        match tries.next() {
            Some(sample) if is_too_much(&sample) && tries.peek().is_some() => (),
            sample => return sample.unwrap_or_default(),
        }
    }
}

/// The numbers of all pages that may be chosen out of so many, whatever their sizes: few, so that a site of any size can be
/// learned without a list of its pages in one place.
pub fn sample_candidates(count: usize, most_pages: usize) -> Vec<usize> {
    let all: BTreeSet<usize> = tries(count, most_pages).flatten().collect();
    all.into_iter().collect()
}

/// What is tried one after the other: fewer and fewer pages.
fn tries(count: usize, most_pages: usize) -> impl Iterator<Item = Vec<usize>> {
    let fewer = move |&wanted: &usize| (wanted > FEWEST).then(|| (wanted.min(count) * 3 / 4).max(FEWEST));
    iter::successors(Some(most_pages.max(FEWEST)), fewer).map(move |wanted| evenly(count, wanted))
}

/// So many of all numbers, at equal distances.
fn evenly(all: usize, wanted: usize) -> Vec<usize> {
    if all <= wanted {
        return (0..all).collect();
    }
    (0..wanted).map(|number| number * all / wanted).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(sizes: &[u64], expect: &[usize]) {
        assert_eq!(sample(sizes, 4, 100), expect);
    }

    #[test]
    fn is_spread_evenly() {
        check(&[1; 3], &[0, 1, 2]);
        check(&[1; 4], &[0, 1, 2, 3]);
        check(&[1; 10], &[0, 2, 5, 7]);
        check(&[], &[]);
    }

    #[test]
    fn is_smaller_where_pages_are_large() {
        check(&[30; 10], &[0, 3, 6]);
        check(&[1000; 10], &[0, 3, 6]);
        check(&[1000; 2], &[0, 1]);
    }

    #[test]
    fn candidates_are_few_and_enough() {
        assert_eq!(sample_candidates(5, 64), [0, 1, 2, 3, 4]);
        assert_eq!(sample_candidates(0, 64), [0; 0]);
        assert!(sample_candidates(100_000_000, 64).len() < 200);
    }

    proptest! {
        #[test]
        fn whatever_the_sizes_only_candidates_are_chosen(
            sizes in proptest::collection::vec(0_u64..3_000, 0..400),
            most_bytes in 0_u64..200_000,
        ) {
            let candidates = sample_candidates(sizes.len(), 64);
            let chosen = sample(&sizes, 64, most_bytes);
            prop_assert!(chosen.iter().all(|page| candidates.contains(page)));
            let bytes: u64 = chosen.iter().map(|&page| sizes[page]).sum();
            prop_assert!(bytes <= most_bytes || chosen.len() <= FEWEST);
        }
    }
}
