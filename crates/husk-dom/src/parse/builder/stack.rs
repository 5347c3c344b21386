//! The stack of open elements.

use super::super::tags::{COUNT, Tag};
use super::kinds;

/// An open element.
#[derive(Clone, Copy)]
pub(super) struct OpenElement {
    pub(super) node: u32,
    pub(super) tag: Tag,
    pub(super) kinds: u32,
}

impl OpenElement {
    #[inline]
    pub(super) fn html(node: u32, tag: Tag) -> Self {
        Self {
            node,
            tag,
            kinds: kinds::of_html(tag),
        }
    }

    #[inline]
    pub(super) fn is(self, kinds: u32) -> bool {
        self.kinds & kinds != 0
    }
}

/// The open elements, outermost first. During parsing there is at least the root.
pub(super) struct OpenElements {
    open: Vec<OpenElement>,
    /// How many elements of each tag are open, since most searches are for a tag that is not open.
    counts: [u32; COUNT],
}

impl OpenElements {
    pub(super) fn new() -> Self {
        Self {
            open: Vec::with_capacity(64),
            counts: [0; COUNT],
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    #[inline]
    pub(super) fn last(&self) -> Option<OpenElement> {
        self.open.last().copied()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<OpenElement> {
        self.open.get(index).copied()
    }

    /// The open elements from an index on.
    pub(super) fn from(&self, index: usize) -> &[OpenElement] {
        self.open.get(index..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn push(&mut self, open: OpenElement) {
        self.counts[open.tag as usize] += 1;
        self.open.push(open);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<OpenElement> {
        let popped = self.open.pop()?;
        self.counts[popped.tag as usize] -= 1;
        Some(popped)
    }

    #[inline]
    pub(super) fn truncate(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    pub(super) fn remove(&mut self, index: usize) {
        let removed = self.open.remove(index);
        self.counts[removed.tag as usize] -= 1;
    }

    pub(super) fn insert(&mut self, index: usize, open: OpenElement) {
        self.counts[open.tag as usize] += 1;
        self.open.insert(index, open);
    }

    /// Replaces an element by another one with the same tag.
    pub(super) fn replace(&mut self, index: usize, node: u32) {
        self.open[index].node = node;
    }

    /// Whether an element with this tag is open.
    #[inline]
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.counts[tag as usize] > 0
    }

    #[inline]
    pub(super) fn position_of(&self, node: u32) -> Option<usize> {
        self.open.iter().rposition(|open| open.node == node)
    }

    /// Whether the innermost element has this tag.
    #[inline]
    pub(super) fn is_in(&self, tag: Tag) -> bool {
        self.last().is_some_and(|open| open.tag == tag)
    }

    /// Whether the innermost element is in one of these categories.
    #[inline]
    pub(super) fn is_in_kind(&self, kinds: u32) -> bool {
        self.last().is_some_and(|open| open.is(kinds))
    }

    /// Whether an element with this tag is open, with none of these categories within it.
    #[inline]
    pub(super) fn has_in_scope(&self, tag: Tag, ends: u32) -> bool {
        self.has(tag) && self.finds_in_scope(|open| open.tag == tag, ends)
    }

    /// Whether an element that `is_wanted` accepts is open, with none of these categories within it.
    #[inline]
    pub(super) fn finds_in_scope(&self, is_wanted: impl Fn(OpenElement) -> bool, ends: u32) -> bool {
        for &open in self.open.iter().rev() {
            if is_wanted(open) {
                return true;
            }
            if open.is(ends) {
                return false;
            }
        }
        false
    }

    /// Closes elements up to and including one with this tag.
    #[inline]
    pub(super) fn close(&mut self, tag: Tag) {
        while self.pop().is_some_and(|open| open.tag != tag) {}
    }

    /// Closes elements up to and including one of these categories.
    pub(super) fn close_kind(&mut self, kinds: u32) {
        while self.pop().is_some_and(|open| !open.is(kinds)) {}
    }

    /// Closes elements up to one of these categories, which stays open.
    #[inline]
    pub(super) fn close_to_kind(&mut self, kinds: u32) {
        while self.last().is_some_and(|open| !open.is(kinds)) {
            self.pop();
        }
    }

    /// Closes elements whose end tag may be omitted.
    #[inline]
    pub(super) fn close_implied(&mut self) {
        while self.is_in_kind(kinds::IMPLIED_END) {
            self.pop();
        }
    }

    /// Closes elements whose end tag may be omitted, up to one with this tag.
    #[inline]
    pub(super) fn close_implied_but(&mut self, tag: Tag) {
        while self.is_in_kind(kinds::IMPLIED_END) && !self.is_in(tag) {
            self.pop();
        }
    }
}
