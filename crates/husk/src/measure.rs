//! Counts words, linked words, links and sentences in any part of a page.
//!
//! A [`Dom`] in; sums for any subtree out. A subtree is a range of nodes, so each sum is a difference of two.

use std::ops::Range;

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::work::check;

/// Counts for the visible nodes of a page.
#[derive(Debug, Clone)]
pub struct Measures {
    /// The sums over all nodes before each node, and over all at the end.
    sums: Vec<Amount>,
}

/// Counts for a part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Words; each character of a script without spaces counts as one.
    pub words: u32,
    /// Words in links.
    pub linked_words: u32,
    /// Links of any kind.
    pub links: u32,
    /// Characters without white space.
    pub letters: u32,
    /// Commas and ends of sentences outside of links.
    pub stops: u32,
    /// Texts that are not blank.
    pub texts: u32,
}

impl Amount {
    /// The share of words in links.
    pub fn link_density(self) -> f64 {
        f64::from(self.linked_words) / f64::from(self.words.max(1))
    }

    fn of_text(count: Count, is_in_link: bool) -> Self {
        Self {
            words: count.words,
            linked_words: if is_in_link { count.words } else { 0 },
            links: 0,
            letters: count.letters,
            stops: if is_in_link { 0 } else { count.stops },
            texts: u32::from(count.words > 0),
        }
    }

    /// The sum of two amounts.
    pub fn plus(self, other: Self) -> Self {
        Self {
            words: self.words + other.words,
            linked_words: self.linked_words + other.linked_words,
            links: self.links + other.links,
            letters: self.letters + other.letters,
            stops: self.stops + other.stops,
            texts: self.texts + other.texts,
        }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self {
            words: self.words - other.words,
            linked_words: self.linked_words - other.linked_words,
            links: self.links - other.links,
            letters: self.letters - other.letters,
            stops: self.stops - other.stops,
            texts: self.texts - other.texts,
        }
    }
}

impl Measures {
    /// Counts all nodes of a page, except for what is never shown.
    pub fn of(dom: &Dom) -> Self {
        Self::of_those(dom, |_| true)
    }

    /// Counts some nodes of a page.
    pub fn of_those(dom: &Dom, is_meant: impl Fn(NodeId) -> bool) -> Self {
        check();
        let mut sums = Vec::with_capacity(dom.len() + 1);
        let mut sum = Amount::default();
        sums.push(sum);
        each_amount(dom, is_meant, |_, amount| {
            sum = sum.plus(amount);
            sums.push(sum);
        });
        Self { sums }
    }

    /// The counts of the whole page.
    pub fn of_all(&self) -> Amount {
        self.of_range(0..self.sums.len() - 1)
    }

    /// The counts of a subtree.
    pub fn of_subtree(&self, dom: &Dom, node: NodeId) -> Amount {
        self.of_range(dom.range(node))
    }

    /// The counts of a run of nodes.
    pub fn of_range(&self, range: Range<usize>) -> Amount {
        self.sums[range.end].minus(self.sums[range.start])
    }
}

/// Visits all nodes of a page with what each has itself: nothing for those that are not meant, or never shown.
pub fn each_amount(dom: &Dom, is_meant: impl Fn(NodeId) -> bool, mut visit: impl FnMut(NodeId, Amount)) {
    let (mut hidden_until, mut link_until) = (0, 0);
    for node in dom.nodes() {
        let index = node.index();
        let mut amount = Amount::default();
        match dom.kind(node) {
            NodeKind::Text if index >= hidden_until && !dom.is_blank_text(node) && is_meant(node) => {
                amount = Amount::of_text(Count::of(dom.text_of(node)), index < link_until);
            }
            NodeKind::Element => {
                if is_never_shown(dom, node) {
                    hidden_until = hidden_until.max(dom.range(node).end);
                }
                if is_link(dom, node) {
                    link_until = link_until.max(dom.range(node).end);
                    amount.links = u32::from(index >= hidden_until && is_meant(node));
                }
            }
            _ => {}
        }
        visit(node, amount);
    }
}

