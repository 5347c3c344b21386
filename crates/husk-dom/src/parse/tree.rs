//! The tree while it grows: nodes linked to each other, as html5ever moves them about.
//!
//! Ends as a [`Dom`] by [`Tree::flatten`], which lays the nodes out in document order.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name};

use super::texts::{Text, Texts, TextsInOrder};
use crate::attributes::{AttributeRange, Attributes};
use crate::dom::{Dom, DomBuilder, Namespace, NodeKind};
use crate::limits::Limits;

/// No node: the end of a chain of siblings, or no parent.
pub(super) const NONE: u32 = u32::MAX;

pub(super) enum Data {
    /// A document or a fragment.
    Root(NodeKind),
    /// A doctype or a comment, and its words.
    Remark(NodeKind, AttributeRange),
    Text(Text),
    Element(Element),
}

pub(super) struct Element {
    pub(super) name: LocalName,
    pub(super) namespace: Namespace,
    pub(super) attributes: AttributeRange,
    /// The fragment that a `<template>` holds.
    pub(super) contents: u32,
    pub(super) is_integration_point: bool,
}

pub(super) struct Node {
    pub(super) data: Data,
    pub(super) parent: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
}

/// The nodes built so far; index 0 is the document.
pub(super) struct Tree {
    nodes: Vec<Node>,
    texts: Texts,
    attributes: Attributes,
    late_attributes: Vec<LateAttributes>,
}

/// Attributes that further `<html>` or `<body>` tags add to the first.
struct LateAttributes {
    element: u32,
    attributes: Vec<(LocalName, StrTendril)>,
}

fn late_attributes_of(element: u32, all: &mut Vec<LateAttributes>) -> &mut Vec<(LocalName, StrTendril)> {
    let known = all.iter().position(|late| late.element == element);
    let index = known.unwrap_or_else(|| {
        all.push(LateAttributes {
            element,
            attributes: Vec::new(),
        });
        all.len() - 1
    });
    &mut all[index].attributes
}

/// The name, with its prefix where it has one.
fn full_name(name: QualName) -> LocalName {
    match name.prefix {
        // `xmlns` comes with one that is empty.
        Some(prefix) if !prefix.is_empty() => LocalName::from(format!("{prefix}:{}", name.local)),
        _ => name.local,
    }
}

impl Tree {
    /// A tree with room for the nodes of a page of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        // Real pages have a node every 15 to 60 bytes. Room that is not used costs nothing.
        let mut tree = Self {
            nodes: Vec::with_capacity(bytes / 24 + 16),
            texts: Texts::for_bytes(bytes),
            attributes: Attributes::for_bytes(bytes),
            late_attributes: Vec::new(),
        };
        tree.add(Data::Root(NodeKind::Document));
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no room for further attributes.
    pub(super) fn is_full(&self) -> bool {
        self.attributes.is_full()
    }

    // Inlined, a node is written to its place at once instead of being moved there.
    #[inline(always)]
    pub(super) fn add(&mut self, data: Data) -> u32 {
        let id = u32::try_from(self.nodes.len()).expect("the node limit is below 2^32");
        self.nodes.push(Node {
            data,
            parent: NONE,
            previous: NONE,
            next: NONE,
            first_child: NONE,
            last_child: NONE,
        });
        id
    }

