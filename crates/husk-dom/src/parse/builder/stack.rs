//! The stack of open elements.

use super::super::tags::{COUNT, Tag};
use super::kinds;

/// An open element.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) node: u32,
    pub(super) tag: Tag,
    pub(super) kinds: u32,
}

impl Open {
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

/// The elements that are open, outermost first. While a page is read there is one at least, the root.
pub(super) struct Stack {
    open: Vec<Open>,
    /// How many are open of each tag. Most searches are for one that is not open at all.
    counts: [u32; COUNT],
}

impl Stack {
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
    pub(super) fn last(&self) -> Option<Open> {
        self.open.last().copied()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Open> {
        self.open.get(index).copied()
    }

    /// The open elements from one on.
    pub(super) fn from(&self, index: usize) -> &[Open] {
        self.open.get(index..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn push(&mut self, open: Open) {
        self.counts[open.tag as usize] += 1;
        self.open.push(open);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Open> {
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

    pub(super) fn insert(&mut self, index: usize, open: Open) {
        self.counts[open.tag as usize] += 1;
        self.open.insert(index, open);
    }

    /// Puts another element of the same tag in the place of one.
    pub(super) fn replace(&mut self, index: usize, node: u32) {
        self.open[index].node = node;
    }

    /// Whether an element of that tag is open.
    #[inline]
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.counts[tag as usize] > 0
    }

    #[inline]
    pub(super) fn position_of(&self, node: u32) -> Option<usize> {
        self.open.iter().rposition(|open| open.node == node)
    }

    /// Whether the innermost element is of that tag.
    #[inline]
    pub(super) fn is_in(&self, tag: Tag) -> bool {
        self.last().is_some_and(|open| open.tag == tag)
    }

    /// Whether the innermost element is of one of those kinds.
    #[inline]
    pub(super) fn is_in_kind(&self, kinds: u32) -> bool {
        self.last().is_some_and(|open| open.is(kinds))
    }

    /// Whether an element of that tag is open, with none of these kinds within.
    #[inline]
    pub(super) fn has_in_scope(&self, tag: Tag, ends: u32) -> bool {
        self.has(tag) && self.finds_in_scope(|open| open.tag == tag, ends)
    }

    /// Whether an element is open that `is_wanted`, with none of these kinds within.
    #[inline]
    pub(super) fn finds_in_scope(&self, is_wanted: impl Fn(Open) -> bool, ends: u32) -> bool {
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

    /// Closes elements up to one of that tag, which is closed as well.
    #[inline]
    pub(super) fn close(&mut self, tag: Tag) {
        while self.pop().is_some_and(|open| open.tag != tag) {}
    }

    /// Closes elements up to one of those kinds, which is closed as well.
    pub(super) fn close_kind(&mut self, kinds: u32) {
        while self.pop().is_some_and(|open| !open.is(kinds)) {}
    }

    /// Closes elements up to one of those kinds, which stays open.
    #[inline]
    pub(super) fn close_to_kind(&mut self, kinds: u32) {
        while self.last().is_some_and(|open| !open.is(kinds)) {
            self.pop();
        }
    }

    /// Closes what needs no end tag.
    #[inline]
    pub(super) fn close_implied(&mut self) {
        while self.is_in_kind(kinds::IMPLIED_END) {
            self.pop();
        }
    }

    /// Closes what needs no end tag up to an element of that tag.
    #[inline]
    pub(super) fn close_implied_but(&mut self, tag: Tag) {
        while self.is_in_kind(kinds::IMPLIED_END) && !self.is_in(tag) {
            self.pop();
        }
    }
}
