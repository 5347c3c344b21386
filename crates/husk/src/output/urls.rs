//! The attributes that hold URLs, and how these are made absolute.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use husk_dom::{Dom, NodeId, name};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use super::resources::Resources;

use crate::links::MAX_ADDRESS;
use crate::work::check_length;

/// Makes URLs absolute against the base of a page.
#[derive(Debug, Clone)]
pub(super) struct Resolver {
    base: Url,
    relocation: Option<Relocation>,
    place: Option<Url>,
    resources: Option<Resources>,
    /// How many more bytes of resources may be written.
    room: Rc<Cell<usize>>,
    /// How many bytes of URLs in full were written. A short link may be thousands of bytes long in full.
    written: Rc<Cell<usize>>,
    /// How many style sheets, each in the other, the URLs stand in.
    depth: usize,
}

/// As much of what was saved along is written instead of URLs: a page may show one image a thousand times.
const MOST_BYTES_OF_RESOURCES: usize = 64 << 20;

/// Style sheets that import each other are followed so far.
const DEEPEST_IMPORT: usize = 3;

/// What is percent-encoded in a style sheet that is a URL.
const IN_DATA: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'\\');

/// Another place for the URLs of a site: those that begin with one URL begin with the other instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// The URL that the pages were given.
    pub from: Url,
    /// Where the site really is.
    pub to: Url,
}

impl Relocation {
    /// Whether a URL belongs to a site of which nothing is known, so that its pages were given URLs of this computer.
    pub(super) fn is_placeholder(&self, url: &Url) -> bool {
        self.from.host_str() == Some("localhost") && url.as_str().starts_with(self.from.as_str())
    }

    /// The URL at the other place.
    pub fn apply(&self, url: Url) -> Url {
        let below = url.as_str().strip_prefix(self.from.as_str());
        below
            .and_then(|below| Url::parse(&format!("{}{below}", self.to)).ok())
            .unwrap_or(url)
    }
}

impl Resolver {
    pub(super) fn new(base: Url, relocation: Option<Relocation>) -> Self {
        Self {
            base,
            relocation,
            place: None,
            resources: None,
            room: Rc::new(Cell::new(MOST_BYTES_OF_RESOURCES)),
            written: Rc::default(),
            depth: 0,
        }
    }

    /// Puts what was saved along with the page instead of its URLs.
    pub(super) fn with_resources(self, resources: Option<Resources>) -> Self {
        Self { resources, ..self }
    }

    /// Writes URLs of files relative to the place of the output.
    pub(super) fn with_place(self, place: Option<Url>) -> Self {
        Self { place, ..self }
    }

    /// Leaves room for so many bytes of resources only.
    #[cfg(test)]
    pub(super) fn with_room(self, bytes: usize) -> Self {
        self.room.set(bytes);
        self
    }

    /// The same for a style sheet that is found at a URL.
    fn within(&self, url: &Url) -> Self {
        Self {
            base: url.clone(),
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    /// An image or font: itself, if it was saved along, or its URL in full.
    pub(super) fn shown<'a>(&self, address: &'a str) -> Cow<'a, str> {
        match self.saved(address) {
            Some(data) => Cow::Owned(data),
            None => self.absolute(address),
        }
    }

    /// An image or font that was saved along, as a `data:` URL.
    pub(super) fn saved(&self, address: &str) -> Option<String> {
        let resources = self.resources.as_ref()?;
        let url = self.resolved(address)?;
        let data = resources.data(&url)?;
        self.take_room(data.len())?;
        // A part of an image that has several.
        let part = url.fragment().map(|part| format!("#{part}")).unwrap_or_default();
        Some(format!("{data}{part}"))
    }

