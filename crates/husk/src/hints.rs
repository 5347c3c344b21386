//! What the names in a page say about its parts: elements, ARIA roles, and the words in class names and ids.
//!
//! An element in, [`Hints`] out. Names are only hints: whoever uses them looks at what the part really holds as well.

use std::sync::LazyLock;

use husk_dom::{Dom, NodeId, NodeKind, name};
use xxhash_rust::xxh3::xxh3_64;

use crate::known::Known;

/// What a name hints at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Hint {
    /// Links to get around.
    Navigation,
    /// The way from the home page to this one.
    Breadcrumb,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// The contents of this page.
    Contents,
    /// The choice of a language.
    Language,
    /// The top of a page or of a part of it.
    Header,
    /// The bottom of a page or of a part of it.
    Footer,
    /// Beside the content.
    Sidebar,
    /// The main part.
    Main,
    /// One of possibly many items that stand for themselves.
    Article,
    /// The title of a page or of a part of it.
    Title,
    /// A search form.
    Search,
    /// Logging in.
    Login,
    /// Advertisement.
    Advertisement,
    /// Other things one might want to read.
    Related,
    /// Sharing and following.
    Social,
    /// What readers wrote.
    Comments,
    /// Consent to cookies and the like.
    Consent,
    /// A newsletter or another subscription.
    Subscription,
    /// Author, date, categories.
    Byline,
    /// Tags or categories.
    Tags,
    /// Something over the page, shown when asked for.
    Dialog,
    /// Not shown on the screen.
    Hidden,
}

/// A set of hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints(u32);

impl Hints {
    /// What an element's own names say.
    pub fn of(dom: &Dom, node: NodeId) -> Self {
        Self::read(dom, node, |names| Self::default().with_names(names))
    }

    /// What an element's own names say; `read_names` tells it of the words of one attribute.
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

    /// Whether something is hinted at.
    pub fn has(self, hint: Hint) -> bool {
        self.0 & (1 << hint as u8) != 0
    }

    /// Whether one of several things is hinted at.
    pub fn has_any(self, hints: &[Hint]) -> bool {
        self.meets(Self::all_of(hints))
    }

    /// All of several things.
    pub(crate) const fn all_of(hints: &[Hint]) -> Self {
        let mut all = Self(0);
        let mut index = 0;
        while index < hints.len() {
            all.0 |= 1 << hints[index] as u8;
            index += 1;
        }
        all
    }

    /// Whether both hint at something.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// What either hints at.
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What this hints at and the other does not.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The same with one more.
    pub fn with(self, hint: Hint) -> Self {
        let mut hints = self;
        hints.add(hint);
        hints
    }

    fn add(&mut self, hint: Hint) {
        self.0 |= 1 << hint as u8;
    }

    fn add_element(&mut self, name: &str) {
        match name {
            "nav" => self.add(Hint::Navigation),
            "header" => self.add(Hint::Header),
            "footer" => self.add(Hint::Footer),
            "aside" => self.add(Hint::Sidebar),
            "main" => self.add(Hint::Main),
            "article" => self.add(Hint::Article),
            "search" => self.add(Hint::Search),
            "dialog" => self.add(Hint::Dialog),
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
        for (start, letter) in word.bytes().enumerate() {
            let known = &by_letter[usize::from(letter)];
            let rest = &word.as_bytes()[start..];
            for &(part, hint) in &known.parts {
                // Nearly all differ in the second letter already.
                if rest.get(1) == part.as_bytes().get(1) && rest.starts_with(part.as_bytes()) {
                    self.add(hint);
                }
            }
            for &(whole, hint) in known.whole.iter().filter(|_| start == 0) {
                if whole == word {
                    self.add(hint);
                }
            }
        }
    }
}

/// Reads the names of elements, each set of them once.
#[derive(Debug)]
pub(crate) struct NameReader {
    known: Known<Hints>,
}

impl NameReader {
    pub(crate) fn new() -> Self {
        Self { known: Known::new() }
    }

