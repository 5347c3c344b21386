//! A linked tree, whose nodes can be moved; at the end it is flattened to document order.
//!
//! Most pages do not need it, since their nodes come in document order: see [`Tree`](super::tree::Tree).

use super::tree::NONE;
use crate::dom::{Node, NodeKind};
use crate::dom_builder::DomBuilder;

/// The neighbours of a node.
#[derive(Clone, Copy)]
struct Link {
    previous: u32,
    next: u32,
    /// The first and the last child. For a text, the first and the last piece.
    first: u32,
    last: u32,
}

const ALONE: Link = Link {
    previous: NONE,
    next: NONE,
    first: NONE,
    last: NONE,
};

/// A part of a text, as a range of the buffer. Most texts have one piece; those that continue after another text have more.
struct Piece {
    start: u32,
    end: u32,
    next: u32,
}

/// The links of all nodes of a tree. The nodes themselves store their parents.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    pieces: Vec<Piece>,
}

impl Links {
    /// Links nodes that are in document order; their text ends at `text_end`.
    pub(super) fn of(nodes: &[Node], text_end: u32) -> Self {
        let mut links = Self {
            links: Vec::with_capacity(nodes.len() + nodes.len() / 4),
            pieces: Vec::new(),
        };
        let ends = nodes.iter().skip(1).map(|next| next.text_start);
        for ((id, node), end) in (0..).zip(nodes).zip(ends.chain([text_end])) {
            links.links.push(ALONE);
            if id > 0 {
                links.set_last(node.parent.0, id);
            }
            if node.kind == NodeKind::Text {
                links.add_piece(id, node.text_start, end);
            }
        }
        links
    }

    /// Adds a detached node.
    pub(super) fn add(&mut self) {
        self.links.push(ALONE);
    }

    fn link(&mut self, id: u32) -> &mut Link {
        &mut self.links[id as usize]
    }

    pub(super) fn last_child(&self, parent: u32) -> u32 {
        self.links[parent as usize].last
    }

    pub(super) fn previous(&self, id: u32) -> u32 {
        self.links[id as usize].previous
    }

    fn set_last(&mut self, parent: u32, child: u32) {
        let before = std::mem::replace(&mut self.link(parent).last, child);
        self.link(child).previous = before;
        if before == NONE {
            self.link(parent).first = child;
        } else {
            self.link(before).next = child;
        }
    }

    /// Appends a detached node to a parent.
    pub(super) fn append(&mut self, nodes: &mut [Node], parent: u32, child: u32) {
        nodes[child as usize].parent.0 = parent;
        self.set_last(parent, child);
    }

    /// Inserts a detached node before a sibling.
    pub(super) fn insert_before(&mut self, nodes: &mut [Node], sibling: u32, child: u32) {
        let parent = nodes[sibling as usize].parent.0;
        nodes[child as usize].parent.0 = parent;
        let previous = std::mem::replace(&mut self.link(sibling).previous, child);
        let link = self.link(child);
        link.previous = previous;
        link.next = sibling;
        if previous == NONE {
            self.link(parent).first = child;
        } else {
            self.link(previous).next = child;
        }
    }

    /// Detaches a subtree from its parent, if it has one.
    pub(super) fn detach(&mut self, nodes: &mut [Node], id: u32) {
        let parent = std::mem::replace(&mut nodes[id as usize].parent.0, NONE);
        if parent == NONE {
            return;
        }
        let link = self.link(id);
        let Link { previous, next, .. } = *link;
        link.previous = NONE;
        link.next = NONE;
        if previous == NONE {
            self.link(parent).first = next;
        } else {
            self.link(previous).next = next;
        }
        if next == NONE {
            self.link(parent).last = previous;
        } else {
            self.link(next).previous = previous;
        }
    }

    /// Appends all children of one node to another.
    pub(super) fn move_children(&mut self, nodes: &mut [Node], from: u32, to: u32) {
        let link = self.link(from);
        let Link { first, last, .. } = *link;
        if first == NONE {
            return;
        }
        link.first = NONE;
        link.last = NONE;
        let mut child = first;
        while child != NONE {
            nodes[child as usize].parent.0 = to;
            child = self.link(child).next;
        }
        let before = std::mem::replace(&mut self.link(to).last, last);
        self.link(first).previous = before;
        if before == NONE {
            self.link(to).first = first;
        } else {
            self.link(before).next = first;
        }
    }

    /// Appends a range of the buffer to a text.
    pub(super) fn add_piece(&mut self, text: u32, start: u32, end: u32) {
        let link = &mut self.links[text as usize];
        if let Some(last) = self.pieces.get_mut(link.last as usize)
            && last.end == start
        {
            last.end = end;
            return;
        }
        let added = self.pieces.len() as u32;
        match self.pieces.get_mut(link.last as usize) {
            None => link.first = added,
            Some(last) => last.next = added,
        }
        link.last = added;
        self.pieces.push(Piece {
            start,
            end,
            next: NONE,
        });
    }

    /// Copies nodes and text in document order, without detached nodes.
    pub(super) fn flatten(self, nodes: Vec<Node>, text: &str) -> (DomBuilder, String) {
        let mut flattener = Flattener {
            builder: DomBuilder::with_capacity(nodes.len()),
            in_order: String::with_capacity(text.len()),
            nodes,
            links: self,
            text,
        };
        let mut next = Some(0);
        while let Some(id) = next {
            next = flattener.add(id);
        }
        (flattener.builder, flattener.in_order)
    }
}

/// A tree that is being flattened.
struct Flattener<'t> {
    nodes: Vec<Node>,
    links: Links,
    text: &'t str,
    builder: DomBuilder,
    in_order: String,
}

impl Flattener<'_> {
    /// Adds a node, and returns the one that follows.
    fn add(&mut self, id: u32) -> Option<u32> {
        let node = &mut self.nodes[id as usize];
        match node.kind {
            NodeKind::Text => {
                self.add_text(id);
                return self.first_after(id);
            }
            NodeKind::Comment | NodeKind::Doctype => {
                self.builder.add_leaf(node.kind, node.attributes);
                return self.first_after(id);
            }
            NodeKind::Document | NodeKind::Fragment => self.builder.open_root(node.kind),
            NodeKind::Element => {
                let name = std::mem::take(&mut node.name);
                self.builder.open_element(name, node.namespace, node.attributes);
            }
        }
        match self.links.link(id).first {
            NONE => {
                self.builder.close();
                self.first_after(id)
            }
            child => Some(child),
        }
    }

    fn add_text(&mut self, id: u32) {
        let before = self.in_order.len();
        let mut next = self.links.link(id).first;
        while let Some(piece) = self.links.pieces.get(next as usize) {
            self.in_order
                .push_str(&self.text[piece.start as usize..piece.end as usize]);
            next = piece.next;
        }
        self.builder.add_text((self.in_order.len() - before) as u32);
    }

    /// The node after a subtree. Closes the nodes that end with it.
    fn first_after(&mut self, id: u32) -> Option<u32> {
        let mut id = id;
        while self.links.link(id).next == NONE {
            if id == 0 {
                return None;
            }
            id = self.nodes[id as usize].parent.0;
            self.builder.close();
        }
        Some(self.links.link(id).next)
    }
}
