//! The blocks of a page while they are being found: marks on their roots.

use std::ops::Range;

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexMap;

use super::features::{FeatureSums, Features, body};
use super::numbers::{MOSTLY_CONTENT, TINY};
use super::{Found, Function};
use crate::content::Content;
use crate::extraction::Extraction;
use crate::hints::{Hint, Hints};
use crate::mapping::NodeSet;
use crate::measure::{Amount, Measures};
use crate::navigation::Navigation;

/// The mark of a block's root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) function: Function,
    /// Roots with the same number are one block.
    group: usize,
    /// Whether it is tiny or was classified by position only, so that it may be merged with its neighbours.
    is_rest: bool,
}

/// The known blocks of a page.
pub(super) struct Blocks<'a> {
    pub(super) extraction: &'a Extraction,
    pub(super) dom: &'a Dom,
    pub(super) content: &'a Content,
    /// The range of the content; empty if there is none.
    pub(super) content_range: Range<usize>,
    measures: Measures,
    content_measures: Measures,
    features: FeatureSums,
    marks: Vec<Option<Mark>>,
    groups: usize,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(extraction: &'a Extraction, content: &'a Content) -> Self {
        let page = &extraction.key_page;
        let dom = &page.dom;
        let features = FeatureSums::of(page);
        let shows = |&node: &NodeId| features.of_subtree(dom, node).leaves > 0;
        let mut nodes = content.nodes.iter().filter(shows);
        let first = nodes.next();
        let last = nodes.last().or(first);
        Self {
            extraction,
            dom,
            content,
            content_range: match (first, last) {
                (Some(first), Some(last)) => first.index()..dom.range(last).end,
                _ => 0..0,
            },
            measures: Measures::of(dom),
            content_measures: Measures::of_those(dom, |node| content.nodes.contains(node)),
            features,
            marks: vec![None; dom.len()],
            groups: 0,
        }
    }

    pub(super) fn amount(&self, node: NodeId) -> Amount {
        self.measures.of_subtree(self.dom, node)
    }

    pub(super) fn features(&self, node: NodeId) -> Features {
        self.features.of_subtree(self.dom, node)
    }

    /// Number of content words in a subtree.
    pub(super) fn content_words(&self, node: NodeId) -> u32 {
        self.content_measures.of_subtree(self.dom, node).words
    }

    pub(super) fn mark_of(&self, node: NodeId) -> Option<Mark> {
        self.marks[node.index()]
    }

    /// Whether a node is part of the content or of its comments.
    pub(super) fn is_content(&self, node: NodeId) -> bool {
        self.content.nodes.contains(node) || self.content.comments.contains(node)
    }

    /// Whether a header or footer would be that of an article, not of the page.
    pub(super) fn is_in_article(&self, node: NodeId) -> bool {
        let dom = self.dom;
        dom.ancestors(node)
            .any(|above| dom.is_element(above, &name!("article")) || dom.is_element(above, &name!("main")))
    }

    /// Marks a node as a block; a tiny one may be merged with its neighbours.
    pub(super) fn mark(&mut self, node: NodeId, function: Function) {
        let stands_alone = matches!(
            function,
            Function::Submenu | Function::Search | Function::Comments | Function::Sidebar
        );
        let is_tiny = !stands_alone && self.amount(node).words <= TINY;
        self.groups += 1;
        self.put(node, function, self.groups, is_tiny);
    }

    /// Marks a node that may be merged with its neighbours of the same function.
    pub(super) fn mark_rest(&mut self, node: NodeId, function: Function) {
        self.groups += 1;
        self.put(node, function, self.groups, true);
    }

    fn put(&mut self, node: NodeId, function: Function, group: usize, is_rest: bool) {
        self.marks[node.index()].get_or_insert(Mark {
            function,
            group,
            is_rest,
        });
    }

    /// Marks the blocks of links, except for those that are mostly content.
    pub(super) fn add_navigation(&mut self, navigation: &Navigation) {
        let body = self.dom.range(body(self.dom));
        for block in &navigation.blocks {
            self.groups += 1;
            for &root in &block.roots {
                let words = self.amount(root).words;
                let is_content = self.content.nodes.contains(root) || 2 * self.content_words(root) > words;
                if !is_content && body.contains(&root.index()) {
                    self.put(root, block.kind.into(), self.groups, false);
                }
            }
        }
    }

    /// Marks the content and its comments.
    pub(super) fn add_content(&mut self) {
        let content = self.content;
        let holds_menu = self.nodes_above(|mark| mark.function != Function::Pagination);
        self.groups += 1;
        for root in self.roots_of(&content.nodes, &self.content_measures, &holds_menu) {
            self.put(root, Function::MainContent, self.groups, false);
        }
        let comments = Measures::of_those(self.dom, |node| content.comments.contains(node));
        self.groups += 1;
        for root in self.roots_of(&content.comments, &comments, &holds_menu) {
            self.put(root, Function::Comments, self.groups, false);
        }
    }

    /// The largest subtrees that consist mostly of a set of nodes and contain no menu.
    fn roots_of(&self, set: &NodeSet, measures: &Measures, holds_menu: &[bool]) -> Vec<NodeId> {
        let holds_some = self.nodes_with(|node| set.contains(node) && self.features(node).leaves > 0);
        let mut roots = Vec::new();
        let mut open = vec![body(self.dom)];
        while let Some(node) = open.pop() {
            if !holds_some[node.index()] {
                continue;
            }
            if set.contains(node)
                || (!holds_menu[node.index()] && self.is_whole(node, set, measures, &holds_some))
            {
                roots.push(node);
                continue;
            }
            let below = open.len();
            open.extend(self.dom.children(node));
            open[below..].reverse();
        }
        roots
    }

    /// Whether a node with several parts of a set is one block: there is little else in it, and no part of the page's
    /// frame.
    fn is_whole(&self, node: NodeId, set: &NodeSet, measures: &Measures, holds_some: &[bool]) -> bool {
        let dom = self.dom;
        let parts = dom.children(node).filter(|child| holds_some[child.index()]);
        let words = self.amount(node).words;
        let inside = measures.of_subtree(dom, node).words;
        // A table that is mostly content may still have a sidebar in it.
        let needed = if is_table(dom, node) { 1.0 } else { MOSTLY_CONTENT };
        if parts.take(2).count() < 2 || words == 0 || f64::from(inside) < needed * f64::from(words) {
            return false;
        }
        let mut others = dom.children(node).filter(|&child| {
            !holds_some[child.index()] && !set.contains(child) && self.features(child).leaves > 0
        });
        if node == body(dom) {
            return others.next().is_none();
        }
        const FRAMES: [Hint; 4] = [Hint::Header, Hint::Footer, Hint::Sidebar, Hint::Navigation];
        Hints::of(dom, node).has_any(&[Hint::Article, Hint::Main])
            || !others.any(|child| Hints::of(dom, child).has_any(&FRAMES))
    }

    /// Whether each node or one below it meets a condition.
    pub(super) fn nodes_with(&self, is_meant: impl Fn(NodeId) -> bool) -> Vec<bool> {
        let mut holds = vec![false; self.dom.len()];
        for node in self.dom.nodes().rev() {
            holds[node.index()] |= is_meant(node);
            if let Some(parent) = self.dom.parent(node) {
                holds[parent.index()] |= holds[node.index()];
            }
        }
        holds
    }

    /// Whether each node or one below it has a mark that meets a condition.
    pub(super) fn nodes_above(&self, is_meant: impl Fn(Mark) -> bool) -> Vec<bool> {
        self.nodes_with(|node| self.mark_of(node).is_some_and(&is_meant))
    }

    /// The blocks in document order.
    pub(super) fn finish(self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut numbers: IndexMap<(usize, Option<usize>), usize> = IndexMap::new();
        // The last mark in each block and in the page, and whether it was made by position.
        let mut last: IndexMap<Option<usize>, (usize, bool)> = IndexMap::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for node in self.dom.nodes() {
            close(&mut open, node);
            let Some(mut mark) = self.mark_of(node) else {
                continue;
            };
            let parent = open.last().map(|&(number, _)| number);
            // Template links are footer links only if they are not elsewhere.
            if mark.function == Function::Footer
                && parent.is_some_and(|parent| found[parent].function != Function::Footer)
            {
                mark.function = Function::Submenu;
            }
            if parent.is_some_and(|parent| found[parent].function == mark.function) {
                continue;
            }
            let is_one = |&&(number, is_rest): &&(usize, bool)| {
                (is_rest || mark.is_rest) && found[number].function == mark.function
            };
            let neighbour = last.get(&parent).filter(is_one).map(|&(number, _)| number);
            let known = neighbour.or_else(|| numbers.get(&(mark.group, parent)).copied());
            let number = match known {
                Some(number) => {
                    found[number].roots.push(node);
                    number
                }
                None => {
                    found.push(Found {
                        roots: vec![node],
                        function: mark.function,
                        parent,
                    });
                    numbers.insert((mark.group, parent), found.len() - 1);
                    found.len() - 1
                }
            };
            last.insert(parent, (number, mark.is_rest));
            open.push((number, self.dom.range(node).end));
        }
        in_order(found)
    }
}

