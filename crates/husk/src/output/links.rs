//! What links and images lead to, and which links are only there to be copied.

use husk_dom::{Dom, NodeId, name};
use url::Url;

use super::selection::Selection;
use super::urls::Resolver;

/// Whether a node is a link to the very place it stands at, for readers to copy: a sign beside a heading.
pub(super) fn is_permalink(selection: &Selection<'_>, node: NodeId) -> bool {
    let dom = selection.dom;
    if !dom.is_element(node, &name!("a")) {
        return false;
    }
    let is_place = dom
        .attribute(node, &name!("href"))
        .is_some_and(|href| href.contains('#'));
    // Signs that choose between text and image, and spaces without width, do not show.
    let is_unseen = |letter: char| {
        letter.is_whitespace() || matches!(letter, '\u{200B}' | '\u{FEFF}' | '\u{FE0E}' | '\u{FE0F}')
    };
    let text = dom.text_of(node).trim_matches(is_unseen);
    let is_sign = matches!(text, "¶" | "#" | "§" | "🔗" | "⚓");
    is_place && (is_sign || text.is_empty() && is_in_heading(dom, node) && !has_picture(dom, node))
}

fn is_in_heading(dom: &Dom, node: NodeId) -> bool {
    dom.parent(node)
        .is_some_and(|parent| matches!(&**dom.name(parent), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

fn has_picture(dom: &Dom, node: NodeId) -> bool {
    dom.subtree(node)
        .any(|below| dom.is_element(below, &name!("img")))
}

/// Where a link leads, in full; nothing if it leads nowhere a reader could go.
pub(super) fn target(dom: &Dom, link: NodeId, resolver: &Resolver) -> Option<String> {
    let href = dom.attribute(link, &name!("href"))?.trim();
    if href.is_empty() || href == "#" {
        return None;
    }
    if href.starts_with('#') {
        return Some(href.to_owned());
    }
    let address = resolver.absolute(href).into_owned();
    is_safe(&address).then_some(address)
}

/// Whether a URL leads somewhere and runs nothing.
pub(super) fn is_safe(address: &str) -> bool {
    Url::parse(address)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "mailto" | "tel" | "ftp" | "file"))
}

/// Where an image is, in full: what a script would put in place of a stand-in comes first.
pub(super) fn picture(dom: &Dom, image: NodeId, resolver: &Resolver) -> Option<String> {
    let value = |wanted: &str| {
        let mut attributes = dom.attributes(image);
        let found = attributes.find(|attribute| &**attribute.name == wanted)?;
        Some(found.value.trim()).filter(|value| !value.is_empty())
    };
    if value("aria-hidden") == Some("true") || (value("width") == Some("1") && value("height") == Some("1")) {
        return None;
    }
    let lazy = ["data-src", "data-original", "data-lazy-src"]
        .iter()
        .find_map(|name| value(name));
    let plain = value("src").filter(|src| !src.starts_with("data:"));
    let from_set = || {
        ["srcset", "data-srcset"]
            .iter()
            .find_map(|name| value(name))
            .and_then(first_of_set)
    };
    let from_around = || {
        let around = dom
            .parent(image)
            .filter(|&parent| dom.is_element(parent, &name!("picture")))?;
        let set = dom
            .children(around)
            .take(MOST_SOURCES)
            .find_map(|source| dom.attribute(source, &name!("srcset")))?;
        first_of_set(set)
    };
    let address = lazy.or(plain).or_else(from_set).or_else(from_around)?;
    let address = resolver.absolute(address).into_owned();
    Url::parse(&address)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "file"))
        .then_some(address)
}

/// More sources than this no image has; a page may put very many images where its sources belong.
const MOST_SOURCES: usize = 64;

fn first_of_set(set: &str) -> Option<&str> {
    let first = set.split_ascii_whitespace().next()?.trim_end_matches(',');
    (!first.is_empty() && !first.starts_with("data:")).then_some(first)
}

/// Where something that plays or is shown from elsewhere is, in full.
pub(super) fn media(dom: &Dom, node: NodeId, resolver: &Resolver) -> Option<String> {
    let names = [name!("src"), name!("data")];
    let own = names.iter().find_map(|name| dom.attribute(node, name));
    let source = || {
        dom.children(node)
            .find_map(|source| dom.attribute(source, &name!("src")))
    };
    let address = own.or_else(source)?.trim();
    let address = resolver.absolute(address).into_owned();
    Url::parse(&address)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "file"))
        .then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_picture(html: &str, expect: Option<&str>) {
        let dom = Dom::parse(html);
        let image = dom
            .nodes()
            .find(|&node| dom.is_element(node, &name!("img")))
            .unwrap();
        let resolver = Resolver::new(Url::parse("https://example.org/a/").unwrap(), None);
        assert_eq!(picture(&dom, image, &resolver).as_deref(), expect, "{html}");
    }

    #[test]
    fn pictures_that_come_late_are_found() {
        check_picture("<img src=x.png>", Some("https://example.org/a/x.png"));
        check_picture(
            "<img src=blank.gif data-src=/x.png>",
            Some("https://example.org/x.png"),
        );
        check_picture(
            "<img src='data:image/gif;base64,AA' srcset='x.png 1x, y.png 2x'>",
            Some("https://example.org/a/x.png"),
        );
        check_picture(
            "<picture><source srcset='x.webp 2x'><img alt=x></picture>",
            Some("https://example.org/a/x.webp"),
        );
        let pictures = "<img>".repeat(MOST_SOURCES);
        check_picture(
            &format!("<picture>{pictures}<source srcset=x.webp></picture>"),
            None,
        );
        check_picture("<img src='data:image/gif;base64,AA'>", None);
        check_picture("<img src=x.png width=1 height=1>", None);
        check_picture("<img src='javascript:x'>", None);
    }
}
