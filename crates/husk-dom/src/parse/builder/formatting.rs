//! The list of active formatting elements, which are reopened where they were not closed.

use super::super::tags::Tag;
use super::super::tree::{InsertionPoint, NONE};
use super::stack::OpenElement;
use super::{Builder, StartTag, Step};

/// How many equal elements the list may contain (the "Noah's Ark clause").
const MAX_EQUAL: usize = 3;

/// An element of the list, or a marker.
#[derive(Clone, Copy)]
pub(super) struct FormattingEntry {
    /// `NONE` for a marker. Elements before a marker are not reopened.
    pub(super) node: u32,
    pub(super) tag: Tag,
}

impl FormattingEntry {
    pub(super) fn is_marker(self) -> bool {
        self.node == NONE
    }
}

const MARKER: FormattingEntry = FormattingEntry {
    node: NONE,
    tag: Tag::Other,
};

/// The list, with the latest element last.
#[derive(Default)]
pub(super) struct Formatting {
    pub(super) entries: Vec<FormattingEntry>,
}

impl Formatting {
    pub(super) fn push_marker(&mut self) {
        self.entries.push(MARKER);
    }

    pub(super) fn position_of(&self, node: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.node == node)
    }

    /// The index of the last element with this tag after the last marker.
    pub(super) fn last_of(&self, tag: Tag) -> Option<usize> {
        for (index, entry) in self.entries.iter().enumerate().rev() {
            if entry.is_marker() {
                return None;
            }
            if entry.tag == tag {
                return Some(index);
            }
        }
        None
    }

    /// Removes everything from the last marker on.
    pub(super) fn clear_to_marker(&mut self) {
        while self.entries.pop().is_some_and(|entry| !entry.is_marker()) {}
    }

    pub(super) fn remove_node(&mut self, node: u32) {
        if let Some(index) = self.position_of(node) {
            self.entries.remove(index);
        }
    }
}

impl Builder {
    /// Opens a formatting element.
    pub(super) fn open_formatting(&mut self, start: &StartTag) -> Step {
        self.reopen_formatting();
        self.insert_formatting(start)
    }

    pub(super) fn insert_formatting(&mut self, start: &StartTag) -> Step {
        self.remove_third_equal(start);
        let node = self.insert(start);
        self.formatting
            .entries
            .push(FormattingEntry { node, tag: start.tag });
        Step::Done
    }

    /// Removes the first of three elements that equal a new one.
    fn remove_third_equal(&mut self, start: &StartTag) {
        let mut first = None;
        let mut count = 0;
        for (index, entry) in self.formatting.entries.iter().enumerate().rev() {
            if entry.is_marker() {
                break;
            }
            let attributes = self.tree.node(entry.node).attributes;
            if entry.tag == start.tag && self.tree.attributes.are_same(attributes, start.attributes) {
                first = Some(index);
                count += 1;
            }
        }
        if let Some(first) = first
            && count >= MAX_EQUAL
        {
            self.formatting.entries.remove(first);
        }
    }

    fn is_marker_or_open(&self, entry: FormattingEntry) -> bool {
        entry.is_marker() || self.open.position_of(entry.node).is_some()
    }

    /// Reopens the elements at the end of the list that are not open.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if let Some(&last) = self.formatting.entries.last()
            && !self.is_marker_or_open(last)
        {
            self.reopen_closed();
        }
    }

    fn reopen_closed(&mut self) {
        let entries = &self.formatting.entries;
        let before = entries.iter().rposition(|&entry| self.is_marker_or_open(entry));
        for index in before.map_or(0, |before| before + 1)..entries.len() {
            let FormattingEntry { node, tag } = self.formatting.entries[index];
            let point = self.insertion_point();
            let node = self.tree.add_copy(point, node);
            self.open.push(OpenElement::html(node, tag));
            self.formatting.entries[index].node = node;
        }
    }

    /// An `<a>` within another one ends it.
    pub(super) fn start_link(&mut self, start: &StartTag) -> Step {
        if let Some(index) = self.formatting.last_of(Tag::A) {
            let node = self.formatting.entries[index].node;
            self.end_formatting(Tag::A);
            self.formatting.remove_node(node);
            self.remove_open(node);
        }
        self.open_formatting(start)
    }

    /// A `<nobr>` within another one ends it.
    pub(super) fn start_nobr(&mut self, start: &StartTag) -> Step {
        self.reopen_formatting();
        if self.is_in_scope(Tag::Nobr) {
            self.end_formatting(Tag::Nobr);
            self.reopen_formatting();
        }
        self.insert_formatting(start)
    }

    pub(super) fn remove_open(&mut self, node: u32) {
        if let Some(index) = self.open.position_of(node) {
            self.open.remove(index);
        }
    }

    /// Where nodes are inserted now.
    #[inline]
    pub(super) fn insertion_point(&self) -> InsertionPoint {
        match self.open.last() {
            Some(current) => self.insertion_point_in(current),
            None => InsertionPoint::In(super::DOCUMENT),
        }
    }
}
