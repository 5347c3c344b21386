//! Ways through a page.

use crate::dom::{Dom, NodeId, NodeKind};

impl Dom {
    /// All nodes in document order, the document first.
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.len()).map(NodeId::from_index)
    }

    /// The node and all below it, in document order.
    #[inline]
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.range(node).map(NodeId::from_index)
    }

    /// The nodes right below, in document order.
    #[inline]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let end = self.end(node);
        let mut next = NodeId::from_index(node.index() + 1);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// The nodes above, innermost first, up to the document.
    #[inline]
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// Whether `node` is `above` or lies below it.
    #[inline]
    pub fn is_within(&self, node: NodeId, above: NodeId) -> bool {
        self.range(above).contains(&node.index())
    }

    /// Whether the node belongs to the page as it is shown, not to the contents of a `<template>`.
    pub fn is_in_page(&self, node: NodeId) -> bool {
        self.kind(node) != NodeKind::Fragment
            && self
                .ancestors(node)
                .all(|above| self.kind(above) != NodeKind::Fragment)
    }
}
