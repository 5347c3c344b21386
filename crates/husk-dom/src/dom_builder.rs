//! Nodes in document order to a [`Dom`].

use web_atoms::{LocalName, local_name};

use crate::attributes::{AttributeRange, Attributes};
use crate::dom::{Dom, Namespace, Node, NodeId, NodeKind};

/// Builds a [`Dom`] from nodes added, opened and closed in document order.
pub(crate) struct DomBuilder {
    pub(crate) nodes: Vec<Node>,
    text_len: u32,
    /// The innermost node that is open.
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

    // Inlined, a node is written to its place at once instead of being moved there.
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
        });
        id
    }

    /// Adds a doctype or a comment.
    pub(crate) fn add_remark(&mut self, kind: NodeKind, words: AttributeRange) {
        self.add(kind, local_name!(""), Namespace::Html, words);
    }

    /// Adds a text of so many bytes.
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

    /// Makes the text that was added last longer by so many bytes, if it stands right in that node; tells whether it does.
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

    /// Closes what is open within that node, so that the next one comes into it. If it is not open any more, nothing
    /// comes to a good end: tells whether it is.
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

    /// Closes everything.
    pub(crate) fn close_all(&mut self) {
        self.close_to(NodeId(0));
        self.close();
    }

    /// The page. `text` has the texts that were added, one behind the other.
    pub(crate) fn finish(mut self, text: String, attributes: Attributes, is_quirky: bool) -> Dom {
        // Pages that are mostly text or scripts have far fewer nodes than there is room for.
        if self.nodes.len() < self.nodes.capacity() / 2 {
            self.nodes.shrink_to_fit();
        }
        Dom::of(self.nodes, text, attributes, is_quirky)
    }
}
