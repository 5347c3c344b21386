//! The adoption agency: what the end tag of a formatting element does when other elements are open within.

use super::super::tags::Tag;
use super::super::tree::Place;
use super::Builder;
use super::formatting::Entry;
use super::kinds;
use super::stack::Open;

/// How often the end of one element is looked for.
const MOST_ROUNDS: usize = 8;

/// How many elements between are opened again within the block.
const MOST_REOPENED: usize = 3;

/// A formatting element that ends, and the block within that outlives it.
struct Split {
    formatting: u32,
    tag: Tag,
    /// Places in the stack of open elements.
    at: usize,
    block_at: usize,
    block: Open,
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
        for _ in 0..MOST_ROUNDS {
            let Some(index) = self.formatting.last_of(tag) else {
                return self.end_known(tag);
            };
            let Some(split) = self.close_or_split(index) else {
                return;
            };
            self.adopt(&split);
        }
    }

    /// Closes the element at that place of the list, if nothing is in the way; tells what is, if that can be split.
    fn close_or_split(&mut self, index: usize) -> Option<Split> {
        let Entry { node, tag } = self.formatting.entries[index];
        let Some(at) = self.open.position_of(node) else {
            self.formatting.entries.remove(index);
            return None;
        };
        let within = self.open.from(at + 1);
        if within.iter().any(|open| open.is(kinds::ENDS_SCOPE)) {
            return None;
        }
        match within.iter().position(|open| open.is(kinds::SPECIAL)) {
            Some(position) => Some(Split {
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

    /// Ends the formatting element before the block, and opens it again within.
    fn adopt(&mut self, split: &Split) {
        let Some(ancestor) = split.at.checked_sub(1).and_then(|above| self.open.get(above)) else {
            return;
        };
        let (last, bookmark) = self.reopen_between(split);
        let place = self.place_in(ancestor);
        self.tree.move_to(place, last);
        let copy = self.tree.add_loose_copy(split.formatting);
        self.tree.move_children(split.block.node, copy);
        self.tree.move_to(Place::In(split.block.node), copy);
        self.enlist(split, copy, bookmark);
        self.remove_open(split.formatting);
        if let Some(block_at) = self.open.position_of(split.block.node) {
            self.open.insert(block_at + 1, Open::html(copy, split.tag));
        }
    }

    /// Opens the elements between formatting element and block again, each around the next. Tells the outermost, and
    /// which of the list the formatting element is to stand behind.
    fn reopen_between(&mut self, split: &Split) -> (u32, Option<u32>) {
        let mut last = split.block.node;
        let mut bookmark = None;
        for (count, at) in (split.at + 1..split.block_at).rev().enumerate() {
            let Some(between) = self.open.get(at) else {
                continue;
            };
            let index = self.formatting.position_of(between.node);
            let Some(index) = index.filter(|_| count < MOST_REOPENED) else {
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
            self.tree.move_to(Place::In(copy), last);
            last = copy;
        }
        (last, bookmark)
    }

    /// Puts the new element in the place of the old one, or behind that of the bookmark.
    fn enlist(&mut self, split: &Split, copy: u32, bookmark: Option<u32>) {
        let entries = &self.formatting;
        let new = Entry {
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
