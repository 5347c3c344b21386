//! CSS selectors on a [`Dom`]: the language of the gold labels.
//!
//! Parsing and matching are those of the `selectors` crate (`:is`, `:not`, `:has`, `:nth-child(… of …)`);
//! this module adapts a page to it.

mod language;

mod element;

use std::fmt;

use cssparser::{ParseError, ParseErrorKind};
use husk_dom::{Dom, NodeId, NodeKind};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector_list;
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};

use element::{Element, Tree};
use language::{Css, Grammar};

/// A selector, or several separated by commas.
#[derive(Debug, Clone)]
pub struct Selector {
    text: String,
    list: SelectorList<Css>,
}

impl Selector {
    /// Reads a selector.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let mut input = cssparser::Parser::new(text);
        match SelectorList::parse(&Grammar, &mut input, ParseRelative::No) {
            Ok(list) => Ok(Self {
                text: text.to_owned(),
                list,
            }),
            Err(error) => Err(SelectorError {
                selector: text.to_owned(),
                fault: fault(&error),
            }),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// A text that is not a supported selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    selector: String,
    fault: &'static str,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "selector `{}` {}", self.selector, self.fault)
    }
}

impl std::error::Error for SelectorError {}

fn fault(error: &ParseError<SelectorParseErrorKind>) -> &'static str {
    match &error.kind {
        ParseErrorKind::Custom(SelectorParseErrorKind::EmptySelector) => "is empty",
        ParseErrorKind::Custom(SelectorParseErrorKind::DanglingCombinator) => "ends in a combinator",
        ParseErrorKind::Custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement) => {
            "has a pseudo-class or pseudo-element that is not supported"
        }
        _ => "is not valid CSS",
    }
}

/// The elements of a page that any of the selectors matches, in document order.
///
/// The content of `<template>` is not part of the page and never matches.
pub fn select(dom: &Dom, selectors: &[Selector]) -> Vec<NodeId> {
    let tree = Tree::of(dom);
    let mut caches = SelectorCaches::default();
    let quirks_mode = if dom.is_quirky() {
        QuirksMode::Quirks
    } else {
        QuirksMode::NoQuirks
    };
    let mut context = MatchingContext::new(
        MatchingMode::Normal,
        None,
        &mut caches,
        quirks_mode,
        NeedsSelectorFlags::No,
        MatchingForInvalidation::No,
    );
    let mut matches = |element: Element<'_>| {
        selectors
            .iter()
            .any(|selector| matches_selector_list(&selector.list, element, &mut context))
    };
    dom.nodes()
        .filter(|&node| dom.kind(node) == NodeKind::Element && dom.is_in_page(node))
        .filter(|&node| matches(tree.element(node)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use husk_dom::name;

    /// Checks which elements, by their `id`, a selector matches.
    #[track_caller]
    fn check(html: &str, selector: &str, expect: &[&str]) {
        let dom = Dom::parse(html);
        let found = select(&dom, &[Selector::parse(selector).unwrap()]);
        let ids: Vec<_> = found
            .iter()
            .map(|&node| {
                dom.attribute(node, &name!("id"))
                    .unwrap_or_else(|| dom.name(node))
            })
            .collect();
        assert_eq!(ids, expect, "{selector}");
    }

    const LIST: &str = "<!DOCTYPE html><ul id=u class='Menu main'><li id=a>x<li id=b class=on><a id=l href=/>y</a>\
                        <!-- --><li id=c></ul><p id=p title='to be'>";

    #[test]
    fn matches_names_classes_ids_and_attributes() {
        check(LIST, "li", &["a", "b", "c"]);
        check(LIST, "UL.Menu.main", &["u"]);
        check(LIST, ".menu", &[]);
        check(LIST, "#P", &[]);
        check(LIST, "[title~=be], [HREF^='/']", &["l", "p"]);
        check(LIST, "p[title=to]", &[]);
        check(LIST, "body > *", &["u", "p"]);
        check(LIST, ":root", &["html"]);
    }

    #[test]
    fn classes_and_ids_have_no_case_in_quirks_mode() {
        let quirky = LIST.trim_start_matches("<!DOCTYPE html>");
        check(quirky, ".menu", &["u"]);
        check(quirky, "#P", &["p"]);
    }

    #[test]
    fn matches_places_among_siblings() {
        check(LIST, "li:nth-child(2)", &["b"]);
        check(LIST, "li:nth-child(odd)", &["a", "c"]);
        check(LIST, "li:nth-last-of-type(1)", &["c"]);
        check(LIST, "li:nth-child(1 of .on)", &["b"]);
        check(LIST, "li + li", &["b", "c"]);
        check(LIST, "#a ~ :last-child", &["c"]);
        check(LIST, "body > :first-child:not(p)", &["u"]);
    }

    #[test]
    fn matches_by_what_is_around_and_inside() {
        check(LIST, "li:has(> a)", &["b"]);
        check(LIST, "ul:has(a)", &["u"]);
        check(LIST, "li:has(+ .on)", &["a"]);
        check(LIST, "li:not(:has(a)):not(:empty)", &["a"]);
        check(LIST, ":is(ul, p):not(.Menu, #x)", &["p"]);
        check(LIST, "body :where(.on) a", &["l"]);
    }

    #[test]
    fn several_selectors_give_each_element_once_in_document_order() {
        let dom = Dom::parse(LIST);
        let parse = |text| Selector::parse(text).unwrap();
        let found = select(&dom, &[parse("p"), parse("li"), parse("li.on")]);
        let names: Vec<_> = found.iter().map(|&node| &**dom.name(node)).collect();
        assert_eq!(names, ["li", "li", "li", "p"]);
    }

    #[test]
    fn templates_are_not_part_of_the_page() {
        let html = "<body><template id=t><b id=in></b></template><b id=out></b>";
        check(html, "b", &["out"]);
        check(html, "template > b, template b", &[]);
        check(html, "template:has(b)", &[]);
        check(html, "b:nth-child(2)", &["out"]);
    }

    #[test]
    fn foreign_names_keep_their_case() {
        let html = "<svg id=s viewBox=0><linearGradient id=g></svg><p id=p viewbox=1>";
        check(html, "linearGradient", &["g"]);
        check(html, "[viewBox]", &["s", "p"]);
    }

    #[test]
    fn faults_name_the_selector() {
        let message = |text: &str| Selector::parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "selector `` is empty");
        assert_eq!(message("p >"), "selector `p >` ends in a combinator");
        assert_eq!(message("p["), "selector `p[` is not valid CSS");
        assert_eq!(
            message("a:hover"),
            "selector `a:hover` has a pseudo-class or pseudo-element that is not supported"
        );
    }
}
