//! What each part of the page is, as one JSON object: for programs that have the page before them and tint it there.

use husk_dom::{Dom, NodeId, NodeKind};
use serde::Serialize;

use super::marks::{MarkClass, Marks};
use super::registry::{JSON, Output, Part, json_text};
use super::xpath::{NodePath, NodePaths};
use crate::analysis::Analysis;
use crate::pagelets::Function;

pub(super) const INSPECT_MARKS: Output = Output {
    part: Part::Inspect,
    name: "marks",
    media_type: JSON,
    extension: "marks.json",
    help: "One object: what each part of the page is, for programs that tint it",
    options: &[],
    writer: |analysis, _| json_text(&marks_json(analysis)),
};

/// What each part of a page is. Fields are added over time, not renamed or taken away.
#[derive(Debug, Clone, Serialize)]
pub struct MarksJson<'a> {
    /// How many pages the key page was compared with; if none, nothing is known of a template.
    pub compared: usize,
    /// Where something begins, in document order. A node without a mark is what the node above it is.
    pub marks: Vec<MarkJson<'a>>,
}

/// An element or a text that is something else than what it stands in.
#[derive(Debug, Clone, Serialize)]
pub struct MarkJson<'a> {
    /// Where it stands.
    pub xpath: NodePath<'a>,
    /// What it is.
    pub class: MarkClass,
    /// In how many of the compared pages it was mapped.
    pub support: u32,
    /// In how many it was mapped with the same text, link or source.
    pub verbatim_support: u32,
    /// What its innermost pagelet is for; left out if it lies in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagelet: Option<Function>,
}

/// What each part of the key page is, as a serialisable value.
///
/// What never shows has no mark, and the contents of a `<template>` are such.
pub fn marks_json(analysis: &Analysis) -> MarksJson<'_> {
    let dom = &analysis.page().dom;
    let marks = Marks::of(analysis);
    let paths = NodePaths::of(dom);
    let mark = |node| {
        let entry = marks.table[entry_at(&marks, dom, node)?];
        Some(MarkJson {
            xpath: paths.path(node),
            class: entry.class,
            support: entry.structural,
            verbatim_support: entry.verbatim,
            pagelet: entry.pagelet.map(|number| analysis.pagelets()[number].function),
        })
    };
    MarksJson {
        compared: analysis.support(),
        marks: dom.nodes().filter_map(mark).collect(),
    }
}

