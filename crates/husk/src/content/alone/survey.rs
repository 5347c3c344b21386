//! A page as a whole: its text, what each node is in, where comments begin.

use std::ops::Range;

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::heading;
use super::numbers::{
    BEHIND_FOOTER, COMMENTED_SHARE, COMMENTED_WORDS, HEADER_BEGINS, LEAST_MAIN, LEAST_PROSE, MOST_OF_PROSE,
    MOST_OF_WORDS, PROSE_WEIGHT, SMALL_PAGE,
};
use super::signs::{Sign, Signs};
use crate::hints::{Hint, Hints};
use crate::measure::{Measures, is_never_shown};

/// A page as a whole.
pub(super) struct Survey {
    measures: Measures,
    body: NodeId,
    blocks: Vec<Block>,
    block_of: Vec<NodeId>,
    signs: Vec<Signs>,
    shown: Vec<bool>,
    /// The page's main element.
    main: Option<Range<usize>>,
    /// The elements with half, and with three quarters, of the likely content.
    half: Range<usize>,
    most: Range<usize>,
    /// The heading that is the title of the page.
    heading: Option<Range<usize>>,
    words_without_comments: u32,
}

/// The words of an element itself, without those of blocks in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    pub(super) words: u32,
    pub(super) linked_words: u32,
    pub(super) stops: u32,
}

impl Block {
    fn is_prose(self) -> bool {
        self.words >= LEAST_PROSE && self.stops > 0 && 2 * self.linked_words <= self.words
    }

    /// The share of words in links.
    pub(super) fn link_density(self) -> f64 {
        f64::from(self.linked_words) / f64::from(self.words.max(1))
    }
}

impl Survey {
    pub(super) fn of(dom: &Dom, body: NodeId) -> Self {
        let measures = Measures::of(dom);
        let block_of = blocks_of(dom);
        let blocks = blocks(dom, &measures, &block_of);
        let prose = Sums::over(dom, |node| {
            let amount = measures.of_range(only(node));
            let is_prose = blocks[block_of[node.index()].index()].is_prose();
            if is_prose {
                amount.words - amount.linked_words
            } else {
                0
            }
        });
        let place = TextPosition {
            measures: &measures,
            prose: &prose,
            body: dom.range(body),
        };
        let signs = signs(dom, &place, &block_of);
        let weights = Sums::over(dom, |node| {
            if signs[node.index()].has(Sign::Comments) || signs[node.index()].has(Sign::Suspected) {
                return 0;
            }
            let is_prose = prose.of(only(node)) > 0;
            measures.of_range(only(node)).words * if is_prose { PROSE_WEIGHT } else { 1 }
        });
        let words_without_comments = dom
            .subtree(body)
            .filter(|node| !signs[node.index()].has(Sign::Comments))
            .map(|node| measures.of_range(only(node)).words)
            .sum();
        Self {
            main: main_element(dom, &measures, body),
            half: middle(dom, body, &weights, 0.5),
            most: middle(dom, body, &weights, 0.75),
            heading: heading::of(dom, &measures, body).map(|node| dom.range(node)),
            shown: shown(dom, body),
            measures,
            body,
            blocks,
            block_of,
            signs,
            words_without_comments,
        }
    }

    pub(super) fn body(&self) -> NodeId {
        self.body
    }

    /// The words of a text.
    pub(super) fn words(&self, node: NodeId) -> u32 {
        self.measures.of_range(only(node)).words
    }

    /// Whether a node is a visible text.
    pub(super) fn is_shown_text(&self, dom: &Dom, node: NodeId) -> bool {
        dom.kind(node) == NodeKind::Text && self.shown[node.index()] && !dom.is_blank_text(node)
    }

    pub(super) fn words_without_comments(&self) -> u32 {
        self.words_without_comments
    }

    pub(super) fn signs(&self, node: NodeId) -> Signs {
        self.signs[node.index()]
    }

    pub(super) fn is_comment(&self, node: NodeId) -> bool {
        self.signs(node).has(Sign::Comments)
    }

    /// The block of a text.
    pub(super) fn block(&self, node: NodeId) -> Block {
        self.blocks[self.block_of[node.index()].index()]
    }

    pub(super) fn is_in_half(&self, node: NodeId) -> bool {
        self.half.contains(&node.index())
    }

    pub(super) fn is_in_most(&self, node: NodeId) -> bool {
        self.most.contains(&node.index())
    }

    pub(super) fn is_in_main(&self, node: NodeId) -> bool {
        self.main
            .as_ref()
            .is_some_and(|main| main.contains(&node.index()))
    }

