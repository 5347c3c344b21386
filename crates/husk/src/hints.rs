//! What the names in a page suggest about its parts: elements, ARIA roles, and words in class names and ids.
//!
//! An element in, [`Hints`] out. Names are only hints: callers look at what the part contains as well.

use std::sync::LazyLock;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use xxhash_rust::xxh3::xxh3_64;

use crate::known::Known;
use crate::lexicon::{self, Pattern};

/// The function that a name suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Hint {
    /// Navigation links.
    Navigation,
    /// The path from the home page to this page.
    Breadcrumb,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// A table of contents of this page.
    Contents,
    /// A choice of languages.
    Language,
    /// The top of a page or of a part of it.
    Header,
    /// The bottom of a page or of a part of it.
    Footer,
    /// Next to the content.
    Sidebar,
    /// The main part.
    Main,
    /// A self-contained item, possibly one of many.
    Article,
    /// The title of a page or of a part of it.
    Title,
    /// A search form.
    Search,
    /// A login or registration form.
    Login,
    /// Advertising.
    Advertisement,
    /// Links to similar pages or products.
    Related,
    /// Sharing and following.
    Social,
    /// Reader comments.
    Comments,
    /// A consent form, as for cookies.
    Consent,
    /// A newsletter or another subscription.
    Subscription,
    /// Author, date, categories.
    Byline,
    /// Tags or categories.
    Tags,
    /// A dialog over the page.
    Dialog,
    /// Not visible.
    Hidden,
    /// The caption of a picture.
    Caption,
    /// Pictures or items to step through.
    Gallery,
    /// What customers say of a product.
    Review,
    /// Buttons and other controls.
    Control,
    /// Choices that narrow or sort a list.
    Filter,
    /// Prices and buying.
    Price,
    /// A person who wrote something.
    User,
    /// One of several similar things, or all of them.
    Item,
    /// Running text.
    Text,
    /// Terms, disclaimers and other notices.
    Notice,
    /// Something that leads to another page.
    Teaser,
}

impl Hint {
    /// All hints with their names in the lexicon.
    pub(crate) const ALL: [(&str, Self); 34] = [
        ("navigation", Self::Navigation),
        ("breadcrumb", Self::Breadcrumb),
        ("pagination", Self::Pagination),
        ("contents", Self::Contents),
        ("language", Self::Language),
        ("header", Self::Header),
        ("footer", Self::Footer),
        ("sidebar", Self::Sidebar),
        ("main", Self::Main),
        ("article", Self::Article),
        ("title", Self::Title),
        ("search", Self::Search),
        ("login", Self::Login),
        ("advertisement", Self::Advertisement),
        ("related", Self::Related),
        ("social", Self::Social),
        ("comments", Self::Comments),
        ("consent", Self::Consent),
        ("subscription", Self::Subscription),
        ("byline", Self::Byline),
        ("tags", Self::Tags),
        ("dialog", Self::Dialog),
        ("hidden", Self::Hidden),
        ("caption", Self::Caption),
        ("gallery", Self::Gallery),
        ("review", Self::Review),
        ("control", Self::Control),
        ("filter", Self::Filter),
        ("price", Self::Price),
        ("user", Self::User),
        ("item", Self::Item),
        ("text", Self::Text),
        ("notice", Self::Notice),
        ("teaser", Self::Teaser),
    ];

    /// The hint with this name in the lexicon.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|&&(known, _)| known == name)
            .map(|&(_, hint)| hint)
    }
}

/// A set of hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints(u64);

impl Hints {
    /// The hints of an element's own names.
    pub fn of(dom: &Dom, node: NodeId) -> Self {
        Self::read(dom, node, |names| Self::default().with_names(names))
    }

    /// The same; `read_names` gives the hints of one attribute's words.
    fn read(dom: &Dom, node: NodeId, mut read_names: impl FnMut(&str) -> Self) -> Self {
        let mut hints = Self::default();
        if dom.kind(node) != NodeKind::Element {
            return hints;
        }
        hints.add_element(dom.name(node));
        for attribute in dom.attributes(node) {
            let value = attribute.value;
            match *attribute.name {
                name!("class") | name!("aria-label") | name!("itemprop") | name!("rel") => {
                    hints = hints.or(read_names(value));
                }
                name!("id") if !is_slug(value) => hints = hints.or(read_names(value)),
                name!("role") => hints.add_role(value),
                name!("hidden") => hints.add(Hint::Hidden),
                name!("aria-hidden") if value == "true" => hints.add(Hint::Hidden),
                name!("style") if hides(value) => hints.add(Hint::Hidden),
                _ => {}
            }
        }
        hints
    }

    /// The hints of names that are not attributes of an element.
    pub(crate) fn of_names(names: &str) -> Self {
        Self::default().with_names(names)
    }

    /// Whether the set has a hint.
    pub fn has(self, hint: Hint) -> bool {
        self.0 & (1 << hint as u8) != 0
    }

    /// Whether the set has at least one of several hints.
    pub fn has_any(self, hints: &[Hint]) -> bool {
        self.meets(Self::all_of(hints))
    }

