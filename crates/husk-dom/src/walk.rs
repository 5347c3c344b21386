//! Iterators over nodes.

use crate::dom::{Dom, NodeId, NodeKind};

impl Dom {
    /// All nodes in document order, starting with the document.
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.len()).map(NodeId::from_index)
    }

    /// The node and its descendants, in document order.
    #[inline]
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.range(node).map(NodeId::from_index)
    }

    /// The children, in document order.
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

    /// The ancestors, innermost first, up to the document.
    #[inline]
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// Whether `node` is `ancestor` or one of its descendants.
    #[inline]
    pub fn is_within(&self, node: NodeId, ancestor: NodeId) -> bool {
        self.range(ancestor).contains(&node.index())
    }

    /// Whether the node is part of the page, not of the contents of a `<template>`.
    pub fn is_in_page(&self, node: NodeId) -> bool {
        self.kind(node) != NodeKind::Fragment
            && self
                .ancestors(node)
                .all(|above| self.kind(above) != NodeKind::Fragment)
    }
}
