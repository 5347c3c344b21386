//! A page as lines to compare.

use husk_dom::{Dom, NodeId, NodeKind};

/// All properties of a page, node by node.
pub(crate) fn nodes(dom: &Dom) -> Vec<String> {
    let shown = |node: NodeId| {
        let attributes: Vec<_> = dom
            .attributes(node)
            .map(|attribute| (attribute.name.to_string(), attribute.value))
            .collect();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {attributes:?}",
            dom.kind(node),
            dom.name(node),
            dom.namespace(node),
            dom.size(node),
            match dom.kind(node) {
                NodeKind::Text => dom.text_of(node),
                NodeKind::Comment | NodeKind::Doctype => dom.data(node),
                _ => "",
            },
        )
    };
    dom.nodes().map(shown).collect()
}