    /// A style sheet: itself, if it was saved along, or its URL in full.
    pub(super) fn style_sheet<'a>(&self, address: &'a str) -> Cow<'a, str> {
        match self.saved_style_sheet(address) {
            Some(data) => Cow::Owned(data),
            None => self.absolute(address),
        }
    }

    fn saved_style_sheet(&self, address: &str) -> Option<String> {
        let resources = self.resources.as_ref()?;
        let url = self.resolved(address)?;
        let text = resources
            .style_sheet(&url)
            .filter(|_| self.depth < DEEPEST_IMPORT)?;
        self.take_room(text.len())?;
        let text = super::css::absolute(text, &self.within(&url));
        Some(format!(
            "data:text/css;charset=utf-8,{}",
            utf8_percent_encode(&text, IN_DATA)
        ))
    }

    fn take_room(&self, bytes: usize) -> Option<()> {
        self.room.set(self.room.get().checked_sub(bytes)?);
        Some(())
    }

    /// Where a URL leads, if it is one and leads elsewhere.
    fn resolved(&self, address: &str) -> Option<Url> {
        let trimmed = address.trim();
        let is_kept = trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("data:");
        if is_kept || trimmed.len() > MAX_ADDRESS {
            return None;
        }
        self.base.join(trimmed).ok()
    }

    /// The URL in full. What leads to a place on the same page or is no URL stays as it is.
    pub(super) fn absolute<'a>(&self, address: &'a str) -> Cow<'a, str> {
        match self.resolved(address) {
            Some(url) => {
                let url = from_place(&self.relocated(url), self.place.as_ref());
                self.written.set(self.written.get() + url.len());
                check_length(self.written.get());
                Cow::Owned(url)
            }
            None => Cow::Borrowed(address),
        }
    }

    fn relocated(&self, url: Url) -> Url {
        match &self.relocation {
            Some(relocation) => relocation.apply(url),
            None => url,
        }
    }

    /// A list of image candidates, as in `srcset`, with each URL in full.
    fn absolute_srcset(&self, srcset: &str) -> String {
        let mut candidates = Vec::new();
        let mut rest =
            srcset.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == ',');
        while !rest.is_empty() {
            let end = rest
                .find(|letter: char| letter.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let (address, behind) = rest.split_at(end);
            // A comma at the end of the URL ends the candidate; else a descriptor may follow up to a comma.
            let plain = address.trim_end_matches(',');
            let (descriptor, next) = if plain.len() < address.len() {
                ("", behind)
            } else {
                behind.split_once(',').unwrap_or((behind, ""))
            };
            candidates.push(
                format!("{} {}", self.shown(plain), descriptor.trim())
                    .trim_end()
                    .to_owned(),
            );
            rest = next.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == ',');
        }
        candidates.join(", ")
    }

    /// `5; url=next.html`, as in `<meta http-equiv=refresh>`, with the URL in full.
    fn absolute_refresh(&self, content: &str) -> String {
        let lower = content.to_ascii_lowercase();
        match lower.find("url=") {
            Some(at) => {
                let address = content[at + 4..].trim().trim_matches(['"', '\'']);
                format!("{}{}", &content[..at + 4], self.absolute(address))
            }
            None => content.to_owned(),
        }
    }

    /// The value of an attribute with the URLs in it in full.
    pub(super) fn attribute<'a>(&self, dom: &Dom, node: NodeId, name: &str, value: &'a str) -> Cow<'a, str> {
        let element = &**dom.name(node);
        match (name, element) {
            ("srcset", _) | ("imagesrcset", "link") => Cow::Owned(self.absolute_srcset(value)),
            ("style", _) => super::css::absolute(value, self),
            ("content", "meta") if is_refresh(dom, node) => Cow::Owned(self.absolute_refresh(value)),
            ("archive" | "ping", "object" | "applet" | "a" | "area") => {
                let each = value
                    .split_ascii_whitespace()
                    .map(|address| self.absolute(address));
                Cow::Owned(each.collect::<Vec<_>>().join(" "))
            }
            ("href", "link") => self.of_link(dom, node, value),
            _ if shows(name, element) => self.shown_in(element, value),
            _ if holds_url(name, element) => self.absolute(value),
            _ => Cow::Borrowed(value),
        }
    }

    /// An image, sound or video in an element. SVG may hold scripts, which only some elements do not run.
    fn shown_in<'a>(&self, element: &str, address: &'a str) -> Cow<'a, str> {
        let is_safe = |data: &String| !super::scripts::is_page_in_url(data, element);
        match self.saved(address).filter(is_safe) {
            Some(data) => Cow::Owned(data),
            None => self.absolute(address),
        }
    }

    /// The URL in `<link>`, which may be a style sheet or an image.
    fn of_link<'a>(&self, dom: &Dom, node: NodeId, href: &'a str) -> Cow<'a, str> {
        let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
        let is = |wanted| {
            rel.split_ascii_whitespace()
                .any(|word| word.eq_ignore_ascii_case(wanted))
        };
        if is("stylesheet") {
            self.style_sheet(href)
        } else if is("icon") || is("apple-touch-icon") {
            self.shown(href)
        } else {
            self.absolute(href)
        }
    }
}

