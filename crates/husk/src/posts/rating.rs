//! Reads ratings: what a page says for machines, "4 out of 5", "4 stars", "★★★★☆".

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::hints::{Hint, Hints};
use crate::lexicon;

/// A rating on the scale of its page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// How many points.
    pub value: f64,
    /// Out of how many, if the page says so.
    pub best: Option<f64>,
}

/// Longer texts are not ratings.
const LONGEST_RATING: usize = 60;

/// Scales that are in use.
const SCALES: [f64; 4] = [5.0, 6.0, 10.0, 100.0];

/// The rating at a node.
pub(super) fn rating(dom: &Dom, node: NodeId) -> Option<Rating> {
    match dom.kind(node) {
        NodeKind::Text => {
            let parent = dom.parent(node)?;
            read(dom.text_of(node), || Hints::of(dom, parent).has(Hint::Review))
        }
        NodeKind::Element => said(dom, node).or_else(|| {
            let is_named = || Hints::of(dom, node).has(Hint::Review);
            let labels = [name!("aria-label"), name!("title"), name!("alt")];
            labels
                .iter()
                .find_map(|label| read(dom.attribute(node, label)?, is_named))
        }),
        _ => None,
    }
}

fn said(dom: &Dom, node: NodeId) -> Option<Rating> {
    if dom.attribute(node, &name!("itemprop")) != Some("ratingValue") {
        return None;
    }
    let value = dom
        .attribute(node, &name!("content"))
        .unwrap_or_else(|| dom.text_of(node));
    let value = number(value.trim())?;
    (0.0..=100.0)
        .contains(&value)
        .then_some(Rating { value, best: None })
}

/// Reads a text. A fraction such as "4/5" is a rating only where it is named one.
fn read(text: &str, is_named: impl Fn() -> bool) -> Option<Rating> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_RATING {
        return None;
    }
    if text.contains('★') && text.chars().all(|letter| matches!(letter, '★' | '☆' | ' ')) {
        let count = |star| text.chars().filter(|&letter| letter == star).count() as f64;
        let (value, all) = (count('★'), count('★') + count('☆'));
        return (all <= 5.0).then_some(Rating {
            value,
            best: Some(5.0),
        });
    }
    if !text.bytes().any(|letter| letter.is_ascii_digit()) {
        return None;
    }
    let lower = text.to_lowercase();
    let spaced = lower.replace('/', " / ");
    let words: Vec<&str> = spaced
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '/'))
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.iter().position(|word| number(word).is_some())?;
    let value = number(words[first])?;
    let behind = &words[first + 1..];
    let next = behind.iter().position(|word| number(word).is_some());
    let between = next.map(|next| behind[..next].join(" "));
    let is_scale = |between: &String| {
        lexicon::entries("rating-of").binary_search(&&**between).is_ok() || (between == "/" && is_named())
    };
    if let (Some(next), Some(_)) = (next, between.filter(is_scale)) {
        let best = number(behind[next])?;
        let is_rating = SCALES.contains(&best) && (0.0..=best).contains(&value);
        return is_rating.then_some(Rating {
            value,
            best: Some(best),
        });
    }
    let is_star = |word: &&str| lexicon::entries("rating-star").binary_search(word).is_ok();
    let has_star = behind.first().is_some_and(is_star) && words.len() <= 4;
    (has_star && next.is_none() && (0.0..=5.0).contains(&value)).then_some(Rating {
        value,
        best: Some(5.0),
    })
}

/// A number with a point or a comma.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_number = text.len() <= 5
        && text.starts_with(|letter: char| letter.is_ascii_digit())
        && text
            .bytes()
            .all(|letter| letter.is_ascii_digit() || matches!(letter, b'.' | b','));
    is_number.then(|| text.replace(',', ".").parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_named: bool, expect: Option<(f64, f64)>) {
        let found = read(text, || is_named).map(|rating| (rating.value, rating.best.unwrap()));
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn ratings_are_read() {
        check("4 out of 5", false, Some((4.0, 5.0)));
        check("Rated 4.5 out of 5 stars", false, Some((4.5, 5.0)));
        check("4,5 von 5 Sternen", false, Some((4.5, 5.0)));
        check("8/10", true, Some((8.0, 10.0)));
        check("3 stars", false, Some((3.0, 5.0)));
        check("★★★☆☆", false, Some((3.0, 5.0)));
    }

    #[test]
    fn other_numbers_are_not() {
        check("8/10", false, None);
        check("page 4 of 12", false, None);
        check("10 of 5", false, None);
        check("12 people found this helpful", false, None);
        check("5 stars 80 %", false, None);
    }
}
