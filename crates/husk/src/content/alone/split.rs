//! The best way to split a page into content and the rest.

use husk_dom::{Dom, NodeId};

/// What a border between a node and its parent costs, in nats: evidence below this is speckle.
const BORDER: f64 = 3.0;

/// For each node whether it is content, so that the evidence of the content, less the cost of all borders, is the most.
///
/// The body is not content; below it either may stand in the other, to any depth. The best is found exactly, in two
/// passes over the page: up, for what each subtree is worth with its root in and out, and down, for what that takes.
pub(super) fn best(dom: &Dom, body: NodeId, evidence: impl Fn(NodeId) -> f64) -> Vec<bool> {
    let mut worth: Vec<Worth> = dom
        .nodes()
        .map(|node| Worth {
            inside: evidence(node),
            outside: 0.0,
        })
        .collect();
    for node in dom.subtree(body).rev() {
        if let Some(parent) = dom.parent(node) {
            let Worth { inside, outside } = worth[node.index()];
            worth[parent.index()].inside += inside.max(outside - BORDER);
            worth[parent.index()].outside += outside.max(inside - BORDER);
        }
    }
    let mut is_content = vec![false; dom.len()];
    for node in dom.subtree(body).skip(1) {
        let Worth { inside, outside } = worth[node.index()];
        let border = match dom.parent(node) {
            Some(parent) if is_content[parent.index()] => BORDER,
            _ => -BORDER,
        };
        // A tie makes the border as high up as can be: the element around a text goes with it.
        is_content[node.index()] = inside + border >= outside;
    }
    is_content
}

/// What a subtree is worth at best.
#[derive(Debug, Clone, Copy)]
struct Worth {
    /// If its root is content.
    inside: f64,
    /// If it is not.
    outside: f64,
}
