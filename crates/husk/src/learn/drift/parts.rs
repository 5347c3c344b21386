//! The named parts of a layout's template, and which of them broke.

use std::collections::BTreeMap;

use husk_dom::{Dom, NodeId, NodeKind};

use super::{Change, ChangedPart, LEAST_EXPECTED, LayoutDrift, Record, since_when};
use crate::learn::fit::shown_nodes;
use crate::learn::layout::{Layout, is_slot_comment};
use crate::learn::series::Loss;
use crate::mapping::Alignment;
use crate::measure::words;
use crate::selectors::{Basis, Selector, SelectorFinder};
use crate::vote::NodeState;

/// Characters of a text that are shown.
const SHOWN_TEXT: usize = 60;

/// The blocks of a template with their selectors, and the elements around its slots.
pub(super) struct Parts {
    /// The largest blocks without a slot, in document order.
    blocks: Vec<(NodeId, Selector)>,
    /// The elements with a slot directly in them.
    slots: Vec<NodeId>,
}

impl Parts {
    pub(super) fn of(layout: &Layout) -> Self {
        let dom = &layout.model.dom;
        let is_shown = shown_nodes(dom);
        let mut has_slot = vec![false; dom.len()];
        let mut slots = Vec::new();
        for node in dom.nodes().filter(|&node| is_slot_comment(dom, node)) {
            dom.ancestors(node)
                .for_each(|above| has_slot[above.index()] = true);
            if let Some(holder) = dom.parent(node).filter(|holder| is_shown[holder.index()]) {
                slots.push(holder);
            }
        }
        slots.sort_unstable();
        slots.dedup();
        let finder = SelectorFinder::on(dom);
        let mut blocks = Vec::new();
        let mut index = 0;
        while index < dom.len() {
            let node = NodeId::from_index(index);
            let is_block = dom.kind(node) == NodeKind::Element && is_shown[index] && !has_slot[index];
            if !is_block {
                index += 1;
                continue;
            }
            // A selector that counts places breaks whenever something is put before it.
            let named = finder.name(node).filter(|(_, basis)| *basis != Basis::Place);
            blocks.extend(named.map(|(selector, _)| (node, selector)));
            index = dom.range(node).end;
        }
        Self { blocks, slots }
    }

    /// The blocks that their selectors no longer find on a page.
    pub(super) fn lost(&self, finder: &SelectorFinder<'_>, model_to_page: &Alignment) -> Vec<usize> {
        let is_found = |node: NodeId, selector: &Selector| {
            let mate = model_to_page.mate(node);
            mate.is_some_and(|mate| finder.finds(selector, mate))
        };
        let blocks = self.blocks.iter().enumerate();
        let lost = blocks.filter(|(_, (node, selector))| !is_found(*node, selector));
        lost.map(|(place, _)| place).collect()
    }

    /// Adds what broke on the pages of the layout.
    pub(super) fn tell_broken(&self, layout: &Layout, records: &[&Record], drift: &mut LayoutDrift) {
        let broken = broken_nodes(layout, records);
        let finder = SelectorFinder::on(&layout.model.dom);
        let part = |node: NodeId, change: Change, loss: &Loss, text: String| ChangedPart {
            selector: finder
                .name(node)
                .map(|(selector, _)| selector.to_string())
                .unwrap_or_default(),
            text,
            change,
            pages: loss.pages,
            since: loss.since.clone(),
        };
        let dom = &layout.model.dom;
        for (node, count) in outermost(dom, &broken) {
            let (change, loss) = &broken[&node];
            let mut text = short_text(dom, node);
            if count > 1 {
                text += &format!(" (and {} more)", count - 1);
            }
            drift.blocks.push(part(node, *change, loss, text));
        }
        for &holder in &self.slots {
            if let Some((change, loss)) = broken.get(&holder) {
                drift.slots.push(part(holder, *change, loss, String::new()));
            }
        }
        for (place, (node, selector)) in self.blocks.iter().enumerate() {
            let expected = layout.votes.share_unchanged(*node);
            if expected < LEAST_EXPECTED {
                continue;
            }
            let is_there = |record: &Record| !record.lost_selectors.contains(&place);
            if let Some(loss) = since_when(records, expected, is_there) {
                let change = broken.get(node).map_or(Change::Gone, |(change, _)| *change);
                let mut lost = part(*node, change, &loss, short_text(dom, *node));
                lost.selector = selector.to_string();
                drift.selectors.push(lost);
            }
        }
    }
}