/// Orders blocks so that each is followed by those in it: one of several subtrees may begin before others end.
fn in_order(found: Vec<Found>) -> Vec<Found> {
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    let mut open: Vec<usize> = Vec::new();
    for (number, block) in found.iter().enumerate().rev() {
        match block.parent {
            Some(parent) => inside[parent].push(number),
            None => open.push(number),
        }
    }
    let mut order = Vec::with_capacity(found.len());
    while let Some(number) = open.pop() {
        order.push(number);
        open.extend(&inside[number]);
    }
    let mut place = vec![0; found.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    let moved = found.into_iter().enumerate().map(|(number, block)| {
        let parent = block.parent.map(|parent| place[parent]);
        (place[number], Found { parent, ..block })
    });
    let mut moved: Vec<(usize, Found)> = moved.collect();
    moved.sort_by_key(|&(place, _)| place);
    moved.into_iter().map(|(_, block)| block).collect()
}

fn is_table(dom: &Dom, node: NodeId) -> bool {
    matches!(&**dom.name(node), "table" | "tbody" | "tr")
}

/// Leaves the blocks that end before a node.
fn close(open: &mut Vec<(usize, usize)>, node: NodeId) {
    while open.last().is_some_and(|&(_, end)| end <= node.index()) {
        open.pop();
    }
}

/// The functions of the blocks around the current node of a walk in document order.
#[derive(Default)]
pub(super) struct Around(Vec<(Function, usize)>);

impl Around {
    /// Moves on to a node.
    pub(super) fn go_to(&mut self, node: NodeId) {
        while self.0.last().is_some_and(|&(_, end)| end <= node.index()) {
            self.0.pop();
        }
    }

    /// Enters a block.
    pub(super) fn enter(&mut self, dom: &Dom, node: NodeId, function: Function) {
        self.0.push((function, dom.range(node).end));
    }

    /// The function of the innermost block.
    pub(super) fn innermost(&self) -> Option<Function> {
        self.0.last().map(|&(function, _)| function)
    }

    /// Whether one of the blocks has one of these functions.
    pub(super) fn has_any(&self, functions: &[Function]) -> bool {
        self.0.iter().any(|(function, _)| functions.contains(function))
    }
}

/// Whether a node is an element that may be a block: not the page itself.
pub(super) fn may_be_block(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Element && !matches!(&**dom.name(node), "html" | "body" | "head" | "frameset")
}
