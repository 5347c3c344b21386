//! Whether a page is the same by html5ever.

use husk_dom::{Dom, NodeId, NodeKind, parse_by_html5ever, serialize};

/// Everything about a page, node by node.
fn nodes(dom: &Dom) -> Vec<String> {
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
                NodeKind::Comment | NodeKind::Doctype => dom.remark(node),
                _ => "",
            },
        )
    };
    dom.nodes().map(shown).collect()
}

/// The first node that is not the same, if any.
pub(crate) fn difference(page: &str) -> Option<String> {
    let ours = Dom::parse(page);
    let theirs = parse_by_html5ever(page);
    if ours.is_quirky() != theirs.is_quirky() {
        return Some(format!("quirks: {} and {}", ours.is_quirky(), theirs.is_quirky()));
    }
    let [html, their_html] = [&ours, &theirs].map(|dom| serialize(dom, dom.document()));
    let (ours, theirs) = (nodes(&ours), nodes(&theirs));
    if ours == theirs && html != their_html {
        return Some(format!("{html} and {their_html}"));
    }
    let at = (0..ours.len().max(theirs.len())).find(|&at| ours.get(at) != theirs.get(at))?;
    Some(format!("node {at}: {:?} and {:?}", ours.get(at), theirs.get(at)))
}
