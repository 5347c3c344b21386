//! The tree while it grows.
//!
//! Nodes mostly come in document order, each into a node that is still open; then they are laid out as a [`Dom`] has
//! them at once. When the first one comes elsewhere, or is moved, as happens around tables and badly nested tags,
//! all get [`Links`] to each other, and are laid out anew in the end.

use web_atoms::{LocalName, local_name};

use super::links::Links;
use crate::attributes::{AttributeRange, Attributes};
use crate::dom::{Dom, Namespace, Node, NodeId, NodeKind};
use crate::dom_builder::DomBuilder;
use crate::limits::Limits;

/// No node: the end of a chain of siblings, or no parent.
pub(super) const NONE: u32 = u32::MAX;

pub(super) const DOCUMENT: u32 = 0;

/// Where a node comes.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// At the end of that node.
    In(u32),
    /// Before that node.
    Before(u32),
}

/// The nodes built so far; index 0 is the document.
pub(super) struct Tree {
    builder: DomBuilder,
    text: String,
    pub(super) attributes: Attributes,
    links: Option<Links>,
    /// Comments behind the body: to which of the nodes around it they belong, and their words. While they wait, what
    /// else comes into the body is in order.
    trailing: Vec<(u32, AttributeRange)>,
    late_attributes: Vec<LateAttributes>,
}

/// Attributes that further `<html>` or `<body>` tags add to the first, by where they are stored.
struct LateAttributes {
    element: u32,
    stored: Vec<u32>,
}

impl Tree {
    /// A tree with room for the nodes of a page of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        // Real pages have a node every 15 to 60 bytes. Room that is not used costs nothing.
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

    /// Whether there is no room for further attributes.
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

    /// Whether a node at that place comes behind all others, and can be laid out at once.
    #[inline]
    fn is_in_order(&mut self, place: Place) -> bool {
        match place {
            Place::In(parent) => self.links.is_none() && self.builder.close_to(NodeId(parent)),
            Place::Before(_) => false,
        }
    }

    /// The links, which are made when they are first needed.
    pub(super) fn link(&mut self) {
        if self.links.is_none() {
            self.links = Some(Links::of(&self.builder.nodes, self.text.len() as u32));
        }
    }

    /// Puts the node that was made last at its place.
    fn link_last(&mut self, place: Place) {
        let id = self.next_id() - 1;
        let nodes = &mut self.builder.nodes;
        nodes[id as usize].parent.0 = NONE;
        if let Some(links) = &mut self.links {
            links.add();
            match place {
                Place::In(parent) => links.append(nodes, parent, id),
                Place::Before(sibling) => links.insert_before(nodes, sibling, id),
            }
        }
    }

    #[inline]
    pub(super) fn add_element(
        &mut self,
        place: Place,
        name: LocalName,
        namespace: Namespace,
        attributes: AttributeRange,
    ) -> u32 {
        let id = self.next_id();
        let is_in_order = self.is_in_order(place);
        if !is_in_order {
            self.link();
        }
        self.builder.open_element(name, namespace, attributes);
        if !is_in_order {
            self.link_last(place);
        }
        id
    }

    /// Adds the contents of a template, which are its first child, and the node right behind it.
    pub(super) fn add_contents(&mut self, template: u32) {
        let is_in_order = self.is_in_order(Place::In(template));
        if !is_in_order {
            self.link();
        }
        self.builder.open_root(NodeKind::Fragment);
        if !is_in_order {
            self.link_last(Place::In(template));
        }
    }

    /// Makes an element that stands nowhere yet.
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

    /// Makes an element of the same name and attributes as another, which stands nowhere yet.
    pub(super) fn add_loose_copy(&mut self, of: u32) -> u32 {
        let node = self.node(of);
        let (name, namespace, attributes) = (node.name.clone(), node.namespace, node.attributes);
        let attributes = self.attributes.share(attributes);
        self.add_loose_element(name, namespace, attributes)
    }

    /// Adds an element of the same name and attributes as another.
    pub(super) fn add_copy(&mut self, place: Place, of: u32) -> u32 {
        let node = self.node(of);
        let (name, namespace, attributes) = (node.name.clone(), node.namespace, node.attributes);
        let attributes = self.attributes.share(attributes);
        self.add_element(place, name, namespace, attributes)
    }

