//! Builds a [`Dom`] from nodes in document order.

use web_atoms::{LocalName, local_name};

use crate::attributes::{AttributeRange, Attributes};
use crate::dom::{Dom, Namespace, Node, NodeId, NodeKind};

/// Builds a [`Dom`] from nodes that are added, opened and closed in document order.
pub(crate) struct DomBuilder {
    pub(crate) nodes: Vec<Node>,
    text_len: u32,
    /// The innermost open node.
    open: NodeId,
}

impl DomBuilder {
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            text_len: 0,
            open: NodeId(0),
        }
    }

    // Inlining avoids moving the node.
    #[inline(always)]
    fn add(
        &mut self,
        kind: NodeKind,
        name: LocalName,
        namespace: Namespace,
        attributes: AttributeRange,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            name,
            parent: self.open,
            size: 1,
            text_start: self.text_len,
            attributes,
            kind,
            namespace,
            is_blank: false,
        });
        id
    }

    /// Adds a doctype or a comment.
    pub(crate) fn add_leaf(&mut self, kind: NodeKind, data: AttributeRange) {
        self.add(kind, local_name!(""), Namespace::Html, data);
    }

    /// Adds a text with this length.
    pub(crate) fn add_text(&mut self, bytes: u32) {
        let none = AttributeRange::default();
        self.add(NodeKind::Text, local_name!(""), Namespace::Html, none);
        self.text_len += bytes;
    }

    /// Opens a document or a fragment.
    pub(crate) fn open_root(&mut self, kind: NodeKind) {
        let none = AttributeRange::default();
        self.open = self.add(kind, local_name!(""), Namespace::Html, none);
    }

    pub(crate) fn open_element(&mut self, name: LocalName, namespace: Namespace, attributes: AttributeRange) {
        self.open = self.add(NodeKind::Element, name, namespace, attributes);
    }

    /// Extends the text that was added last, if it is a child of `parent`. Returns whether it is.
    #[inline]
    pub(crate) fn extend_text_in(&mut self, parent: NodeId, bytes: u32) -> bool {
        let extends = self
            .nodes
            .last()
            .is_some_and(|last| last.kind == NodeKind::Text && last.parent == parent);
        if extends {
            self.text_len += bytes;
        }
        extends
    }

    /// Closes all nodes within `node`, so that the next one becomes its child. False if `node` is not open.
    #[inline]
    pub(crate) fn close_to(&mut self, node: NodeId) -> bool {
        while self.open != node {
            if self.open.0 == 0 {
                return false;
            }
            self.close();
        }
        true
    }

    /// Closes the innermost open node.
    pub(crate) fn close(&mut self) {
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[self.open.index()];
        node.size = end - self.open.0;
        self.open = node.parent;
    }

    /// Closes all nodes.
    pub(crate) fn close_all(&mut self) {
        self.close_to(NodeId(0));
        self.close();
    }

    /// The page. `text` is the text of all nodes in document order.
    pub(crate) fn finish(mut self, text: String, attributes: Attributes, is_quirky: bool) -> Dom {
        // Pages that are mostly text or scripts have far fewer nodes than were allocated.
        if self.nodes.len() < self.nodes.capacity() / 2 {
            self.nodes.shrink_to_fit();
        }
        Dom::of(self.nodes, text, attributes, is_quirky)
    }
}
