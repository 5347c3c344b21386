//! Counts the support of a key page's nodes.

use husk::Support;
use husk::dom::{Dom, NodeId, NodeKind, name};

/// The support of a key page's nodes.
pub(super) struct Supports(Vec<Support>);

impl Supports {
    /// No support.
    pub(super) fn none(key: &Dom) -> Self {
        Self(vec![Support::default(); key.len()])
    }

    /// Counts a node of the key page that is mapped to a node of another page.
    pub(super) fn count(&mut self, (key, node): (&Dom, NodeId), (other, mate): (&Dom, NodeId)) {
        let support = &mut self.0[node.index()];
        support.structural += 1;
        support.verbatim += u32::from(have_same_text((key, node), (other, mate)));
    }

    /// The number of pages in which a node is mapped.
    pub(super) fn of(&self, node: NodeId) -> u32 {
        self.0[node.index()].structural
    }

    /// The support of every node.
    pub(super) fn into_vec(self) -> Vec<Support> {
        self.0
    }
}

/// Whether two nodes have the same text or URLs, as written.
fn have_same_text((key, node): (&Dom, NodeId), (other, mate): (&Dom, NodeId)) -> bool {
    match key.kind(node) {
        NodeKind::Text => key
            .text_of(node)
            .split_ascii_whitespace()
            .eq(other.text_of(mate).split_ascii_whitespace()),
        NodeKind::Element => [name!("href"), name!("src"), name!("action"), name!("data")]
            .iter()
            .all(|attribute| key.attribute(node, attribute) == other.attribute(mate, attribute)),
        _ => true,
    }
}
