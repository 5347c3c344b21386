//! Finds the core: the element with most of the text that is not template.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::blocks::{BOILERPLATE, Block};
use super::numbers::{CORE_SHARE, LEAST_TEXT, LINKED_WORD};
use crate::hints::{Hint, Hints};
use crate::measure::{Amounts, Measures};

/// The innermost element of the template, or the block, with most of the running text.
pub(super) fn core(dom: &Dom, amounts: &Amounts, blocks: &[Block], hints: &[Hints]) -> Option<NodeId> {
    let body = dom.part(&name!("body"))?;
    let (is_own, all) = own_text(dom, amounts, blocks);
    let own = without_boilerplate(dom, amounts, hints, &all, is_own)
        .filter(|own| weight(own, dom, body) >= LEAST_TEXT)
        .unwrap_or(all);
    if weight(&own, dom, body) == 0.0 {
        return None;
    }
    let is_block = |node| blocks.binary_search_by_key(&node, |block| block.node).is_ok();
    let mut core = body;
    while !is_block(core) {
        let all = weight(&own, dom, core);
        let inner = dom
            .children(core)
            .filter(|&child| dom.kind(child) == NodeKind::Element)
            .find(|&child| weight(&own, dom, child) >= CORE_SHARE * all);
        match inner {
            Some(inner) => core = inner,
            None => break,
        }
    }
    Some(core)
}

fn weight(own: &Measures, dom: &Dom, node: NodeId) -> f64 {
    let amount = own.of_subtree(dom, node);
    f64::from(amount.words - amount.linked_words) + LINKED_WORD * f64::from(amount.linked_words)
}

/// The texts that are not template.
fn own_text(dom: &Dom, amounts: &Amounts, blocks: &[Block]) -> (Vec<bool>, Measures) {
    let mut is_own = vec![false; dom.len()];
    for block in blocks.iter().filter(|block| block.part_of.is_none()) {
        is_own[dom.range(block.node)].fill(true);
    }
    let own = amounts.those(|node| is_own[node.index()]);
    (is_own, own)
}

/// The same without what is boilerplate by its names; none if there is no such text.
fn without_boilerplate(
    dom: &Dom,
    amounts: &Amounts,
    hints: &[Hints],
    own: &Measures,
    mut is_own: Vec<bool>,
) -> Option<Measures> {
    let half = weight(own, dom, dom.document()) / 2.0;
    let mut has_boilerplate = false;
    let mut index = 0;
    while index < dom.len() {
        let node = NodeId::from_index(index);
        let is_boilerplate = hints[index].meets(BOILERPLATE)
            && !hints[index].has_any(&[Hint::Main, Hint::Article])
            && *dom.name(node) != name!("html")
            && *dom.name(node) != name!("body")
            && (hints[index].has(Hint::Comments) || weight(own, dom, node) < half);
        if is_boilerplate {
            has_boilerplate = true;
            let range = dom.range(node);
            index = range.end;
            is_own[range].fill(false);
        } else {
            index += 1;
        }
    }
    has_boilerplate.then(|| amounts.those(|node| is_own[node.index()]))
}
