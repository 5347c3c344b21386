//! What headings say about their sections: "Comments", "You may also like".

use std::sync::LazyLock;

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexMap;

use crate::hints::{Hint, Hints, is_heading};
use crate::lexicon;
use crate::measure::words;

/// Hints by section.
#[derive(Debug, Default)]
pub(super) struct Phrases(IndexMap<NodeId, Hints>);

impl Phrases {
    /// Reads all headings of a page.
    pub(super) fn of(dom: &Dom) -> Self {
        let mut phrases = Self::default();
        for node in dom.nodes() {
            match *dom.name(node) {
                name!("textarea") if is_comment_field(dom, node) => {
                    phrases.add(around_field(dom, node), Hint::Comments);
                    continue;
                }
                name!("legend") | name!("summary") => {}
                _ if is_heading(dom, node) => {}
                _ => continue,
            }
            if dom.kind(node) != NodeKind::Element || dom.size(node) > 16 {
                continue;
            }
            let Some(hint) = hint(dom.text_of(node)) else {
                continue;
            };
            let section = section(dom, node);
            phrases.add(section, hint);
            // A heading alone in its element belongs to what follows.
            if section.is_none_or(|section| dom.text_of(section).trim() == dom.text_of(node).trim()) {
                phrases.add_following(dom, section.unwrap_or(node), hint);
            }
        }
        phrases
    }

    /// Adds the siblings after an element up to the next heading.
    fn add_following(&mut self, dom: &Dom, node: NodeId, hint: Hint) {
        self.add(Some(node), hint);
        let end = dom.parent(node).map_or(0, |parent| dom.range(parent).end);
        let mut next = dom.range(node).end;
        while next < end && !has_heading(dom, NodeId::from_index(next)) {
            let sibling = NodeId::from_index(next);
            self.add(Some(sibling), hint);
            next = dom.range(sibling).end;
        }
    }

    fn add(&mut self, section: Option<NodeId>, hint: Hint) {
        if let Some(section) = section {
            let hints = self.0.entry(section).or_default();
            *hints = hints.with(hint);
        }
    }

    /// The hints of headings for all nodes of the page.
    pub(super) fn of_all_nodes(&self, dom: &Dom) -> Vec<Hints> {
        let mut all = vec![Hints::default(); dom.len()];
        for (node, &hints) in &self.0 {
            all[node.index()] = hints;
        }
        all
    }
}

/// Whether an element begins with a heading.
fn has_heading(dom: &Dom, node: NodeId) -> bool {
    dom.subtree(node).take(4).any(|node| is_heading(dom, node))
}

fn hint(text: &str) -> Option<Hint> {
    if text.len() > 120 {
        return None;
    }
    // "3 comments", "Comments (3)" and "Comments:" are "comments".
    let mut said = String::with_capacity(text.len());
    for word in words(text).filter(|word| !word.chars().all(char::is_numeric)) {
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&word.to_lowercase());
    }
    BY_PHRASE.get(&said).copied()
}

/// The hints by phrase, with single spaces between words.
static BY_PHRASE: LazyLock<IndexMap<String, Hint>> = LazyLock::new(|| {
    let comments = lexicon::entries("heading comments")
        .iter()
        .map(|phrase| (phrase, Hint::Comments));
    let related = lexicon::entries("heading related")
        .iter()
        .map(|phrase| (phrase, Hint::Related));
    let joined = |phrase: &str| words(phrase).collect::<Vec<_>>().join(" ");
    comments
        .chain(related)
        .map(|(phrase, hint)| (joined(phrase), hint))
        .collect()
});

/// A field to write a comment in.
fn is_comment_field(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("textarea"))
        && [
            name!("placeholder"),
            name!("name"),
            name!("id"),
            name!("aria-label"),
        ]
        .iter()
        .filter_map(|attribute| dom.attribute(node, attribute))
        .flat_map(words)
        .any(|word| BY_PHRASE.get(&word.to_lowercase()) == Some(&Hint::Comments))
}

/// The section of a field, or its form.
fn around_field(dom: &Dom, field: NodeId) -> Option<NodeId> {
    let around = |name| dom.ancestors(field).find(|&above| dom.is_element(above, &name));
    around(name!("section")).or_else(|| around(name!("form")))
}

/// The largest element that begins with a heading.
fn section(dom: &Dom, heading: NodeId) -> Option<NodeId> {
    let mut section = None;
    let mut below = heading;
    for above in dom.ancestors(heading) {
        let first = dom
            .children(above)
            .find(|&child| !dom.is_blank_text(child) && dom.kind(child) != NodeKind::Comment);
        if first != Some(below) || dom.is_element(above, &name!("body")) {
            break;
        }
        section = Some(above);
        below = above;
    }
    section
}
