//! Removes the containers around the content.

use husk_dom::{Dom, NodeId, NodeKind};

use super::numbers::WORDS_OF_LAYOUT_CELL;
use crate::mapping::NodeSet;

/// Elements that may be only containers.
const CONTAINERS: &[&str] = &["article", "body", "center", "div", "form", "main", "section"];

/// The content without the containers with more than half of its words, their ancestors, and the empty siblings of
/// these.
pub(super) fn without(dom: &Dom, mut is_content: Vec<bool>, words_of: impl Fn(NodeId) -> u32) -> NodeSet {
    let words = words_up_to(dom, &is_content, words_of);
    let words_in = |node: NodeId| words[dom.range(node).end] - words[node.index()];
    let may_frame = |node: NodeId| match &**dom.name(node) {
        "td" => words_in(node) >= WORDS_OF_LAYOUT_CELL,
        name => CONTAINERS.contains(&name),
    };
    let is_frame = |node: &NodeId| {
        dom.kind(*node) == NodeKind::Element
            && may_frame(*node)
            && 2 * u64::from(words_in(*node)) > u64::from(words[dom.len()])
    };
    if let Some(innermost) = dom.nodes().rfind(is_frame) {
        is_content[innermost.index()] = false;
        for frame in dom.ancestors(innermost) {
            is_content[frame.index()] = false;
            for silent in dom.children(frame).filter(|&child| words_in(child) == 0) {
                is_content[dom.range(silent)].fill(false);
            }
        }
    }
    let mut nodes = NodeSet::none(dom);
    dom.nodes()
        .filter(|node| is_content[node.index()])
        .for_each(|node| nodes.insert(node));
    nodes
}

/// The words of the content before each node, and of all at the end.
fn words_up_to(dom: &Dom, is_content: &[bool], words_of: impl Fn(NodeId) -> u32) -> Vec<u32> {
    let mut sums = Vec::with_capacity(dom.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    for node in dom.nodes() {
        if is_content[node.index()] {
            sum += words_of(node);
        }
        sums.push(sum);
    }
    sums
}
