//! A page written node by node, by those who have one in another form than HTML.

use web_atoms::LocalName;

use crate::attributes::Attributes;
use crate::dom::{Dom, Namespace, NodeId, NodeKind};
use crate::dom_builder::DomBuilder;

/// Builds a [`Dom`] from nodes added, opened and closed in document order. The document itself is there already.
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

/// How much text and how many bytes of values a page may have: offsets are kept in 32 bits.
const MOST_BYTES: usize = u32::MAX as usize / 8;

impl Default for DomWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl DomWriter {
    /// A page with nothing but its document.
    pub fn new() -> Self {
        let mut builder = DomBuilder::with_capacity(64);
        builder.open_root(NodeKind::Document);
        Self {
            builder,
            text: String::new(),
            attributes: Attributes::for_bytes(MOST_BYTES.min(1 << 12)),
            depth: 0,
        }
    }

    /// Opens an element: what follows stands in it, until it is closed.
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

    /// Closes what was opened last and is still open.
    pub fn close(&mut self) {
        if self.depth > 0 {
            self.depth -= 1;
            self.builder.close();
        }
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        let text = &text[..text.floor_char_boundary(MOST_BYTES.saturating_sub(self.text.len()))];
        self.text.push_str(text);
        self.builder.add_text(text.len() as u32);
    }

    /// Adds a comment.
    pub fn comment(&mut self, words: &str) {
        self.remark(NodeKind::Comment, words);
    }

    /// Adds a doctype: its name, public and system id, separated by line ends, as [`Dom::remark`] tells them.
    pub fn doctype(&mut self, words: &str) {
        self.remark(NodeKind::Doctype, words);
    }

    fn remark(&mut self, kind: NodeKind, words: &str) {
        let words = self.attributes.add([(LocalName::default(), words)]);
        self.builder.add_remark(kind, words);
    }

    /// Adds a node of another page as it is, without what is below it, and opens it if others may stand in it.
    /// Tells whether it did; the caller closes it then.
    pub fn copy(&mut self, dom: &Dom, node: NodeId) -> bool {
        match dom.kind(node) {
            NodeKind::Text => self.text(dom.text_of(node)),
            NodeKind::Comment => self.comment(dom.remark(node)),
            NodeKind::Doctype => self.doctype(dom.remark(node)),
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

    /// The page; whatever is open is closed.
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
    fn a_page_is_copied_node_by_node() {
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
    fn closing_too_often_does_no_harm() {
        let mut writer = DomWriter::new();
        writer.close();
        writer.open(name!("html"), Namespace::Html, []);
        writer.close();
        writer.close();
        writer.open(name!("p"), Namespace::Html, []);
        assert_eq!(writer.finish().len(), 3);
    }
}