/// The words of a text, as written: runs of letters, digits and underscores. Each character of a script without
/// spaces is a word.
#[inline]
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut behind = 0;
    std::iter::from_fn(move || {
        let mut start = behind;
        let mut first = Letter::at(text, start)?;
        while !first.is_of_word {
            start += first.bytes;
            first = Letter::at(text, start)?;
        }
        behind = start + first.bytes;
        while !first.is_alone
            && let Some(next) = Letter::at(text, behind)
            && next.is_of_word
            && !next.is_alone
        {
            behind += next.bytes;
        }
        Some(&text[start..behind])
    })
}

/// Order matters: `mix(mix(a, b), c)` differs from `mix(mix(a, c), b)`.
pub(crate) fn mix(state: u64, value: u64) -> u64 {
    let product = u128::from(state ^ 0x2D35_8DCC_AA6C_78A5) * u128::from(value ^ 0x8BB8_4B93_962E_ACC9);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a word, whatever its case.
pub(crate) fn letters_hash(word: &str) -> u64 {
    if word.is_ascii() {
        return ascii_hash(word.as_bytes());
    }
    let letters = word.chars().flat_map(char::to_lowercase);
    letters.fold(0, |state, letter| mix(state, u64::from(letter)))
}

/// The same for a word of ASCII letters.
pub(crate) fn ascii_hash(word: &[u8]) -> u64 {
    let letters = word.iter().map(|letter| letter.to_ascii_lowercase());
    letters.fold(0, |state, letter| mix(state, u64::from(letter)))
}

/// The same as [`str::trim`], which decodes every character.
pub(crate) fn trimmed(text: &str) -> &str {
    let is_other_space = |letter: Option<&u8>| letter.is_some_and(|&letter| letter >= 0x80 || letter == 0x0B);
    let plain = text.trim_ascii();
    let letters = plain.as_bytes();
    if is_other_space(letters.first()) || is_other_space(letters.last()) {
        return plain.trim();
    }
    plain
}

/// What a character means for words.
struct Letter {
    is_of_word: bool,
    is_alone: bool,
    bytes: usize,
}

impl Letter {
    #[inline]
    fn at(text: &str, place: usize) -> Option<Self> {
        let &byte = text.as_bytes().get(place)?;
        match byte.is_ascii() {
            true => Some(Self {
                is_of_word: CLASSES[usize::from(byte)] & WORD != 0,
                is_alone: false,
                bytes: 1,
            }),
            false => Self::beyond_ascii(text, place),
        }
    }

    fn beyond_ascii(text: &str, place: usize) -> Option<Self> {
        let letter = text[place..].chars().next()?;
        Some(Self {
            is_of_word: is_word_letter(letter),
            is_alone: is_word_alone(letter),
            bytes: letter.len_utf8(),
        })
    }
}

/// How the words of a text are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spacing {
    /// The only white space is single ASCII spaces.
    pub(crate) is_single: bool,
    pub(crate) is_ascii: bool,
}

impl Spacing {
    /// Reads eight bytes at a time as one number, since nearly all texts of all pages pass through here.
    pub(crate) fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let mut seen = Seen::default();
        let Some(last) = text.len().checked_sub(8) else {
            let mut eight = [b'x'; 8];
            eight[..text.len()].copy_from_slice(text);
            seen.see(eight);
            return seen.spacing();
        };
        // Chunks overlap by one byte, so that two spaces in a row are not separated.
        let mut start = 0;
        while let Some(&eight) = text[start.min(last)..].first_chunk() {
            seen.see(eight);
            if start >= last {
                break;
            }
            start += 7;
        }
        seen.spacing()
    }
}

/// One bit for each of eight bytes.
#[derive(Default)]
struct Seen {
    controls: u64,
    gaps: u64,
    beyond_ascii: u64,
}

impl Seen {
    fn see(&mut self, letters: [u8; 8]) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x80 * EACH;
        let letters = u64::from_le_bytes(letters);
        let off_space = letters ^ (0x20 * EACH);
        let spaces = !(((off_space & !HIGHEST) + !HIGHEST) | off_space | !HIGHEST);
        self.controls |= letters.wrapping_sub(0x20 * EACH) & !letters & HIGHEST;
        self.gaps |= spaces & (spaces << 8);
        self.beyond_ascii |= letters & HIGHEST;
    }

    fn spacing(&self) -> Spacing {
        Spacing {
            is_single: self.controls | self.gaps == 0,
            is_ascii: self.beyond_ascii == 0,
        }
    }
}

/// Bytes of a text to read together.
const PIECE: usize = 64;

