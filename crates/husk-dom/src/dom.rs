//! The arena: nodes in document order, in flat arrays.
//!
//! The subtree of a node is the range of ids from the node itself, as long as its size; its next sibling is the
//! node right behind that range. All texts lie in one buffer in the same order, so the text of a subtree is one
//! slice of it.

use std::ops::Range;
use std::sync::OnceLock;

use web_atoms::LocalName;

use crate::attributes::{Attribute, AttributeRange, Attributes};
use crate::limits::Note;

/// A node of one [`Dom`]. Ids grow in document order; the document itself is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node at a place in document order.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a page has fewer than 2^32 nodes"))
    }

    /// The node's place in document order, for side tables that hold a value per node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The root of everything, once.
    Document,
    /// `<!DOCTYPE …>`.
    Doctype,
    /// An element.
    Element,
    /// A run of text.
    Text,
    /// A comment.
    Comment,
    /// The contents of a `<template>`: not part of the page until a script puts them there.
    Fragment,
}

/// The vocabulary that an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: LocalName,
    pub(crate) parent: NodeId,
    /// Nodes of the subtree, this one included.
    pub(crate) size: u32,
    /// Where its text, or the texts below it, begin.
    pub(crate) text_start: u32,
    /// Its attributes; those of a comment or doctype are its words, without a name.
    pub(crate) attributes: AttributeRange,
    pub(crate) kind: NodeKind,
    pub(crate) namespace: Namespace,
}

/// The two hashes of a subtree.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hashes {
    /// Kinds and names of nodes.
    pub(crate) structure: u64,
    /// The same with texts and attributes.
    pub(crate) content: u64,
}

/// A parsed page.
#[derive(Debug, Clone)]
pub struct Dom {
    nodes: Vec<Node>,
    /// Made when they are first asked for: many pages are only read for their links.
    pub(crate) hashes: OnceLock<Vec<Hashes>>,
    text: String,
    attributes: Attributes,
    is_quirky: bool,
    pub(crate) notes: Vec<Note>,
}

impl Dom {
    /// A page of nodes in document order, with their texts one behind the other.
    pub(crate) fn of(nodes: Vec<Node>, text: String, attributes: Attributes, is_quirky: bool) -> Self {
        Self {
            nodes,
            hashes: OnceLock::new(),
            text,
            attributes,
            is_quirky,
            notes: Vec::new(),
        }
    }

    /// What the parser did not take as it stood, because of its limits. Mostly empty.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether browsers show the page in quirks mode.
    pub fn is_quirky(&self) -> bool {
        self.is_quirky
    }

