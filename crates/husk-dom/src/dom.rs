//! The arena of nodes: flat arrays in document order.
//!
//! The subtree of a node is a range of ids that starts with the node; its next sibling is the node right after that
//! range. All text is in one buffer in the same order, so the text of a subtree is one slice of it.

use std::ops::Range;

use web_atoms::LocalName;

use crate::attributes::{Attribute, AttributeRange, Attributes};
use crate::limits::ParseNote;

/// A node of one [`Dom`]. Ids grow in document order; the document itself is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node at an index in document order.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a page has fewer than 2^32 nodes"))
    }

    /// The node's index in document order, for tables with a value per node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The root of the tree.
    Document,
    /// `<!DOCTYPE …>`.
    Doctype,
    /// An element.
    Element,
    /// A run of text.
    Text,
    /// A comment.
    Comment,
    /// The contents of a `<template>`, which are not part of the page until a script inserts them.
    Fragment,
}

/// The namespace of an element.
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
    /// Number of nodes in the subtree, including this one.
    pub(crate) size: u32,
    /// Where the text of the subtree starts in the buffer.
    pub(crate) text_start: u32,
    /// The attributes. Comments and doctypes store their data as a value without name.
    pub(crate) attributes: AttributeRange,
    pub(crate) kind: NodeKind,
    pub(crate) namespace: Namespace,
    /// Whether it is a text that contains only white space.
    pub(crate) is_blank: bool,
}

/// A parsed page.
#[derive(Debug, Clone)]
pub struct Dom {
    nodes: Vec<Node>,
    text: String,
    attributes: Attributes,
    is_quirky: bool,
    pub(crate) notes: Vec<ParseNote>,
}

impl Dom {
    /// A page from its nodes and their text, both in document order.
    pub(crate) fn of(mut nodes: Vec<Node>, text: String, attributes: Attributes, is_quirky: bool) -> Self {
        mark_blank(&mut nodes, text.as_bytes());
        Self {
            nodes,
            text,
            attributes,
            is_quirky,
            notes: Vec::new(),
        }
    }

    /// What the parser cut because of its limits. Usually empty.
    pub fn notes(&self) -> &[ParseNote] {
        &self.notes
    }

    /// Whether browsers show the page in quirks mode.
    pub fn is_quirky(&self) -> bool {
        self.is_quirky
    }

    /// The number of nodes, including the document.
    #[expect(
        clippy::len_without_is_empty,
        reason = "never empty: there is always the document"
    )]
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes the page takes as HTML.
    pub fn bytes(&self) -> usize {
        /// The shortest tags have so many.
        const TAG: usize = 4;
        self.text.len() + self.attributes.written_bytes() + TAG * self.nodes.len()
    }

    /// The document, which is the root of all nodes.
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

    /// The kind of the node.
    #[inline]
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.node(node).kind
    }

    /// The name of an element. Empty for other nodes.
    #[inline]
    pub fn name(&self, node: NodeId) -> &LocalName {
        &self.node(node).name
    }

    /// The namespace of an element. HTML for other nodes.
    #[inline]
    pub fn namespace(&self, node: NodeId) -> Namespace {
        self.node(node).namespace
    }

    /// Whether the node is an HTML element with this name.
    #[inline]
    pub fn is_element(&self, node: NodeId, name: &LocalName) -> bool {
        let node = self.node(node);
        node.name == *name && node.kind == NodeKind::Element && node.namespace == Namespace::Html
    }

    /// Whether the node is a text that contains only white space.
    #[inline]
    pub fn is_blank_text(&self, node: NodeId) -> bool {
        self.node(node).is_blank
    }

    /// The parent. `None` for the document.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 != 0).then(|| self.node(node).parent)
    }

    /// The number of nodes in the subtree, including this one.
    #[inline]
    pub fn size(&self, node: NodeId) -> usize {
        self.node(node).size as usize
    }

    #[inline]
    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.node(node).size)
    }

    /// The subtree as a range of node indexes.
    #[inline]
    pub fn range(&self, node: NodeId) -> Range<usize> {
        node.index()..node.index() + self.size(node)
    }

    /// The text of the subtree, including scripts and styles.
    #[inline]
    pub fn text_of(&self, node: NodeId) -> &str {
        let start = self.node(node).text_start as usize;
        let end = self
            .nodes
            .get(self.end(node).index())
            .map_or(self.text.len(), |next| next.text_start as usize);
        &self.text[start..end]
    }

    /// The text of a comment. For a doctype, its name, public id and system id, separated by line ends.
    pub fn data(&self, node: NodeId) -> &str {
        let mut data = self.attributes.get(self.node(node).attributes);
        data.next().map_or("", |data| data.value)
    }

    /// The attributes of an element, in the order of the source.
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
        let node = self.node(node);
        match node.kind {
            NodeKind::Element => self.attributes.find(node.attributes, name),
            _ => None,
        }
    }
}

/// Marks the blank texts: every stage asks for them, and they can be long.
fn mark_blank(nodes: &mut [Node], text: &[u8]) {
    let mut end = text.len();
    for node in nodes.iter_mut().rev() {
        let start = node.text_start as usize;
        if node.kind == NodeKind::Text {
            node.is_blank = is_blank(&text[start..end]);
        }
        end = start;
    }
}

/// Whether a text contains only HTML white space. No-break spaces do not count.
pub(crate) fn is_blank(mut text: &[u8]) -> bool {
    while let Some((first, rest)) = text.split_first() {
        text = match text.split_first_chunk() {
            // Lines are indented by many spaces.
            Some((b"        ", rest)) => rest,
            _ if first.is_ascii_whitespace() => rest,
            _ => return false,
        };
    }
    true
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
    fn blank_texts_are_marked() {
        for (text, expect) in [
            (" ", true),
            ("\n              \t \x0C", true),
            ("                 x", false),
            ("\u{a0}", false),
        ] {
            let dom = Dom::parse(&format!("<p><i>{text}</i>"));
            let is_text = |&node: &NodeId| dom.kind(node) == NodeKind::Text;
            let blank: Vec<bool> = dom
                .nodes()
                .filter(is_text)
                .map(|node| dom.is_blank_text(node))
                .collect();
            assert_eq!(blank, [expect], "{text:?}");
            assert!(!dom.is_blank_text(dom.root()));
        }
    }

    #[test]
    fn every_page_has_html_and_head() {
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