/// Shorter texts are counted letter by letter.
const SHORTEST_LONG: usize = 32;

/// Whether a text has white space beyond ASCII; for most texts single bytes rule it out.
pub(crate) fn has_wide_space(text: &str) -> bool {
    let text = text.as_bytes();
    let may_begin = |byte: u8| (byte == 0xC2) | (byte.wrapping_sub(0xE1) < 3);
    let starts = (0..text.len()).step_by(PIECE);
    starts.map(|start| &text[start..]).any(|rest| {
        let piece = &rest[..rest.len().min(PIECE)];
        let may_have = piece
            .iter()
            .fold(false, |may_have, &byte| may_have | may_begin(byte));
        may_have && (0..piece.len()).any(|at| may_begin(rest[at]) && is_wide_space(&rest[at..]))
    })
}

fn is_wide_space(text: &[u8]) -> bool {
    matches!(
        text,
        [0xC2, 0x85 | 0xA0, ..]
            | [0xE1, 0x9A, 0x80, ..]
            | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
            | [0xE2, 0x81, 0x9F, ..]
            | [0xE3, 0x80, 0x80, ..]
    )
}

fn is_word_letter(letter: char) -> bool {
    is_plainly_a_letter(letter) || letter.is_alphanumeric() || letter == '_'
}

/// Whether a character is in a range of letters only, which covers most letters beyond ASCII and is faster than a
/// lookup.
fn is_plainly_a_letter(letter: char) -> bool {
    matches!(letter,
        'ß'..='ö' | 'ø'..='ž' | 'а'..='ё' | 'А'..='Я' | '\u{4e00}'..='\u{9fff}' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '가'..='힣')
}

/// Kana and Chinese characters.
fn is_word_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Elements that are never shown, with everything in them.
pub(crate) fn is_never_shown(dom: &Dom, node: NodeId) -> bool {
    let is_one = matches!(
        *dom.name(node),
        name!("script")
            | name!("style")
            | name!("noscript")
            | name!("template")
            | name!("head")
            | name!("link")
            | name!("meta")
            | name!("title")
    );
    is_one && dom.kind(node) == NodeKind::Element
}

/// Elements that show something by themselves, whatever is in them.
pub(crate) fn shows_by_itself(dom: &Dom, node: NodeId) -> bool {
    let is_one = matches!(
        *dom.name(node),
        name!("img")
            | name!("svg")
            | name!("video")
            | name!("audio")
            | name!("iframe")
            | name!("object")
            | name!("embed")
            | name!("canvas")
            | name!("input")
            | name!("button")
            | name!("select")
            | name!("textarea")
            | name!("hr")
    );
    let is_hidden_field = || dom.attribute(node, &name!("type")) == Some("hidden");
    dom.kind(node) == NodeKind::Element && is_one && !is_hidden_field()
}

fn is_link(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("a")) && dom.attribute(node, &name!("href")).is_some()
}

// Without branches, so that the compiler vectorises it.

const fn is_ascii_word(letter: u8) -> bool {
    ((letter | 0x20).wrapping_sub(b'a') < 26) | (letter.wrapping_sub(b'0') < 10) | (letter == b'_')
}

const fn is_ascii_space(letter: u8) -> bool {
    (letter.wrapping_sub(b'\t') < 5) | (letter == b' ')
}

const fn is_ascii_stop(letter: u8) -> bool {
    (letter == b'.') | (letter == b',') | (letter == b';') | (letter == b'!') | (letter == b'?')
}

/// What a character adds to the counts of a text, packed in one number: characters in the lower half, commas and
/// stops above, and in the highest bit whether it is part of a word.
type Class = u64;

const LETTER: Class = 1;
const STOP: Class = 1 << 32;
const WORD: Class = 1 << 63;

/// The classes of ASCII characters.
const CLASSES: [Class; 128] = {
    let mut classes = [0; 128];
    let mut letter = 0;
    while letter < 128 {
        let byte = letter as u8;
        if !is_ascii_space(byte) {
            classes[letter] += LETTER;
        }
        if is_ascii_stop(byte) {
            classes[letter] += STOP;
        }
        if is_ascii_word(byte) {
            classes[letter] |= WORD;
        }
        letter += 1;
    }
    classes
};

/// Counts a text in one pass, with as many words as [`words`] gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    pub(crate) words: u32,
    pub(crate) letters: u32,
    pub(crate) stops: u32,
}