    /// A set of these hints.
    pub(crate) const fn all_of(hints: &[Hint]) -> Self {
        let mut all = Self(0);
        let mut index = 0;
        while index < hints.len() {
            all.0 |= 1 << hints[index] as u8;
            index += 1;
        }
        all
    }

    /// The positions of the hints in [`Hint::ALL`].
    pub(crate) fn positions(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let position = rest.checked_ilog2()?;
            rest &= !(1 << position);
            Some(position as usize)
        })
    }

    /// Whether two sets have a hint in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The union of two sets.
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The hints that are in this set and not in the other.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set with one more hint.
    pub fn with(self, hint: Hint) -> Self {
        let mut hints = self;
        hints.add(hint);
        hints
    }

    fn add(&mut self, hint: Hint) {
        self.0 |= 1 << hint as u8;
    }

    fn add_element(&mut self, name: &Name) {
        match *name {
            // Nearly all.
            name!("div") | name!("span") | name!("a") | name!("li") | name!("p") => {}
            name!("nav") => self.add(Hint::Navigation),
            name!("header") => self.add(Hint::Header),
            name!("footer") => self.add(Hint::Footer),
            name!("aside") => self.add(Hint::Sidebar),
            name!("main") => self.add(Hint::Main),
            name!("article") => self.add(Hint::Article),
            name!("dialog") => self.add(Hint::Dialog),
            ref other if **other == *"search" => self.add(Hint::Search),
            _ => {}
        }
    }

    fn add_role(&mut self, role: &str) {
        for role in role.split_ascii_whitespace() {
            match role {
                "navigation" | "menu" | "menubar" => self.add(Hint::Navigation),
                "banner" => self.add(Hint::Header),
                "contentinfo" => self.add(Hint::Footer),
                "complementary" => self.add(Hint::Sidebar),
                "main" => self.add(Hint::Main),
                "article" => self.add(Hint::Article),
                "search" => self.add(Hint::Search),
                "dialog" | "alertdialog" => self.add(Hint::Dialog),
                _ => {}
            }
        }
    }

    fn with_names(mut self, names: &str) -> Self {
        self.add_names(names);
        self
    }

    fn add_names(&mut self, names: &str) {
        let mut name_words = NameWords::default();
        for name in names.split_ascii_whitespace().take(MOST_NAMES) {
            name_words.read(name);
            name_words.each(|word| self.add_word(word));
        }
    }

    fn add_word(&mut self, word: &str) {
        let by_letter = &*BY_LETTER;
        // The letters from here on, the first one in the lowest byte.
        let mut window = 0_u64;
        for (start, letter) in word.bytes().enumerate().rev() {
            window = window << 8 | u64::from(letter);
            let known = &by_letter[usize::from(letter)];
            // Nearly all differ in the second letter.
            if known.may_go_on((window >> 8) as u8) {
                for part in &known.parts {
                    if part.begins(window, &word.as_bytes()[start..]) {
                        self.add(part.hint);
                    }
                }
            }
            if start == 0 {
                for whole in &known.whole {
                    if whole.is_all(window, word.as_bytes()) {
                        self.add(whole.hint);
                    }
                }
            }
        }
    }
}

/// Reads the names of elements, with a cache.
#[derive(Debug)]
pub(crate) struct NameReader {
    /// By attribute.
    known: Known<Hints>,
    /// By name: attributes with a name of their own mostly share the others.
    names: Known<Hints>,
}

impl NameReader {
    pub(crate) fn new() -> Self {
        Self {
            known: Known::new(),
            names: Known::new(),
        }
    }

    /// The same as [`Hints::of`].
    pub(crate) fn hints(&mut self, dom: &Dom, node: NodeId) -> Hints {
        let Self {
            known,
            names: by_name,
        } = self;
        Hints::read(dom, node, |names| {
            known.get(xxh3_64(names.as_bytes()), || {
                let names = names.split_ascii_whitespace().take(MOST_NAMES);
                names.fold(Hints::default(), |hints, name| {
                    hints.or(by_name.get(xxh3_64(name.as_bytes()), || Hints::of_names(name)))
                })
            })
        })
    }
}

/// The words of class names with their hints, by first letter.
static BY_LETTER: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut by_letter: Vec<Words> = (0..256).map(|_| Words::default()).collect();
    for (name, entries) in lexicon::class_sections() {
        let Some(hint) = Hint::by_name(name) else {
            continue;
        };
        for entry in entries {
            match Pattern::of(entry) {
                Pattern::Whole(word) => by_letter[usize::from(word.as_bytes()[0])]
                    .whole
                    .push(Part::of(word, hint)),
                Pattern::Part(part) => {
                    let words = &mut by_letter[usize::from(part.as_bytes()[0])];
                    words.second_letters |= 1 << (part.as_bytes()[1] % 32);
                    words.parts.push(Part::of(part, hint));
                }
            }
        }
    }
    by_letter
});

