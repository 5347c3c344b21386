//! Decides whether a page is only a frame that scripts fill, so that a browser is needed to see it.
//!
//! A [`Page`] in, a reason out. It looks at what is there and what is missing, not at the names that frameworks give
//! to elements.

use std::fmt;

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::measure::{Measures, is_never_shown, shows_by_itself, words};
use crate::page::Page;

/// A page with at most this many words says next to nothing: a title, a name, "Loading".
const FEW_WORDS: u32 = 30;

/// With more links than this, there is something to read.
const FEW_LINKS: u32 = 2;

/// A spinner and a logo.
const FEW_PICTURES: usize = 2;

/// Shorter inline scripts count visitors, set a class or redirect, but build no page.
const SHORT_SCRIPT: usize = 500;

/// A message to readers without scripts has at least this many words; a tracking pixel has none.
const WORDS_OF_A_REMARK: usize = 3;

/// Why scripts seem to make the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptedReason {
    /// There is hardly anything but scripts.
    OnlyScripts,
    /// There is hardly anything but a message to readers whose browser runs no scripts.
    AsksForScripts,
    /// There is text, but the navigation is empty, and no links lead on.
    EmptyNavigation,
}

impl fmt::Display for ScriptedReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::OnlyScripts => "the page has hardly anything but scripts",
            Self::AsksForScripts => "the page asks for scripts and has hardly anything without them",
            Self::EmptyNavigation => "the page leaves its menu to scripts",
        })
    }
}

/// Returns the reason why a page needs a browser, if it does.
///
/// ```
/// use husk::{Page, ScriptedReason, Url, needs_rendering};
///
/// let url = Url::parse("https://example.org/")?;
/// let page = Page::parse(url, "<title>Shop</title><div id=app></div><script src=app.js></script>");
/// assert_eq!(needs_rendering(&page), Some(ScriptedReason::OnlyScripts));
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn needs_rendering(page: &Page) -> Option<ScriptedReason> {
    let dom = &page.dom;
    if !dom.nodes().any(|node| builds_pages(dom, node)) || dom.part(&name!("frameset")).is_some() {
        return None;
    }
    let measures = Measures::of(dom);
    let shown = measures.of_all();
    if shown.links > FEW_LINKS {
        return None;
    }
    if shown.words > FEW_WORDS || pictures(dom) > FEW_PICTURES {
        let is_empty = |node| is_navigation(dom, node) && is_empty_place(dom, &measures, node);
        return dom
            .nodes()
            .any(is_empty)
            .then_some(ScriptedReason::EmptyNavigation);
    }
    if dom.nodes().any(|node| is_remark(dom, node)) {
        return Some(ScriptedReason::AsksForScripts);
    }
    // A login page is short, but complete.
    if shown_nodes(dom).any(|node| is_field(dom, node)) {
        return None;
    }
    let is_blank = shown.words == 0 && shown.links == 0;
    let has_place =
        || shown_nodes(dom).any(|node| is_container(dom, node) && is_empty_place(dom, &measures, node));
    (is_blank || has_place()).then_some(ScriptedReason::OnlyScripts)
}

/// Whether this is a script that may build a page.
fn builds_pages(dom: &Dom, node: NodeId) -> bool {
    if !dom.is_element(node, &name!("script")) {
        return false;
    }
    let kind = dom
        .attribute(node, &name!("type"))
        .unwrap_or_default()
        .to_ascii_lowercase();
    let runs =
        kind.is_empty() || kind == "module" || kind.contains("javascript") || kind.contains("ecmascript");
    runs && (dom.attribute(node, &name!("src")).is_some() || dom.text_of(node).len() >= SHORT_SCRIPT)
}

/// Whether this is a message to readers whose browser runs no scripts.
fn is_remark(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("noscript")) && words(dom.text_of(node)).nth(WORDS_OF_A_REMARK - 1).is_some()
}

/// Whether this is a form field to fill in.
fn is_field(dom: &Dom, node: NodeId) -> bool {
    let is_hidden = || {
        dom.attribute(node, &name!("type"))
            .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    };
    match &**dom.name(node) {
        "input" => !is_hidden(),
        "textarea" | "select" => true,
        _ => false,
    }
}

fn is_navigation(dom: &Dom, node: NodeId) -> bool {
    let is_role = || dom.attribute(node, &name!("role")) == Some("navigation");
    dom.kind(node) == NodeKind::Element && (dom.is_element(node, &name!("nav")) || is_role())
}

