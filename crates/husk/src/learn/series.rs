//! Since when pages lack something: observations by day in, the first day of the change out.

/// What one page shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sighting<'a> {
    /// When the page was captured; dates sort as texts.
    pub(super) date: Option<&'a str>,
    pub(super) is_there: bool,
}

/// A change that lasts until the last page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loss {
    /// The date of the first page after the change that lacks it.
    pub(super) since: Option<String>,
    /// Pages that lack it since then.
    pub(super) pages: usize,
}

/// Of pages after a change, this share still seems to have what is gone.
const SEEN_AFTER_LOSS: f64 = 0.05;

/// Evidence for a change, in nats: two or three pages that lack what all learned pages had.
const ENOUGH_EVIDENCE: f64 = 6.0;

/// Finds out whether something that a share of all pages had is gone, and since when.
///
/// Of all days, the one is chosen since which the pages are the likeliest if it is gone, against what they would be if
/// it still were on that share of them. Pages of one day are one crawl: in which order they came means nothing.
pub(super) fn loss(sightings: &mut [Sighting<'_>], expected: f64) -> Option<Loss> {
    sightings.sort_by_key(|sighting| sighting.date);
    let lacks = ((1.0 - SEEN_AFTER_LOSS) / (1.0 - expected)).ln();
    let has = (SEEN_AFTER_LOSS / expected).ln();
    let mut evidence = 0.0;
    let mut best: Option<(f64, usize)> = None;
    let mut end = sightings.len();
    for day in sightings
        .chunk_by(|one, other| one.date.map(day) == other.date.map(day))
        .rev()
    {
        for sighting in day {
            evidence += if sighting.is_there { has } else { lacks };
        }
        end -= day.len();
        if evidence >= ENOUGH_EVIDENCE && best.is_none_or(|(most, _)| evidence >= most) {
            best = Some((evidence, end));
        }
    }
    let (_, start) = best?;
    let mut lacking = sightings[start..].iter().filter(|sighting| !sighting.is_there);
    let pages = lacking.clone().count();
    let since = lacking.next().and_then(|first| first.date).map(str::to_owned);
    Some(Loss { since, pages })
}

/// The day of a date as in RFC 3339.
pub(super) fn day(date: &str) -> &str {
    date.get(..10).unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days with the numbers of pages that have and lack something.
    fn check(days: &[(&str, usize, usize)], expected: f64, expect: Option<(&str, usize)>) {
        let mut sightings = Vec::new();
        for &(date, has, lacks) in days {
            let date = Some(date).filter(|date| !date.is_empty());
            sightings.extend((0..has).map(|_| Sighting { date, is_there: true }));
            sightings.extend((0..lacks).map(|_| Sighting {
                date,
                is_there: false,
            }));
        }
        let found = loss(&mut sightings, expected);
        let found = found.map(|loss| (loss.since.unwrap_or_default(), loss.pages));
        assert_eq!(found, expect.map(|(since, pages)| (since.to_owned(), pages)));
    }

    #[test]
    fn what_the_last_pages_lack_is_gone() {
        check(&[("2026-01-01", 9, 0)], 0.95, None);
        check(
            &[("2026-01-01", 9, 0), ("2026-01-02", 0, 5)],
            0.95,
            Some(("2026-01-02", 5)),
        );
        check(&[("", 0, 4)], 0.95, Some(("", 4)));
        check(&[("", 6, 4)], 0.95, None);
    }

    #[test]
    fn what_comes_back_is_not_gone() {
        check(&[("2026-01-01", 0, 5), ("2026-01-02", 5, 0)], 0.95, None);
    }

    #[test]
    fn what_only_some_pages_had_takes_more_pages() {
        check(&[("2026-01-01", 0, 3)], 0.6, None);
        check(&[("2026-01-01", 0, 9)], 0.6, Some(("2026-01-01", 9)));
        check(&[("2026-01-01", 5, 5)], 0.6, None);
    }

    #[test]
    fn one_odd_page_changes_nothing() {
        check(
            &[("2026-01-01", 9, 1), ("2026-01-02", 1, 20), ("2026-01-03", 0, 9)],
            0.95,
            Some(("2026-01-02", 29)),
        );
    }
}
