//! Builds a page node by node, for sources other than HTML.

use web_atoms::LocalName;

use crate::attributes::Attributes;
use crate::dom::{Dom, Namespace, NodeId, NodeKind};
use crate::dom_builder::DomBuilder;

/// Builds a [`Dom`] from nodes that are added, opened and closed in document order. The document itself exists already.
///
/// ```
/// use husk_dom::{DomWriter, Namespace, name};
///
/// let mut writer = DomWriter::new();
/// writer.open(name!("html"), Namespace::Html, []);
/// writer.open(name!("body"), Namespace::Html, [(name!("class"), "plain")]);
/// writer.text("Hello");
/// assert_eq!(writer.finish().text_of(husk_dom::NodeId::from_index(0)), "Hello");
/// ```
pub struct DomWriter {
    builder: DomBuilder,
    text: String,
    attributes: Attributes,
    depth: usize,
}

/// The maximum size of text and of attribute values: offsets have 32 bits.
const MAX_BYTES: usize = u32::MAX as usize / 8;

impl Default for DomWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl DomWriter {
    /// A page with only its document.
    pub fn new() -> Self {
        let mut builder = DomBuilder::with_capacity(64);
        builder.open_root(NodeKind::Document);
        Self {
            builder,
            text: String::new(),
            attributes: Attributes::for_bytes(MAX_BYTES.min(1 << 12)),
            depth: 0,
        }
    }

    /// Opens an element. The nodes that follow are its descendants, until it is closed.
    pub fn open<'a>(
        &mut self,
        name: LocalName,
        namespace: Namespace,
        attributes: impl IntoIterator<Item = (LocalName, &'a str)>,
    ) {
        let attributes = self.attributes.add(attributes);
        self.builder.open_element(name, namespace, attributes);
        self.depth += 1;
    }

    /// Opens the contents of a `<template>`.
    pub fn open_fragment(&mut self) {
        self.builder.open_root(NodeKind::Fragment);
        self.depth += 1;
    }

    /// Closes the innermost open node.
    pub fn close(&mut self) {
        if self.depth > 0 {
            self.depth -= 1;
            self.builder.close();
        }
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        let text = &text[..text.floor_char_boundary(MAX_BYTES.saturating_sub(self.text.len()))];
        self.text.push_str(text);
        self.builder.add_text(text.len() as u32);
    }

    /// Adds a comment.
    pub fn comment(&mut self, data: &str) {
        self.add_leaf(NodeKind::Comment, data);
    }

    /// Adds a doctype: its name, public id and system id, separated by line ends, as [`Dom::data`] returns them.
    pub fn doctype(&mut self, data: &str) {
        self.add_leaf(NodeKind::Doctype, data);
    }

    fn add_leaf(&mut self, kind: NodeKind, data: &str) {
        let data = self.attributes.add([(LocalName::default(), data)]);
        self.builder.add_leaf(kind, data);
    }

    /// Adds a copy of a node of another page, without its descendants. Returns whether the copy is open, so that the
    /// caller has to close it.
    pub fn copy(&mut self, dom: &Dom, node: NodeId) -> bool {
        match dom.kind(node) {
            NodeKind::Text => self.text(dom.text_of(node)),
            NodeKind::Comment => self.comment(dom.data(node)),
            NodeKind::Doctype => self.doctype(dom.data(node)),
            NodeKind::Document => {}
            NodeKind::Fragment => {
                self.open_fragment();
                return true;
            }
            NodeKind::Element => {
                let attributes = dom.attributes(node);
                let attributes = attributes.map(|attribute| (attribute.name.clone(), attribute.value));
                self.open(dom.name(node).clone(), dom.namespace(node), attributes);
                return true;
            }
        }
        false
    }

    /// The page, with all open nodes closed.
    pub fn finish(mut self) -> Dom {
        while self.depth > 0 {
            self.close();
        }
        self.builder.close();
        self.builder.finish(self.text, self.attributes, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{name, outline};

    #[test]
    fn copies_a_page_node_by_node() {
        let html = "<!DOCTYPE html><!-- a --><p class=x>one<b>two</b></p><template><i>three</i></template><svg><g/></svg>";
        let dom = Dom::parse(html);
        let mut writer = DomWriter::new();
        let mut open: Vec<usize> = Vec::new();
        for node in dom.nodes() {
            while open.last().is_some_and(|&end| end <= node.index()) {
                open.pop();
                writer.close();
            }
            if writer.copy(&dom, node) {
                open.push(dom.range(node).end);
            }
        }
        let copy = writer.finish();
        assert_eq!(outline(&copy), outline(&dom));
        assert_eq!(copy.text_of(copy.document()), dom.text_of(dom.document()));
        assert_eq!(copy.len(), dom.len());
    }

    #[test]
    fn closing_too_often_is_ignored() {
        let mut writer = DomWriter::new();
        writer.close();
        writer.open(name!("html"), Namespace::Html, []);
        writer.close();
        writer.close();
        writer.open(name!("p"), Namespace::Html, []);
        assert_eq!(writer.finish().len(), 3);
    }
}
