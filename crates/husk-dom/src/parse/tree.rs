//! The tree during parsing.
//!
//! Nodes usually come in document order, each into a node that is still open; then they are stored in their final order at
//! once. When a node is inserted elsewhere or moved, as happens with tables and badly nested tags, all nodes get [`Links`],
//! and are flattened at the end.

use web_atoms::{LocalName, local_name};

use super::links::Links;
use crate::attributes::{AttributeRange, Attributes};
use crate::dom::{Dom, Namespace, Node, NodeId, NodeKind};
use crate::dom_builder::DomBuilder;
use crate::limits::Limits;

/// No node: the end of a list of siblings, or no parent.
pub(super) const NONE: u32 = u32::MAX;

pub(super) const DOCUMENT: u32 = 0;

/// Where a node is inserted.
#[derive(Clone, Copy)]
pub(super) enum InsertionPoint {
    /// As the last child of this node.
    In(u32),
    /// Before this node.
    Before(u32),
}

/// The nodes built so far. Index 0 is the document.
pub(super) struct Tree {
    builder: DomBuilder,
    text: String,
    pub(super) attributes: Attributes,
    links: Option<Links>,
    /// Comments after the body, with their parents. They are added at the end, so that further nodes in the body are still
    /// in document order.
    trailing: Vec<(u32, AttributeRange)>,
    late_attributes: Vec<LateAttributes>,
}

/// Attributes that further `<html>` or `<body>` tags add to the first one, as indexes into the store.
struct LateAttributes {
    element: u32,
    stored: Vec<u32>,
}

impl Tree {
    /// A tree for a page of `bytes` bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        // Real pages have a node every 15 to 60 bytes. Unused capacity costs nothing.
        let mut builder = DomBuilder::with_capacity(bytes / 24 + 16);
        builder.open_root(NodeKind::Document);
        Self {
            builder,
            text: String::with_capacity(bytes / 2),
            attributes: Attributes::for_bytes(bytes),
            links: None,
            trailing: Vec::new(),
            late_attributes: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.builder.nodes.len() + self.trailing.len()
    }

