//! Finds the heading that is the title of a page.

use husk_dom::{Dom, NodeId, name};

use super::Blocks;
use crate::hints::is_heading;
use crate::measure::{letters_hash, words};

/// Headings and titles are compared by this many words.
const TITLE_WORDS: usize = 64;

/// Bonus of an `h1` and of an `h2` on the similarity to the title.
const H1_BONUS: f64 = 0.3;
const H2_BONUS: f64 = 0.1;

/// A heading with less similarity to the title is another one.
const LEAST_TITLE_SIMILARITY: f64 = 0.6;

/// The heading that is most similar to the title of the document, or the first `h1` with words.
pub(crate) fn of(dom: &Dom, blocks: &Blocks) -> Option<NodeId> {
    let title = title_words(dom);
    let headings = || {
        blocks
            .elements(dom)
            .filter(|&node| is_heading(dom, node))
            .filter(|&node| blocks.counts_of(dom, node).words > 0)
            .filter_map(|node| Some((node, level(dom.name(node))?)))
    };
    let mut best = None;
    let mut most = 0.0;
    for (node, level) in headings() {
        let likeness = likeness(dom.text_of(node), &title)
            + match level {
                1 => H1_BONUS,
                2 => H2_BONUS,
                _ => 0.0,
            };
        if likeness > most {
            (best, most) = (Some(node), likeness);
        }
    }
    best.filter(|_| most >= LEAST_TITLE_SIMILARITY)
        .or_else(|| headings().find(|&(_, level)| level == 1).map(|(node, _)| node))
}

fn level(name: &str) -> Option<u8> {
    match name {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" | "h4" | "h5" | "h6" => Some(3),
        _ => None,
    }
}

/// The words of the document's title, as sorted hashes without duplicates.
fn title_words(dom: &Dom) -> Vec<u64> {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")));
    title.map_or_else(Vec::new, |node| distinct(dom.text_of(node)))
}

/// The distinct words of a text.
fn distinct(text: &str) -> Vec<u64> {
    let mut hashes: Vec<u64> = words(text).take(TITLE_WORDS).map(letters_hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The share of a heading's words that are in the title; less if they are a small part of it, since titles name the
/// site as well.
fn likeness(heading: &str, title: &[u64]) -> f64 {
    if title.is_empty() {
        return 0.0;
    }
    let distinct = distinct(heading);
    let shared = distinct
        .iter()
        .filter(|word| title.binary_search(word).is_ok())
        .count();
    shared as f64 / distinct.len().max(1) as f64 * (2.0 * distinct.len() as f64 / title.len() as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expect: Option<&str>) {
        let dom = Dom::parse(html);
        let body = dom.part(&name!("body")).unwrap();
        let blocks = Blocks::of(&dom, body, |_| true);
        let heading = of(&dom, &blocks);
        assert_eq!(heading.map(|node| dom.text_of(node)), expect);
    }

    #[test]
    fn it_is_like_the_title() {
        check(
            "<title>The mill | Our town</title><h1>Our town</h1><h2>The mill</h2><h3>More</h3>",
            Some("Our town"),
        );
        check(
            "<title>The old mill | Town</title><h1>Town</h1><h2>The old mill</h2>",
            Some("The old mill"),
        );
    }

    #[test]
    fn else_it_is_the_first_of_the_first_level() {
        check("<h2>News</h2><h1> </h1><h1>Mill</h1><h1>Town</h1>", Some("Mill"));
        check("<title>…</title><h2>News</h2>", None);
        check("", None);
    }
}