    pub(super) fn has_main(&self) -> bool {
        self.main.is_some()
    }

    pub(super) fn is_in_heading(&self, node: NodeId) -> bool {
        self.heading
            .as_ref()
            .is_some_and(|heading| heading.contains(&node.index()))
    }

    pub(super) fn is_before_heading(&self, node: NodeId) -> bool {
        self.heading
            .as_ref()
            .is_some_and(|heading| node.index() < heading.start)
    }

    /// The share of the page's words up to the middle of a text.
    pub(super) fn share_up_to(&self, dom: &Dom, text: NodeId) -> f64 {
        let all = self.measures.of_subtree(dom, self.body).words.max(1);
        let before = self.measures.of_range(self.body.index()..text.index()).words;
        (f64::from(before) + f64::from(self.words(text)) / 2.0) / f64::from(all)
    }

    /// Counts of the body without comments and, unless that leaves nothing, without suspected elements.
    pub(super) fn unsuspected(&self, dom: &Dom) -> Vec<bool> {
        let is_in = |node: NodeId, without: &[Sign]| {
            dom.is_within(node, self.body) && !without.iter().any(|&sign| self.signs(node).has(sign))
        };
        for without in [&[Sign::Comments, Sign::Suspected][..], &[Sign::Comments]] {
            let rest: Vec<bool> = dom.nodes().map(|node| is_in(node, without)).collect();
            if dom.nodes().any(|node| rest[node.index()] && self.words(node) > 0) {
                return rest;
            }
        }
        vec![false; dom.len()]
    }
}

/// Sums over runs of nodes.
struct Sums(Vec<u32>);

impl Sums {
    fn over(dom: &Dom, value: impl Fn(NodeId) -> u32) -> Self {
        let mut sums = Vec::with_capacity(dom.len() + 1);
        let mut sum = 0u32;
        sums.push(sum);
        for node in dom.nodes() {
            sum = sum.saturating_add(value(node));
            sums.push(sum);
        }
        Self(sums)
    }

    fn of(&self, range: Range<usize>) -> u32 {
        self.0[range.end] - self.0[range.start]
    }
}

/// A node without its children.
fn only(node: NodeId) -> Range<usize> {
    node.index()..node.index() + 1
}

/// The block of each node: its nearest ancestor that is not inline.
fn blocks_of(dom: &Dom) -> Vec<NodeId> {
    let mut blocks: Vec<NodeId> = Vec::with_capacity(dom.len());
    for node in dom.nodes() {
        let block = match dom.parent(node) {
            Some(parent) if is_within_line(dom, node) => blocks[parent.index()],
            _ => node,
        };
        blocks.push(block);
    }
    blocks
}

fn is_within_line(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => true,
        NodeKind::Element => WITHIN_LINE.contains(&&**dom.name(node)),
        _ => false,
    }
}

const WITHIN_LINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// Which nodes of the body are visible.
fn shown(dom: &Dom, body: NodeId) -> Vec<bool> {
    let mut shown = vec![false; dom.len()];
    for node in dom.subtree(body) {
        let is_above = node == body || dom.parent(node).is_some_and(|parent| shown[parent.index()]);
        shown[node.index()] = is_above && !is_never_shown(dom, node);
    }
    shown
}

/// The counts of each block, at the index of its element.
fn blocks(dom: &Dom, measures: &Measures, block_of: &[NodeId]) -> Vec<Block> {
    let mut blocks = vec![Block::default(); dom.len()];
    for node in dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Text) {
        let amount = measures.of_range(only(node));
        let block = &mut blocks[block_of[node.index()].index()];
        block.words += amount.words;
        block.linked_words += amount.linked_words;
        block.stops += amount.stops;
    }
    blocks
}

/// The position of a node, in words and prose.
struct TextPosition<'a> {
    measures: &'a Measures,
    prose: &'a Sums,
    body: Range<usize>,
}

impl TextPosition<'_> {
    fn words(&self, range: Range<usize>) -> f64 {
        f64::from(self.measures.of_range(range).words)
    }

    fn prose(&self, range: Range<usize>) -> f64 {
        f64::from(self.prose.of(range))
    }

    /// The signs against an element, if its size and position agree.
    fn believed(&self, mut signs: Signs, range: Range<usize>) -> Signs {
        let words = self.words(self.body.clone());
        let prose = self.prose(self.body.clone());
        let holds_most = self.words(range.clone()) > MOST_OF_WORDS * words
            || (prose > 0.0 && self.prose(range.clone()) >= MOST_OF_PROSE * prose);
        if holds_most {
            return Signs::default();
        }
        if self.words(self.body.start..range.start) > HEADER_BEGINS * words {
            signs.remove(Sign::Header);
        }
        if self.words(range.end..self.body.end) > BEHIND_FOOTER * words {
            signs.remove(Sign::Footer);
        }
        signs
    }

    /// Whether there is something to comment on before a node.
    fn is_behind_prose(&self, node: NodeId) -> bool {
        let before = self.prose(self.body.start..node.index());
        before >= f64::from(COMMENTED_WORDS) && before >= COMMENTED_SHARE * self.prose(self.body.clone())
    }
}