    /// Whether there are too many attributes.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.attributes.is_full()
    }

    #[inline]
    pub(super) fn node(&self, id: u32) -> &Node {
        &self.builder.nodes[id as usize]
    }

    fn next_id(&self) -> u32 {
        u32::try_from(self.builder.nodes.len()).expect("the node limit is below 2^32")
    }

    /// Whether a node inserted here comes after all others in document order.
    #[inline]
    fn is_in_order(&mut self, point: InsertionPoint) -> bool {
        match point {
            InsertionPoint::In(parent) => self.links.is_none() && self.builder.close_to(NodeId(parent)),
            InsertionPoint::Before(_) => false,
        }
    }

    /// Links the nodes, unless they are linked already.
    pub(super) fn link(&mut self) {
        if self.links.is_none() {
            self.links = Some(Links::of(&self.builder.nodes, self.text.len() as u32));
        }
    }

    /// Links the last node of the list at its insertion point.
    fn link_last(&mut self, point: InsertionPoint) {
        let id = self.next_id() - 1;
        let nodes = &mut self.builder.nodes;
        nodes[id as usize].parent.0 = NONE;
        if let Some(links) = &mut self.links {
            links.add();
            match point {
                InsertionPoint::In(parent) => links.append(nodes, parent, id),
                InsertionPoint::Before(sibling) => links.insert_before(nodes, sibling, id),
            }
        }
    }

    #[inline]
    pub(super) fn add_element(
        &mut self,
        point: InsertionPoint,
        name: LocalName,
        namespace: Namespace,
        attributes: AttributeRange,
    ) -> u32 {
        let id = self.next_id();
        let is_in_order = self.is_in_order(point);
        if !is_in_order {
            self.link();
        }
        self.builder.open_element(name, namespace, attributes);
        if !is_in_order {
            self.link_last(point);
        }
        id
    }

    /// Adds the contents of a template: its first child, and the next node.
    pub(super) fn add_contents(&mut self, template: u32) {
        let is_in_order = self.is_in_order(InsertionPoint::In(template));
        if !is_in_order {
            self.link();
        }
        self.builder.open_root(NodeKind::Fragment);
        if !is_in_order {
            self.link_last(InsertionPoint::In(template));
        }
    }

    /// Creates a detached element.
    pub(super) fn add_loose_element(
        &mut self,
        name: LocalName,
        namespace: Namespace,
        attributes: AttributeRange,
    ) -> u32 {
        self.link();
        let id = self.next_id();
        self.builder.open_element(name, namespace, attributes);
        self.builder.nodes[id as usize].parent.0 = NONE;
        if let Some(links) = &mut self.links {
            links.add();
        }
        id
    }

    /// Creates a detached element with the name and attributes of another one.
    pub(super) fn add_loose_copy(&mut self, of: u32) -> u32 {
        let node = self.node(of);
        let (name, namespace, attributes) = (node.name.clone(), node.namespace, node.attributes);
        let attributes = self.attributes.share(attributes);
        self.add_loose_element(name, namespace, attributes)
    }

    /// Adds an element with the name and attributes of another one.
    pub(super) fn add_copy(&mut self, point: InsertionPoint, of: u32) -> u32 {
        let node = self.node(of);
        let (name, namespace, attributes) = (node.name.clone(), node.namespace, node.attributes);
        let attributes = self.attributes.share(attributes);
        self.add_element(point, name, namespace, attributes)
    }

    /// Adds a doctype or a comment.
    pub(super) fn add_leaf(&mut self, point: InsertionPoint, kind: NodeKind, data: &str) {
        let data = self.attributes.add([(local_name!(""), data)]);
        self.add_stored_leaf(point, kind, data);
    }

    fn add_stored_leaf(&mut self, point: InsertionPoint, kind: NodeKind, data: AttributeRange) {
        let is_in_order = self.is_in_order(point);
        if !is_in_order {
            self.link();
        }
        self.builder.add_leaf(kind, data);
        if !is_in_order {
            self.link_last(point);
        }
    }

    /// Creates a detached comment.
    #[cfg(feature = "oracle")]
    pub(super) fn add_loose_comment(&mut self, data: &str) -> u32 {
        let id = self.next_id();
        self.add_leaf(InsertionPoint::In(DOCUMENT), NodeKind::Comment, data);
        self.detach(id);
        id
    }

    /// Adds a comment after the body to `parent`.
    pub(super) fn add_trailing_comment(&mut self, parent: u32, data: &str) {
        let data = self.attributes.add([(local_name!(""), data)]);
        self.trailing.push((parent, data));
    }

    /// Inserts the comments after the body.
    pub(super) fn settle_trailing_comments(&mut self) {
        let mut trailing = std::mem::take(&mut self.trailing);
        // Those of the document come after those of its root.
        trailing.sort_by_key(|&(parent, _)| parent == DOCUMENT);
        for (parent, data) in trailing {
            self.add_stored_leaf(InsertionPoint::In(parent), NodeKind::Comment, data);
        }
    }

    /// Adds text, to the preceding text if there is one.
    #[inline]
    pub(super) fn add_text(&mut self, point: InsertionPoint, letters: &str) {
        let bytes = letters.len() as u32;
        if let (InsertionPoint::In(parent), None) = (point, &self.links)
            && self.builder.extend_text_in(NodeId(parent), bytes)
        {
            self.text.push_str(letters);
        } else if self.is_in_order(point) {
            self.text.push_str(letters);
            self.builder.add_text(bytes);
        } else {
            self.add_linked_text(point, letters);
        }
    }

    fn add_linked_text(&mut self, point: InsertionPoint, letters: &str) {
        self.link();
        let Some(links) = &mut self.links else { return };
        let before = match point {
            InsertionPoint::In(parent) => links.last_child(parent),
            InsertionPoint::Before(sibling) => links.previous(sibling),
        };
        let nodes = &self.builder.nodes;
        let is_text = nodes
            .get(before as usize)
            .is_some_and(|node| node.kind == NodeKind::Text);
        let text = if is_text { before } else { nodes.len() as u32 };
        if !is_text {
            self.builder.add_text(letters.len() as u32);
            self.link_last(point);
        }
        let start = self.text.len() as u32;
        self.text.push_str(letters);
        if let Some(links) = &mut self.links {
            links.add_piece(text, start, self.text.len() as u32);
        }
    }

    /// Moves a subtree.
    pub(super) fn move_to(&mut self, point: InsertionPoint, id: u32) {
        self.detach(id);
        let nodes = &mut self.builder.nodes;
        if let Some(links) = &mut self.links {
            match point {
                InsertionPoint::In(parent) => links.append(nodes, parent, id),
                InsertionPoint::Before(sibling) => links.insert_before(nodes, sibling, id),
            }
        }
    }

    /// Detaches a subtree.
    pub(super) fn detach(&mut self, id: u32) {
        self.link();
        if let Some(links) = &mut self.links {
            links.detach(&mut self.builder.nodes, id);
        }
    }

    /// Appends all children of one node to another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        self.link();
        if let Some(links) = &mut self.links {
            links.move_children(&mut self.builder.nodes, from, to);
        }
    }

    /// Adds attributes to an element that may have some.
    ///
    /// Up to the limit of attributes, since each one is compared with all before it.
    pub(super) fn add_late_attributes(&mut self, element: u32, attributes: AttributeRange) {
        let own = self.node(element).attributes;
        let known = self
            .late_attributes
            .iter()
            .position(|late| late.element == element);
        let index = known.unwrap_or_else(|| {
            self.late_attributes.push(LateAttributes {
                element,
                stored: Vec::new(),
            });
            self.late_attributes.len() - 1
        });
        let late = &mut self.late_attributes[index].stored;
        for stored in attributes.indexes() {
            if late.len() >= Limits::DEFAULT.attributes {
                return;
            }
            let name = self.attributes.name(stored);
            let mut others = own.indexes().chain(late.iter().copied());
            if others.all(|other| self.attributes.name(other) != name) {
                late.push(stored);
            }
        }
    }

    /// Copies the attributes of elements that got more of them later, since those of an element must be a range.
    fn settle_late_attributes(&mut self) {
        for LateAttributes { element, stored } in std::mem::take(&mut self.late_attributes) {
            let node = &mut self.builder.nodes[element as usize];
            node.attributes = self.attributes.extend(node.attributes, &stored);
        }
    }

    /// The page, its nodes in document order.
    pub(super) fn finish(mut self, is_quirky: bool) -> Dom {
        self.settle_trailing_comments();
        self.settle_late_attributes();
        let (builder, text) = match self.links {
            Some(links) => links.flatten(self.builder.nodes, &self.text),
            None => {
                self.builder.close_all();
                (self.builder, self.text)
            }
        };
        builder.finish(text, self.attributes, is_quirky)
    }
}
