//! Finds near-duplicates: texts that other pages have with other numbers or names, such as "Last changed on 3 May" or
//! "read 6,936 times".

use std::cell::OnceCell;

use indexmap::{IndexMap, IndexSet};

use husk_dom::{Dom, NodeId, NodeKind};
use serde::{Deserialize, Serialize};

use crate::measure::{letters_hash, mix, words};
use crate::page::Page;
use crate::template::Template;

/// Fewest words of a short text, without numbers.
const FEWEST_WORDS: usize = 3;

/// Most words of a short text.
const MOST_WORDS: usize = 24;

/// Near-duplicates have at least this share of their words in common.
const NEAR_DUPLICATE: f64 = 0.6;

/// What a page has more often is a list.
const MOST_TIMES: usize = 2;

/// Most texts with the same first words to compare.
const MOST_TEXTS: usize = 16;

/// The short texts with numbers of some pages, by their first words.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct ShortTextIndex {
    by_opening: IndexMap<String, Vec<(usize, ShortText)>>,
    pages: usize,
    /// Sorted hashes of the first words: nearly all texts of a page are ruled out by them.
    #[serde(skip)]
    openings: Vec<u64>,
    /// One bit for each first word: most texts are ruled out by it.
    #[serde(skip)]
    first_words: [u64; 4],
}

/// The near-duplicates on one page.
#[derive(Debug)]
pub(crate) struct NearDuplicates<'a> {
    book: &'a ShortTextIndex,
    page: &'a Page,
    template: &'a Template,
    /// How often the page itself has texts with the same first words; computed on demand.
    own: OnceCell<IndexMap<u64, usize>>,
}

impl ShortTextIndex {
    /// Collects the short texts of some pages.
    pub(crate) fn of<'a>(pages: impl IntoIterator<Item = &'a Page>) -> Self {
        let mut book = Self::default();
        for page in pages {
            book.add(page);
        }
        book.keep_common();
        book
    }

    /// Adds the short texts of a page.
    pub(crate) fn add(&mut self, page: &Page) {
        let dom = &page.dom;
        let number = self.pages;
        self.pages += 1;
        for node in dom.nodes().filter(|&node| is_small(dom, node)) {
            let Some((opening, short)) = short_text(dom.text_of(node)) else {
                continue;
            };
            let texts = self.by_opening.entry(opening).or_default();
            if texts.len() < MOST_TEXTS * self.pages {
                texts.push((number, short));
            }
        }
    }

    /// Drops what fewer than half of the pages have: it cannot be a near-duplicate.
    pub(crate) fn keep_common(&mut self) {
        let pages = self.pages;
        self.by_opening.retain(|_, texts| {
            let said_on: IndexSet<usize> = texts.iter().map(|&(page, _)| page).collect();
            said_on.len() * 2 >= pages
        });
        self.seal();
    }

    /// Builds the lookup tables; to be called after texts were added or read.
    pub(crate) fn seal(&mut self) {
        self.first_words = [0; 4];
        let mut openings = Vec::with_capacity(self.by_opening.len());
        for text in self.by_opening.keys() {
            openings.extend(opening_hash(text, |first| {
                let (word, bit) = place_of(first);
                self.first_words[word] |= bit;
                true
            }));
        }
        openings.sort_unstable();
        self.openings = openings;
    }

    /// Number of pages that were read.
    pub(crate) fn pages(&self) -> usize {
        self.pages
    }

    /// The hash of a text's first words, if the index has them.
    fn known_opening(&self, text: &str) -> Option<u64> {
        let may_begin = |first| {
            let (word, bit) = place_of(first);
            self.first_words[word] & bit != 0
        };
        opening_hash(text, may_begin).filter(|hash| self.openings.binary_search(hash).is_ok())
    }
}

impl<'a> NearDuplicates<'a> {
    pub(crate) fn of(page: &'a Page, template: &'a Template, book: &'a ShortTextIndex) -> Self {
        Self {
            book,
            page,
            template,
            own: OnceCell::new(),
        }
    }

