//! What of the template belongs to the flow of the content: frames around nothing but content, and captions in it.

use husk_dom::{Dom, NodeId, NodeKind};

use super::blocks::FURNITURE;
use crate::hints::Hints;
use crate::mapping::NodeSet;
use crate::measure::{Amount, Measures, is_never_shown};

/// Adds the elements of the template in the core that hold nothing but content, and the words of the template that
/// stand among those of the content.
pub(super) fn complete(dom: &Dom, core: NodeId, hints: &[Hints], nodes: &mut NodeSet) {
    let all = Measures::of(dom);
    let own = Measures::of_those(dom, |node| nodes.contains(node));
    for node in dom.subtree(core).skip(1) {
        if nodes.contains(node) || dom.kind(node) != NodeKind::Element || is_never_shown(dom, node) {
            continue;
        }
        let (words, own) = (all.of_subtree(dom, node), own.of_subtree(dom, node));
        if own.words == 0 || hints[node.index()].has_any(&FURNITURE) {
            continue;
        }
        let captions = words.words - own.words;
        if captions == 0 {
            nodes.insert(node);
        } else if has_captions(words, own) {
            for inner in dom.subtree(node) {
                nodes.insert(inner);
            }
        }
    }
}

/// Whether what an element has besides content is its captions: fewer words than the content, and no links.
fn has_captions(all: Amount, own: Amount) -> bool {
    all.words <= LONGEST && all.words <= 2 * own.words && all.linked_words == own.linked_words
}

/// Elements with captions in them have no more words than this.
const LONGEST: u32 = 30;
