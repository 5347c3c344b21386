//! Finds the cuts that leave the template with the most evidence.

use husk_dom::{Dom, NodeId};

use crate::fingerprint::Fingerprints;
use crate::mapping::NodeSet;

/// The nodes to keep so that their evidence, less the cost of a slot for each run of siblings that is cut out, is
/// highest.
///
/// A cut removes whole subtrees, so the rest is a tree. The optimum is exact and takes two passes: up, for what each
/// node is worth if it is kept, and down, to pick the nodes.
pub(super) fn best_template(
    dom: &Dom,
    fingerprints: &Fingerprints,
    evidence: impl Fn(NodeId) -> f64,
    slot: f64,
) -> NodeSet {
    let worth = worth_if_kept(dom, fingerprints, evidence, slot);
    let mut kept = NodeSet::none(dom);
    kept.insert(dom.document());
    let mut children = Vec::new();
    let mut room = Room::default();
    for node in dom.nodes() {
        if !kept.contains(node) {
            continue;
        }
        children.clear();
        children.extend(dom.children(node));
        if node == dom.document() {
            kept.insert(dom.root());
        } else if node == dom.root() {
            // Head and body always stay.
            children.iter().for_each(|&child| kept.insert(child));
        } else {
            keep_best(&children, fingerprints, &worth, slot, &mut room, &mut kept);
        }
    }
    kept
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

/// The evidence of each node plus the best result below it.
fn worth_if_kept(
    dom: &Dom,
    fingerprints: &Fingerprints,
    evidence: impl Fn(NodeId) -> f64,
    slot: f64,
) -> Vec<f64> {
    let mut worth = vec![0.0; dom.len()];
    for node in dom.nodes().rev() {
        let children = fingerprints.children(dom, node);
        let best = children.fold(Best::NO_CHILDREN, |best, child| {
            best.with(worth[child.index()], slot)
        });
        worth[node.index()] = evidence(node) + best.most();
    }
    worth
}

/// Buffers that are reused from node to node.
#[derive(Default)]
struct Room {
    bests: Vec<Best>,
    waiting: Vec<NodeId>,
}

/// Keeps those children of a kept node that belong to the optimum.
fn keep_best(
    children: &[NodeId],
    fingerprints: &Fingerprints,
    worth: &[f64],
    slot: f64,
    room: &mut Room,
    kept: &mut NodeSet,
) {
    let is_compared = |child: &NodeId| fingerprints.is_compared(*child);
    let Room { bests, waiting } = room;
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
