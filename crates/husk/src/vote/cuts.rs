//! Finds the cuts that leave the template with the most evidence.

use husk_dom::{Dom, NodeId};

use crate::fingerprint::Fingerprints;
use crate::mapping::NodeSet;

/// The nodes to keep so that their evidence, less the cost of a slot for each run of siblings that is cut out, is
/// highest.
pub(super) fn best_template(
    dom: &Dom,
    fingerprints: &Fingerprints,
    evidence: impl Fn(NodeId) -> f64,
    slot: f64,
) -> NodeSet {
    Cuts::of(dom, fingerprints, evidence, slot).kept
}

/// The best cuts of a page.
///
/// A cut removes whole subtrees, so the rest is a tree. The optimum is exact and takes two passes: up, for what each
/// node is worth if it is kept, and down, to pick the nodes.
pub(super) struct Cuts<'a> {
    dom: &'a Dom,
    fingerprints: &'a Fingerprints,
    slot: f64,
    /// The evidence of each node plus the best result below it.
    worth: Vec<f64>,
    /// Whether the best result for a node that is kept keeps everything below it.
    keeps_all: Vec<bool>,
    /// The nodes to keep.
    pub(super) kept: NodeSet,
}

impl<'a> Cuts<'a> {
    pub(super) fn of(
        dom: &'a Dom,
        fingerprints: &'a Fingerprints,
        evidence: impl Fn(NodeId) -> f64,
        slot: f64,
    ) -> Self {
        let mut cuts = Self {
            dom,
            fingerprints,
            slot,
            worth: vec![0.0; dom.len()],
            keeps_all: vec![true; dom.len()],
            kept: NodeSet::none(dom),
        };
        for node in dom.nodes().rev() {
            let (best, keeps_all) = cuts.best_below(node, &cuts.worth);
            cuts.worth[node.index()] = evidence(node) + best;
            cuts.keeps_all[node.index()] &= keeps_all;
            if !cuts.keeps_all[node.index()]
                && let Some(parent) = dom.parent(node)
            {
                cuts.keeps_all[parent.index()] = false;
            }
        }
        let mut kept = NodeSet::none(dom);
        kept.insert(dom.document());
        let mut room = Room::default();
        let mut index = 0;
        while index < dom.len() {
            let node = NodeId::from_index(index);
            if !kept.contains(node) {
                index += dom.size(node);
            } else if cuts.keeps_all[index] && index > 0 {
                kept.insert_range(dom.range(node));
                index += dom.size(node);
            } else {
                cuts.keep_children(node, &cuts.worth, &mut room, &mut kept);
                index += 1;
            }
        }
        cuts.kept = kept;
        cuts
    }

    /// How many compared nodes would change sides if some had other evidence.
    pub(super) fn changes(
        &self,
        evidence: impl Fn(NodeId) -> f64,
        is_other: impl Fn(NodeId) -> bool,
    ) -> usize {
        let dom = self.dom;
        // The worth of a node depends on those below it.
        let mut is_affected = vec![false; dom.len()];
        let mut worth = self.worth.clone();
        for node in dom.nodes().rev() {
            if !is_affected[node.index()] && !is_other(node) {
                continue;
            }
            is_affected[node.index()] = true;
            worth[node.index()] = evidence(node) + self.best_below(node, &worth).0;
            if let Some(parent) = dom.parent(node) {
                is_affected[parent.index()] = true;
            }
        }
        let was_kept = |node: &NodeId| self.kept.contains(*node) && self.fingerprints.is_compared(*node);
        let mut kept = NodeSet::none(dom);
        kept.insert(dom.document());
        let mut room = Room::default();
        let mut changes = 0;
        let mut index = 0;
        while index < dom.len() {
            let node = NodeId::from_index(index);
            if !kept.contains(node) {
                changes += dom.subtree(node).filter(was_kept).count();
                index += dom.size(node);
            } else if self.kept.contains(node) && !is_affected[index] {
                index += dom.size(node);
            } else {
                changes += usize::from(self.fingerprints.is_compared(node) && !self.kept.contains(node));
                self.keep_children(node, &worth, &mut room, &mut kept);
                index += 1;
            }
        }
        changes
    }

    /// The best result for the children of a node, and whether it keeps all of them.
    fn best_below(&self, node: NodeId, worth: &[f64]) -> (f64, bool) {
        let mut best = Best::NO_CHILDREN;
        let mut keeps_all = true;
        for child in self.fingerprints.children(self.dom, node) {
            best = best.with(worth[child.index()], self.slot);
            keeps_all &= best.last_kept >= best.last_cut;
        }
        (best.most(), keeps_all)
    }

    /// Keeps the children of a kept node that belong to the optimum.
    fn keep_children(&self, node: NodeId, worth: &[f64], room: &mut Room, kept: &mut NodeSet) {
        if node == self.dom.document() {
            kept.insert(self.dom.root());
        } else if self.dom.parent(node) == Some(self.dom.document()) {
            // Head and body always stay.
            self.dom.children(node).for_each(|child| kept.insert(child));
        } else if self.dom.size(node) > 1 {
            room.children.clear();
            room.children.extend(self.dom.children(node));
            keep_best(self.fingerprints, worth, self.slot, room, kept);
        }
    }
}

/// The best results for the children so far, by whether the last one is kept.
#[derive(Clone, Copy)]
struct Best {
    last_kept: f64,
    last_cut: f64,
}

impl Best {
    const NO_CHILDREN: Self = Self {
        last_kept: 0.0,
        last_cut: f64::NEG_INFINITY,
    };

    /// Adds a child that is worth this much if it is kept.
    fn with(self, worth: f64, slot: f64) -> Self {
        Self {
            last_kept: self.most() + worth,
            last_cut: self.last_cut.max(self.last_kept - slot),
        }
    }

