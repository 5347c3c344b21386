//! The tree while it grows: nodes linked to each other, as html5ever moves them about.
//!
//! Ends as a [`Dom`] by [`Tree::flatten`], which lays the nodes out in document order.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName};

use crate::dom::{Dom, DomBuilder, Namespace};
use crate::hash::subtree_hashes;

/// No node: the end of a chain of siblings, or no parent.
pub(super) const NONE: u32 = u32::MAX;

pub(super) enum Data {
    Document,
    Fragment,
    Doctype {
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    },
    Comment(StrTendril),
    /// Its first and its last piece.
    Text {
        first: u32,
        last: u32,
    },
    Element {
        name: LocalName,
        namespace: Namespace,
        attributes: Vec<Attribute>,
        contents: u32,
        is_integration_point: bool,
    },
}

pub(super) struct Node {
    pub(super) data: Data,
    pub(super) parent: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
}

/// A piece of a text: where it stands in the buffer, and which piece follows.
///
/// The tokenizer sends a text in many small parts. They lie one behind the other unless other text came between,
/// as happens around tables; so nearly every text is one piece, and adding to it never copies what is there.
struct Piece {
    start: u32,
    end: u32,
    next: u32,
}

/// The nodes built so far; index 0 is the document.
pub(super) struct Tree {
    nodes: Vec<Node>,
    text: String,
    pieces: Vec<Piece>,
}

impl Tree {
    /// A tree with room for the nodes of a page of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        // Real pages have a node every 15 to 60 bytes. Room that is not used costs nothing.
        let mut tree = Self {
            nodes: Vec::with_capacity(bytes / 24 + 16),
            text: String::with_capacity(bytes / 2),
            pieces: Vec::with_capacity(bytes / 64 + 16),
        };
        tree.add(Data::Document);
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

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

    /// Puts a piece of text at the end of the buffer. Its length fits: it is no longer than the page.
    fn add_piece(&mut self, text: &str) -> u32 {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.pieces.push(Piece {
            start,
            end: self.text.len() as u32,
            next: NONE,
        });
        self.pieces.len() as u32 - 1
    }

    pub(super) fn add_text(&mut self, text: &str) -> u32 {
        let piece = self.add_piece(text);
        self.add(Data::Text {
            first: piece,
            last: piece,
        })
    }

    /// Adds text to `before`, the node it would follow, when that is a text; tells whether it was.
    pub(super) fn extend_text(&mut self, before: u32, text: &str) -> bool {
        if before == NONE {
            return false;
        }
        let Data::Text { last, .. } = self.node(before).data else {
            return false;
        };
        let piece = &mut self.pieces[last as usize];
        if piece.end as usize == self.text.len() {
            piece.end += text.len() as u32;
            self.text.push_str(text);
        } else {
            let added = self.add_piece(text);
            self.pieces[last as usize].next = added;
            if let Data::Text { last, .. } = &mut self.node(before).data {
                *last = added;
            }
        }
        true
    }

    fn pieces(&self, first: u32) -> impl Iterator<Item = &str> {
        let mut next = first;
        std::iter::from_fn(move || {
            let piece = self.pieces.get(next as usize)?;
            next = piece.next;
            Some(&self.text[piece.start as usize..piece.end as usize])
        })
    }

    /// Lays the nodes out in document order. Nodes that hang nowhere are left behind.
    pub(super) fn flatten(mut self, is_quirky: bool) -> Dom {
        let mut builder = DomBuilder::with_capacity(self.nodes.len(), self.text.len());
        let mut id = 0;
        loop {
            let node = self.node(id);
            let mut down = node.first_child;
            match &mut node.data {
                Data::Document => builder.open_document(),
                Data::Fragment => builder.open_fragment(),
                Data::Doctype {
                    name,
                    public_id,
                    system_id,
                } => {
                    builder.open_doctype(name, public_id, system_id);
                }
                Data::Comment(text) => builder.open_comment(text),
                Data::Text { first, .. } => {
                    let first = *first;
                    builder.open_text(self.pieces(first));
                }
                Data::Element {
                    name,
                    namespace,
                    attributes,
                    contents,
                    ..
                } => {
                    builder.open_element(std::mem::take(name), *namespace, attributes);
                    // A template has its contents as its only child, with what strayed into it behind.
                    if *contents != NONE {
                        let contents = std::mem::replace(contents, NONE);
                        self.node(contents).parent = id;
                        self.node(contents).next = down;
                        down = contents;
                    }
                }
            }
            if down != NONE {
                id = down;
                continue;
            }
            loop {
                builder.close();
                let node = self.node(id);
                if node.next != NONE {
                    id = node.next;
                    break;
                }
                if node.parent == NONE {
                    let mut dom = builder.finish(is_quirky);
                    dom.hashes = subtree_hashes(&dom);
                    return dom;
                }
                id = node.parent;
            }
        }
    }
}