/// Words that begin with the same letter.
#[derive(Default)]
struct Words {
    /// Those that must be whole words.
    whole: Vec<Part>,
    /// Those that may be part of a word.
    parts: Vec<Part>,
    /// One bit for each second letter of these.
    second_letters: u32,
}

/// A word, or letters that may be part of one.
struct Part {
    /// The first eight, and the bits that count if there are fewer.
    first: u64,
    bits: u64,
    rest: &'static [u8],
    hint: Hint,
}

impl Part {
    fn of(part: &'static str, hint: Hint) -> Self {
        let first = part.bytes().take(8).rev();
        let first = first.fold(0, |window, letter| window << 8 | u64::from(letter));
        Self {
            first,
            bits: u64::MAX >> (64 - 8 * part.len().min(8)),
            rest: part.as_bytes().get(8..).unwrap_or_default(),
            hint,
        }
    }

    /// Whether a word is the same; `window` has the first eight letters of it.
    fn is_all(&self, window: u64, word: &[u8]) -> bool {
        window == self.first && word.get(8..).unwrap_or_default() == self.rest
    }

    /// Whether letters begin with it; `window` has the first eight of them.
    fn begins(&self, window: u64, letters: &[u8]) -> bool {
        window & self.bits == self.first && (self.rest.is_empty() || letters[8..].starts_with(self.rest))
    }
}

impl Words {
    fn may_go_on(&self, second: u8) -> bool {
        self.second_letters & (1 << (second % 32)) != 0
    }
}

/// The words of a class name or id in lower case: `mainMenu` has main, menu and mainmenu, `post-12` has post, 12 and
/// post12.
#[derive(Default)]
struct NameWords {
    /// All words without separators.
    letters: String,
    /// The end of each word.
    ends: Vec<usize>,
}

impl NameWords {
    fn read(&mut self, name: &str) {
        self.letters.clear();
        self.ends.clear();
        let mut was_lower = false;
        for letter in name.chars().take(LONGEST_NAME) {
            let is_of_word = letter.is_alphanumeric();
            if !is_of_word || (letter.is_uppercase() && was_lower) {
                self.end_word();
            }
            was_lower = letter.is_lowercase();
            if letter.is_ascii_alphanumeric() {
                self.letters.push(letter.to_ascii_lowercase());
            } else if is_of_word {
                self.letters.extend(letter.to_lowercase());
            }
        }
        self.end_word();
    }

    fn end_word(&mut self) {
        if self.letters.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.letters.len());
        }
    }

    /// Calls `see` with each word, and with all of them joined if there are several.
    fn each(&self, mut see: impl FnMut(&str)) {
        let mut start = 0;
        for &end in &self.ends {
            see(&self.letters[start..end]);
            start = end;
        }
        if self.ends.len() > 1 {
            see(&self.letters);
        }
    }
}

/// Whether an id consists of the words of a heading, as for links to a section, and does not name a function.
fn is_slug(id: &str) -> bool {
    id.split(['-', '_', ' ']).filter(|word| !word.is_empty()).count() > LONGEST_ID
}

/// Ids with more words than this are the words of a heading.
const LONGEST_ID: usize = 3;

/// Limits for attributes with very many names.
const MOST_NAMES: usize = 24;
const LONGEST_NAME: usize = 64;

/// Whether an element is a heading.
pub(crate) fn is_heading(dom: &Dom, node: NodeId) -> bool {
    let is_named_so = matches!(
        *dom.name(node),
        name!("h1") | name!("h2") | name!("h3") | name!("h4") | name!("h5") | name!("h6")
    );
    is_named_so && dom.kind(node) == NodeKind::Element
}

/// Whether a style hides an element.
fn hides(style: &str) -> bool {
    let style: String = style.chars().filter(|letter| !letter.is_whitespace()).collect();
    let style = style.to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &[Hint]) {
        let dom = Dom::parse(html);
        let body = dom.part(&name!("body")).unwrap();
        let node = dom.children(body).next().unwrap();
        let hints = Hints::of(&dom, node);
        let all: Vec<Hint> = Hint::ALL
            .iter()
            .map(|&(_, hint)| hint)
            .filter(|&hint| hints.has(hint))
            .collect();
        assert_eq!(all, expect, "{html}");
    }

    #[test]
    fn elements_roles_and_names_hint() {
        check("<nav>", &[Hint::Navigation]);
        check("<div role=banner>", &[Hint::Header]);
        check(
            "<div class='post-nav'>",
            &[Hint::Navigation, Hint::Pagination, Hint::Article],
        );
        check("<div id=breadCrumbs>", &[Hint::Breadcrumb]);
        check("<div class='c-1 shareButtons'>", &[Hint::Social, Hint::Control]);
        check("<div class=header_gradient>", &[Hint::Header]);
        check("<div style='Display : none'>", &[Hint::Hidden]);
    }

    #[test]
    fn words_inside_other_words_do_not() {
        check("<div class='shadow upload readme mainframe'>", &[]);
        check("<p class='adagio canvas'>", &[]);
    }
}
