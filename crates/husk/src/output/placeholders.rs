//! The slots of a template under names that a web developer can fill: `title`, `main_content`, `date`, ...

use husk_dom::{Dom, Name, NodeId, NodeKind, name, serialize};
use indexmap::IndexSet;

use super::html::holds_only_text;
use super::options::Scripts;
use super::scripts::runs_scripts;
use super::slot_names::{Names, slot_name};
use super::slots::{Slot, slots};
use crate::content::Content;
use crate::extraction::Extraction;
use crate::measure::{Measures, shows_by_itself, words};

/// Something that differs from page to page, under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// An identifier in every engine, once per template.
    pub name: String,
    /// What it is filled with.
    pub kind: PlaceholderKind,
    /// The slot it stands for, or for a part of; none for an attribute of an element that stays.
    pub slot: Option<usize>,
    /// Where it stands.
    pub target: PlaceholderTarget,
    /// What stands there on the key page: HTML, or the text itself.
    pub value: String,
}

/// What a placeholder is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceholderKind {
    /// HTML, which is taken as it is.
    Html,
    /// Text, which is escaped.
    Text,
}

/// Where a placeholder stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceholderTarget {
    /// In front of a node, which is left out with others that follow it.
    Before(NodeId),
    /// In an element that holds nothing but text, as a title.
    Inside(NodeId),
    /// In an attribute of an element.
    Attribute(NodeId, Name),
}

impl PlaceholderTarget {
    fn node(&self) -> NodeId {
        match self {
            Self::Before(node) | Self::Inside(node) | Self::Attribute(node, _) => *node,
        }
    }
}

impl Placeholder {
    /// A line that says what to fill in.
    pub fn about(&self) -> String {
        let what = match (&self.target, self.kind) {
            (PlaceholderTarget::Attribute(_, attribute), _) => {
                return format!("text for the attribute {attribute}");
            }
            (_, PlaceholderKind::Text) => "text",
            (_, PlaceholderKind::Html) => "HTML",
        };
        let count = match &self.target {
            PlaceholderTarget::Before(_) => words_in_html(&self.value),
            _ => words(&self.value).count(),
        };
        format!(
            "{what}; {count} word{} on this page",
            if count == 1 { "" } else { "s" }
        )
    }
}

fn words_in_html(html: &str) -> usize {
    let dom = Dom::parse(html);
    Measures::of(&dom).of_subtree(&dom, dom.document()).words as usize
}

/// What of the template differs from page to page, in document order, each with a name of its own.
///
/// What was cut out of the head is taken apart: title, descriptions and the page's own URL become elements with a
/// placeholder in them, and all the rest is one placeholder. A link that no other page has, in an element that all pages
/// have, becomes one too.
pub fn placeholders(extraction: &Extraction, scripts: Scripts) -> Vec<Placeholder> {
    let dom = &extraction.key_page.dom;
    let slots = slots(extraction);
    let main = main_slot(extraction, &slots);
    let mut names = Names::of_page(dom);
    if main.is_some() {
        names.unique(MAIN_CONTENT);
    }
    let mut found = Vec::new();
    let mut head = Head::default();
    for slot in &slots {
        if dom.is_element(slot.cut.parent, &name!("head")) {
            head.take_apart(dom, slot, &mut names, &mut found);
        } else if scripts == Scripts::Keep || says_something(dom, slot) {
            let name = if Some(slot.number) == main {
                MAIN_CONTENT.to_owned()
            } else {
                names.unique(&slot_name(dom, slot))
            };
            found.push(slot_placeholder(dom, slot, name));
        }
    }
    found.extend(head.rest(dom, scripts, &mut names));
    attribute_placeholders(extraction, &mut names, &mut found);
    found.sort_by_key(|placeholder| placeholder.target.node());
    found
}

/// Whether there is something to see in a slot, not only scripts and empty boxes.
fn says_something(dom: &Dom, slot: &Slot) -> bool {
    let mut nodes = slot.cut.nodes.iter().flat_map(|&node| dom.subtree(node));
    slot.shows
        && nodes.any(|node| match dom.kind(node) {
            NodeKind::Text => {
                let mut above = dom.ancestors(node);
                !dom.is_blank_text(node) && !above.any(|above| runs_scripts(dom, above))
            }
            NodeKind::Element => shows_by_itself(dom, node),
            _ => false,
        })
}

/// The name of the slot that holds most of the content.
const MAIN_CONTENT: &str = "main_content";

/// The slot that holds most of the content.
fn main_slot(extraction: &Extraction, slots: &[Slot]) -> Option<usize> {
    let dom = &extraction.key_page.dom;
    let content = Content::of(extraction);
    let of_content = Measures::of_those(dom, |node| content.nodes.contains(node));
    let of_page = Measures::of(dom);
    let size = |slot: &Slot| {
        let sum = |measures: &Measures| -> u32 {
            let nodes = slot.cut.nodes.iter();
            nodes.map(|&node| measures.of_subtree(dom, node).words).sum()
        };
        (sum(&of_content), sum(&of_page))
    };
    let sized = slots.iter().map(|slot| (size(slot), slot.number));
    let largest = sized.max_by_key(|&(size, number)| (size, std::cmp::Reverse(number)))?;
    (largest.0.1 > 0).then_some(largest.1)
}