impl Count {
    pub(crate) fn of(text: &str) -> Self {
        let text = text.trim_ascii();
        if text.len() >= SHORTEST_LONG && text.is_ascii() {
            Self::of_long_ascii(text.as_bytes())
        } else {
            Self::of_any(text)
        }
    }

    /// Sums of bytes over chunks, which the compiler vectorises.
    fn of_long_ascii(text: &[u8]) -> Self {
        let begins = |(&before, &letter)| !is_ascii_word(before) & is_ascii_word(letter);
        let mut count = Self {
            words: u32::from(is_ascii_word(text[0])),
            ..Self::default()
        };
        for (letters, behind) in text.chunks(PIECE).zip(text[1..].chunks(PIECE)) {
            count.words += number(letters.iter().zip(behind), begins);
        }
        for letters in text.chunks(PIECE) {
            count.letters += number(letters.iter(), |&letter| !is_ascii_space(letter));
            count.stops += number(letters.iter(), |&letter| is_ascii_stop(letter));
        }
        count
    }

    fn of_any(text: &str) -> Self {
        let mut words = 0;
        let (mut sum, mut before): (Class, Class) = (0, 0);
        for letter in text.chars() {
            let class = if letter.is_ascii() {
                CLASSES[letter as usize]
            } else if is_word_alone(letter) && is_word_letter(letter) {
                words += 1;
                sum += LETTER;
                before = 0;
                continue;
            } else {
                class_of(letter)
            };
            words += ((class & !before) >> 63) as u32;
            sum += class & !WORD;
            before = class;
        }
        Self {
            words,
            letters: sum as u32,
            stops: (sum >> 32) as u32,
        }
    }
}

/// The ASCII digits of a text.
pub(crate) fn digits(text: &str) -> u32 {
    let pieces = text.as_bytes().chunks(PIECE);
    pieces
        .map(|piece| number(piece.iter(), |letter| letter.is_ascii_digit()))
        .sum()
}

/// The ASCII capitals at the start of a text, behind a space and behind a line end.
pub(crate) fn capitals(text: &str) -> u32 {
    let Some((first, behind)) = text.as_bytes().split_first() else {
        return 0;
    };
    let begins =
        |(&before, &letter): (&u8, &u8)| ((before == b' ') | (before == b'\n')) & letter.is_ascii_uppercase();
    let pieces = text.as_bytes().chunks(PIECE).zip(behind.chunks(PIECE));
    let inside: u32 = pieces
        .map(|(before, letters)| number(before.iter().zip(letters), begins))
        .sum();
    u32::from(first.is_ascii_uppercase()) + inside
}

/// How many bytes of a chunk match; always fits in a byte.
fn number<T>(piece: impl Iterator<Item = T>, is_meant: impl Fn(T) -> bool) -> u32 {
    u32::from(piece.map(|one| u8::from(is_meant(one))).sum::<u8>())
}

/// The class of a character beyond ASCII.
fn class_of(letter: char) -> Class {
    if is_word_letter(letter) {
        WORD + LETTER
    } else {
        let is_stop = Class::from(is_stop(letter)) * STOP;
        is_stop + Class::from(!letter.is_whitespace()) * LETTER
    }
}

/// Commas and ends of sentences in all scripts.
fn is_stop(letter: char) -> bool {
    matches!(
        letter,
        '.' | ',' | ';' | '!' | '?' | '。' | '，' | '、' | '；' | '！' | '？' | '،' | '؛' | '؟' | '।' | '։'
    )
}

#[cfg(test)]
mod tests {
    use husk_dom::Name;

    use super::*;

    #[test]
    fn plain_letters_are_letters() {
        let plain = ('\0'..=char::MAX).filter(|&letter| is_plainly_a_letter(letter));
        assert!(plain.clone().all(char::is_alphanumeric));
        assert!(plain.count() > 30_000);
    }

    #[test]
    fn as_many_words_are_counted_as_there_are() {
        for text in [
            "",
            "one, two",
            "日本語のテキスト and 3_4 x",
            "Ёлка-ёлка",
            "a\u{301}b",
            "・中・",
        ] {
            assert_eq!(Count::of(text).words as usize, words(text).count(), "{text}");
        }
    }

