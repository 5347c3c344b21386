//! How much a part of a page says: its words, how many of them are links, how many links and sentences there are.
//!
//! A [`Dom`] in; sums for any subtree out. A subtree is a range of nodes, so each sum is a difference of two.

use std::ops::Range;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};

/// What is in the nodes of a page that are shown.
#[derive(Debug, Clone)]
pub struct Measures {
    /// The sums of all nodes in front of each, and of all at the end.
    sums: Vec<Amount>,
}

/// What is in a part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Words; each letter of a script that is written without spaces counts as one.
    pub words: u32,
    /// Words in links.
    pub linked_words: u32,
    /// Links, wherever they lead.
    pub links: u32,
    /// Letters, white space not counted.
    pub letters: u32,
    /// Ends of sentences and clauses outside of links.
    pub stops: u32,
    /// Texts that are not blank.
    pub texts: u32,
}

impl Amount {
    /// The share of the words that are links.
    pub fn link_density(self) -> f64 {
        f64::from(self.linked_words) / f64::from(self.words.max(1))
    }

    pub(crate) fn plus(self, other: Self) -> Self {
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

/// What is in each node of a page by itself, so that sums over many choices of nodes read its texts once.
#[derive(Debug, Clone)]
pub(crate) struct Amounts(Vec<Amount>);

impl Amounts {
    /// Counts what is in each node of a page, but for what is never shown.
    pub(crate) fn of(dom: &Dom) -> Self {
        let (mut hidden_until, mut link_until) = (0, 0);
        let amount = |node: NodeId| {
            if is_never_shown(dom, node) {
                hidden_until = hidden_until.max(dom.range(node).end);
            }
            if node.index() < hidden_until {
                return Amount::default();
            }
            let is_link = is_link(dom, node);
            if is_link {
                link_until = link_until.max(dom.range(node).end);
            }
            amount(dom, node, is_link, node.index() < link_until)
        };
        Self(dom.nodes().map(amount).collect())
    }

    /// Adds up what is in all nodes.
    pub(crate) fn all(&self) -> Measures {
        self.those(|_| true)
    }

    /// Adds up what is in those nodes that are meant.
    pub(crate) fn those(&self, is_meant: impl Fn(NodeId) -> bool) -> Measures {
        let mut sums = Vec::with_capacity(self.0.len() + 1);
        let mut sum = Amount::default();
        sums.push(sum);
        for (index, &amount) in self.0.iter().enumerate() {
            if is_meant(NodeId::from_index(index)) {
                sum = sum.plus(amount);
            }
            sums.push(sum);
        }
        Measures { sums }
    }

    /// The words of those nodes that are meant.
    pub(crate) fn words_of(&self, is_meant: impl Fn(NodeId) -> bool) -> u32 {
        let meant = self.0.iter().enumerate();
        let meant = meant.filter(|&(index, _)| is_meant(NodeId::from_index(index)));
        meant.map(|(_, amount)| amount.words).sum()
    }
}

impl Measures {
    /// Counts what is in each node of a page, but for what is never shown.
    pub fn of(dom: &Dom) -> Self {
        Amounts::of(dom).all()
    }

    /// Counts what is in those nodes of a page that are meant.
    pub fn of_those(dom: &Dom, is_meant: impl Fn(NodeId) -> bool) -> Self {
        Amounts::of(dom).those(is_meant)
    }

    /// What is in the whole page.
    pub fn of_all(&self) -> Amount {
        self.of_range(0..self.sums.len() - 1)
    }

    /// What is in a subtree.
    pub fn of_subtree(&self, dom: &Dom, node: NodeId) -> Amount {
        self.of_range(dom.range(node))
    }

    /// What is in a run of nodes.
    pub fn of_range(&self, range: Range<usize>) -> Amount {
        self.sums[range.end].minus(self.sums[range.start])
    }
}

/// The words of a text: runs of letters, digits and underscores, lower-cased or not as they stand. Each letter of a
/// script that puts no spaces between words is a word.
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

/// A letter of a text, as far as it matters to words.
struct Letter {
    is_of_word: bool,
    is_alone: bool,
    bytes: usize,
}

impl Letter {
    fn at(text: &str, place: usize) -> Option<Self> {
        let &byte = text.as_bytes().get(place)?;
        if byte.is_ascii() {
            return Some(Self {
                is_of_word: is_ascii_word(byte),
                is_alone: false,
                bytes: 1,
            });
        }
        let letter = text[place..].chars().next()?;
        Some(Self {
            is_of_word: is_word_letter(letter),
            is_alone: is_word_alone(letter),
            bytes: letter.len_utf8(),
        })
    }
}

/// Whether the only white space of ASCII in a text is single spaces.
///
/// Every letter of a piece is looked at, whatever the first ones are: so the compiler takes many at a time.
pub(crate) fn is_single_spaced(text: &str) -> bool {
    let text = text.as_bytes();
    let starts = (0..text.len()).step_by(PIECE);
    starts.map(|start| &text[start..]).all(|rest| {
        let piece = &rest[..rest.len().min(PIECE)];
        let is_plain = piece
            .iter()
            .fold(true, |is_plain, &byte| is_plain & (byte >= b' '));
        let pairs = piece.iter().zip(&rest[1..]);
        is_plain
            & pairs.fold(true, |is_plain, (&one, &next)| {
                is_plain & ((one != b' ') | (next != b' '))
            })
    })
}

/// Whether a text has white space beyond ASCII: single bytes tell of most texts that they have none.
pub(crate) fn has_wide_space(text: &str) -> bool {
    let text = text.as_bytes();
    let may_begin = |byte: u8| (byte == 0xC2) | ((byte >= 0xE1) & (byte <= 0xE3));
    let starts = (0..text.len()).step_by(PIECE);
    starts.map(|start| &text[start..]).any(|rest| {
        let piece = &rest[..rest.len().min(PIECE)];
        let may_have = piece
            .iter()
            .fold(false, |may_have, &byte| may_have | may_begin(byte));
        may_have && (0..piece.len()).any(|at| is_wide_space(&rest[at..]))
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

/// Whether a letter lies in a stretch of nothing but letters, which are most of the letters of most pages beyond ASCII; to
/// look one up takes longer.
fn is_plainly_a_letter(letter: char) -> bool {
    matches!(letter,
        'ß'..='ö' | 'ø'..='ž' | 'а'..='ё' | 'А'..='Я' | '\u{4e00}'..='\u{9fff}' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '가'..='힣')
}

/// Kana and Chinese characters.
fn is_word_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Elements that no reader sees, with all that is in them.
pub(crate) fn is_never_shown(dom: &Dom, node: NodeId) -> bool {
    const NEVER: [Name; 8] = [
        name!("script"),
        name!("style"),
        name!("noscript"),
        name!("template"),
        name!("head"),
        name!("link"),
        name!("meta"),
        name!("title"),
    ];
    dom.kind(node) == NodeKind::Element && NEVER.contains(dom.name(node))
}

/// Elements that show something by themselves, whatever is in them.
pub(crate) fn shows_by_itself(dom: &Dom, node: NodeId) -> bool {
    let is_one = matches!(
        &**dom.name(node),
        "img"
            | "svg"
            | "video"
            | "audio"
            | "iframe"
            | "object"
            | "embed"
            | "canvas"
            | "input"
            | "button"
            | "select"
            | "textarea"
            | "hr"
    );
    let is_hidden_field = || dom.attribute(node, &name!("type")) == Some("hidden");
    dom.kind(node) == NodeKind::Element && is_one && !is_hidden_field()
}

fn is_link(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("a")) && dom.attribute(node, &name!("href")).is_some()
}

fn amount(dom: &Dom, node: NodeId, is_link: bool, is_in_link: bool) -> Amount {
    if dom.kind(node) != NodeKind::Text {
        return Amount {
            links: u32::from(is_link),
            ..Amount::default()
        };
    }
    let count = Count::of(dom.text_of(node));
    Amount {
        words: count.words,
        linked_words: if is_in_link { count.words } else { 0 },
        links: 0,
        letters: count.letters,
        stops: if is_in_link { 0 } else { count.stops },
        texts: u32::from(count.words > 0),
    }
}

/// So many letters are counted together; their number fits in a byte.
const PIECE: usize = 128;

fn is_ascii_word(letter: u8) -> bool {
    ((letter | 0x20).wrapping_sub(b'a') < 26) | (letter.wrapping_sub(b'0') < 10) | (letter == b'_')
}

fn is_ascii_space(letter: u8) -> bool {
    (letter.wrapping_sub(b'\t') < 5) | (letter == b' ')
}

fn is_ascii_stop(letter: u8) -> bool {
    (letter == b'.') | (letter == b',') | (letter == b';') | (letter == b'!') | (letter == b'?')
}

/// What is in a text, counted in one go: as many words as [`words`] gives.
#[derive(Default)]
struct Count {
    words: u32,
    letters: u32,
    stops: u32,
}

impl Count {
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            Self::of_ascii(text.as_bytes())
        } else {
            Self::of_any(text)
        }
    }

    /// Sums of bytes over pieces, which the compiler reckons many at a time.
    fn of_ascii(text: &[u8]) -> Self {
        let mut count = Self::default();
        let text = text.trim_ascii();
        let Some((&first, behind)) = text.split_first() else {
            return count;
        };
        count.words += u32::from(is_ascii_word(first));
        for (before, letters) in text.chunks(PIECE).zip(behind.chunks(PIECE)) {
            let pairs = before.iter().zip(letters);
            let begun =
                pairs.map(|(&before, &letter)| u8::from(!is_ascii_word(before) & is_ascii_word(letter)));
            count.words += u32::from(begun.sum::<u8>());
        }
        for letters in text.chunks(PIECE) {
            let all = letters.iter();
            count.letters += u32::from(
                all.clone()
                    .map(|&letter| u8::from(!is_ascii_space(letter)))
                    .sum::<u8>(),
            );
            count.stops += u32::from(all.map(|&letter| u8::from(is_ascii_stop(letter))).sum::<u8>());
        }
        count
    }

    fn of_any(text: &str) -> Self {
        let mut count = Self::default();
        let mut is_in_word = false;
        for letter in text.chars() {
            if is_word_letter(letter) {
                let is_alone = is_word_alone(letter);
                count.words += u32::from(is_alone || !is_in_word);
                count.letters += 1;
                is_in_word = !is_alone;
            } else {
                is_in_word = false;
                count.letters += u32::from(!letter.is_whitespace());
                count.stops += u32::from(is_stop(letter));
            }
        }
        count
    }
}

/// Commas and ends of sentences, in whatever script.
fn is_stop(letter: char) -> bool {
    matches!(
        letter,
        '.' | ',' | ';' | '!' | '?' | '。' | '，' | '、' | '；' | '！' | '？' | '،' | '؛' | '؟' | '।' | '։'
    )
}

#[cfg(test)]
mod tests {
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
            let check = |text: &str, expect| {
                assert_eq!(is_single_spaced(&format!("{front}{text}")), expect, "{text:?}")
            };
            check("", true);
            check(" y z ", true);
            check("y  z", false);
            check("y\nz", false);
        }
    }

    #[test]
    fn ascii_is_counted_as_any_text_is() {
        let all: String = ('\0'..='\x7f').flat_map(|letter| [letter, 'x', letter]).collect();
        let (quick, slow) = (Count::of(&all), Count::of_any(&all));
        assert_eq!(
            (quick.words, quick.letters, quick.stops),
            (slow.words, slow.letters, slow.stops)
        );
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