/// A URL in full; that of a file relative to the place of the output, if that is known.
pub(super) fn from_place(url: &Url, place: Option<&Url>) -> String {
    let place = place.filter(|place| url.scheme() == "file" && place.scheme() == "file");
    let first = |url: &Url| {
        url.path_segments()
            .and_then(|mut steps| steps.next())
            .map(str::to_owned)
    };
    match place {
        None => url.as_str().to_owned(),
        // Steps up to the root of the disk would only say how deep the place is.
        Some(place) if first(place) != first(url) => url[url::Position::BeforePath..].to_owned(),
        Some(place) => match place.make_relative(url) {
            // An empty link leads to the page with its query.
            Some(relative) if relative.is_empty() => {
                let name = url.path().rsplit('/').next().filter(|name| !name.is_empty());
                name.unwrap_or("./").to_owned()
            }
            Some(relative) => relative,
            None => url.as_str().to_owned(),
        },
    }
}

/// Whether what stands at the URL in an attribute is shown on the page itself.
fn shows(name: &str, element: &str) -> bool {
    match name {
        "src" => matches!(element, "img" | "input" | "source" | "audio" | "video"),
        "poster" => element == "video",
        "background" => true,
        "href" | "xlink:href" => element == "image",
        _ => false,
    }
}

/// Whether an attribute of an element holds one URL.
pub(super) fn holds_url(name: &str, element: &str) -> bool {
    match name {
        "href" | "src" | "xlink:href" | "action" | "formaction" | "background" | "poster" | "longdesc" => {
            true
        }
        "cite" => matches!(element, "blockquote" | "q" | "ins" | "del"),
        "data" | "codebase" | "classid" => element == "object",
        "manifest" => element == "html",
        "profile" => element == "head",
        "icon" => matches!(element, "menuitem" | "command"),
        _ => false,
    }
}

