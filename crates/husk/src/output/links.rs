//! What links and images lead to, and which links are only there to be copied.

use husk_dom::{Dom, NodeId, NodeKind, name};
use url::Url;

use super::elements::{Meaning, meaning};
use super::selection::Selection;
use super::urls::Resolver;
use crate::hints::is_heading;
use crate::lexicon;

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
    if is_place && says_permalink(text) && leads_to_own_heading(dom, node) {
        return true;
    }
    is_place && (is_sign || text.is_empty() && is_in_heading(dom, node) && !has_picture(dom, node))
}

/// Whether a link says that it leads to where it stands.
fn says_permalink(text: &str) -> bool {
    let lower = text.to_lowercase();
    lexicon::entries("permalink")
        .iter()
        .any(|words| lower.starts_with(words))
}

/// Whether a link in a heading leads to that heading, or to the section it begins.
fn leads_to_own_heading(dom: &Dom, link: NodeId) -> bool {
    let place = dom
        .attribute(link, &name!("href"))
        .and_then(|href| href.trim().strip_prefix('#'));
    let Some(place) = place.filter(|place| !place.is_empty()) else {
        return false;
    };
    let heading = dom
        .ancestors(link)
        .take(MOST_LEVELS)
        .find(|&above| is_heading(dom, above));
    heading.is_some_and(|heading| {
        let mut near = dom.subtree(heading).take(16).chain(dom.parent(heading));
        near.any(|near| dom.attribute(near, &name!("id")) == Some(place))
    })
}

/// Links in headings stand at most so deep in them.
const MOST_LEVELS: usize = 3;

/// Whether an element in or beside a heading has nothing but links for editing what is below it, and signs around them, as in
/// wikis.
pub(super) fn is_for_editing(dom: &Dom, node: NodeId) -> bool {
    if dom.kind(node) != NodeKind::Element || dom.size(node) > LARGEST_EDIT_LINKS {
        return false;
    }
    let is_in_heading = || {
        let mut above = dom.ancestors(node).take(MOST_LEVELS);
        above.any(|above| is_heading(dom, above))
    };
    let is_beside_heading = || {
        // Not a paragraph: that would be words of its own.
        let parent = dom
            .parent(node)
            .filter(|&parent| dom.size(parent) <= 2 * LARGEST_EDIT_LINKS);
        parent.is_some_and(|parent| {
            meaning(dom, node) == Meaning::Inline && dom.children(parent).any(|child| is_heading(dom, child))
        })
    };
    // A link that is no more than itself may be a word of the heading.
    let can_be = !dom.is_element(node, &name!("a"))
        && !is_heading(dom, node)
        && (is_in_heading() || is_beside_heading());
    let links = || {
        dom.subtree(node)
            .filter(|&below| dom.is_element(below, &name!("a")))
    };
    let edits = |link: NodeId| {
        let href = dom.attribute(link, &name!("href")).unwrap_or_default();
        href.contains("action=edit") || href.contains("do=edit")
    };
    let letters = |node: NodeId| {
        let text = dom.text_of(node).chars();
        text.filter(|letter| letter.is_alphanumeric()).count()
    };
    can_be
        && links().next().is_some()
        && links().all(edits)
        && links().map(letters).sum::<usize>() == letters(node)
}

/// So many nodes hold links for editing in several ways.
const LARGEST_EDIT_LINKS: usize = 24;

fn is_in_heading(dom: &Dom, node: NodeId) -> bool {
    dom.parent(node).is_some_and(|parent| is_heading(dom, parent))
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
    printed(href, resolver, &["http", "https", "mailto", "tel", "ftp"])
}

/// A URL in full if it has one of some schemes. Files of this computer are not where a page is: what leads to one stays as it is
/// written, and what names one leads nowhere.
pub(super) fn printed(address: &str, resolver: &Resolver, schemes: &[&str]) -> Option<String> {
    let full = resolver.absolute(address);
    let scheme = Url::parse(&full).ok()?.scheme().to_owned();
    if schemes.contains(&&*scheme) {
        return Some(full.into_owned());
    }
    let names_file = address
        .trim_start()
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"));
    (scheme == "file" && !names_file).then(|| address.trim().to_owned())
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
    printed(address, resolver, &["http", "https"])
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
    printed(address, resolver, &["http", "https"])
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
