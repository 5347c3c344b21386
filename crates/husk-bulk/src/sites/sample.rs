//! Which pages of a folder or an archive are looked at, where there are many.

/// So many pages are looked at however large they are: from fewer nothing can be learned.
const FEWEST: usize = 3;

/// The numbers of the pages that are looked at: all if they are few, else some that are spread evenly, since neighbours are
/// often of one layout. Fewer if they would be too large together.
pub fn sample(sizes: &[u64], most_pages: usize, most_bytes: u64) -> Vec<usize> {
    let bytes = |sample: &[usize]| sample.iter().map(|&page| sizes[page]).sum::<u64>();
    let mut wanted = most_pages.max(FEWEST);
    loop {
        let sample = evenly(sizes.len(), wanted);
        if wanted <= FEWEST || bytes(&sample) <= most_bytes {
            return sample;
        }
        wanted = (wanted.min(sizes.len()) * 3 / 4).max(FEWEST);
    }
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
}
