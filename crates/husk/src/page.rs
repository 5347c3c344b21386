//! A page: a URL and its document.

use husk_dom::{Dom, DomWriter, Namespace, NodeId, name};
use url::Url;

use crate::measure::{Measures, words};

/// A page of a site.
#[derive(Debug, Clone)]
pub struct Page {
    /// The URL of the page, after redirects.
    pub url: Url,
    /// The parsed document.
    pub dom: Dom,
}

impl Page {
    /// A page from its parsed form. If nearly all of its text is in `<noscript>`, those elements become a `<div>`.
    pub fn new(url: Url, dom: Dom) -> Self {
        let dom = if is_in_noscript(&dom) {
            with_noscript_shown(&dom)
        } else {
            dom
        };
        Self { url, dom }
    }

    /// Parses a page.
    pub fn parse(url: Url, text: &str) -> Self {
        Self::new(url, Dom::parse(text))
    }
}

/// Fewer words in `<noscript>` are a message that the page needs scripts, unless they have the title of a page without any.
const LEAST_WORDS: usize = 50;

/// Still fewer words are never a page.
const LEAST_WORDS_OF_PAGE: usize = 20;

fn is_in_noscript(dom: &Dom) -> bool {
    let is_noscript = |&node: &NodeId| dom.is_element(node, &name!("noscript")) && dom.is_in_page(node);
    let inside: usize = dom
        .nodes()
        .filter(is_noscript)
        .map(|node| words(dom.text_of(node)).count())
        .sum();
    inside >= LEAST_WORDS_OF_PAGE && {
        let shown = Measures::of(dom).of_all().words as usize;
        let is_page = || shown == 0 && dom.nodes().filter(is_noscript).any(|node| has_title(dom, node));
        2 * shown <= inside && (inside >= LEAST_WORDS || is_page())
    }
}

/// Whether a heading in an element says the title of the document, or a part of it, in several words.
fn has_title(dom: &Dom, element: NodeId) -> bool {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")));
    let title: Vec<&str> = title.map_or_else(Vec::new, |title| words(dom.text_of(title)).collect());
    dom.subtree(element)
        .filter(|&node| matches!(*dom.name(node), name!("h1") | name!("h2") | name!("h3")))
        .any(|heading| {
            let own: Vec<&str> = words(dom.text_of(heading)).collect();
            own.len() > 1 && title.windows(own.len()).any(|part| part == own)
        })
}

fn with_noscript_shown(dom: &Dom) -> Dom {
    let mut writer = DomWriter::new();
    let mut ends = Vec::new();
    for node in dom.nodes() {
        while ends.last().is_some_and(|&end| end <= node.index()) {
            ends.pop();
            writer.close();
        }
        let is_open = if dom.is_element(node, &name!("noscript")) && dom.is_in_page(node) {
            writer.open(name!("div"), Namespace::Html, []);
            true
        } else {
            writer.copy(dom, node)
        };
        if is_open {
            ends.push(dom.range(node).end);
        }
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, is_shown: bool) {
        let page = Page::parse(Url::parse("https://example.org/").unwrap(), html);
        let is_left = page
            .dom
            .nodes()
            .any(|node| page.dom.is_element(node, &name!("noscript")));
        assert_eq!(is_left, !is_shown);
        assert_eq!(
            page.dom.text_of(page.dom.document()),
            Dom::parse(html).text_of(NodeId::from_index(0))
        );
    }

    #[test]
    fn a_page_for_readers_without_scripts_is_read() {
        let text = "one two three four five ".repeat(20);
        check(
            &format!("<p>Loading</p><noscript><p>{text}</p><p>end</noscript><p>Bye"),
            true,
        );
        check(&format!("<p>{text}</p><noscript><p>{text}</noscript>"), false);
        check(
            "<p>Loading</p><noscript>Please turn on JavaScript.</noscript>",
            false,
        );
        let short = "one two three four five ".repeat(6);
        let thread = format!("<noscript><h1>The lamp</h1><p>{short}</noscript><script src=a.js></script>");
        check(&format!("<title>The lamp - Forum</title><body>{thread}"), true);
        check(&format!("<title>The mill - Forum</title><body>{thread}"), false);
        check(
            &format!("<title>The lamp - Forum</title><body><p>a</p>{thread}"),
            false,
        );
    }
}
