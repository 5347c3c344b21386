//! The slots of a template: where content was cut out, numbered.

use husk_dom::{Dom, NodeId, NodeKind, name, serialize};

use crate::extraction::Extraction;
use crate::template::{Cut, cuts};

/// A place in the template where something was cut out.
#[derive(Debug, Clone)]
pub struct Slot {
    /// From 1, in document order.
    pub number: usize,
    /// What was cut out, and where.
    pub cut: Cut,
    /// Whether it showed: not only scripts and the like.
    pub shows: bool,
}

impl Slot {
    /// What was cut out here, as HTML.
    pub fn content(&self, dom: &Dom) -> String {
        self.cut.nodes.iter().map(|&node| serialize(dom, node)).collect()
    }
}

/// The slots of an extraction's template.
///
/// Runs of nothing but white space and comments leave no slot, nor does the key page's style, which stays.
pub fn slots(extraction: &Extraction) -> Vec<Slot> {
    let dom = &extraction.key_page.dom;
    let template = &extraction.template;
    let has_head = dom
        .part(&name!("head"))
        .is_some_and(|head| template.contains(head));
    let cuts = cuts(dom, |node| {
        template.contains(node) || (has_head && is_in_style(dom, node))
    });
    let cuts = cuts.into_iter().filter(|cut| !cut.is_blank(dom));
    cuts.enumerate()
        .map(|(index, cut)| {
            let shows = cut.nodes.iter().any(|&node| shows(dom, node));
            Slot {
                number: index + 1,
                cut,
                shows,
            }
        })
        .collect()
}

/// Whether a node of the head decides what the page looks like: its style sheets, encoding, icon and width.
fn is_in_style(dom: &Dom, node: NodeId) -> bool {
    let Some(parent) = dom.parent(node) else {
        return false;
    };
    if dom.is_element(parent, &name!("style")) {
        return dom
            .parent(parent)
            .is_some_and(|head| dom.is_element(head, &name!("head")));
    }
    if !dom.is_element(parent, &name!("head")) || dom.kind(node) != NodeKind::Element {
        return false;
    }
    let value_of = |attribute| {
        dom.attribute(node, &attribute)
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    match &**dom.name(node) {
        "style" | "base" => true,
        "link" => value_of(name!("rel"))
            .split_ascii_whitespace()
            .any(|rel| matches!(rel, "stylesheet" | "icon")),
        "meta" => {
            dom.attribute(node, &name!("charset")).is_some()
                || value_of(name!("http-equiv")) == "content-type"
                || matches!(
                    &*value_of(name!("name")),
                    "viewport" | "color-scheme" | "theme-color"
                )
        }
        _ => false,
    }
}

/// Whether a node can be seen at all.
fn shows(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => !dom.is_blank_text(node),
        NodeKind::Element => !matches!(
            &**dom.name(node),
            "script" | "style" | "link" | "meta" | "template" | "noscript" | "base"
        ),
        _ => false,
    }
}
