//! Blocks that pages have now and the template lacks.

use std::ops::Range;

use husk_dom::{Dom, NodeId, NodeKind};
use indexmap::IndexMap;

use super::parts::{says_something, short_text};
use super::{Change, ChangedPart, Record, since_when};
use crate::learn::fit::shown_nodes;
use crate::learn::layout::is_slot_comment;
use crate::learn::series::day;
use crate::mapping::{Alignment, Side};
use crate::selectors::SelectorFinder;

/// A block on fewer of the pages since it first appeared was not added to the template.
const ON_NEARLY_ALL: f64 = 0.9;

/// Fewer pages than this may have a block in common by chance.
const FEWEST_PAGES: usize = 5;

/// The share of pages that lack a block that was not added.
const USUALLY_LACK: f64 = 0.95;

/// Blocks of one page that are remembered: content is long, and a new block stands out early or late.
const MOST_BLOCKS: usize = 400;

/// A block is described when this many pages have it.
const DESCRIBED_AT: usize = 3;

/// Blocks that are remembered; beyond that, those that only one page has are forgotten.
const MOST_SEEN: usize = 100_000;

/// Blocks that layouts lack, by their hash.
#[derive(Default)]
pub(super) struct NewBlocks {
    seen: IndexMap<(usize, u64), NewBlock>,
}

#[derive(Default)]
struct NewBlock {
    pages: usize,
    description: Option<Description>,
}

struct Description {
    selector: String,
    text: String,
    /// Where it is on the page that it was described on: the page's body, and the nodes.
    page: u64,
    range: Range<usize>,
}

impl NewBlocks {
    /// The blocks of a page that the template lacks, each once.
    pub(super) fn find(
        &mut self,
        layout: usize,
        own: Side<'_>,
        (model, page_to_model): (&Dom, &Alignment),
        finder: &SelectorFinder<'_>,
    ) -> Vec<u64> {
        let dom = own.dom;
        let is_shown = shown_nodes(dom);
        // What stands in a slot is content, however many pages have it.
        let is_outside_slots = |node: NodeId| {
            let around = dom.ancestors(node).find_map(|above| page_to_model.mate(above));
            around.is_some_and(|mate| !model.children(mate).any(|child| is_slot_comment(model, child)))
        };
        let mut found: IndexMap<u64, NodeId> = IndexMap::new();
        for node in dom.nodes() {
            let is_new = dom.kind(node) == NodeKind::Element
                && is_shown[node.index()]
                && page_to_model.mate(node).is_none()
                && is_outside_slots(node)
                && says_something(dom, node);
            if is_new {
                found.entry(own.fingerprints.get(node).whole).or_insert(node);
            }
            if found.len() >= MOST_BLOCKS {
                break;
            }
        }
        if self.seen.len() > MOST_SEEN {
            self.seen.retain(|_, block| block.pages > 1);
        }
        let page = super::body_hash(own);
        for (&hash, &node) in &found {
            let block = self.seen.entry((layout, hash)).or_default();
            block.pages += 1;
            if block.pages == DESCRIBED_AT {
                let name = finder.name(node);
                block.description = Some(Description {
                    selector: name.map(|(selector, _)| selector.to_string()).unwrap_or_default(),
                    text: short_text(dom, node),
                    page,
                    range: dom.range(node),
                });
            }
        }
        found.into_keys().collect()
    }

    /// The blocks that nearly all pages of a layout have since they first appeared.
    pub(super) fn on_most(&self, layout: usize, records: &[&Record]) -> Vec<ChangedPart> {
        let mut added: Vec<(&Description, ChangedPart)> = Vec::new();
        for ((of, hash), block) in &self.seen {
            let Some(description) = block.description.as_ref().filter(|_| *of == layout) else {
                continue;
            };
            if block.pages < FEWEST_PAGES || added.iter().any(|(other, _)| description.is_in(other)) {
                continue;
            }
            let is_lacking = |record: &Record| !record.new_blocks.contains(hash);
            let Some(loss) = since_when(records, USUALLY_LACK, is_lacking) else {
                continue;
            };
            let since = loss.since.as_deref().map(day);
            let later = records
                .iter()
                .filter(|record| record.date.as_deref().map(day) >= since);
            if (loss.pages as f64) < ON_NEARLY_ALL * later.count() as f64 || loss.pages < FEWEST_PAGES {
                continue;
            }
            let block = ChangedPart {
                change: Change::Added,
                selector: description.selector.clone(),
                text: description.text.clone(),
                pages: loss.pages,
                since: loss.since,
            };
            added.push((description, block));
        }
        added.into_iter().map(|(_, block)| block).collect()
    }
}

impl Description {
    fn is_in(&self, other: &Self) -> bool {
        self.page == other.page && other.range.start <= self.range.start && self.range.end <= other.range.end
    }
}