/// The signs of each node.
fn signs(dom: &Dom, place: &TextPosition, block_of: &[NodeId]) -> Vec<Signs> {
    let mut signs = vec![Signs::default(); dom.len()];
    let mut named_comments = Vec::new();
    for index in place.body.start + 1..place.body.end {
        let node = NodeId::from_index(index);
        let above = dom
            .parent(node)
            .map_or(Signs::default(), |parent| signs[parent.index()]);
        signs[index] = above;
        if dom.kind(node) != NodeKind::Element {
            continue;
        }
        let hints = Hints::of(dom, node);
        let against = place.believed(Signs::against_content(dom, node, hints), dom.range(node));
        let mut own = against.with(Signs::of_content(dom, node, hints));
        let is_block = block_of[index] == node;
        if is_block && against.is_suspected() && !hints.has(Hint::Main) {
            own.add(Sign::Suspected);
        }
        if is_block && hints.has(Hint::Comments) && place.is_behind_prose(node) {
            named_comments.push(node);
        }
        signs[index] = above.with(own);
    }
    mark_comments(dom, place, &named_comments, &mut signs);
    signs
}

/// Marks reader comments. They come after the content: if more prose follows that is not named so, the name means
/// something else, such as a remark in a manual.
fn mark_comments(dom: &Dom, place: &TextPosition, named: &[NodeId], signs: &mut [Signs]) {
    let Some(&first) = named.first() else { return };
    let prose_of = |range: Range<usize>, signs: &[Signs]| -> u32 {
        range
            .filter(|&index| !signs[index].has(Sign::Suspected) && !signs[index].has(Sign::Comments))
            .map(|index| place.prose.of(index..index + 1))
            .sum()
    };
    let before = prose_of(place.body.start..first.index(), signs);
    let mut marked_until = 0;
    for range in named.iter().map(|&node| dom.range(node)) {
        // Nested ones are marked already.
        let unmarked = signs.get_mut(range.start.max(marked_until)..range.end);
        unmarked
            .into_iter()
            .flatten()
            .for_each(|signs| signs.add(Sign::Comments));
        marked_until = marked_until.max(range.end);
    }
    if prose_of(first.index()..place.body.end, signs) > before {
        for signs in &mut signs[first.index()..place.body.end] {
            signs.remove(Sign::Comments);
        }
    }
}

/// The first element that is marked as the main part and holds enough of the page.
fn main_element(dom: &Dom, measures: &Measures, body: NodeId) -> Option<Range<usize>> {
    let least = LEAST_MAIN * f64::from(measures.of_subtree(dom, body).words);
    let has_role = |node: NodeId| {
        dom.attribute(node, &name!("role"))
            .is_some_and(|role| role.split_ascii_whitespace().any(|role| role == "main"))
    };
    dom.subtree(body)
        .filter(|&node| dom.kind(node) == NodeKind::Element)
        .filter(|&node| dom.is_element(node, &name!("main")) || has_role(node))
        .find(|&node| f64::from(measures.of_subtree(dom, node).words) >= least)
        .map(|node| dom.range(node))
}

/// The smallest block with a share of the likely content, but not a single paragraph; none on a page with hardly any
/// text.
fn middle(dom: &Dom, body: NodeId, weights: &Sums, share: f64) -> Range<usize> {
    let all = weights.of(dom.range(body));
    if all <= SMALL_PAGE * PROSE_WEIGHT {
        return 0..0;
    }
    let may_hold_more = |node: NodeId| {
        dom.kind(node) == NodeKind::Element && !is_within_line(dom, node) && !is_one_text(dom.name(node))
    };
    dom.subtree(body)
        .filter(|&node| may_hold_more(node))
        .rfind(|&node| f64::from(weights.of(dom.range(node))) >= share * f64::from(all))
        .map_or(0..0, |node| dom.range(node))
}

fn is_one_text(name: &str) -> bool {
    matches!(name, "p" | "pre" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}