    #[test]
    fn capitals_begin_words() {
        let check = |text: &str| {
            let mut expect = 0;
            let mut was_space = true;
            for byte in text.bytes() {
                expect += u32::from(was_space && byte.is_ascii_uppercase());
                was_space = byte == b' ' || byte == b'\n';
            }
            assert_eq!(capitals(text), expect, "{text:?}");
            let expect = text.bytes().filter(u8::is_ascii_digit).count();
            assert_eq!(digits(text) as usize, expect, "{text:?}");
        };
        for text in ["", "A", "a", " A b C", "AB\nCd\tE 12", "É A", "x1 Y2\n\nZ"] {
            for times in [1, 7, 22, 64] {
                check(&text.repeat(times));
            }
        }
    }

    #[test]
    fn trimmed_texts_have_no_space_around() {
        for letter in ('\0'..=char::MAX).filter(|letter| letter.is_whitespace() || !letter.is_alphanumeric())
        {
            let text = format!(" {letter} x{letter}");
            assert_eq!(trimmed(&text), text.trim(), "{text:?}");
        }
    }

    #[test]
    fn wide_spaces_are_those_of_unicode() {
        for letter in ('\0'..=char::MAX).filter(|letter| !letter.is_ascii()) {
            let text = format!("{}{letter}x", "é".repeat(PIECE / 2));
            assert_eq!(has_wide_space(&text), letter.is_whitespace(), "{letter:?}");
        }
    }

    #[test]
    fn single_spaces_are_told_from_other_gaps() {
        for front in 0..2 * PIECE {
            let front = "x".repeat(front);
            let check = |text: &str, is_single, is_ascii| {
                let spacing = Spacing { is_single, is_ascii };
                assert_eq!(Spacing::of(&format!("{front}{text}")), spacing, "{text:?}");
            };
            check("", true, true);
            check(" y z ", true, true);
            check("y  z", false, true);
            check("y\nz", false, true);
            check(" ü !", true, false);
            check("\u{7f} y", true, true);
        }
    }

    #[test]
    fn letters_and_stops_are_counted_in_whatever_script() {
        for letter in ('\0'..=char::MAX).step_by(7).chain('\0'..='\u{3100}') {
            let text = format!("x{letter}x");
            let count = Count::of(&text);
            assert_eq!(
                count.letters,
                2 + u32::from(!letter.is_whitespace()),
                "{letter:?}"
            );
            assert_eq!(count.stops, u32::from(is_stop(letter)), "{letter:?}");
            assert_eq!(count.words as usize, words(&text).count(), "{letter:?}");
            let long = text.repeat(PIECE);
            assert_eq!(Count::of(&long), Count::of_any(&long), "{letter:?}");
        }
    }

    fn check_words(text: &str, expect: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn pictures_and_fields_show_by_themselves() {
        let check = |html: &str, expect: bool| {
            let dom = Dom::parse(html);
            let shows = dom.nodes().any(|node| shows_by_itself(&dom, node));
            assert_eq!(shows, expect, "{html}");
        };
        check("<img>", true);
        check("<input>", true);
        check("<input type=hidden>", false);
        check("<div>hr</div>", false);
    }

    #[test]
    fn words_are_runs_of_letters() {
        check_words("", &[]);
        check_words(
            "  Husk's 2 new_names, ok?",
            &["Husk", "s", "2", "new_names", "ok"],
        );
        check_words("Rust言語 の本", &["Rust", "言", "語", "の", "本"]);
        check_words("عربي نص", &["عربي", "نص"]);
    }

    #[test]
    fn a_subtree_has_what_its_nodes_have() {
        let dom = Dom::parse(
            "<title>No</title><div>One, two.<a href=x>three four</a><script>no</script></div><p>five<a>six</a>",
        );
        let measures = Measures::of(&dom);
        let amount = |name: Name| {
            let node = dom.nodes().find(|&node| dom.is_element(node, &name)).unwrap();
            measures.of_subtree(&dom, node)
        };
        let div = amount(name!("div"));
        assert_eq!(
            (div.words, div.linked_words, div.links, div.stops, div.texts),
            (4, 2, 1, 2, 2)
        );
        assert_eq!(div.link_density(), 0.5);
        assert_eq!((amount(name!("p")).words, amount(name!("p")).links), (2, 0));
        assert_eq!(amount(name!("html")).words, 6);
    }
}
