//! Inserts elements into the tree.

use web_atoms::LocalName;

use super::super::tags::Tag;
use super::super::tree::InsertionPoint;
use super::stack::OpenElement;
use super::{Builder, ContentModel, DOCUMENT, InsertionMode, StartTag, Step, kinds};
use crate::attributes::AttributeRange;
use crate::dom::Namespace;

impl Builder {
    /// Where nodes that belong into an open element are inserted.
    #[inline]
    pub(super) fn insertion_point_in(&self, target: OpenElement) -> InsertionPoint {
        if self.is_fostering && target.is(kinds::FOSTERS) {
            return self.foster_point();
        }
        if target.tag == Tag::Template {
            return InsertionPoint::In(contents(target.node));
        }
        InsertionPoint::In(target.node)
    }

    /// Before the table, for nodes that do not belong into it (foster parenting).
    fn foster_point(&self) -> InsertionPoint {
        for open in self.open.from(0).iter().rev() {
            match open.tag {
                Tag::Template => return InsertionPoint::In(contents(open.node)),
                Tag::Table => return InsertionPoint::Before(open.node),
                _ => {}
            }
        }
        InsertionPoint::In(self.root())
    }

    /// The `<html>` element.
    pub(super) fn root(&self) -> u32 {
        self.open.get(0).map_or(DOCUMENT, |root| root.node)
    }

    /// The `<body>`, if it is open.
    pub(super) fn body(&self) -> Option<u32> {
        let second = self.open.get(1)?;
        (second.tag == Tag::Body).then_some(second.node)
    }

    #[inline]
    fn add(&mut self, start: &StartTag) -> u32 {
        let point = self.insertion_point();
        let name = start.name.clone();
        self.tree
            .add_element(point, name, Namespace::Html, start.attributes)
    }

    /// Opens an HTML element.
    #[inline]
    pub(super) fn insert(&mut self, start: &StartTag) -> u32 {
        let node = self.add(start);
        self.open.push(OpenElement::html(node, start.tag));
        node
    }

    /// Opens an HTML element, with no further steps.
    #[inline]
    pub(super) fn open(&mut self, start: &StartTag) -> Step {
        self.insert(start);
        Step::Done
    }

    /// Adds an HTML element without content.
    pub(super) fn insert_leaf(&mut self, start: &StartTag) -> Step {
        self.add(start);
        Step::Done
    }

    /// Opens an HTML element without a tag in the source.
    pub(super) fn insert_implied(&mut self, tag: Tag, name: LocalName) -> u32 {
        self.insert(&StartTag {
            tag,
            name,
            attributes: AttributeRange::default(),
            is_self_closing: false,
        })
    }

    /// Opens the `<html>` element.
    pub(super) fn insert_root(&mut self, name: LocalName, attributes: AttributeRange) {
        let point = InsertionPoint::In(DOCUMENT);
        let node = self.tree.add_element(point, name, Namespace::Html, attributes);
        self.open.push(OpenElement::html(node, Tag::Html));
        self.mode = InsertionMode::BeforeHead;
    }

    /// Opens an element that contains only text.
    pub(super) fn insert_text_element(&mut self, start: &StartTag, content: ContentModel) -> Step {
        self.insert(start);
        self.content = content;
        self.mode_before_text = self.mode;
        self.mode = InsertionMode::Text;
        Step::Done
    }

    /// Whether an element with this tag is in scope.
    #[inline]
    pub(super) fn is_in_scope(&self, tag: Tag) -> bool {
        self.open.has_in_scope(tag, kinds::ENDS_SCOPE)
    }

    #[inline]
    pub(super) fn is_in_table_scope(&self, tag: Tag) -> bool {
        self.open.has_in_scope(tag, kinds::ENDS_TABLE_SCOPE)
    }

    /// Closes the paragraph in button scope, if there is one.
    #[inline]
    pub(super) fn close_paragraph_in_scope(&mut self) {
        if self.open.has_in_scope(Tag::P, kinds::ENDS_BUTTON_SCOPE) {
            self.close_paragraph();
        }
    }

    pub(super) fn close_paragraph(&mut self) {
        self.open.close_implied_but(Tag::P);
        self.open.close(Tag::P);
    }
}

/// The node with the contents of a template.
pub(super) fn contents(template: u32) -> u32 {
    template + 1
}
