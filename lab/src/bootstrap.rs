//! Bootstrap confidence intervals of means: values by site in, an [`Interval`] out.
//!
//! Sites are resampled, not key pages: two pages of one site share their template and so their errors, and are not
//! independent observations.

use serde::Serialize;

use crate::evaluation::{Evaluation, Row};

/// Number of resamples. With so many, the ends of an interval are stable to three decimals.
const RESAMPLES: usize = 10_000;

/// The share of the samples on either side of an interval.
const TAIL: f64 = 0.025;

/// Where 95 % of the resampled means lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of the mean of a value over key pages; none for less than two sites.
    pub fn of_mean<'a>(rows: impl IntoIterator<Item = (&'a Row, f64)>) -> Option<Self> {
        let sites = Sums::by_site(rows);
        if sites.len() < 2 {
            return None;
        }
        // A fixed seed, so that several methods are compared on the same resamples.
        let mut random = Random::default();
        let mut means: Vec<_> = (0..RESAMPLES)
            .map(|_| resampled_mean(&sites, &mut random))
            .collect();
        means.sort_by(f64::total_cmp);
        let tail = (RESAMPLES as f64 * TAIL) as usize;
        Some(Self {
            low: means[tail],
            high: means[RESAMPLES - 1 - tail],
        })
    }

    /// Whether zero lies in it: then a difference may be chance.
    pub fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }
}

impl Evaluation {
    /// The interval of the mean of a value.
    pub fn interval(&self, value: impl Fn(&Row) -> f64) -> Option<Interval> {
        Interval::of_mean(self.rows.iter().map(|row| (row, value(row))))
    }
}

/// The values of a site's key pages, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    sum: f64,
    pages: f64,
}

impl Sums {
    /// One for each site. The rows of a site stand next to each other.
    fn by_site<'a>(rows: impl IntoIterator<Item = (&'a Row, f64)>) -> Vec<Self> {
        let mut sites: Vec<(&str, Self)> = Vec::new();
        for (row, value) in rows {
            if sites.last().is_none_or(|(site, _)| *site != row.site) {
                sites.push((&row.site, Self::default()));
            }
            if let Some((_, sums)) = sites.last_mut() {
                sums.sum += value;
                sums.pages += 1.0;
            }
        }
        sites.into_iter().map(|(_, sums)| sums).collect()
    }
}

/// The mean over the key pages of as many sites, sampled with replacement.
fn resampled_mean(sites: &[Sums], random: &mut Random) -> f64 {
    let mut total = Sums::default();
    for _ in sites {
        let site = sites[random.below(sites.len())];
        total.sum += site.sum;
        total.pages += site.pages;
    }
    total.sum / total.pages
}

/// SplitMix64. Implemented here, so that intervals do not change with the version of a library.
struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x5EED)
    }
}

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including `end`.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::tests::row;

    fn interval(values: &[(&str, f64)]) -> Option<Interval> {
        let rows: Vec<_> = values.iter().map(|(site, _)| row(site, 0)).collect();
        Interval::of_mean(rows.iter().zip(values.iter().map(|(_, value)| *value)))
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = Random(1_234_567);
        assert_eq!(
            [random.next(), random.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn equal_values_leave_no_doubt() {
        let same = interval(&[("a", 0.5), ("b", 0.5), ("c", 0.5)]).unwrap();
        assert_eq!((same.low, same.high), (0.5, 0.5));
    }

    #[test]
    fn one_site_says_nothing_however_many_pages_it_has() {
        assert_eq!(interval(&[("a", 0.1), ("a", 0.9), ("a", 0.5)]), None);
        assert_eq!(interval(&[]), None);
    }

    #[test]
    fn is_that_of_theory_for_many_sites() {
        // Half zeros and half ones: the mean of 400 has a standard error of 0.025.
        let names: Vec<_> = (0..400).map(|number| number.to_string()).collect();
        let values: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(place, name)| (&**name, (place % 2) as f64))
            .collect();
        let found = interval(&values).unwrap();
        assert!((found.low - 0.451).abs() < 0.004, "{found:?}");
        assert!((found.high - 0.549).abs() < 0.004, "{found:?}");
        assert_eq!(interval(&values), Some(found), "the same each time");
    }

    #[test]
    fn pages_of_one_site_are_drawn_together() {
        let apart = interval(&[("a", 0.0), ("b", 0.0), ("c", 1.0), ("d", 1.0)]).unwrap();
        let together = interval(&[("a", 0.0), ("a", 0.0), ("b", 1.0), ("b", 1.0)]).unwrap();
        assert_eq!((together.low, together.high), (0.0, 1.0));
        assert!(apart.high - apart.low <= 1.0);
        // Means are over pages: a site of three counts three times.
        let uneven = interval(&[("a", 0.0), ("a", 0.0), ("a", 0.0), ("b", 1.0)]).unwrap();
        assert_eq!((uneven.low, uneven.high), (0.0, 1.0));
    }

    #[test]
    fn a_difference_may_be_chance() {
        assert!(
            interval(&[("a", -0.1), ("b", 0.1), ("c", 0.0)])
                .unwrap()
                .has_zero()
        );
        assert!(
            !interval(&[("a", 0.1), ("b", 0.2), ("c", 0.1)])
                .unwrap()
                .has_zero()
        );
    }
}