    /// Adds a doctype or a comment.
    pub(super) fn add_remark(&mut self, place: Place, kind: NodeKind, words: &str) {
        let words = self.attributes.add([(local_name!(""), words)]);
        self.add_stored_remark(place, kind, words);
    }

    fn add_stored_remark(&mut self, place: Place, kind: NodeKind, words: AttributeRange) {
        let is_in_order = self.is_in_order(place);
        if !is_in_order {
            self.link();
        }
        self.builder.add_remark(kind, words);
        if !is_in_order {
            self.link_last(place);
        }
    }

    /// Makes a comment that stands nowhere yet.
    #[cfg(feature = "oracle")]
    pub(super) fn add_loose_comment(&mut self, words: &str) -> u32 {
        let id = self.next_id();
        self.add_remark(Place::In(DOCUMENT), NodeKind::Comment, words);
        self.detach(id);
        id
    }

    /// Adds a comment that stands behind the body, in `parent`.
    pub(super) fn add_trailing_comment(&mut self, parent: u32, words: &str) {
        let words = self.attributes.add([(local_name!(""), words)]);
        self.trailing.push((parent, words));
    }

    /// Puts the comments behind the body where they belong.
    pub(super) fn settle_trailing_comments(&mut self) {
        let mut trailing = std::mem::take(&mut self.trailing);
        // Those of the document come behind those of its root.
        trailing.sort_by_key(|&(parent, _)| parent == DOCUMENT);
        for (parent, words) in trailing {
            self.add_stored_remark(Place::In(parent), NodeKind::Comment, words);
        }
    }

    /// Adds text: to the text that stands before that place, if there is one.
    #[inline]
    pub(super) fn add_text(&mut self, place: Place, letters: &str) {
        let bytes = letters.len() as u32;
        if let (Place::In(parent), None) = (place, &self.links)
            && self.builder.extend_text_in(NodeId(parent), bytes)
        {
            self.text.push_str(letters);
        } else if self.is_in_order(place) {
            self.text.push_str(letters);
            self.builder.add_text(bytes);
        } else {
            self.add_linked_text(place, letters);
        }
    }

    fn add_linked_text(&mut self, place: Place, letters: &str) {
        self.link();
        let Some(links) = &mut self.links else { return };
        let before = match place {
            Place::In(parent) => links.last_child(parent),
            Place::Before(sibling) => links.previous(sibling),
        };
        let nodes = &self.builder.nodes;
        let is_text = nodes
            .get(before as usize)
            .is_some_and(|node| node.kind == NodeKind::Text);
        let text = if is_text { before } else { nodes.len() as u32 };
        if !is_text {
            self.builder.add_text(letters.len() as u32);
            self.link_last(place);
        }
        let start = self.text.len() as u32;
        self.text.push_str(letters);
        if let Some(links) = &mut self.links {
            links.add_piece(text, start, self.text.len() as u32);
        }
    }

    /// Moves a node with all below it to another place.
    pub(super) fn move_to(&mut self, place: Place, id: u32) {
        self.detach(id);
        let nodes = &mut self.builder.nodes;
        if let Some(links) = &mut self.links {
            match place {
                Place::In(parent) => links.append(nodes, parent, id),
                Place::Before(sibling) => links.insert_before(nodes, sibling, id),
            }
        }
    }

    /// Takes a node with all below it out of the tree.
    pub(super) fn detach(&mut self, id: u32) {
        self.link();
        if let Some(links) = &mut self.links {
            links.detach(&mut self.builder.nodes, id);
        }
    }

    /// Moves all children of one node behind those of another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        self.link();
        if let Some(links) = &mut self.links {
            links.move_children(&mut self.builder.nodes, from, to);
        }
    }

    /// Adds attributes to an element that may have some.
    ///
    /// No more than so many: each is compared with all before it.
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
        for stored in attributes.places() {
            if late.len() >= Limits::DEFAULT.attributes {
                return;
            }
            let name = self.attributes.name(stored);
            let mut others = own.places().chain(late.iter().copied());
            if others.all(|other| self.attributes.name(other) != name) {
                late.push(stored);
            }
        }
    }

    /// Puts the attributes of elements that got some late behind all others: those of an element are a range.
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