    /// How many nodes the page has, the document included.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a page is never empty: it has its document"
    )]
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The document: the root of all nodes.
    #[inline]
    pub fn document(&self) -> NodeId {
        NodeId(0)
    }

    /// The `<html>` element. Every parsed page has one.
    pub fn root(&self) -> NodeId {
        self.children(self.document())
            .find(|&node| self.kind(node) == NodeKind::Element)
            .unwrap_or(self.document())
    }

    /// The first child of `<html>` with this name: `head`, `body` or `frameset`.
    pub fn part(&self, name: &LocalName) -> Option<NodeId> {
        self.children(self.root())
            .find(|&node| self.is_element(node, name))
    }

    #[inline]
    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// What the node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.node(node).kind
    }

    /// The name of an element; empty for other nodes.
    #[inline]
    pub fn name(&self, node: NodeId) -> &LocalName {
        &self.node(node).name
    }

    /// The vocabulary of an element; HTML for other nodes.
    #[inline]
    pub fn namespace(&self, node: NodeId) -> Namespace {
        self.node(node).namespace
    }

    /// Whether the node is an HTML element of this name.
    #[inline]
    pub fn is_element(&self, node: NodeId, name: &LocalName) -> bool {
        let node = self.node(node);
        node.name == *name && node.kind == NodeKind::Element && node.namespace == Namespace::Html
    }

    /// Whether the node is a text of nothing but white space.
    #[inline]
    pub fn is_blank_text(&self, node: NodeId) -> bool {
        self.kind(node) == NodeKind::Text && is_blank(self.text_of(node))
    }

    /// The node above; none for the document.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 != 0).then(|| self.node(node).parent)
    }

    /// Nodes of the subtree, this one included.
    #[inline]
    pub fn size(&self, node: NodeId) -> usize {
        self.node(node).size as usize
    }

    #[inline]
    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.node(node).size)
    }

    /// The subtree as a range of indexes.
    #[inline]
    pub fn range(&self, node: NodeId) -> Range<usize> {
        node.index()..node.index() + self.size(node)
    }

    /// The text of a text node, or all texts of the subtree one behind the other, scripts and styles included.
    #[inline]
    pub fn text_of(&self, node: NodeId) -> &str {
        let start = self.node(node).text_start as usize;
        let end = self
            .nodes
            .get(self.end(node).index())
            .map_or(self.text.len(), |next| next.text_start as usize);
        &self.text[start..end]
    }

    /// The words of a comment; for a doctype its name, public and system id, separated by line ends.
    pub fn remark(&self, node: NodeId) -> &str {
        let mut words = self.attributes.get(self.node(node).attributes);
        words.next().map_or("", |words| words.value)
    }

    /// The attributes of an element, in the order of the page.
    #[inline]
    pub fn attributes(&self, node: NodeId) -> impl ExactSizeIterator<Item = Attribute<'_>> + Clone {
        let range = match self.kind(node) {
            NodeKind::Element => self.node(node).attributes,
            _ => AttributeRange::default(),
        };
        self.attributes.get(range)
    }

    /// The value of an attribute of an element.
    #[inline]
    pub fn attribute(&self, node: NodeId, name: &LocalName) -> Option<&str> {
        self.attributes(node)
            .find(|attribute| attribute.name == name)
            .map(|attribute| attribute.value)
    }
}

/// Whether a text has nothing but HTML white space, no-break spaces not included.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name;

    #[test]
    fn subtrees_are_ranges() {
        let dom = Dom::parse("<div id=a><p>one<b>two</b></p><p>three</p></div><i>four</i>");
        let div = dom
            .nodes()
            .find(|&node| dom.is_element(node, &name!("div")))
            .unwrap();
        assert_eq!(dom.size(div), 7);
        assert_eq!(dom.text_of(div), "onetwothree");
        let children: Vec<_> = dom.children(div).collect();
        assert_eq!(children.len(), 2);
        assert_eq!(dom.text_of(children[1]), "three");
        assert_eq!(dom.parent(children[1]), Some(div));
        assert_eq!(dom.range(children[0]), children[0].index()..children[1].index());
        assert_eq!(dom.attribute(div, &name!("id")), Some("a"));
    }

    #[test]
    fn every_page_has_its_frame() {
        for text in ["", " ", "<frameset>", "\0", "</html>", "text", "<!-- -->"] {
            let dom = Dom::parse(text);
            assert_eq!(dom.name(dom.root()), &name!("html"), "{text:?}");
            assert!(dom.part(&name!("head")).is_some(), "{text:?}");
        }
    }

    #[test]
    fn foreign_attributes_keep_their_prefix() {
        let dom =
            Dom::parse("<svg xmlns='http://www.w3.org/2000/svg' viewbox='0'><use xlink:href='#a'/></svg>");
        let svg = dom.nodes().find(|&node| &**dom.name(node) == "svg").unwrap();
        let names: Vec<_> = dom
            .attributes(svg)
            .map(|attribute| attribute.name.to_string())
            .collect();
        assert_eq!(names, ["xmlns", "viewBox"]);
        let uses = dom.nodes().find(|&node| &**dom.name(node) == "use").unwrap();
        assert_eq!(dom.namespace(uses), Namespace::Svg);
        let attributes: Vec<_> = dom
            .attributes(uses)
            .map(|a| (a.name.to_string(), a.value))
            .collect();
        assert_eq!(attributes, [("xlink:href".to_owned(), "#a")]);
    }
}
