//! Which links lead to footnotes, and which blocks are footnotes.
//!
//! A link is taken for one to a footnote if it is short, leads to a block of the content, and that block leads back to it,
//! or it is raised and the block is an entry of a list.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::{IndexMap, IndexSet};

use super::elements::{Mark, Meaning, meaning};
use super::selection::Selection;

/// The footnotes of a selection.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// The label of each block that is one.
    notes: IndexMap<NodeId, String>,
    /// The block that each link to one leads to.
    references: IndexMap<NodeId, NodeId>,
    /// Links from a footnote back to where it is referred to.
    back: IndexSet<NodeId>,
}

/// A block of more nodes than this is no footnote.
const MAX_SIZE: usize = 400;

impl Footnotes {
    pub(super) fn of(selection: &Selection<'_>) -> Self {
        let dom = selection.dom;
        let mut links: Vec<(NodeId, &str)> = Vec::new();
        let mut places: IndexMap<&str, NodeId> = IndexMap::new();
        for node in dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Element) {
            if let Some(id) = dom.attribute(node, &name!("id")) {
                places.entry(id).or_insert(node);
            }
            if let Some(target) = place_of(dom, node).filter(|_| selection.is_visited(node)) {
                links.push((node, target));
            }
        }
        let mut found = Self::default();
        for &(link, target) in &links {
            let note = places
                .get(target)
                .and_then(|&place| note_around(selection, place));
            if let Some(note) = note
                // Footnotes stand behind what they are about; the other way round it is the link back.
                && link < note
                && is_short(dom.text_of(link))
                && (leads_back(dom, note, link) || is_raised_to_entry(dom, link, note))
            {
                found.references.insert(link, note);
            }
        }
        found.label(dom);
        for &(link, target) in &links {
            let is_back = places.get(target).is_some_and(|&place| {
                let near = std::iter::once(place).chain(dom.ancestors(place).take(2));
                let mut near = near.chain(dom.subtree(place).take(4));
                near.any(|near| found.references.contains_key(&near))
            });
            if is_back
                && dom
                    .ancestors(link)
                    .take(4)
                    .any(|above| found.notes.contains_key(&above))
            {
                found.back.insert(link);
            }
        }
        found
    }

    /// Labels are the texts of the links if they are distinct; otherwise numbers.
    fn label(&mut self, dom: &Dom) {
        let mut taken: IndexSet<String> = IndexSet::new();
        for (&link, &note) in &self.references {
            if self.notes.contains_key(&note) {
                continue;
            }
            let said: String = dom
                .text_of(link)
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .collect();
            let mut label = said;
            let mut count = self.notes.len() + 1;
            while label.is_empty() || taken.contains(&label) {
                label = format!("n{count}");
                count += 1;
            }
            taken.insert(label.clone());
            self.notes.insert(note, label);
        }
    }

    /// The label of the footnote that a link leads to.
    pub(super) fn referred(&self, link: NodeId) -> Option<&str> {
        self.note(*self.references.get(&link)?)
    }

    /// The label of a block that is a footnote.
    pub(super) fn note(&self, block: NodeId) -> Option<&str> {
        self.notes.get(&block).map(String::as_str)
    }

    /// Whether a link leads from a footnote back.
    pub(super) fn is_back(&self, link: NodeId) -> bool {
        self.back.contains(&link)
    }

    /// Whether a list has nothing in it but footnotes.
    pub(super) fn are_all_in(&self, selection: &Selection<'_>, list: NodeId) -> bool {
        !self.notes.is_empty()
            && selection.children(list).all(|child| {
                selection.dom.kind(child) != NodeKind::Element || self.notes.contains_key(&child)
            })
    }
}

/// The place on the page that a link leads to.
fn place_of(dom: &Dom, node: NodeId) -> Option<&str> {
    if !dom.is_element(node, &name!("a")) {
        return None;
    }
    let place = dom.attribute(node, &name!("href"))?.trim().strip_prefix('#')?;
    (!place.is_empty()).then_some(place)
}

fn is_short(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= 6
}

/// The block around a place that may be a footnote: of content, small, and not within a list or table of other things.
fn note_around(selection: &Selection<'_>, place: NodeId) -> Option<NodeId> {
    let dom = selection.dom;
    let mut near = std::iter::once(place).chain(dom.ancestors(place)).take(4);
    let is_inline = |node: &NodeId| meaning(dom, *node).is_block();
    let mut block = near.find(is_inline)?;
    // A paragraph that is all of an entry: the entry is meant.
    let parent = dom.parent(block)?;
    if meaning(dom, parent) == Meaning::Item {
        block = parent;
    }
    let is_kind = matches!(meaning(dom, block), Meaning::Item | Meaning::Block)
        && matches!(&**dom.name(block), "li" | "p" | "div" | "aside");
    let is_small = dom.size(block) <= MAX_SIZE;
    if !is_kind || !is_small || !selection.contains(block) {
        return None;
    }
    let holds = |node| matches!(meaning(dom, node), Meaning::Heading(_) | Meaning::Table);
    let is_plain = !dom.subtree(block).any(holds);
    let own_list = dom.parent(block).filter(|_| meaning(dom, block) == Meaning::Item);
    let is_free = dom
        .ancestors(block)
        .filter(|&above| Some(above) != own_list && !selection.is_around_all(above))
        .all(|above| matches!(meaning(dom, above), Meaning::Block | Meaning::Inline));
    (is_plain && is_free).then_some(block)
}

/// Whether a block has a link to where another link stands.
fn leads_back(dom: &Dom, note: NodeId, link: NodeId) -> bool {
    let id = |node| dom.attribute(node, &name!("id"));
    let near = std::iter::once(link)
        .chain(dom.ancestors(link).take(2))
        .chain(dom.subtree(link).skip(1).take(3));
    let ids: Vec<&str> = near.filter_map(id).collect();
    !ids.is_empty()
        && dom
            .subtree(note)
            .filter_map(|below| place_of(dom, below))
            .any(|place| ids.contains(&place))
}

fn is_raised_to_entry(dom: &Dom, link: NodeId, note: NodeId) -> bool {
    let is_raised = |node| meaning(dom, node) == Meaning::Mark(Mark::Raised);
    let mut near = dom
        .ancestors(link)
        .take(2)
        .chain(dom.subtree(link).skip(1).take(2));
    meaning(dom, note) == Meaning::Item && near.any(is_raised)
}
