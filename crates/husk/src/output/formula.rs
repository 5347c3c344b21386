//! Formulas of a page, in TeX.

use husk_dom::NodeId;

use super::elements::{Meaning, meaning};
use super::selection::{Selection, is_formula};

/// A formula in TeX.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) tex: String,
    pub(super) is_display: bool,
}

/// The formula of a script or of MathML that has its source with it.
pub(super) fn formula(selection: &Selection<'_>, node: NodeId) -> Option<Formula> {
    let dom = selection.dom;
    let attribute = |node, wanted: &str| {
        let mut attributes = dom.attributes(node);
        attributes.find_map(|attribute| (&**attribute.name == wanted).then_some(attribute.value))
    };
    let (source, is_display) = if is_formula(dom, node) {
        (
            node,
            attribute(node, "type").is_some_and(|kind| kind.contains("display")),
        )
    } else {
        let is_source = |&below: &NodeId| {
            &**dom.name(below) == "annotation"
                && attribute(below, "encoding")
                    .is_some_and(|kind| kind.contains("tex") || kind.contains("TeX"))
        };
        (
            dom.subtree(node).find(is_source)?,
            attribute(node, "display") == Some("block"),
        )
    };
    let tex = dom
        .text_of(source)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    (!tex.is_empty()).then_some(Formula { tex, is_display })
}

/// Whether a node shows once more, for the eye, the formula that stands before it for machines.
pub(super) fn is_twin_of_math(selection: &Selection<'_>, node: NodeId) -> bool {
    let dom = selection.dom;
    let is_hidden = dom
        .attributes(node)
        .any(|attribute| &**attribute.name == "aria-hidden" && attribute.value == "true");
    is_hidden
        && dom.parent(node).is_some_and(|parent| {
            let before = (parent.index() + 1..node.index())
                .map(NodeId::from_index)
                .take(64);
            let mut before = before;
            before.any(|before| meaning(dom, before) == Meaning::Math)
        })
}
