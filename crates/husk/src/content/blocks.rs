//! The blocks of a page that are not template.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::near_duplicate::NearDuplicates;
use crate::hints::{Hint, Hints};
use crate::measure::is_never_shown;
use crate::template::Template;

/// A subtree that is not template.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Its root.
    pub(super) node: NodeId,
    /// The block it is part of, if it was separated as possible boilerplate.
    pub(super) part_of: Option<usize>,
}

/// Hints that suggest boilerplate.
pub(super) const BOILERPLATE_HINTS: [Hint; 18] = [
    Hint::Navigation,
    Hint::Breadcrumb,
    Hint::Pagination,
    Hint::Contents,
    Hint::Language,
    Hint::Footer,
    Hint::Sidebar,
    Hint::Search,
    Hint::Login,
    Hint::Advertisement,
    Hint::Related,
    Hint::Social,
    Hint::Comments,
    Hint::Consent,
    Hint::Subscription,
    Hint::Byline,
    Hint::Tags,
    Hint::Dialog,
];

pub(super) const BOILERPLATE: Hints = Hints::all_of(&BOILERPLATE_HINTS);

/// The largest subtrees of the body that are not template, in document order, each followed by those of its parts
/// that may be boilerplate by their names or near-duplicates.
pub(super) fn blocks(
    dom: &Dom,
    template: &Template,
    hints: &[Hints],
    near_duplicates: &NearDuplicates<'_>,
) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let Some(body) = dom.part(&name!("body")) else {
        return blocks;
    };
    let mut index = body.index();
    let end = dom.range(body).end;
    while index < end {
        let node = NodeId::from_index(index);
        if is_never_shown(dom, node) {
            index = dom.range(node).end;
        } else if template.contains(node) || dom.kind(node) == NodeKind::Comment || dom.is_blank_text(node) {
            index += 1;
        } else {
            blocks.push(Block { node, part_of: None });
            add_parts(dom, hints, near_duplicates, &mut blocks);
            index = dom.range(node).end;
        }
    }
    blocks
}

/// Adds the largest parts of the last block that may be boilerplate.
fn add_parts(dom: &Dom, hints: &[Hints], near_duplicates: &NearDuplicates<'_>, blocks: &mut Vec<Block>) {
    let whole = blocks.len() - 1;
    let range = dom.range(blocks[whole].node);
    let mut index = range.start + 1;
    while index < range.end {
        let node = NodeId::from_index(index);
        if is_never_shown(dom, node) {
            index = dom.range(node).end;
        } else if hints[index].meets(BOILERPLATE) || near_duplicates.has_node(dom, node) {
            blocks.push(Block {
                node,
                part_of: Some(whole),
            });
            index = dom.range(node).end;
        } else {
            index += 1;
        }
    }
}