    fn most(self) -> f64 {
        self.last_kept.max(self.last_cut)
    }
}

/// Buffers that are reused from node to node.
#[derive(Default)]
struct Room {
    children: Vec<NodeId>,
    bests: Vec<Best>,
    waiting: Vec<NodeId>,
}

/// Keeps those of some siblings that belong to the optimum.
fn keep_best(fingerprints: &Fingerprints, worth: &[f64], slot: f64, room: &mut Room, kept: &mut NodeSet) {
    let is_compared = |child: &NodeId| fingerprints.is_compared(*child);
    let Room {
        children,
        bests,
        waiting,
    } = room;
    bests.clear();
    bests.push(Best::NO_CHILDREN);
    for child in children.iter().filter(|child| is_compared(child)) {
        bests.push(bests[bests.len() - 1].with(worth[child.index()], slot));
    }
    let last = bests.pop().unwrap_or(Best::NO_CHILDREN);
    let mut is_kept = last.last_kept >= last.last_cut;
    // Comments and blank texts stay, unless the cut continues after them.
    let mut is_behind_kept = true;
    for &child in children.iter().rev() {
        if !is_compared(&child) {
            waiting.push(child);
            continue;
        }
        for blank in waiting.drain(..) {
            if is_kept || is_behind_kept {
                kept.insert(blank);
            }
        }
        if is_kept {
            kept.insert(child);
        }
        is_behind_kept = is_kept;
        let before = bests.pop().unwrap_or(Best::NO_CHILDREN);
        is_kept = if is_kept {
            before.last_kept >= before.last_cut
        } else {
            before.last_kept - slot > before.last_cut
        };
    }
    waiting.drain(..).for_each(|blank| kept.insert(blank));
}

#[cfg(test)]
mod tests {
    use husk_dom::{NodeKind, name};
    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::page::Page;

    const SLOT: f64 = 3.0;

    fn page(html: &str) -> Page {
        Page::parse(Url::parse("https://example.org/").unwrap(), html)
    }

    /// Checks which texts are kept, when each text is its own evidence.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let page = page(html);
        let dom = &page.dom;
        let evidence: Vec<f64> = dom
            .nodes()
            .map(|node| match dom.kind(node) {
                NodeKind::Text => dom.text_of(node).trim().parse().unwrap_or(0.0),
                _ => 0.0,
            })
            .collect();
        let kept = best_template(dom, &Fingerprints::of(&page), |node| evidence[node.index()], SLOT);
        let texts: Vec<_> = kept
            .iter()
            .filter(|&node| dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node))
            .map(|node| dom.text_of(node))
            .collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn evidence_decides() {
        check("<p>5</p><p>-5</p><p>5</p>", &["5", "5"]);
        check("<p>-5</p>", &[]);
    }

    #[test]
    fn a_hole_must_be_worth_its_slot() {
        check("<p>5</p><p>-2</p><p>5</p>", &["5", "-2", "5"]);
    }

    #[test]
    fn a_speck_must_be_worth_the_slot_that_it_splits() {
        check("<p>-5</p><p>2</p><p>-5</p>", &[]);
        check("<p>-5</p><p>4</p><p>-5</p>", &["4"]);
    }

    #[test]
    fn blanks_between_cuts_are_cut() {
        let page = page("<div><b>x</b> <i>y</i> <b>x</b></div>");
        let dom = &page.dom;
        let evidence: Vec<f64> = dom
            .nodes()
            .map(|node| match &**dom.name(node) {
                "b" => -9.0,
                "i" => -9.0,
                _ => 1.0,
            })
            .collect();
        let kept = best_template(dom, &Fingerprints::of(&page), |node| evidence[node.index()], SLOT);
        let div = dom
            .nodes()
            .find(|&node| dom.is_element(node, &name!("div")))
            .unwrap();
        assert!(kept.contains(div));
        assert!(dom.children(div).all(|child| !kept.contains(child)));
    }

    /// What a choice of nodes is worth.
    fn value(dom: &Dom, evidence: &[f64], kept: &dyn Fn(NodeId) -> bool) -> f64 {
        let mut value = 0.0;
        for node in dom.nodes().filter(|&node| kept(node)) {
            value += evidence[node.index()];
            let mut was_kept = true;
            for child in dom.children(node) {
                if was_kept && !kept(child) {
                    value -= SLOT;
                }
                was_kept = kept(child);
            }
        }
        value
    }

    proptest! {
        #[test]
        fn no_other_choice_is_better(evidence in prop::collection::vec(-6i8..7, 9)) {
            // A body with a tree of seven nodes, of which any part may be cut out.
            let page = page("<div><p><b></b><i></i></p><p><b></b></p></div><hr>");
            let dom = &page.dom;
            let body = dom.part(&name!("body")).unwrap().index();
            let evidence: Vec<f64> = (0..dom.len())
                .map(|index| index.checked_sub(body).map_or(0.0, |place| f64::from(evidence[place])))
                .collect();
            let found = best_template(dom, &Fingerprints::of(&page), |node| evidence[node.index()], SLOT);
            let best = value(dom, &evidence, &|node| found.contains(node));
            for choice in 0u32..1 << (dom.len() - body - 1) {
                let is_in = |node: NodeId| {
                    node.index() <= body || choice & (1 << (node.index() - body - 1)) != 0
                };
                let is_tree = dom.nodes().all(|node| {
                    !is_in(node) || dom.parent(node).is_none_or(is_in)
                });
                if is_tree {
                    prop_assert!(value(dom, &evidence, &is_in) <= best + 1e-9);
                }
            }
        }
    }
}
