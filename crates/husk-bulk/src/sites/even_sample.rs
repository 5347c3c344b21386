//! An evenly spread sample of the pages of one input, for `husk learn`.

use crate::sample_key::MIN_SAMPLE_PAGES;

/// The indexes of the pages to learn from, given all sizes: evenly spread, since neighbours often share a layout, and fewer
/// if they would be too large together.
pub fn sample_evenly(sizes: &[u64], max_pages: usize, max_bytes: u64) -> Vec<usize> {
    let bytes = |sample: &[usize]| sample.iter().map(|&page| sizes[page]).sum::<u64>();
    let mut wanted = max_pages.max(MIN_SAMPLE_PAGES);
    loop {
        let sample = evenly(sizes.len(), wanted);
        if wanted <= MIN_SAMPLE_PAGES || bytes(&sample) <= max_bytes {
            return sample;
        }
        wanted = (wanted.min(sizes.len()) * 3 / 4).max(MIN_SAMPLE_PAGES);
    }
}

fn evenly(all: usize, wanted: usize) -> Vec<usize> {
    if all <= wanted {
        return (0..all).collect();
    }
    (0..wanted).map(|number| number * all / wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &[u64], expect: &[usize]) {
        assert_eq!(sample_evenly(sizes, 4, 100), expect);
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
}