    /// How often the page itself has texts with the same first words.
    fn own_times(&self, opening: u64) -> usize {
        let own = self.own.get_or_init(|| self.count_own());
        own.get(&opening).copied().unwrap_or_default()
    }

    /// Counts the short texts outside of the template that begin like one of the index.
    fn count_own(&self) -> IndexMap<u64, usize> {
        let dom = &self.page.dom;
        let mut own = IndexMap::new();
        for node in dom.nodes() {
            if self.template.contains(node) || !is_small(dom, node) {
                continue;
            }
            if let Some(opening) = self.book.known_opening(dom.text_of(node)) {
                *own.entry(opening).or_default() += 1;
            }
        }
        own
    }

    /// Whether at least half of the other pages have a near-duplicate of a text.
    pub(crate) fn has(&self, text: &str) -> bool {
        let Some(hash) = Some(text)
            .filter(|text| may_be_short_text(text))
            .and_then(|text| self.book.known_opening(text))
        else {
            return false;
        };
        let Some((opening, words)) = short_text(text) else {
            return false;
        };
        let Some(texts) = self.book.by_opening.get(&opening) else {
            return false;
        };
        if self.own_times(hash) > MOST_TIMES {
            return false;
        }
        let pages: IndexSet<usize> = texts
            .iter()
            .filter(|(_, other)| are_alike(&words, other))
            .map(|&(page, _)| page)
            .collect();
        pages.len() * 2 >= self.book.pages && !pages.is_empty()
    }
}

/// A text, or an element of few nodes.
fn is_small(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => !dom.is_blank_text(node),
        NodeKind::Element => dom.size(node) > 2 && dom.size(node) <= MOST_WORDS,
        _ => false,
    }
}

/// The hash of a text's first two words that are not numbers, ignoring case; none if `may_begin` rules out the first.
fn opening_hash(text: &str, mut may_begin: impl FnMut(u64) -> bool) -> Option<u64> {
    let mut words = words(text).filter(|word| !word.chars().any(char::is_numeric));
    let first = letters_hash(words.next()?);
    if !may_begin(first) {
        return None;
    }
    Some(mix(first, letters_hash(words.next()?)))
}

/// The bit for a word.
fn place_of(word: u64) -> (usize, u64) {
    ((word >> 6) as usize % 4, 1 << (word % 64))
}

/// A text as it is compared.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ShortText {
    words: IndexSet<String>,
    numbers: Vec<String>,
}

/// The words of a text and its first two, if it has a number and is short.
fn short_text(text: &str) -> Option<(String, ShortText)> {
    if !may_be_short_text(text) {
        return None;
    }
    let (mut all, mut numbers) = (Vec::new(), Vec::new());
    for word in words(text) {
        if word.chars().any(char::is_numeric) {
            numbers.push(word.to_owned());
        } else {
            all.push(word.to_lowercase());
        }
    }
    if numbers.is_empty() || all.len() < FEWEST_WORDS || all.len() > MOST_WORDS {
        return None;
    }
    let opening = format!("{} {}", all[0], all[1]);
    let words = all.into_iter().collect();
    Some((opening, ShortText { words, numbers }))
}

/// Whether a text is short and may have a number: most need not be split into words.
fn may_be_short_text(text: &str) -> bool {
    // Without early exit, so that the compiler vectorises it.
    let has_number = |piece: &[u8]| {
        let letters = piece.iter();
        letters.fold(false, |has, &letter| {
            has | (letter.wrapping_sub(b'0') < 10) | (letter >= 0x80)
        })
    };
    text.len() <= MOST_WORDS * 24 && text.as_bytes().chunks(64).any(has_number)
}

/// Whether two texts are the same except for numbers. With the same numbers they are the same text, such as the title
/// of a chapter.
fn are_alike(one: &ShortText, other: &ShortText) -> bool {
    let same = one.words.intersection(&other.words).count();
    let all = one.words.len() + other.words.len() - same;
    same as f64 >= NEAR_DUPLICATE * all as f64 && one.numbers != other.numbers
}