/// Elements that mean nothing without children.
fn is_container(dom: &Dom, node: NodeId) -> bool {
    let name = &**dom.name(node);
    dom.kind(node) == NodeKind::Element
        && (matches!(
            name,
            "div" | "main" | "section" | "article" | "nav" | "header" | "footer"
        ) || name.contains('-'))
}

fn is_empty_place(dom: &Dom, measures: &Measures, node: NodeId) -> bool {
    let inside = measures.of_subtree(dom, node);
    let has_picture = || {
        dom.range(node)
            .any(|inner| shows_by_itself(dom, NodeId::from_index(inner)))
    };
    inside.words == 0 && inside.links == 0 && !has_picture()
}

fn pictures(dom: &Dom) -> usize {
    shown_nodes(dom)
        .filter(|&node| shows_by_itself(dom, node))
        .count()
}

/// The nodes of a page without those that are never shown.
fn shown_nodes(dom: &Dom) -> impl Iterator<Item = NodeId> + '_ {
    let mut hidden_until = 0;
    dom.nodes().filter(move |&node| {
        if is_never_shown(dom, node) {
            hidden_until = hidden_until.max(dom.range(node).end);
        }
        node.index() >= hidden_until
    })
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn check(html: &str, expect: Option<ScriptedReason>) {
        let url = Url::parse("https://example.org/").unwrap();
        assert_eq!(needs_rendering(&Page::parse(url, html)), expect, "{html}");
    }

    const TEXT: &str = "Here is a text of some length that says quite a lot about this and that, so that nobody who reads it \
        would think that the page is empty, or that anything was missing from it that only scripts could bring.";

    #[test]
    fn a_frame_for_scripts() {
        let only = Some(ScriptedReason::OnlyScripts);
        check("<div id=app></div><script src=a.js></script>", only);
        check(
            "<title>A</title><script type=module src=a.js></script><body>",
            only,
        );
        check(
            "<p>Loading</p><shop-app></shop-app><script src=a.js></script>",
            only,
        );
        check(
            "<header><img src=logo.svg></header><main><div></div></main><script src=a.js></script>",
            only,
        );
        let long = "build();".repeat(100);
        check(&format!("<div></div><script>{long}</script>"), only);
    }

    #[test]
    fn a_remark_for_those_without() {
        let asks = Some(ScriptedReason::AsksForScripts);
        check(
            "<body><noscript>Please enable JavaScript.</noscript><div>Hello</div><script src=a.js></script>",
            asks,
        );
        check(
            "<body><noscript><img src=count.gif></noscript><div>Hello</div><script src=a.js></script>",
            None,
        );
        check(
            &format!(
                "<body><noscript>Please enable JavaScript.</noscript><p>{TEXT}<script src=a.js></script>"
            ),
            None,
        );
    }

    #[test]
    fn a_menu_that_is_not_there_yet() {
        let menu = Some(ScriptedReason::EmptyNavigation);
        check(&format!("<nav></nav><p>{TEXT}<script src=a.js></script>"), menu);
        check(
            &format!("<div role=navigation><ul></ul></div><p>{TEXT}<script src=a.js></script>"),
            menu,
        );
        check(
            &format!("<nav>Home</nav><p>{TEXT}<script src=a.js></script>"),
            None,
        );
        check(
            &format!(
                "<nav></nav><a href=a>A</a><a href=b>B</a><a href=c>C</a><p>{TEXT}<script src=a.js></script>"
            ),
            None,
        );
    }

    #[test]
    fn short_pages_of_their_own() {
        check("", None);
        check("<div></div>", None);
        check("<p>Under construction</p><script src=count.js></script>", None);
        check("<div></div><script>count()</script>", None);
        check(
            "<form><input type=password><div class=icon></div></form><script src=a.js></script>",
            None,
        );
        check(
            "<form><input type=hidden></form><div></div><script src=a.js></script>",
            Some(ScriptedReason::OnlyScripts),
        );
        check(
            "<div></div><script type=application/ld+json src=a.json></script>",
            None,
        );
        check(
            "<a href=en>English</a> <a href=de>Deutsch</a> <a href=fr>Français</a><div></div><script src=a.js></script>",
            None,
        );
        check(
            "<img src=a><img src=b><img src=c><div></div><script src=a.js></script>",
            None,
        );
        check(
            "<script src=a.js></script><frameset cols=1,2><frame src=a><frame src=b></frameset>",
            None,
        );
    }
}