/// The entry that begins at a node. One always begins at `<html>`, for the document above it has no mark.
fn entry_at(marks: &Marks, dom: &Dom, node: NodeId) -> Option<usize> {
    let above = dom.parent(node)?;
    if dom.kind(above) == NodeKind::Document {
        return marks.of_node(node);
    }
    marks.at(dom, node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Page, Session, Url};
    use husk_dom::XPaths;
    use indexmap::IndexMap;
    use proptest::prelude::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    /// The extraction from a page and from the same page with other words in place of "the key page".
    fn analysis(html: &str) -> Analysis {
        let mut session = Session::new(Page::parse(url("/key.html"), html), Options::default());
        while let Some(wanted) = session.next_wanted().cloned() {
            let other = html.replace("the key page", wanted.path());
            session.give(Page::parse(wanted, &other));
        }
        session.finish().into()
    }

    const SHOP: &str = "<title>Words of the key page</title><body><header><nav>\
        <a href=a.html>Teas</a> <a href=b.html>Cups</a> <a href=c.html>Pots</a></nav></header>\
        <div id=m>Common words <p>Words of the key page, more of them, and long enough to be read</p></div>\
        <template><p>Words of the key page</p></template>\
        <!-- a note --><script>go()</script><b> </b><footer>All rights reserved</footer>";

    fn at<'a>(json: &'a MarksJson<'a>, xpath: &str) -> &'a MarkJson<'a> {
        let found = json.marks.iter().find(|mark| mark.xpath.to_string() == xpath);
        found.unwrap_or_else(|| panic!("no mark at {xpath}: {:#?}", json.marks))
    }

    #[test]
    fn marks_stand_where_something_begins() {
        let analysis = analysis(SHOP);
        let json = marks_json(&analysis);
        assert_eq!(json.compared, 3);
        let mark_at = |xpath| {
            let mark = at(&json, xpath);
            (mark.class, mark.pagelet)
        };
        assert_eq!(mark_at("/html[1]"), (MarkClass::Mixed, None));
        let menu = (MarkClass::Menu, Some(Function::MainMenu));
        assert_eq!(mark_at("/html[1]/body[1]/header[1]/nav[1]"), menu);
        let content = (MarkClass::Content, Some(Function::MainContent));
        assert_eq!(mark_at("/html[1]/body[1]/div[1]/p[1]"), content);
        let footer = (MarkClass::Template, Some(Function::Footer));
        assert_eq!(mark_at("/html[1]/body[1]/footer[1]"), footer);
    }

    #[test]
    fn support_is_that_of_the_node_with_its_texts() {
        let analysis = analysis(SHOP);
        let json = marks_json(&analysis);
        let support = |xpath| {
            let mark = at(&json, xpath);
            (mark.support, mark.verbatim_support)
        };
        assert_eq!(support("/html[1]/body[1]/footer[1]"), (3, 3));
        assert_eq!(support("/html[1]/body[1]/div[1]/p[1]"), (3, 0));
    }

    #[test]
    fn what_never_shows_has_no_mark() {
        let analysis = analysis(SHOP);
        let json = marks_json(&analysis);
        for name in [
            "/head[",
            "/title[",
            "/template[",
            "/script[",
            "/comment()[",
            "/b[",
        ] {
            let is_marked = |mark: &MarkJson<'_>| mark.xpath.to_string().contains(name);
            assert!(!json.marks.iter().any(is_marked), "{name}");
        }
    }

    #[test]
    fn a_page_that_was_compared_with_nothing_has_no_template() {
        let analysis = analysis("<p>Words of the key page");
        let json = marks_json(&analysis);
        assert_eq!(json.compared, 0);
        assert!(!json.marks.is_empty());
        assert!(json.marks.iter().all(|mark| mark.class != MarkClass::Template));
    }

    #[test]
    fn strange_pages_have_marks_or_none() {
        for html in ["", "<frameset><frame src=a.html></frameset>", "<template>x", "\0"] {
            marks_json(&analysis(html));
        }
        assert!(marks_json(&analysis("<template>x")).marks.is_empty());
    }

    #[test]
    fn written_as_programs_expect() {
        let analysis = analysis(SHOP);
        let mut json = marks_json(&analysis);
        let is_shown = |path: &str| path.ends_with("/nav[1]") || path == "/html[1]";
        json.marks.retain(|mark| is_shown(&mark.xpath.to_string()));
        assert_eq!(
            serde_json::to_string(&json).unwrap(),
            r#"{"compared":3,"marks":[{"xpath":"/html[1]","class":"mixed","support":3,"verbatim_support":3},{"xpath":"/html[1]/body[1]/header[1]/nav[1]","class":"menu","support":3,"verbatim_support":3,"pagelet":"main-menu"}]}"#
        );
    }

    /// What a node is by the marks: its own, or else that of the nearest node above that has one.
    fn inherited<'a>(
        marked: &IndexMap<String, &'a MarkJson<'a>>,
        dom: &Dom,
        paths: &XPaths,
        node: NodeId,
    ) -> Option<&'a MarkJson<'a>> {
        let mut upward = std::iter::once(node).chain(dom.ancestors(node));
        upward.find_map(|node| marked.get(&*paths.path(dom, node)).copied())
    }

    /// Every mark is at a node, each node once and in order, and gives with those above what every shown node is.
    fn marks_tell_all(analysis: &Analysis) {
        let dom = &analysis.page().dom;
        let paths = XPaths::of(dom);
        let json = marks_json(analysis);
        let marks_by_path = json.marks.iter().map(|mark| (mark.xpath.to_string(), mark));
        let marked: IndexMap<String, &MarkJson<'_>> = marks_by_path.collect();
        let listed = dom.nodes().skip(1).map(|node| paths.path(dom, node));
        let in_order: Vec<String> = listed.filter(|path| marked.contains_key(path)).collect();
        assert!(json.marks.iter().map(|mark| mark.xpath.to_string()).eq(in_order));

        let marks = Marks::of(analysis);
        for node in dom.nodes().skip(1) {
            if let Some(number) = marks.of_node(node) {
                let mark = inherited(&marked, dom, &paths, node).map(|mark| (mark.class, mark.pagelet));
                let entry = marks.table[number];
                let function = entry.pagelet.map(|number| analysis.pagelets()[number].function);
                assert_eq!(mark, Some((entry.class, function)), "{}", dom.xpath(node));
            }
        }
    }

    prop_compose! {
        fn small_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<nav>", "</nav>", "<a href=a.html>Teas</a>", "<a href=b.html>Cups</a>", "<a href=c.html>Pots</a>", "<div>",
                "</div>", "<p>", "</p>", "Words of the key page, and some more of them. ", "All rights reserved", " ", "<b>x</b>",
                "<template><i>y", "</template>", "<script>x</script>", "<!-- c -->", "<table><td>", "</table>", "<img src=i.png>",
                "<footer>", "</footer>", "<svg><title>z</title>", "</svg>", "<textarea>u", "</textarea>", "<main>", "</main>",
            ]),
            0..40,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn marks_tell_what_every_shown_node_is(html in small_page()) {
            marks_tell_all(&analysis(&html));
        }
    }
}
