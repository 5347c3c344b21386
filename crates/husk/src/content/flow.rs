//! Finds the template nodes that belong to the content: elements around nothing but content, and captions in it.

use husk_dom::{Dom, NodeId, NodeKind};

use super::blocks::BOILERPLATE;
use super::numbers::LONGEST_CAPTION;
use crate::hints::Hints;
use crate::mapping::NodeSet;
use crate::measure::{Amount, Amounts, Measures, is_never_shown};

/// Adds the elements of the template in the core with nothing but content in them, and template words between those
/// of the content.
pub(super) fn complete(
    dom: &Dom,
    amounts: &Amounts,
    all: &Measures,
    not_template: &Measures,
    core: NodeId,
    hints: &[Hints],
    nodes: &mut NodeSet,
) {
    let own = amounts.those(|node| nodes.contains(node));
    for node in dom.subtree(core).skip(1) {
        if nodes.contains(node) || dom.kind(node) != NodeKind::Element || is_never_shown(dom, node) {
            continue;
        }
        let own = own.of_subtree(dom, node);
        let all = all.of_subtree(dom, node);
        let captions = all.minus(not_template.of_subtree(dom, node));
        let has_boilerplate = all.words > own.words + captions.words;
        if own.words == 0 || has_boilerplate || hints[node.index()].meets(BOILERPLATE) {
            continue;
        }
        if captions.words == 0 {
            nodes.insert(node);
        } else if are_captions(captions, own) {
            for inner in dom.subtree(node) {
                nodes.insert(inner);
            }
        }
    }
}

/// Whether an element has only captions besides content: fewer words than the content, and no links.
fn are_captions(besides: Amount, own: Amount) -> bool {
    own.words + besides.words <= LONGEST_CAPTION && besides.words <= own.words && besides.linked_words == 0
}
