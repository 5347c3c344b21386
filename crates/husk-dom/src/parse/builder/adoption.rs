//! The adoption agency algorithm: the end tag of a formatting element with other open elements in it.

use super::super::tags::Tag;
use super::super::tree::InsertionPoint;
use super::Builder;
use super::formatting::FormattingEntry;
use super::kinds;
use super::stack::OpenElement;

/// Iterations of the outer loop.
const MAX_ROUNDS: usize = 8;

/// How many elements in between are reopened within the block.
const MAX_REOPENED: usize = 3;

/// A formatting element that ends, and the block within it that continues.
struct FormattingSplit {
    formatting: u32,
    tag: Tag,
    /// Indexes into the stack of open elements.
    at: usize,
    block_at: usize,
    block: OpenElement,
}

impl Builder {
    /// The end tag of a formatting element.
    pub(super) fn end_formatting(&mut self, tag: Tag) {
        if let Some(current) = self.open.last()
            && current.tag == tag
            && self.formatting.position_of(current.node).is_none()
        {
            self.open.pop();
            return;
        }
        for _ in 0..MAX_ROUNDS {
            let Some(index) = self.formatting.last_of(tag) else {
                return self.end_known(tag);
            };
            let Some(split) = self.close_or_split(index) else {
                return;
            };
            self.adopt(&split);
        }
    }

    /// Closes the element at an index of the list, if no block is open within it. Otherwise returns how to split it.
    fn close_or_split(&mut self, index: usize) -> Option<FormattingSplit> {
        let FormattingEntry { node, tag } = self.formatting.entries[index];
        let Some(at) = self.open.position_of(node) else {
            self.formatting.entries.remove(index);
            return None;
        };
        let within = self.open.from(at + 1);
        if within.iter().any(|open| open.is(kinds::ENDS_SCOPE)) {
            return None;
        }
        match within.iter().position(|open| open.is(kinds::SPECIAL)) {
            Some(position) => Some(FormattingSplit {
                formatting: node,
                tag,
                at,
                block_at: at + 1 + position,
                block: within[position],
            }),
            None => {
                self.open.truncate(at);
                self.formatting.entries.remove(index);
                None
            }
        }
    }

    /// Ends the formatting element before the block, and reopens it within.
    fn adopt(&mut self, split: &FormattingSplit) {
        let Some(ancestor) = split.at.checked_sub(1).and_then(|above| self.open.get(above)) else {
            return;
        };
        let (last, bookmark) = self.reopen_between(split);
        let point = self.insertion_point_in(ancestor);
        self.tree.move_to(point, last);
        let copy = self.tree.add_loose_copy(split.formatting);
        self.tree.move_children(split.block.node, copy);
        self.tree.move_to(InsertionPoint::In(split.block.node), copy);
        self.add_to_list(split, copy, bookmark);
        self.remove_open(split.formatting);
        if let Some(block_at) = self.open.position_of(split.block.node) {
            self.open.insert(block_at + 1, OpenElement::html(copy, split.tag));
        }
    }

    /// Reopens the elements between the formatting element and the block. Returns the outermost one, and the entry after
    /// which the formatting element belongs in the list.
    fn reopen_between(&mut self, split: &FormattingSplit) -> (u32, Option<u32>) {
        let mut last = split.block.node;
        let mut bookmark = None;
        for (count, at) in (split.at + 1..split.block_at).rev().enumerate() {
            let Some(between) = self.open.get(at) else {
                continue;
            };
            let index = self.formatting.position_of(between.node);
            let Some(index) = index.filter(|_| count < MAX_REOPENED) else {
                if let Some(index) = index {
                    self.formatting.entries.remove(index);
                }
                self.open.remove(at);
                continue;
            };
            let copy = self.tree.add_loose_copy(between.node);
            self.open.replace(at, copy);
            self.formatting.entries[index].node = copy;
            if last == split.block.node {
                bookmark = Some(copy);
            }
            self.tree.move_to(InsertionPoint::In(copy), last);
            last = copy;
        }
        (last, bookmark)
    }

    /// Puts the new element into the list: in point of the old one, or after the bookmark.
    fn add_to_list(&mut self, split: &FormattingSplit, copy: u32, bookmark: Option<u32>) {
        let entries = &self.formatting;
        let new = FormattingEntry {
            node: copy,
            tag: split.tag,
        };
        let old = entries.position_of(split.formatting);
        match bookmark.and_then(|bookmark| entries.position_of(bookmark)) {
            None => {
                if let Some(old) = old {
                    self.formatting.entries[old] = new;
                }
            }
            Some(before) => {
                self.formatting.entries.insert(before + 1, new);
                self.formatting.remove_node(split.formatting);
            }
        }
    }
}
