//! Compares a page with the result of html5ever.

#[path = "../every_node/mod.rs"]
mod every_node;

use every_node::nodes;
use husk_dom::{Dom, parse_by_html5ever, serialize};

/// The first node that differs, if any.
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