/// The nodes of the template that broke, each with what happened to it on most pages.
fn broken_nodes(layout: &Layout, records: &[&Record]) -> BTreeMap<NodeId, (Change, Loss)> {
    let mut states: BTreeMap<NodeId, Vec<NodeState>> = BTreeMap::new();
    for record in records {
        for &(node, state) in &record.broken {
            states.entry(node).or_default().push(state);
        }
    }
    let mut broken = BTreeMap::new();
    for (node, states) in states {
        let expected = layout.votes.share_unchanged(node);
        if expected < LEAST_EXPECTED {
            continue;
        }
        let is_there = |record: &Record| {
            record
                .broken
                .binary_search_by_key(&node, |&(node, _)| node)
                .is_err()
        };
        if let Some(loss) = since_when(records, expected, is_there) {
            let most = [NodeState::Gone, NodeState::Differs, NodeState::Restyled]
                .into_iter()
                .max_by_key(|state| states.iter().filter(|other| *other == state).count());
            let change = change_of(&layout.model.dom, node, most.unwrap_or(NodeState::Gone));
            broken.insert(node, (change, loss));
        }
    }
    broken
}

fn change_of(dom: &Dom, node: NodeId, state: NodeState) -> Change {
    match state {
        NodeState::Kept | NodeState::Gone => Change::Gone,
        NodeState::Restyled => Change::Restyled,
        NodeState::Differs if dom.kind(node) == NodeKind::Text => Change::Text,
        NodeState::Differs => Change::Target,
    }
}

/// The broken nodes to tell: none that is in another one with the same change, and one for a run of siblings, with
/// their number.
fn outermost(dom: &Dom, broken: &BTreeMap<NodeId, (Change, Loss)>) -> Vec<(NodeId, usize)> {
    let mut told: Vec<(NodeId, usize)> = Vec::new();
    // The end of what was told of as a whole.
    let mut end = 0;
    for (&node, (change, loss)) in broken {
        if node.index() < end {
            continue;
        }
        if *change != Change::Restyled {
            end = dom.range(node).end;
        }
        if let Some((last, count)) = told.last_mut() {
            let (other, other_loss) = &broken[last];
            if dom.parent(*last) == dom.parent(node) && other == change && other_loss == loss {
                *count += 1;
                continue;
            }
        }
        told.push((node, 1));
    }
    told
}

/// The start of the text in a subtree.
pub(crate) fn short_text(dom: &Dom, node: NodeId) -> String {
    let is_shown = shown_nodes(dom);
    let mut text = String::new();
    for node in dom.subtree(node) {
        if dom.kind(node) != NodeKind::Text || !is_shown[node.index()] {
            continue;
        }
        for word in dom.text_of(node).split_whitespace() {
            if text.chars().count() + word.chars().count() >= SHOWN_TEXT {
                return text + "…";
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    if text.is_empty() { target(dom, node) } else { text }
}

/// The source or link of an element without text.
fn target(dom: &Dom, node: NodeId) -> String {
    let inside = dom
        .subtree(node)
        .filter(|&node| dom.kind(node) == NodeKind::Element);
    let names = ["src", "href", "action", "placeholder", "alt"].map(husk_dom::Name::from);
    let mut targets = inside.flat_map(|node| names.iter().filter_map(move |name| dom.attribute(node, name)));
    targets
        .next()
        .unwrap_or_default()
        .chars()
        .take(SHOWN_TEXT)
        .collect()
}

/// Whether a subtree says enough to be named.
pub(super) fn says_something(dom: &Dom, node: NodeId) -> bool {
    let texts = dom.subtree(node).filter(|&node| dom.kind(node) == NodeKind::Text);
    texts.flat_map(|text| words(dom.text_of(text))).next().is_some()
}
