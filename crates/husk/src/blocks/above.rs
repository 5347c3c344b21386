//! What the elements above a block say about it: the nearest with each hint, the smallest with enough words.
//!
//! Blocks are visited in order, and neighbours have most elements above them in common, so that each element is looked
//! at once.

use husk_dom::NodeId;

use super::Block;
use super::features::{AROUND, Description, FAR, INSIDE, LEAST_ITEMS, inside, is_one_text, share};
use crate::hints::Hint;

/// The elements above the last block that was visited, outermost first.
#[derive(Default)]
pub(crate) struct Above(Vec<Nearest>);

/// What is nearest above a place in the page.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    node: NodeId,
    pub(super) depth: u16,
    pub(super) hinted: [Place; Hint::ALL.len()],
    pub(super) headed: [Place; 2],
    /// The depth of each kind of element.
    pub(super) inside: [Option<u16>; INSIDE.len()],
    /// The smallest elements with so many words.
    pub(super) around: [Option<NodeId>; AROUND.len()],
    /// An item of a list of similar ones.
    pub(super) item: Option<NodeId>,
}

/// An element with a hint.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    depth: Option<u16>,
    /// The share of the page's words that it has.
    words: f32,
}

impl Place {
    /// Calls `put` with its distance from a depth and its share of the words.
    pub(super) fn put(
        self,
        name: &'static str,
        from: u16,
        put: &mut impl FnMut(&'static str, &'static str, f32),
    ) {
        put(name, "hops", hops(from, self.depth));
        put(name, "words", self.words);
    }
}

fn hops(from: u16, depth: Option<u16>) -> f32 {
    depth.map_or(FAR, |depth| f32::from(from - depth))
}

impl Above {
    /// What is nearest above a block, which comes after those visited before.
    pub(super) fn of_block(&mut self, page: &Description, block: &Block) -> &Nearest {
        let (dom, body) = (page.dom, page.blocks.body);
        // Elements within a line are seen with the words of one block.
        let deepest = page.elements.depth[block.element.index()];
        let is_above = |nearest: &Nearest| {
            nearest.depth <= deepest && dom.range(nearest.node).contains(&block.first.index())
        };
        while self.0.last().is_some_and(|nearest| !is_above(nearest)) {
            self.0.pop();
        }
        if self.0.is_empty() {
            self.0.push(Nearest::nothing(body));
        }
        let known = self.0.len();
        let last = self.0[known - 1].node;
        for node in dom.ancestors(block.first).take_while(|&node| node != last) {
            self.0.push(Nearest::nothing(node));
        }
        self.0[known..].reverse();
        for at in known..self.0.len() {
            let (outer, inner) = self.0.split_at_mut(at);
            inner[0] = outer[at - 1].with(page, inner[0].node, block);
        }
        &self.0[self.0.len() - 1]
    }
}

impl Nearest {
    fn nothing(node: NodeId) -> Self {
        Self {
            node,
            depth: 0,
            hinted: [Place::default(); Hint::ALL.len()],
            headed: [Place::default(); 2],
            inside: [None; INSIDE.len()],
            around: [None; AROUND.len()],
            item: None,
        }
    }

    pub(super) fn hops(&self, depth: Option<u16>) -> f32 {
        hops(self.depth, depth)
    }

    /// The same one element further down, above a block.
    fn with(&self, page: &Description, node: NodeId, block: &Block) -> Self {
        let Description {
            dom,
            blocks,
            elements,
            ..
        } = page;
        let depth = elements.depth[node.index()];
        let is_block = depth <= elements.depth[block.element.index()];
        let words = if is_block {
            blocks.words_of(dom, node)
        } else {
            block.counts.words
        };
        let here = Place {
            depth: Some(depth),
            words: share(words, page.all.words),
        };
        let mut nearest = Self { node, depth, ..*self };
        for at in elements.hints[node.index()].positions() {
            nearest.hinted[at] = here;
        }
        let headed = elements.headed[node.index()];
        for (at, hint) in [Hint::Related, Hint::Comments].into_iter().enumerate() {
            if headed.has(hint) {
                nearest.headed[at] = here;
            }
        }
        if let Some(at) = inside(dom.name(node)) {
            nearest.inside[at] = Some(depth);
        }
        if is_block {
            if elements.same[node.index()] >= LEAST_ITEMS && !is_one_text(dom.name(node)) {
                nearest.item = Some(node);
            }
            for (around, (_, least)) in nearest.around.iter_mut().zip(AROUND) {
                if words >= least {
                    *around = Some(node);
                }
            }
        }
        nearest
    }
}
