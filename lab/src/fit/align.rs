//! Finds the words of a text on a page: the words of its blocks and of the text in, a flag for each word out.
//!
//! The longest run of words that both have is matched first, then the longest on either side of it, and so on. A shortest
//! edit script would do as well where page and text are similar, but a short text is scattered over a long page by it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3Default;

type Positions<'a> = HashMap<&'a str, Vec<usize>, BuildHasherDefault<Xxh3Default>>;

/// Runs with fewer words are matched only where they continue a match.
const SHORTEST_RUN: usize = 3;

/// Words in a row that show where a block of another order comes from.
const SHINGLE: usize = 6;

/// The share of a block's shingles that must be in the text.
const FOUND: f32 = 0.8;

/// The share of each block's words that are in the text.
pub(super) fn shares(blocks: &[Vec<String>], text: &[String]) -> Vec<f32> {
    let page: Vec<&str> = blocks.iter().flatten().map(String::as_str).collect();
    let text: Vec<&str> = text.iter().map(String::as_str).collect();
    let mut is_on_page = vec![false; text.len()];
    let mut is_in_text = vec![false; page.len()];
    for (at, in_text, length) in matches(&page, &text) {
        is_in_text[at..at + length].fill(true);
        is_on_page[in_text..in_text + length].fill(true);
    }
    let mut start = 0;
    let mut shares = Vec::new();
    for block in blocks {
        let here = &is_in_text[start..start + block.len()];
        start += block.len();
        let found = here.iter().filter(|is_in| **is_in).count();
        shares.push(found as f32 / block.len().max(1) as f32);
    }
    add_moved(blocks, &text, &is_on_page, &mut shares);
    shares
}

/// Adds blocks that the text has at another position, where no other block was matched.
fn add_moved(blocks: &[Vec<String>], text: &[&str], is_on_page: &[bool], shares: &mut [f32]) {
    let mut left: HashMap<&[&str], usize, BuildHasherDefault<Xxh3Default>> = HashMap::default();
    for (words, is_matched) in text.windows(SHINGLE).zip(is_on_page.windows(SHINGLE)) {
        if is_matched.iter().all(|is_matched| !is_matched) {
            *left.entry(words).or_default() += 1;
        }
    }
    for (block, share) in blocks.iter().zip(shares) {
        let words: Vec<&str> = block.iter().map(String::as_str).collect();
        let shingles = || words.windows(SHINGLE);
        let found = shingles()
            .filter(|words| left.get(*words).is_some_and(|left| *left > 0))
            .count();
        if found > 0 && found as f32 >= FOUND * shingles().count() as f32 {
            *share = 1.0;
            for words in shingles() {
                if let Some(left) = left.get_mut(words) {
                    *left = left.saturating_sub(1);
                }
            }
        }
    }
}

/// Runs of equal words: where they begin on the page and in the text, and their length.
fn matches(page: &[&str], text: &[&str]) -> Vec<(usize, usize, usize)> {
    let mut positions = Positions::default();
    for (at, word) in text.iter().enumerate() {
        positions.entry(word).or_default().push(at);
    }
    let mut found = Vec::new();
    let mut open = vec![(0..page.len(), 0..text.len(), false)];
    while let Some((on_page, in_text, continues)) = open.pop() {
        let Some((at, here, length)) = longest(page, &positions, on_page.clone(), in_text.clone()) else {
            continue;
        };
        let is_beside = continues && (at == on_page.start || at + length == on_page.end);
        if length < SHORTEST_RUN && !is_beside {
            continue;
        }
        found.push((at, here, length));
        open.push((on_page.start..at, in_text.start..here, true));
        open.push((at + length..on_page.end, here + length..in_text.end, true));
    }
    found
}

/// The longest run of words that both parts have; the first of several.
fn longest(
    page: &[&str],
    positions: &Positions,
    on_page: Range<usize>,
    in_text: Range<usize>,
) -> Option<(usize, usize, usize)> {
    let mut best = (0, 0, 0);
    // The lengths of the runs that end at the word before, by position in the text.
    let mut before: HashMap<usize, usize, BuildHasherDefault<Xxh3Default>> = HashMap::default();
    for at in on_page {
        let mut here = HashMap::default();
        let all = positions.get(page[at]).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|&position| position < in_text.start);
        for &position in all[first..]
            .iter()
            .take_while(|position| **position < in_text.end)
        {
            let run = position
                .checked_sub(1)
                .and_then(|last| before.get(&last))
                .copied();
            let length = run.unwrap_or(0) + 1;
            here.insert(position, length);
            if length > best.2 {
                best = (at + 1 - length, position + 1 - length, length);
            }
        }
        before = here;
    }
    (best.2 > 0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blocks: &[&str], text: &str, expect: &[f32]) {
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<String>>()
        };
        let blocks: Vec<Vec<String>> = blocks.iter().map(|block| words(block)).collect();
        assert_eq!(shares(&blocks, &words(text)), expect);
    }

    #[test]
    fn a_short_text_is_not_scattered_over_a_long_page() {
        let menu = "the news of the day and a map of the sea";
        let text = "a cat of the sea and the day of the map";
        check(&[menu, menu, text, menu], text, &[0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn words_between_two_blocks_are_not_matched() {
        check(
            &["one two three four", "share this", "five six seven eight"],
            "one two three four five six seven eight",
            &[1.0, 0.0, 1.0],
        );
    }

    #[test]
    fn a_block_may_be_elsewhere_in_the_text() {
        check(
            &[
                "one two three four five six seven",
                "eight nine ten eleven twelve thirteen fourteen fifteen",
            ],
            "eight nine ten eleven twelve thirteen fourteen fifteen one two three four five six seven",
            &[1.0, 1.0],
        );
    }

    #[test]
    fn a_block_that_stands_twice_counts_once() {
        check(
            &[
                "one two three four five six seven",
                "one two three four five six seven",
            ],
            "one two three four five six seven",
            &[1.0, 0.0],
        );
    }
}