    pub(super) fn node(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(super) fn append(&mut self, parent: u32, child: u32) {
        self.detach(child);
        let last = self.node(parent).last_child;
        let node = self.node(child);
        node.parent = parent;
        node.previous = last;
        if last == NONE {
            self.node(parent).first_child = child;
        } else {
            self.node(last).next = child;
        }
        self.node(parent).last_child = child;
    }

    pub(super) fn insert_before(&mut self, sibling: u32, child: u32) {
        self.detach(child);
        let Node { parent, previous, .. } = *self.node(sibling);
        let node = self.node(child);
        node.parent = parent;
        node.previous = previous;
        node.next = sibling;
        self.node(sibling).previous = child;
        if previous == NONE {
            self.node(parent).first_child = child;
        } else {
            self.node(previous).next = child;
        }
    }

    pub(super) fn detach(&mut self, id: u32) {
        let node = self.node(id);
        let Node {
            parent,
            previous,
            next,
            ..
        } = *node;
        if parent == NONE {
            return;
        }
        node.parent = NONE;
        node.previous = NONE;
        node.next = NONE;
        if previous == NONE {
            self.node(parent).first_child = next;
        } else {
            self.node(previous).next = next;
        }
        if next == NONE {
            self.node(parent).last_child = previous;
        } else {
            self.node(next).previous = previous;
        }
    }

    pub(super) fn reparent_children(&mut self, from: u32, to: u32) {
        let Node {
            first_child,
            last_child,
            ..
        } = *self.node(from);
        if first_child == NONE {
            return;
        }
        let mut child = first_child;
        while child != NONE {
            let node = self.node(child);
            node.parent = to;
            child = node.next;
        }
        let after = self.node(to).last_child;
        self.node(first_child).previous = after;
        if after == NONE {
            self.node(to).first_child = first_child;
        } else {
            self.node(after).next = first_child;
        }
        self.node(to).last_child = last_child;
        let node = self.node(from);
        node.first_child = NONE;
        node.last_child = NONE;
    }

    pub(super) fn add_attributes(&mut self, attributes: Vec<Attribute>) -> AttributeRange {
        self.attributes.add(
            attributes
                .into_iter()
                .map(|attribute| (full_name(attribute.name), attribute.value)),
        )
    }

    /// Adds attributes to an element that may have some.
    ///
    /// No more than so many: each is compared with all before it.
    pub(super) fn add_late_attributes(&mut self, id: u32, attributes: Vec<Attribute>) {
        let Data::Element(element) = &self.nodes[id as usize].data else {
            return;
        };
        let late = late_attributes_of(id, &mut self.late_attributes);
        for attribute in attributes {
            if late.len() >= Limits::DEFAULT.attributes {
                return;
            }
            let name = full_name(attribute.name);
            let mut own = self.attributes.get(element.attributes);
            if own.all(|known| *known.name != name) && late.iter().all(|(known, _)| *known != name) {
                late.push((name, attribute.value));
            }
        }
    }

    /// Puts the attributes of elements that got some late behind all others: those of an element are a range.
    fn settle_late_attributes(&mut self) {
        for late in std::mem::take(&mut self.late_attributes) {
            let Data::Element(element) = &mut self.nodes[late.element as usize].data else {
                continue;
            };
            let own = self.attributes.get(element.attributes);
            let own = own.map(|known| (known.name.clone(), StrTendril::from_slice(known.value)));
            let all: Vec<_> = own.chain(late.attributes).collect();
            element.attributes = self.attributes.add(all);
        }
    }

    pub(super) fn add_remark(&mut self, kind: NodeKind, words: &str) -> u32 {
        let words = self.attributes.add([(local_name!(""), words)]);
        self.add(Data::Remark(kind, words))
    }

    pub(super) fn add_text(&mut self, letters: &str) -> u32 {
        let text = self.texts.add(letters);
        self.add(Data::Text(text))
    }

    /// Adds to `before`, the node that the letters would follow, when that is a text; tells whether it was.
    pub(super) fn extend_text(&mut self, before: u32, letters: &str) -> bool {
        if before == NONE {
            return false;
        }
        let Data::Text(text) = &mut self.nodes[before as usize].data else {
            return false;
        };
        self.texts.extend(text, letters);
        true
    }

    /// Lays the nodes out in document order. Nodes that hang nowhere are left behind.
    pub(super) fn flatten(mut self, is_quirky: bool) -> Dom {
        self.settle_late_attributes();
        let mut layout = Layout {
            builder: DomBuilder::with_capacity(self.nodes.len()),
            nodes: self.nodes,
            texts: TextsInOrder::new(self.texts),
        };
        let mut next = Some(0);
        while let Some(id) = next {
            next = layout.add(id);
        }
        layout
            .builder
            .finish(layout.texts.finish(), self.attributes, is_quirky)
    }
}

/// A tree being laid out in document order.
struct Layout {
    nodes: Vec<Node>,
    texts: TextsInOrder,
    builder: DomBuilder,
}

impl Layout {
    /// Puts a node behind the others; says which comes next.
    fn add(&mut self, id: u32) -> Option<u32> {
        let node = &mut self.nodes[id as usize];
        match &mut node.data {
            Data::Text(text) => self.builder.add_text(self.texts.push(*text)),
            Data::Remark(kind, words) => self.builder.add_remark(*kind, *words),
            Data::Root(kind) => {
                let kind = *kind;
                self.builder.open_root(kind);
                return self.first_below(id);
            }
            Data::Element(element) => {
                let name = std::mem::take(&mut element.name);
                self.builder
                    .open_element(name, element.namespace, element.attributes);
                // A template has its contents as its only child, with what strayed into it behind.
                if element.contents != NONE {
                    let contents = element.contents;
                    let strayed = std::mem::replace(&mut node.first_child, contents);
                    self.nodes[contents as usize].parent = id;
                    self.nodes[contents as usize].next = strayed;
                }
                return self.first_below(id);
            }
        }
        self.first_behind(id)
    }

    fn first_below(&mut self, id: u32) -> Option<u32> {
        match self.nodes[id as usize].first_child {
            NONE => {
                self.builder.close();
                self.first_behind(id)
            }
            child => Some(child),
        }
    }

    /// The node behind a subtree. Closes the nodes that end with it.
    fn first_behind(&mut self, id: u32) -> Option<u32> {
        let mut node = &self.nodes[id as usize];
        while node.next == NONE {
            node = self.nodes.get(node.parent as usize)?;
            self.builder.close();
        }
        Some(node.next)
    }
}