    /// What an element's own names say, as [`Hints::of`] has it.
    pub(crate) fn hints(&mut self, dom: &Dom, node: NodeId) -> Hints {
        Hints::read(dom, node, |names| {
            let hash = xxh3_64(names.as_bytes());
            self.known.get(hash, || Hints::default().with_names(names))
        })
    }
}

/// Words of names: for each hint those that have to be a whole word, and those that may be part of one.
const NAMES: &[(Hint, &str, &str)] = &[
    (
        Hint::Navigation,
        "nav menu menus",
        "navbar navigation mainmenu topmenu submenu sidenav topnav",
    ),
    (
        Hint::Breadcrumb,
        "crumbs crumb ariane migas",
        "breadcrumb breadcrump brotkrume",
    ),
    (
        Hint::Pagination,
        "pager prev next previous older newer",
        "paginat pagenav prevnext postnav",
    ),
    (Hint::Contents, "toc", "tableofcontents onthispage"),
    (
        Hint::Language,
        "lang langs language languages locale locales i18n translations",
        "languageswitch langswitch languageselect",
    ),
    (
        Hint::Header,
        "header masthead topbar banner hdr",
        "pageheader siteheader",
    ),
    (
        Hint::Footer,
        "footer colophon imprint copyright",
        "pagefooter sitefooter",
    ),
    (Hint::Sidebar, "aside rail widget widgets", "sidebar sidecol"),
    (
        Hint::Main,
        "main content maincontent",
        "articlebody postcontent entrycontent pagecontent",
    ),
    (Hint::Article, "article post entry story hentry", ""),
    (
        Hint::Title,
        "title headline heading",
        "pagetitle posttitle entrytitle articletitle",
    ),
    (
        Hint::Search,
        "search suche busca buscar recherche ricerca",
        "searchbox searchform searchbar",
    ),
    (
        Hint::Login,
        "login signin signup register logout account",
        "loginform usermenu userlinks usernav",
    ),
    (
        Hint::Advertisement,
        "ad ads advert adverts sponsored dfp adsense",
        "advertis adsbygoogle bannerad werbung publicidad",
    ),
    (
        Hint::Related,
        "related recommended recommendations upsell crosssell",
        "relatedpost relatedarticle relatedproduct youmayalso alsolike",
    ),
    (
        Hint::Social,
        "share sharing social socials follow tweet facebook twitter linkedin whatsapp pinterest addtoany addthis",
        "sharedaddy sharethis sharebutton socialmedia",
    ),
    (
        Hint::Comments,
        "comment comments disqus respond commentlist comentarios kommentare commentaires",
        "commentform commentarea",
    ),
    (
        Hint::Consent,
        "cookie cookies gdpr consent ccpa",
        "cookiebanner cookieconsent cookienotice cookielaw",
    ),
    (
        Hint::Subscription,
        "newsletter subscribe subscription mailchimp optin",
        "newslettersignup",
    ),
    (
        Hint::Byline,
        "byline author date datetime published dateline timestamp meta postmeta datepublished",
        "entrymeta articlemeta",
    ),
    (
        Hint::Tags,
        "tags taglist keywords",
        "tagcloud entrytags posttags postcategor entrycategor",
    ),
    (Hint::Dialog, "modal popup lightbox dialog tooltip", ""),
    (
        Hint::Hidden,
        "hidden visuallyhidden offscreen invisible",
        "screenreader",
    ),
];

/// The same words with what they hint at, by their first letter.
static BY_LETTER: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut by_letter: Vec<Words> = (0..256).map(|_| Words::default()).collect();
    for &(hint, whole, parts) in NAMES {
        for word in whole.split_ascii_whitespace() {
            by_letter[usize::from(word.as_bytes()[0])]
                .whole
                .push((word, hint));
        }
        for part in parts.split_ascii_whitespace() {
            by_letter[usize::from(part.as_bytes()[0])]
                .parts
                .push((part, hint));
        }
    }
    by_letter
});

/// Words of names that begin with the same letter.
#[derive(Default)]
struct Words {
    /// Those that have to be a whole word.
    whole: Vec<(&'static str, Hint)>,
    /// Those that may be part of one.
    parts: Vec<(&'static str, Hint)>,
}

/// The words of a class name or id, lower-cased: `mainMenu` has main, menu and mainmenu, `post-12` has post, 12 and post12.
#[derive(Default)]
struct NameWords {
    /// All of them without what stood between them.
    letters: String,
    /// Where each of them ends.
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
            if is_of_word {
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

    /// Each word, and all together if there are several.
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

/// Whether an id is the words of a heading, as in links to a section, and no name of what the section is.
fn is_slug(id: &str) -> bool {
    id.split(['-', '_', ' ']).filter(|word| !word.is_empty()).count() > LONGEST_ID
}

/// Ids of more words than this are the words of a heading.
const LONGEST_ID: usize = 3;

/// Names beyond these are no help, and a page may have very many.
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

/// Whether a style keeps an element from being shown.
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
        let all: Vec<Hint> = NAMES
            .iter()
            .map(|&(hint, ..)| hint)
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
        check("<div class='c-1 shareButtons'>", &[Hint::Social]);
        check("<div class=header_gradient>", &[Hint::Header]);
        check("<div style='Display : none'>", &[Hint::Hidden]);
    }

    #[test]
    fn words_inside_other_words_do_not() {
        check("<div class='shadow upload readme mainframe'>", &[]);
        check("<p class='adagio canvas'>", &[]);
    }
}
