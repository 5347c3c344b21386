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

impl Loss {
    /// The loss that pages after a change show.
    fn of(sightings: &[Sighting<'_>]) -> Self {
        let mut lacking = sightings.iter().filter(|sighting| !sighting.is_there);
        let pages = lacking.clone().count();
        let since = lacking.next().and_then(|first| first.date).map(str::to_owned);
        Self { since, pages }
    }
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
    Some(Loss::of(&sightings[start..]))
}

/// Finds out whether at least this share of the pages lack something that a share of all pages had, and since when.
///
/// The day is the one since which so many pages lack it that it is the least likely to be chance. If the pages of the last
/// days have it again, nothing is lost.
pub(super) fn partial_loss(
    sightings: &mut [Sighting<'_>],
    expected: f64,
    (least_pages, least_share): (usize, f64),
) -> Option<Loss> {
    sightings.sort_by_key(|sighting| sighting.date);
    let mut best: Option<(f64, usize, f64)> = None;
    let mut lacking = 0;
    let mut end = sightings.len();
    for day in sightings
        .chunk_by(|one, other| one.date.map(day) == other.date.map(day))
        .rev()
    {
        lacking += day.iter().filter(|sighting| !sighting.is_there).count();
        end -= day.len();
        let pages = (sightings.len() - end) as f64;
        let share = lacking as f64 / pages;
        let evidence = pages * (information(share, 1.0 - expected) + information(1.0 - share, expected));
        if lacking >= least_pages && share >= least_share && best.is_none_or(|(most, ..)| evidence >= most) {
            best = Some((evidence, end, share));
        }
    }
    let (_, start, share) = best?;
    let mut inverted = sightings[start..].to_vec();
    inverted
        .iter_mut()
        .for_each(|sighting| sighting.is_there = !sighting.is_there);
    if loss(&mut inverted, share).is_some() {
        return None;
    }
    Some(Loss::of(&sightings[start..]))
}

/// The information that a share gives about an expected share, in nats for each page.
fn information(share: f64, expected: f64) -> f64 {
    match share > 0.0 {
        true => share * (share / expected).ln(),
        false => 0.0,
    }
}

/// The day of a date as in RFC 3339.
pub(super) fn day(date: &str) -> &str {
    date.get(..10).unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days with the numbers of pages that have and lack something.
    fn sightings<'a>(days: &[(&'a str, usize, usize)]) -> Vec<Sighting<'a>> {
        let mut sightings = Vec::new();
        for &(date, has, lacks) in days {
            let date = Some(date).filter(|date| !date.is_empty());
            sightings.extend((0..has).map(|_| Sighting { date, is_there: true }));
            sightings.extend((0..lacks).map(|_| Sighting {
                date,
                is_there: false,
            }));
        }
        sightings
    }

    fn check(days: &[(&str, usize, usize)], expected: f64, expect: Option<(&str, usize)>) {
        is_loss(loss(&mut sightings(days), expected), expect);
    }

    fn check_partial(days: &[(&str, usize, usize)], expect: Option<(&str, usize)>) {
        is_loss(partial_loss(&mut sightings(days), 0.95, (3, 0.1)), expect);
    }

    #[track_caller]
    fn is_loss(found: Option<Loss>, expect: Option<(&str, usize)>) {
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

    #[test]
    fn a_share_is_lost_however_large_it_is() {
        for lacking in 10..=100 {
            check_partial(&[("", 100 - lacking, lacking)], Some(("", lacking)));
        }
        check_partial(&[("", 91, 9)], None);
        check_partial(&[("", 2, 2)], None);
    }

    #[test]
    fn a_share_is_lost_since_a_day_and_until_the_last() {
        let days = [("2026-01-01", 300, 3), ("2026-01-02", 20, 20)];
        check_partial(&days, Some(("2026-01-02", 20)));
        let days = [("2026-01-01", 40, 40), ("2026-01-02", 3, 0)];
        check_partial(&days, Some(("2026-01-01", 40)));
        check_partial(&[("2026-01-01", 40, 40), ("2026-01-02", 40, 0)], None);
    }
}
