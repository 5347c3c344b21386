//! Link targets in a form that can be compared between pages.

use std::borrow::Cow;

use url::{Position, Url};
use xxhash_rust::xxh3::xxh3_64;

use super::mix;
use crate::known::Known;
use crate::links::{Address, MAX_ADDRESS, PlainReferences, SameSite, base_url};
use crate::page::Page;

/// Resolves the targets of one page.
#[derive(Debug)]
pub(super) struct Targets {
    page: Url,
    base: Url,
    plain: Option<PlainReferences>,
    /// Room for an address.
    room: String,
    /// Whether plain references lead to the page's own site: the base may be another.
    is_plain_own: bool,
    from: Origins,
    /// The page's own address.
    own: String,
    /// The page's own name: the last segment of its path without extension, if it is long enough.
    name: Option<String>,
}

/// Hashes of the parts of the base URL that matter for a reference.
#[derive(Debug)]
struct Origins {
    /// For a reference that begins with a slash.
    site: u64,
    /// For any other path.
    folder: u64,
    /// For everything else.
    page: u64,
}

impl Origins {
    fn of(base: &Url) -> Self {
        let hash = |text: &str| xxh3_64(text.as_bytes());
        let path = &base[..Position::AfterPath];
        Self {
            site: hash(&base[..Position::BeforePath]),
            folder: hash(path.rsplit_once('/').map_or(path, |(folder, _)| folder)),
            page: hash(base.as_str()),
        }
    }
}

/// A link target relative to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A place on the page itself, or nowhere.
    Here,
    /// A tool for the page, with another target on each: to share, print, edit or translate it.
    Tool,
    /// Another page; equal numbers on two pages are the same relative target.
    Page(u64),
}

/// Shorter names occur in other URLs by accident.
const SHORTEST_NAME: usize = 3;

impl Targets {
    pub(super) fn of(page: &Page) -> Self {
        let own = Address::of(&page.url).as_str().to_owned();
        let name = own_name(&own).map(str::to_owned);
        let base = base_url(page);
        Self {
            page: page.url.clone(),
            plain: PlainReferences::of(&base),
            room: String::new(),
            is_plain_own: SameSite::Host.holds(&page.url, &base),
            from: Origins::of(&base),
            base,
            own,
            name,
        }
    }

    /// The identity of an attribute's target, fragment included; `known` caches those of earlier pages.
    pub(super) fn identity(&mut self, value: &str, known: &mut Known<u64>) -> u64 {
        let value = value.trim();
        let hash = xxh3_64(value.as_bytes());
        if is_here(value) || value.len() > MAX_ADDRESS {
            return hash;
        }
        let from = match value.as_bytes() {
            [b'/', b'/', ..] | [b'?', ..] => self.from.page,
            [b'/', ..] => self.from.site,
            _ if value.starts_with("https://") || value.starts_with("http://") => 0,
            _ => self.from.folder,
        };
        known.get(mix(from, hash), || self.resolved(value))
    }

    fn resolved(&mut self, value: &str) -> u64 {
        let (reference, place) = value.split_once('#').unwrap_or((value, ""));
        let room = &mut self.room;
        let plain = self
            .plain
            .as_ref()
            .and_then(|plain| plain.resolve(reference, room));
        if let Some(address) = plain.filter(|_| is_plain_place(place)) {
            return mix(xxh3_64(address.as_bytes()), xxh3_64(place.as_bytes()));
        }
        self.base.join(value).map_or_else(
            |_| xxh3_64(value.as_bytes()),
            |url| {
                let address = xxh3_64(Address::of(&url).as_str().as_bytes());
                mix(address, xxh3_64(url.fragment().unwrap_or_default().as_bytes()))
            },
        )
    }

    /// The target of a link relative to the page.
    pub(super) fn target(&self, href: &str, is_translation: bool) -> Target {
        let href = href.trim();
        if is_here(href) {
            return Target::Here;
        }
        let reference = href.split_once('#').map_or(href, |(reference, _)| reference);
        let mut room = String::new();
        let plain = self.plain.as_ref().filter(|_| href.len() <= MAX_ADDRESS);
        if let Some(address) = plain.and_then(|plain| plain.resolve(reference, &mut room)) {
            return match is_translation || !self.is_plain_own {
                true => Target::Tool,
                false => Target::Page(xxh3_64(self.as_seen_from_here(address).as_bytes())),
            };
        }
        let url = self.base.join(href).ok().filter(|_| href.len() <= MAX_ADDRESS);
        let Some(url) = url else {
            return Target::Page(xxh3_64(href.as_bytes()));
        };
        if is_translation || self.is_tool(&url) {
            return Target::Tool;
        }
        Target::Page(xxh3_64(
            self.as_seen_from_here(Address::of(&url).as_str()).as_bytes(),
        ))
    }