fn slot_placeholder(dom: &Dom, slot: &Slot, name: String) -> Placeholder {
    let parent = slot.cut.parent;
    let is_in_text = holds_only_text(dom, parent);
    // Elements that hold text as it is would show the escapes.
    let is_escaped = matches!(&**dom.name(parent), "title" | "textarea");
    let (target, kind) = match (is_in_text, is_escaped) {
        (true, true) => (PlaceholderTarget::Inside(parent), PlaceholderKind::Text),
        (true, false) => (PlaceholderTarget::Inside(parent), PlaceholderKind::Html),
        (false, _) => (
            PlaceholderTarget::Before(slot.cut.nodes[0]),
            PlaceholderKind::Html,
        ),
    };
    Placeholder {
        name,
        kind,
        slot: Some(slot.number),
        value: match kind {
            PlaceholderKind::Text => slot.cut.nodes.iter().map(|&node| dom.text_of(node)).collect(),
            PlaceholderKind::Html => slot.content(dom),
        },
        target,
    }
}

/// What was cut out of the head and has no name, with the slots it was cut out in.
#[derive(Debug, Default)]
struct Head {
    rest: Vec<(usize, NodeId)>,
}

impl Head {
    /// Makes a placeholder of each node that has a name, and puts the others aside.
    fn take_apart(&mut self, dom: &Dom, slot: &Slot, names: &mut Names, found: &mut Vec<Placeholder>) {
        for &node in &slot.cut.nodes {
            match head_placeholder(dom, slot, node, names) {
                Some(placeholder) => found.push(placeholder),
                None => self.rest.push((slot.number, node)),
            }
        }
    }

    /// One placeholder for all that is left: nobody wants to fill a dozen of them.
    fn rest(mut self, dom: &Dom, scripts: Scripts, names: &mut Names) -> Option<Placeholder> {
        self.rest.retain(|&(_, node)| match dom.kind(node) {
            NodeKind::Element => scripts == Scripts::Keep || !runs_scripts(dom, node),
            _ => false,
        });
        let &(slot, first) = self.rest.first()?;
        Some(Placeholder {
            name: names.unique("head_extra"),
            kind: PlaceholderKind::Html,
            slot: Some(slot),
            target: PlaceholderTarget::Before(first),
            value: self.rest.iter().map(|&(_, node)| serialize(dom, node)).collect(),
        })
    }
}

fn head_placeholder(dom: &Dom, slot: &Slot, node: NodeId, names: &mut Names) -> Option<Placeholder> {
    let of = |name: String, target, value: &str| Placeholder {
        name,
        kind: PlaceholderKind::Text,
        slot: Some(slot.number),
        target,
        value: value.to_owned(),
    };
    if dom.is_element(node, &name!("title")) {
        return Some(of(
            names.unique("title"),
            PlaceholderTarget::Inside(node),
            dom.text_of(node),
        ));
    }
    let (attribute, value) = telling_attribute(dom, node)?;
    let name = names.of_metadata(dom, node)?;
    Some(of(name, PlaceholderTarget::Attribute(node, attribute), value))
}

/// The attribute of an element that says what it is there to say, where another page may say something else.
fn telling_attribute(dom: &Dom, node: NodeId) -> Option<(Name, &str)> {
    let attribute = match &**dom.name(node) {
        "meta" => name!("content"),
        "link" | "a" | "area" => name!("href"),
        "img" => name!("src"),
        _ => return None,
    };
    let value = dom.attribute(node, &attribute)?;
    (!matches!(value, "" | "#")).then_some((attribute, value))
}

/// Links and the like in elements of the template that lead somewhere else on every other page.
fn attribute_placeholders(extraction: &Extraction, names: &mut Names, found: &mut Vec<Placeholder>) {
    let dom = &extraction.key_page.dom;
    let named: Vec<(NodeId, String)> = found
        .iter()
        .filter_map(|placeholder| match placeholder.target {
            PlaceholderTarget::Before(node) => Some((node, placeholder.name.clone())),
            _ => None,
        })
        .collect();
    for node in extraction.template.nodes() {
        let support = extraction.template.support(node);
        if support.structural == 0 || support.verbatim > 0 || !dom.is_in_page(node) {
            continue;
        }
        let Some((attribute, value)) = telling_attribute(dom, node) else {
            continue;
        };
        let first = named.partition_point(|&(slot, _)| slot < node);
        let inner = named.get(first).filter(|&&(slot, _)| dom.is_within(slot, node));
        let name = match &**dom.name(node) {
            "meta" | "link" => match names.of_metadata(dom, node) {
                Some(name) => name,
                None => continue,
            },
            _ => names.of_link(dom, node, inner.map(|(_, name)| &**name)),
        };
        found.push(Placeholder {
            name,
            kind: PlaceholderKind::Text,
            slot: None,
            value: value.to_owned(),
            target: PlaceholderTarget::Attribute(node, attribute),
        });
    }
}

/// The nodes that are left out where these placeholders stand.
pub(super) fn left_out(extraction: &Extraction, placeholders: &[Placeholder]) -> IndexSet<NodeId> {
    let dom = &extraction.key_page.dom;
    let slots = slots(extraction);
    let mut out: IndexSet<NodeId> = slots.iter().flat_map(|slot| &slot.cut.nodes).copied().collect();
    // The lines of the head stay, so that each of its elements has its own.
    out.retain(|&node| !(dom.is_blank_text(node) && is_in_head(dom, node)));
    for placeholder in placeholders {
        match &placeholder.target {
            PlaceholderTarget::Before(_) => {}
            PlaceholderTarget::Inside(node) => {
                out.swap_remove(node);
                out.extend(dom.children(*node));
            }
            PlaceholderTarget::Attribute(node, _) => {
                out.swap_remove(node);
            }
        }
    }
    out
}

fn is_in_head(dom: &Dom, node: NodeId) -> bool {
    dom.parent(node)
        .is_some_and(|parent| dom.is_element(parent, &name!("head")))
}
