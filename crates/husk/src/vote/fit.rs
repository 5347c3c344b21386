//! What a later page still has of a template: the votes on each node say what to expect.

use husk_dom::NodeId;

use super::nature::Kind;
use super::{Vote, Votes, observe};
use crate::mapping::{Alignment, Side};

/// What a page shows of a node of the template.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeFit {
    pub(crate) state: NodeState,
    /// The share of pages that had it unchanged when the template was learned; below 1, however many there were.
    pub(crate) expected: f64,
    /// How much it counts: the evidence of a page that has it.
    pub(crate) weight: f64,
}

/// What became of a node of the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeState {
    Kept,
    /// It has another class, id or name.
    Restyled,
    /// It has another text or target.
    Differs,
    Gone,
}

impl Votes {
    /// Calls `see` with what a page shows of each compared node of the model, which the alignment leads from.
    pub(crate) fn compare(
        &self,
        model: Side<'_>,
        page: Side<'_>,
        alignment: &Alignment,
        mut see: impl FnMut(NodeId, NodeFit),
    ) {
        let is_renumbered = |node| {
            let text = |mate| page.dom.text_of(mate);
            let mate = alignment.mate(node);
            mate.is_some_and(|mate| differ_in_numbers(model.dom.text_of(node), text(mate)))
        };
        observe(&self.natures, model, page, alignment, |node, seen| {
            let nature = &self.natures[node.index()];
            let state = match seen.vote {
                Vote::Lack | Vote::LackWithParent => NodeState::Gone,
                // Counts and years change by themselves.
                Vote::Differ if nature.kind == Kind::Text && is_renumbered(node) => NodeState::Kept,
                Vote::Differ => NodeState::Differs,
                // A link that leads elsewhere in the same way says nothing about the template, but it changed.
                Vote::Abstain if nature.kind == Kind::Target && !seen.is_verbatim => NodeState::Differs,
                Vote::Agree | Vote::Abstain if seen.is_restyled => NodeState::Restyled,
                Vote::Agree | Vote::Abstain => NodeState::Kept,
            };
            let expected = self.share_unchanged(node);
            let weight = f64::from(nature.found) * expected;
            see(
                node,
                NodeFit {
                    state,
                    expected,
                    weight,
                },
            );
        });
    }

    /// The share of pages that had a node as the model has it. Half a page more on either side, so that few pages
    /// promise little.
    pub(crate) fn share_unchanged(&self, node: NodeId) -> f64 {
        let tally = self.tallies[node.index()];
        let same = match self.natures[node.index()].kind {
            Kind::Target => tally.verbatim,
            _ => tally.found.saturating_sub(tally.differ),
        };
        let unchanged = same.saturating_sub(tally.restyled);
        (f64::from(unchanged) + 0.5) / (f64::from(self.pages) + 1.0)
    }
}

/// Whether two texts are the same but for their numbers.
pub(crate) fn differ_in_numbers(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let kept = |letter: &char| !letter.is_numeric() && !letter.is_whitespace();
        text.chars().filter(kept).collect::<String>()
    };
    letters(one) == letters(other)
}
