//! Puts elements into the tree.

use web_atoms::LocalName;

use super::super::tags::Tag;
use super::super::tree::Place;
use super::stack::Open;
use super::{Builder, Content, DOCUMENT, Mode, Start, Step, kinds};
use crate::attributes::AttributeRange;
use crate::dom::Namespace;

impl Builder {
    /// Where nodes come that are to come into that open element.
    #[inline]
    pub(super) fn place_in(&self, target: Open) -> Place {
        if self.is_fostering && target.is(kinds::FOSTERS) {
            return self.foster_place();
        }
        if target.tag == Tag::Template {
            return Place::In(contents(target.node));
        }
        Place::In(target.node)
    }

    /// Before the table, for what has no place in it.
    fn foster_place(&self) -> Place {
        for open in self.open.from(0).iter().rev() {
            match open.tag {
                Tag::Template => return Place::In(contents(open.node)),
                Tag::Table => return Place::Before(open.node),
                _ => {}
            }
        }
        Place::In(self.root())
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
    fn add(&mut self, start: &Start) -> u32 {
        let place = self.place();
        let name = start.name.clone();
        self.tree
            .add_element(place, name, Namespace::Html, start.attributes)
    }

    /// Opens an HTML element.
    #[inline]
    pub(super) fn insert(&mut self, start: &Start) -> u32 {
        let node = self.add(start);
        self.open.push(Open::html(node, start.tag));
        node
    }

    /// Opens an HTML element, and nothing else.
    #[inline]
    pub(super) fn open(&mut self, start: &Start) -> Step {
        self.insert(start);
        Step::Done
    }

    /// Adds an HTML element that holds nothing.
    pub(super) fn insert_leaf(&mut self, start: &Start) -> Step {
        self.add(start);
        Step::Done
    }

    /// Opens an HTML element that no tag asked for.
    pub(super) fn insert_implied(&mut self, tag: Tag, name: LocalName) -> u32 {
        self.insert(&Start {
            tag,
            name,
            attributes: AttributeRange::default(),
            is_self_closing: false,
        })
    }

    /// Opens the `<html>` element.
    pub(super) fn insert_root(&mut self, name: LocalName, attributes: AttributeRange) {
        let place = Place::In(DOCUMENT);
        let node = self.tree.add_element(place, name, Namespace::Html, attributes);
        self.open.push(Open::html(node, Tag::Html));
        self.mode = Mode::BeforeHead;
    }

    /// Opens an element that holds nothing but text.
    pub(super) fn insert_text_holder(&mut self, start: &Start, content: Content) -> Step {
        self.insert(start);
        self.content = content;
        self.mode_before_text = self.mode;
        self.mode = Mode::Text;
        Step::Done
    }

    /// Whether an element of that tag is in scope.
    #[inline]
    pub(super) fn is_in_scope(&self, tag: Tag) -> bool {
        self.open.has_in_scope(tag, kinds::ENDS_SCOPE)
    }

    #[inline]
    pub(super) fn is_in_table_scope(&self, tag: Tag) -> bool {
        self.open.has_in_scope(tag, kinds::ENDS_TABLE_SCOPE)
    }

    /// Closes the paragraph that a block ends.
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

/// The node that the contents of a template come into.
pub(super) fn contents(template: u32) -> u32 {
    template + 1
}
