//! What the pages of a site share, byte for byte, to be written once.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::slots::{CopiedRun, copies};
use super::tokens::{Token, tokens};

/// What two pages share is kept from so many bytes in a row on; less is left to the packing (docs/dedup.md).
const LEAST_RUN: usize = 128;

/// No site gets more: it is held in memory while pages are taken apart and put together.
pub(super) const MOST_SHARED: usize = 4 << 20;

/// What the pages of a site share, in the order in which it stands on them: its template, as bytes.
///
/// It is made from a few pages that stand for the others. What only one of them has is not in it.
#[derive(Debug, Clone, Default)]
pub struct SharedBytes {
    bytes: Vec<u8>,
    /// Where each token stands, in order.
    places: HashMap<u64, Vec<u32>, AsHashed>,
}

impl SharedBytes {
    /// What at least two of these pages have. Those that come first give it its order, so the models of the layouts should.
    pub fn of_pages(pages: &[&[u8]]) -> Self {
        let cut: Vec<Vec<Token>> = pages.iter().map(|page| tokens(page).collect()).collect();
        let on_two = tokens_on_two(pages, &cut);
        let mut shared = Self::default();
        for (page, tokens) in pages.iter().zip(&cut) {
            let known = copies(page, tokens, &shared);
            for run in unknown_runs(tokens, &known, &on_two) {
                shared.add(&page[run]);
            }
        }
        shared
    }

    fn add(&mut self, run: &[u8]) {
        let from = self.bytes.len();
        let run = &run[..run.len().min(MOST_SHARED - from)];
        for token in tokens(run) {
            self.places
                .entry(token.hash)
                .or_default()
                .push((from + token.at) as u32);
        }
        self.bytes.extend_from_slice(run);
    }

    /// Where a token stands, in order.
    pub(super) fn places(&self, token: &Token) -> &[u32] {
        self.places.get(&token.hash).map_or(&[], Vec::as_slice)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes are shared.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// The tokens that stand on two different pages.
fn tokens_on_two(pages: &[&[u8]], cut: &[Vec<Token>]) -> HashSet<u64, AsHashed> {
    let mut first_page: HashMap<u64, usize, AsHashed> = HashMap::default();
    let mut on_two = HashSet::default();
    let mut seen: HashSet<u64, AsHashed> = HashSet::default();
    for (place, (page, tokens)) in pages.iter().zip(cut).enumerate() {
        // A page that was captured twice shares nothing with itself.
        if !seen.insert(xxh3_64(page)) {
            continue;
        }
        for token in tokens {
            if *first_page.entry(token.hash).or_insert(place) != place {
                on_two.insert(token.hash);
            }
        }
    }
    on_two
}

/// What of a page is on another one too, and not yet known.
fn unknown_runs(tokens: &[Token], known: &[CopiedRun], on_two: &HashSet<u64, AsHashed>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut known = known.iter().peekable();
    for token in tokens {
        while known.next_if(|copy| copy.page_end() <= token.at).is_some() {}
        let is_known = known.peek().is_some_and(|copy| copy.page_at < token.end());
        if is_known || !on_two.contains(&token.hash) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == token.at => run.end = token.end(),
            _ => runs.push(token.at..token.end()),
        }
    }
    runs.retain(|run| run.len() >= LEAST_RUN);
    runs
}

/// Hashes are spread already.
type AsHashed = BuildHasherDefault<Passed>;

/// Takes a hash as it is.
#[derive(Debug, Clone, Default)]
struct Passed(u64);

impl Hasher for Passed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_two_pages_have() {
        let menu = "<ul>".to_owned() + &"<li><a href=/somewhere>Somewhere</a></li>".repeat(5) + "</ul>";
        let footer = "<footer>".to_owned() + &"All rights reserved. ".repeat(10) + "</footer>";
        let page = |content: &str| format!("{menu}<p>{content}</p>{footer}").into_bytes();
        let aside = "<aside>".to_owned()
            + &"<p>Something that only two of the pages have.</p>".repeat(4)
            + "</aside>";
        let (one, two, three) = (
            page("One"),
            page(&format!("Two{aside}")),
            page(&format!("{aside}Three")),
        );
        let shared = SharedBytes::of_pages(&[&one, &two, &three]);
        let text = String::from_utf8_lossy(shared.bytes());
        for (words, count) in [
            ("<ul>", 1),
            ("<footer>", 1),
            ("<aside>", 1),
            ("One", 0),
            ("Three", 0),
        ] {
            assert_eq!(text.matches(words).count(), count, "{words} in {text}");
        }
        assert!(SharedBytes::of_pages(&[&one]).is_empty());
        assert!(SharedBytes::of_pages(&[]).is_empty());
    }

    #[test]
    fn has_a_bound() {
        let page = |name: &str| {
            let lines = (0..200_000).map(|line| format!("<p>line {line} of them</p>\n"));
            lines.collect::<String>() + name
        };
        let shared = SharedBytes::of_pages(&[page("a").as_bytes(), page("b").as_bytes()]);
        assert_eq!(shared.len(), MOST_SHARED);
    }
}
