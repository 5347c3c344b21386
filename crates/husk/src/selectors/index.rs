//! An index of a page's elements, to evaluate selectors quickly.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexMap;
use xxhash_rust::xxh3::xxh3_64;

use super::css::{Compound, Places, Selector, classes};
use crate::measure::{is_never_shown, words};

/// The elements of a page by id, class and name.
pub(super) struct Index<'a> {
    pub(super) dom: &'a Dom,
    all: Vec<NodeId>,
    places: Places,
    named: IndexMap<(Kind, String), Vec<NodeId>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Id,
    Class,
    Tag,
}

/// Words with their numbers of occurrences.
pub(super) type Bag = IndexMap<u64, u32>;

impl<'a> Index<'a> {
    pub(super) fn of(dom: &'a Dom) -> Self {
        let mut index = Self {
            dom,
            all: Vec::new(),
            places: Places::of(dom),
            named: IndexMap::new(),
        };
        let mut outside_until = 0;
        for node in dom.nodes() {
            if dom.kind(node) == NodeKind::Fragment {
                outside_until = outside_until.max(dom.range(node).end);
            }
            if dom.kind(node) == NodeKind::Element && node.index() >= outside_until {
                index.add(node);
            }
        }
        index
    }

    fn add(&mut self, node: NodeId) {
        let dom = self.dom;
        self.all.push(node);
        let mut name = |kind, name: &str| {
            let nodes = self.named.entry(key(dom, kind, name)).or_default();
            // A class may be given twice.
            if nodes.last() != Some(&node) {
                nodes.push(node);
            }
        };
        name(Kind::Tag, dom.name(node));
        if let Some(id) = dom.attribute(node, &name!("id")) {
            name(Kind::Id, id);
        }
        for class in classes(dom, node) {
            name(Kind::Class, class);
        }
    }

    /// The elements that a selector matches, in document order.
    pub(super) fn select(&self, selector: &Selector) -> Vec<NodeId> {
        let candidates = selector
            .last()
            .map_or(&self.all[..], |last| self.with_name_of(last));
        let meant = candidates.iter().copied();
        meant
            .filter(|&node| selector.matches_in(self.dom, &self.places, node))
            .collect()
    }

    fn with_name_of(&self, compound: &Compound) -> &[NodeId] {
        let name = match compound {
            Compound { id: Some(id), .. } => (Kind::Id, &**id),
            Compound { classes, .. } if !classes.is_empty() => (Kind::Class, &*classes[0]),
            Compound { tag: Some(tag), .. } => (Kind::Tag, &**tag),
            _ => return &self.all,
        };
        self.named
            .get(&key(self.dom, name.0, name.1))
            .map_or(&[], Vec::as_slice)
    }

    /// The words in some disjoint subtrees.
    pub(super) fn words_in(&self, roots: &[NodeId]) -> Bag {
        let mut bag = Bag::new();
        for &root in roots {
            self.add_words(root.index()..root.index() + self.dom.size(root), &mut bag);
        }
        bag
    }

    /// The words of the page outside of some subtrees, which are given in document order.
    pub(super) fn words_outside(&self, roots: &[NodeId]) -> Bag {
        let mut bag = Bag::new();
        let mut start = 0;
        for &root in roots {
            self.add_words(start..root.index().max(start), &mut bag);
            start = start.max(self.dom.range(root).end);
        }
        self.add_words(start..self.dom.len(), &mut bag);
        bag
    }

    fn add_words(&self, range: std::ops::Range<usize>, bag: &mut Bag) {
        let mut at = range.start;
        while at < range.end {
            let node = NodeId::from_index(at);
            if is_never_shown(self.dom, node) {
                at += self.dom.size(node);
                continue;
            }
            if self.dom.kind(node) == NodeKind::Text {
                for word in words(self.dom.text_of(node)) {
                    *bag.entry(xxh3_64(word.as_bytes())).or_default() += 1;
                }
            }
            at += 1;
        }
    }
}

/// Ids and classes ignore case in quirks mode.
fn key(dom: &Dom, kind: Kind, name: &str) -> (Kind, String) {
    if dom.is_quirky() && kind != Kind::Tag {
        (kind, name.to_ascii_lowercase())
    } else {
        (kind, name.to_owned())
    }
}

/// Number of words.
pub(super) fn size(bag: &Bag) -> u32 {
    bag.values().sum()
}

/// Number of words that two bags have in common.
pub(super) fn shared(bag: &Bag, other: &Bag) -> u32 {
    let both = bag
        .iter()
        .map(|(word, &count)| count.min(other.get(word).copied().unwrap_or(0)));
    both.sum()
}
