//! The tree while it grows: nodes linked to each other, as html5ever moves them about.
//!
//! Ends as a [`Dom`] by [`Tree::flatten`], which lays the nodes out in document order.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

use crate::dom::{Dom, DomBuilder};
use crate::hash::subtree_hashes;

/// No node: the end of a chain of siblings, or no parent.
const NONE: u32 = u32::MAX;

/// A node as the tree builder holds it. It carries the name, which is asked for far more often than it is copied.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: u32,
    space: Namespace,
    local: LocalName,
}

impl ElemName for &Handle {
    fn ns(&self) -> &Namespace {
        &self.space
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

enum Data {
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
        name: QualName,
        attributes: Vec<Attribute>,
        contents: u32,
        is_integration_point: bool,
    },
}

struct Node {
    data: Data,
    parent: u32,
    previous: u32,
    next: u32,
    first_child: u32,
    last_child: u32,
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
struct Nodes {
    nodes: Vec<Node>,
    text: String,
    pieces: Vec<Piece>,
}

impl Nodes {
    fn add(&mut self, data: Data) -> u32 {
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

    fn node(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    fn append(&mut self, parent: u32, child: u32) {
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

    fn insert_before(&mut self, sibling: u32, child: u32) {
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

    fn detach(&mut self, id: u32) {
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

    fn reparent_children(&mut self, from: u32, to: u32) {
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

    fn add_text(&mut self, text: &str) -> u32 {
        let piece = self.add_piece(text);
        self.add(Data::Text {
            first: piece,
            last: piece,
        })
    }

    /// Adds text to `before`, the node it would follow, when that is a text; tells whether it was.
    fn extend_text(&mut self, before: u32, text: &str) -> bool {
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
}

/// The sink of html5ever's tree builder.
pub(super) struct Tree {
    nodes: RefCell<Nodes>,
    quirks: Cell<bool>,
}

impl Tree {
    /// A tree with room for the nodes of a page of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        // Real pages have a node every 15 to 60 bytes. Room that is not used costs nothing.
        let mut nodes = Nodes {
            nodes: Vec::with_capacity(bytes / 24 + 16),
            text: String::with_capacity(bytes / 2),
            pieces: Vec::with_capacity(bytes / 64 + 16),
        };
        nodes.add(Data::Document);
        Self {
            nodes: RefCell::new(nodes),
            quirks: Cell::new(false),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.borrow().nodes.len()
    }

    /// Lays the nodes out in document order. Nodes that hang nowhere are left behind.
    fn flatten(self) -> Dom {
        let mut nodes = self.nodes.into_inner();
        let mut builder = DomBuilder::with_capacity(nodes.nodes.len(), nodes.text.len());
        let mut id = 0;
        loop {
            let node = nodes.node(id);
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
                    builder.open_text(nodes.pieces(first));
                }
                Data::Element {
                    name,
                    attributes,
                    contents,
                    ..
                } => {
                    builder.open_element(name, attributes);
                    // A template has its contents as its only child, with what strayed into it behind.
                    if *contents != NONE {
                        let contents = std::mem::replace(contents, NONE);
                        nodes.node(contents).parent = id;
                        nodes.node(contents).next = down;
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
                let node = nodes.node(id);
                if node.next != NONE {
                    id = node.next;
                    break;
                }
                if node.parent == NONE {
                    let mut dom = builder.finish(self.quirks.get());
                    dom.hashes = subtree_hashes(&dom);
                    return dom;
                }
                id = node.parent;
            }
        }
    }

    fn handle(id: u32, name: &QualName) -> Handle {
        Handle {
            id,
            space: name.ns.clone(),
            local: name.local.clone(),
        }
    }

    /// A node without a name: a document, a fragment or a comment.
    fn nameless(id: u32) -> Handle {
        Handle {
            id,
            space: ns!(),
            local: local_name!(""),
        }
    }
}

impl TreeSink for Tree {
    type Handle = Handle;
    type Output = Dom;
    type ElemName<'a> = &'a Handle;

    fn finish(self) -> Dom {
        self.flatten()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Self::nameless(0)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a Handle {
        target
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        let contents = if flags.template {
            nodes.add(Data::Fragment)
        } else {
            NONE
        };
        let handle = Self::handle(NONE, &name);
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        let id = nodes.add(Data::Element {
            name,
            attributes,
            contents,
            is_integration_point,
        });
        Handle { id, ..handle }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        Self::nameless(self.nodes.borrow_mut().add(Data::Comment(text)))
    }

    // HTML has no processing instructions: the tokenizer makes comments of them.
    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut nodes = self.nodes.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => nodes.append(parent.id, child.id),
            NodeOrText::AppendText(text) => {
                let last = nodes.node(parent.id).last_child;
                if !nodes.extend_text(last, &text) {
                    let id = nodes.add_text(&text);
                    nodes.append(parent.id, id);
                }
            }
        }
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut nodes = self.nodes.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => nodes.insert_before(sibling.id, child.id),
            NodeOrText::AppendText(text) => {
                let before = nodes.node(sibling.id).previous;
                if !nodes.extend_text(before, &text) {
                    let id = nodes.add_text(&text);
                    nodes.insert_before(sibling.id, id);
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow_mut().node(element.id).parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let mut nodes = self.nodes.borrow_mut();
        let id = nodes.add(Data::Doctype {
            name,
            public_id,
            system_id,
        });
        nodes.append(0, id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.nodes.borrow_mut().node(target.id).data {
            Data::Element { contents, .. } if contents != NONE => Self::nameless(contents),
            _ => target.clone(),
        }
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode == QuirksMode::Quirks);
    }

    fn add_attrs_if_missing(&self, target: &Handle, extra: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.nodes.borrow_mut().node(target.id).data {
            for attribute in extra {
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.nodes.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.nodes.borrow_mut().reparent_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        match self.nodes.borrow_mut().node(target.id).data {
            Data::Element {
                is_integration_point, ..
            } => is_integration_point,
            _ => false,
        }
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &Handle) -> bool {
        // A shadow root would hide its nodes from every other tool that reads the page.
        false
    }
}
