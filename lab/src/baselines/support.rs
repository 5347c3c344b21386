//! The support of the nodes of a key page, counted pair by pair.

use husk::Support;
use husk::dom::{Dom, NodeId, NodeKind, name};

/// The support of a key page's nodes while its pairs are counted.
pub(super) struct Supports(Vec<Support>);

impl Supports {
    /// None yet.
    pub(super) fn none(key: &Dom) -> Self {
        Self(vec![Support::default(); key.len()])
    }

    /// Counts a node of the key page that found its pair on another page.
    pub(super) fn count(&mut self, (key, node): (&Dom, NodeId), (other, mate): (&Dom, NodeId)) {
        let support = &mut self.0[node.index()];
        support.structural += 1;
        support.verbatim += u32::from(say_the_same((key, node), (other, mate)));
    }

    /// In how many pages a node found its pair.
    pub(super) fn of(&self, node: NodeId) -> u32 {
        self.0[node.index()].structural
    }

    /// The support of every node.
    pub(super) fn into_vec(self) -> Vec<Support> {
        self.0
    }
}

/// Whether two nodes say the same, addresses as they are written.
fn say_the_same((key, node): (&Dom, NodeId), (other, mate): (&Dom, NodeId)) -> bool {
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