    /// Pages of other sites are not siblings, nor are pages with a query, unless the page itself has one.
    fn is_tool(&self, url: &Url) -> bool {
        let is_asked_alike = self.page.query().is_some() && self.page.path() == url.path();
        url.query().is_some() && !is_asked_alike
            || !matches!(url.scheme(), "http" | "https" | "file")
            || !SameSite::Host.holds(&self.page, url)
    }

    /// An address without the page's own name in it: `/edit/about` on `/about` equals `/edit/home` on `/home`.
    fn as_seen_from_here<'a>(&self, address: &'a str) -> Cow<'a, str> {
        if address == self.own {
            return Cow::Borrowed("");
        }
        let own_path = self.own.find('/').map_or("", |start| &self.own[start..]);
        match (&self.name, address.strip_suffix(own_path)) {
            (Some(_), Some(prefix)) if !own_path.is_empty() => Cow::Borrowed(prefix),
            (Some(name), _) if has_word(address, name) => Cow::Owned(address.replace(&**name, "\u{1}")),
            _ => Cow::Borrowed(address),
        }
    }
}

/// Whether a fragment needs no encoding.
fn is_plain_place(place: &str) -> bool {
    place
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

pub(super) fn is_here(href: &str) -> bool {
    href.is_empty() || href.starts_with('#') || href.starts_with("javascript:")
}

fn own_name(address: &str) -> Option<&str> {
    let (_, path) = address.split_once('/')?;
    let path = path.split('?').next().unwrap_or(path);
    let last = path.rsplit('/').next().unwrap_or(path);
    let name = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    (name.len() >= SHORTEST_NAME).then_some(name)
}

/// Whether an address contains a name as a separate word.
fn has_word(address: &str, name: &str) -> bool {
    address.match_indices(name).any(|(start, _)| {
        let before = address[..start].chars().next_back();
        let behind = address[start + name.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(path: &str) -> Targets {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        Targets::of(&Page::parse(url, ""))
    }

    #[track_caller]
    fn check(one: (&str, &str), other: (&str, &str), same: bool) {
        let target = |(page, href): (&str, &str)| targets(page).target(href, false);
        assert_eq!(target(one) == target(other), same, "{one:?} and {other:?}");
    }

    #[test]
    fn links_to_the_page_itself_are_alike() {
        check(("about", "about"), ("contact", "contact"), true);
        check(("about", "about"), ("contact", "about"), false);
        check(("about", "#top"), ("contact", "#end"), true);
    }

    #[test]
    fn links_made_of_the_own_name_are_alike() {
        check(
            ("docs/about.html", "/edit/about.md"),
            ("docs/contact.html", "/edit/contact.md"),
            true,
        );
        check(("about", "/de/about"), ("contact", "/de/contact"), true);
        check(("", "/de/"), ("contact", "/de/contact"), true);
        check(("about", "/page2"), ("contact", "/page3"), false);
        check(("art", "/start"), ("contact", "/contact"), false);
    }

    #[test]
    fn tools_are_not_pages() {
        let page = targets("about");
        assert_eq!(page.target("?share=mail", false), Target::Tool);
        assert_eq!(page.target("https://example.com/share", false), Target::Tool);
        assert_eq!(page.target("mailto:a@example.org", false), Target::Tool);
        assert_eq!(page.target("/de/about", true), Target::Tool);
        assert_eq!(page.target("javascript:print()", false), Target::Here);
        assert!(matches!(page.target("/next", false), Target::Page(_)));
        let topic = targets("show?id=2");
        assert!(matches!(topic.target("?id=3", false), Target::Page(_)));
        assert_eq!(topic.target("print?id=2", false), Target::Tool);
    }

    #[test]
    fn an_identity_is_an_address_and_a_place() {
        let (mut one, mut other) = (targets("a/one"), targets("two"));
        let mut known = Known::new();
        assert_eq!(
            one.identity("/x%2Ehtml#a", &mut known),
            other.identity("../x.html#a", &mut known)
        );
        assert_eq!(
            one.identity("../x.html", &mut known),
            other.identity("/x.html", &mut known)
        );
        assert_ne!(
            one.identity("/x.html#a", &mut known),
            one.identity("/x.html#b", &mut known)
        );
        assert_ne!(
            one.identity("x.html", &mut known),
            other.identity("x.html", &mut known)
        );
        assert_eq!(one.identity("#a", &mut known), other.identity("#a", &mut known));
    }
}
