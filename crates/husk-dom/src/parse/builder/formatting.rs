//! The list of active formatting elements: those that are opened again where they were left unclosed.

use super::super::tags::Tag;
use super::super::tree::{NONE, Place};
use super::stack::Open;
use super::{Builder, Start, Step};

/// How many equal elements may be in the list. It is told of Noah that he took two of each kind; this is one more.
const MOST_EQUAL: usize = 3;

/// An element of the list, or a marker.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// No node for a marker: nothing before it is opened again until it is gone.
    pub(super) node: u32,
    pub(super) tag: Tag,
}

impl Entry {
    pub(super) fn is_marker(self) -> bool {
        self.node == NONE
    }
}

const MARKER: Entry = Entry {
    node: NONE,
    tag: Tag::Other,
};

/// The list itself, what came last at its end.
#[derive(Default)]
pub(super) struct Formatting {
    pub(super) entries: Vec<Entry>,
}

impl Formatting {
    pub(super) fn push_marker(&mut self) {
        self.entries.push(MARKER);
    }

    pub(super) fn position_of(&self, node: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.node == node)
    }

    /// Where the last element of that tag stands, if it comes behind all markers.
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

    /// Forgets all up to the last marker.
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
    /// Opens an element that will be opened again where it is not closed.
    pub(super) fn open_formatting(&mut self, start: &Start) -> Step {
        self.reopen_formatting();
        self.insert_formatting(start)
    }

    pub(super) fn insert_formatting(&mut self, start: &Start) -> Step {
        self.forget_third_equal(start);
        let node = self.insert(start);
        self.formatting.entries.push(Entry { node, tag: start.tag });
        Step::Done
    }

    /// Drops the first of three elements that are equal to one that comes.
    fn forget_third_equal(&mut self, start: &Start) {
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
            && count >= MOST_EQUAL
        {
            self.formatting.entries.remove(first);
        }
    }

    fn is_marker_or_open(&self, entry: Entry) -> bool {
        entry.is_marker() || self.open.position_of(entry.node).is_some()
    }

    /// Opens again the elements at the end of the list that are not open.
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
            let Entry { node, tag } = self.formatting.entries[index];
            let place = self.place();
            let node = self.tree.add_copy(place, node);
            self.open.push(Open::html(node, tag));
            self.formatting.entries[index].node = node;
        }
    }

    /// A `<a>` within another ends that.
    pub(super) fn start_link(&mut self, start: &Start) -> Step {
        if let Some(index) = self.formatting.last_of(Tag::A) {
            let node = self.formatting.entries[index].node;
            self.end_formatting(Tag::A);
            self.formatting.remove_node(node);
            self.remove_open(node);
        }
        self.open_formatting(start)
    }

    /// A `<nobr>` within another ends that.
    pub(super) fn start_nobr(&mut self, start: &Start) -> Step {
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

    /// Where nodes come now.
    #[inline]
    pub(super) fn place(&self) -> Place {
        match self.open.last() {
            Some(current) => self.place_in(current),
            None => Place::In(super::DOCUMENT),
        }
    }
}