/// Whether an element sends the reader to another page after a while.
pub(super) fn is_refresh(dom: &Dom, node: NodeId) -> bool {
    &**dom.name(node) == "meta"
        && dom.attributes(node).any(|attribute| {
            &**attribute.name == "http-equiv" && attribute.value.trim().eq_ignore_ascii_case("refresh")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::resources::Resource;

    fn resolver() -> Resolver {
        Resolver::new(Url::parse("https://example.org/a/b.html").unwrap(), None)
    }

    #[test]
    fn srcset() {
        let check = |srcset, expect| assert_eq!(resolver().absolute_srcset(srcset), expect);
        check("x.png", "https://example.org/a/x.png");
        check(
            "x.png 1x, /y.png 2x",
            "https://example.org/a/x.png 1x, https://example.org/y.png 2x",
        );
        check(
            "x.png, y.png 100w",
            "https://example.org/a/x.png, https://example.org/a/y.png 100w",
        );
        check(
            "data:image/png;base64,AA== 1x,y.png",
            "data:image/png;base64,AA== 1x, https://example.org/a/y.png",
        );
        check(" , ", "");
    }

    #[test]
    fn relocation() {
        let url = |text| Url::parse(text).unwrap();
        let relocation = Relocation {
            from: url("http://localhost/"),
            to: url("file:///tmp/site/"),
        };
        let resolver = Resolver::new(url("http://localhost/a/b.html"), Some(relocation));
        assert_eq!(resolver.absolute("/style.css"), "file:///tmp/site/style.css");
        assert_eq!(resolver.absolute("c.html?x#y"), "file:///tmp/site/a/c.html?x#y");
        assert_eq!(resolver.absolute("http://example.org/"), "http://example.org/");
    }

    #[test]
    fn files_relative_to_the_output() {
        let url = |text| Url::parse(text).unwrap();
        let check = |place, address, expect| {
            let resolver = Resolver::new(url("file:///tmp/site/a/b.html"), None);
            let resolver = resolver.with_place(Some(url(place)));
            assert_eq!(resolver.absolute(address), expect, "{place} {address}");
        };
        check("file:///tmp/site/a/b.html", "../c.html?x#y", "../c.html?x#y");
        check("file:///tmp/site/a/b.html", "b.html", "b.html");
        check("file:///tmp/site/a/", "./", "./");
        check("file:///tmp/out.html", "../style.css", "site/style.css");
        check("file:///tmp/out.html", "/about", "/about");
        check(
            "file:///tmp/out.html",
            "http://example.org/",
            "http://example.org/",
        );
        check("https://example.org/", "c.html", "file:///tmp/site/a/c.html");
    }

    fn with_resources() -> Resolver {
        let url = |text| Url::parse(text).unwrap();
        let data = |kind: &str| Resource::Data(format!("data:image/{kind};base64,AA=="));
        let sheet = |text: &str| Resource::StyleSheet(text.to_owned());
        let resources = [
            (url("https://example.org/a/x.png"), data("png")),
            (url("https://example.org/a/y.svg"), data("svg+xml")),
            (
                url("https://example.org/css/s.css"),
                sheet("@import 's.css';a{b:url(../a/x.png) url(gone.png)}"),
            ),
        ];
        resolver().with_resources(Some(resources.into_iter().collect()))
    }

    fn check_attribute(html: &str, name: &str, expect: &str) {
        let dom = Dom::parse(html);
        let of = |node| {
            dom.attributes(node)
                .find(|attribute| &**attribute.name == name)
                .map(|attribute| attribute.value)
        };
        let node = dom.nodes().find(|&node| of(node).is_some()).unwrap();
        let written = with_resources()
            .attribute(&dom, node, name, of(node).unwrap())
            .into_owned();
        assert_eq!(written, expect, "{html}");
    }

    #[test]
    fn what_was_saved_along_takes_the_place_of_addresses() {
        let png = "data:image/png;base64,AA==";
        check_attribute("<img src=x.png>", "src", png);
        check_attribute("<img src=gone.png>", "src", "https://example.org/a/gone.png");
        check_attribute("<img srcset='x.png 2x'>", "srcset", &format!("{png} 2x"));
        check_attribute("<body background=/a/x.png>", "background", png);
        check_attribute("<p style='a:url(x.png)'>", "style", &format!("a:url(\"{png}\")"));
        check_attribute("<link rel=icon href=x.png>", "href", png);
        check_attribute(
            "<img src=y.svg#part>",
            "src",
            "data:image/svg+xml;base64,AA==#part",
        );
        check_attribute(
            "<svg><image href=y.svg />",
            "href",
            "data:image/svg+xml;base64,AA==",
        );
    }

    #[test]
    fn links_and_documents_stay_addresses() {
        check_attribute("<a href=x.png>", "href", "https://example.org/a/x.png");
        check_attribute("<iframe src=y.svg>", "src", "https://example.org/a/y.svg");
        check_attribute("<object data=y.svg>", "data", "https://example.org/a/y.svg");
        check_attribute("<svg><use href=y.svg />", "href", "https://example.org/a/y.svg");
        check_attribute("<input src=y.svg>", "src", "https://example.org/a/y.svg");
        check_attribute("<img src=/css/s.css>", "src", "https://example.org/css/s.css");
        check_attribute(
            "<link rel=next href=/css/s.css>",
            "href",
            "https://example.org/css/s.css",
        );
    }

    /// What a style sheet as a URL says.
    fn sheet_in(address: &str) -> String {
        let text = address.strip_prefix("data:text/css;charset=utf-8,").unwrap();
        percent_encoding::percent_decode_str(text)
            .decode_utf8()
            .unwrap()
            .into_owned()
    }

    #[test]
    fn style_sheets_are_written_with_what_they_show() {
        let written = with_resources().style_sheet("/css/s.css").into_owned();
        assert!(!written.contains(['"', '<', ' ', '#']), "{written}");
        let mut text = sheet_in(&written);
        for depth in 0..DEEPEST_IMPORT {
            assert!(text.contains("url(\"data:image/png;base64,AA==\")"), "{text}");
            assert!(
                text.contains("url(\"https://example.org/css/gone.png\")"),
                "{text}"
            );
            let import = text.split('"').nth(1).unwrap().to_owned();
            if depth + 1 == DEEPEST_IMPORT {
                // A style sheet that imports itself is not followed for ever.
                assert_eq!(import, "https://example.org/css/s.css");
                break;
            }
            text = sheet_in(&import);
        }
    }

    #[test]
    fn one_picture_shown_very_often_does_not_fill_the_memory() {
        let url = Url::parse("https://example.org/a/x.png").unwrap();
        let data = format!("data:image/png;base64,{}", "A".repeat(1 << 20));
        let resources = [(url, Resource::Data(data))].into_iter().collect();
        let resolver = resolver().with_resources(Some(resources));
        let inlined = (0..1000).filter(|_| resolver.saved("x.png").is_some()).count();
        assert!((50..64).contains(&inlined), "{inlined}");
        assert_eq!(resolver.shown("x.png"), "https://example.org/a/x.png");
    }

    #[test]
    fn refresh() {
        assert_eq!(
            resolver().absolute_refresh("5; URL='next.html'"),
            "5; URL=https://example.org/a/next.html"
        );
        assert_eq!(resolver().absolute_refresh("5"), "5");
    }
}
