//! The sink of html5ever's tree builder, which builds the same [`Tree`], linked from the start.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

use super::super::tree::{InsertionPoint, NONE, Tree};
use crate::dom::{Dom, Namespace, NodeKind};

/// A node as the tree builder sees it. It holds the name, which is read far more often than it is copied.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: u32,
    namespace: Namespace,
    name: LocalName,
    is_integration_point: bool,
}

impl Handle {
    /// A node without a name: a document, a fragment or a comment.
    fn nameless(id: u32) -> Self {
        Self {
            id,
            namespace: Namespace::Html,
            name: local_name!(""),
            is_integration_point: false,
        }
    }

    fn end(&self) -> InsertionPoint {
        InsertionPoint::In(self.id)
    }
}

/// In the order of [`Namespace`].
static NAMESPACES: [html5ever::Namespace; 3] = [ns!(html), ns!(svg), ns!(mathml)];

impl ElemName for &Handle {
    fn ns(&self) -> &html5ever::Namespace {
        &NAMESPACES[self.namespace as usize]
    }

    fn local_name(&self) -> &LocalName {
        &self.name
    }
}

fn namespace(name: &QualName) -> Namespace {
    match name.ns {
        ns!(svg) => Namespace::Svg,
        ns!(mathml) => Namespace::MathMl,
        _ => Namespace::Html,
    }
}

/// An attribute with its prefixed name.
fn named(attribute: Attribute) -> (LocalName, StrTendril) {
    let QualName { prefix, local, .. } = attribute.name;
    let name = match prefix {
        // That of `xmlns` is empty.
        Some(prefix) if !prefix.is_empty() => LocalName::from(format!("{prefix}:{local}")),
        _ => local,
    };
    (name, attribute.value)
}

/// The sink of html5ever's tree builder.
pub(super) struct Sink {
    tree: RefCell<Tree>,
    quirks: Cell<bool>,
}

impl Sink {
    /// A sink for a page of `bytes` bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        let mut tree = Tree::for_bytes(bytes);
        tree.link();
        Self {
            tree: RefCell::new(tree),
            quirks: Cell::new(false),
        }
    }

    /// Whether there are too many attributes.
    pub(super) fn is_full(&self) -> bool {
        self.tree.borrow().is_full()
    }

    fn put(&self, point: InsertionPoint, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.move_to(point, child.id),
            NodeOrText::AppendText(text) => tree.add_text(point, &text),
        }
    }

    /// The number of nodes built.
    pub(super) fn len(&self) -> usize {
        self.tree.borrow().len()
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Dom;
    type ElemName<'a> = &'a Handle;

    fn finish(self) -> Dom {
        self.tree.into_inner().finish(self.quirks.get())
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::nameless(0)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a Handle {
        target
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut tree = self.tree.borrow_mut();
        let namespace = namespace(&name);
        let attributes = tree.attributes.add(attributes.into_iter().map(named));
        let id = tree.add_loose_element(name.local.clone(), namespace, attributes);
        if flags.template {
            tree.add_contents(id);
        }
        Handle {
            id,
            namespace,
            name: name.local,
            is_integration_point: flags.mathml_annotation_xml_integration_point,
        }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        let mut tree = self.tree.borrow_mut();
        Handle::nameless(tree.add_loose_comment(&text))
    }

    // HTML has no processing instructions: the tokenizer turns them into comments.
    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.put(parent.end(), child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.put(InsertionPoint::Before(sibling.id), child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.tree.borrow().node(element.id).parent.0 != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let data = format!("{name}\n{public_id}\n{system_id}");
        let mut tree = self.tree.borrow_mut();
        tree.add_leaf(self.get_document().end(), NodeKind::Doctype, &data);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        // They are the next node.
        Handle::nameless(target.id + 1)
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode == QuirksMode::Quirks);
    }

    fn add_attrs_if_missing(&self, target: &Handle, extra: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        let extra = tree.attributes.add(extra.into_iter().map(named));
        tree.add_late_attributes(target.id, extra);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.borrow_mut().move_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        target.is_integration_point
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &Handle) -> bool {
        // A shadow root would hide its nodes from other tools.
        false
    }
}
