//! How much of a layout's template a page has.

use husk_dom::{Dom, NodeId, name};

use super::layout::Layout;
use crate::mapping::{Alignment, Side};
use crate::measure::is_never_shown;
use crate::vote::NodeState;

/// A page compared with the template of a layout.
pub(super) struct Comparison {
    /// The share of the template that the page has, of what pages of the layout had when it was learned: 0 to 1.
    pub(super) fit: f32,
    /// The nodes of the model that the page lacks or has otherwise, in document order.
    pub(super) broken: Vec<(NodeId, NodeState)>,
}

impl Layout {
    /// Compares a page with the template. The alignment pairs nodes of the model with nodes of the page.
    ///
    /// Only what readers can see counts: names of style sheets and scripts change with every build of a site.
    pub(super) fn compare(&self, page: Side<'_>, alignment: &Alignment) -> Comparison {
        let is_shown = shown_nodes(&self.model.dom);
        let (mut kept, mut expected) = (0.0, 0.0);
        let mut broken = Vec::new();
        self.votes.compare(self.side(), page, alignment, |node, seen| {
            if !is_shown[node.index()] {
                return;
            }
            expected += seen.weight * seen.expected;
            match seen.state {
                NodeState::Kept => kept += seen.weight,
                state => broken.push((node, state)),
            }
        });
        let fit = if expected > 0.0 { kept / expected } else { 1.0 };
        Comparison {
            fit: fit.min(1.0) as f32,
            broken,
        }
    }
}

/// Whether a node is in the body and can be seen, for each node.
pub(crate) fn shown_nodes(dom: &Dom) -> Vec<bool> {
    let mut is_shown = vec![false; dom.len()];
    let Some(body) = dom.part(&name!("body")).or_else(|| dom.part(&name!("frameset"))) else {
        return is_shown;
    };
    let range = dom.range(body);
    let mut index = range.start + 1;
    while index < range.end {
        let node = NodeId::from_index(index);
        if is_never_shown(dom, node) {
            index = dom.range(node).end;
            continue;
        }
        is_shown[index] = true;
        index += 1;
    }
    is_shown
}
