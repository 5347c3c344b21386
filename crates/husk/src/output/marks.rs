//! What is known of each node of the page, for those who tint it: the report, and programs that have the page before them.

use husk_dom::{Dom, NodeId, NodeKind};
use indexmap::IndexSet;
use serde::Serialize;

use crate::analysis::Analysis;
use crate::extraction::Extraction;
use crate::mapping::NodeSet;
use crate::measure::{is_never_shown, shows_by_itself};
use crate::navigation::Navigation;
use crate::pagelets::innermost_pagelets;

/// What a part of the page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkClass {
    /// Template, be it with a menu in it.
    Template,
    /// The main menu, or a part of it.
    Menu,
    /// The main content.
    Content,
    /// Neither template nor content: something of the page's own around its content.
    Own,
    /// Several of these.
    Mixed,
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeMark {
    pub(super) class: MarkClass,
    pub(super) structural: u32,
    pub(super) verbatim: u32,
    /// The number of its innermost pagelet.
    pub(super) pagelet: Option<usize>,
}

/// What is known of all nodes, in few bytes: numbers of entries in a table.
pub(super) struct Marks {
    /// Each entry once, in the order of their first nodes.
    pub(super) table: IndexSet<NodeMark>,
    /// For each node the number of its entry; none for nodes that show nothing.
    entries: Vec<Option<u32>>,
}

impl Marks {
    pub(super) fn of(analysis: &Analysis) -> Self {
        let (extraction, content) = (analysis.extraction(), analysis.content());
        let dom = &extraction.key_page.dom;
        let menu = menu_nodes(dom, analysis.navigation());
        let class_of = |node| {
            if menu.contains(node) {
                MarkClass::Menu
            } else if content.nodes.contains(node) {
                MarkClass::Content
            } else if extraction.template.compared() > 0 && extraction.template.contains(node) {
                MarkClass::Template
            } else {
                MarkClass::Own
            }
        };
        let classes = classes(dom, class_of);
        let innermost = innermost_pagelets(dom, analysis.pagelets());
        let mut table = IndexSet::new();
        let entry = |node: NodeId| {
            let class = classes[node.index()]?;
            let (structural, verbatim) = support(extraction, node);
            let entry = NodeMark {
                class,
                structural,
                verbatim,
                pagelet: innermost[node.index()],
            };
            Some(table.insert_full(entry).0 as u32)
        };
        Self {
            entries: dom.nodes().map(entry).collect(),
            table,
        }
    }

    /// The number of the entry that begins at an element or a text: none if it is that of the node above.
    ///
    /// At a text none begins either that differs in support only, which stands with its element.
    pub(super) fn at(&self, dom: &Dom, node: NodeId) -> Option<usize> {
        let number = self.of_node(node)?;
        let is_new = match dom.parent(node).and_then(|above| self.of_node(above)) {
            None => true,
            Some(above) if dom.kind(node) == NodeKind::Text => differ(self.table[number], self.table[above]),
            Some(above) => number != above,
        };
        is_new.then_some(number)
    }

    /// The number of a node's entry; none if nothing shows in it.
    pub(super) fn of_node(&self, node: NodeId) -> Option<usize> {
        self.entries[node.index()].map(|number| number as usize)
    }
}

/// Whether two entries differ in more than support: in class or pagelet.
fn differ(one: NodeMark, other: NodeMark) -> bool {
    (one.class, one.pagelet) != (other.class, other.pagelet)
}

fn menu_nodes(dom: &Dom, navigation: &Navigation) -> NodeSet {
    let mut nodes = NodeSet::none(dom);
    for node in navigation.main().into_iter().flat_map(|menu| menu.nodes(dom)) {
        nodes.insert(node);
    }
    nodes
}

/// In how many pages an element was mapped, and in how many it also said the same, its own texts included.
fn support(extraction: &Extraction, node: NodeId) -> (u32, u32) {
    let dom = &extraction.key_page.dom;
    let support = extraction.template.support(node);
    let texts = dom
        .children(node)
        .filter(|&child| dom.kind(child) == NodeKind::Text && !dom.is_blank_text(child));
    let of_texts = texts.map(|text| extraction.template.support(text).verbatim);
    (
        support.structural,
        of_texts
            .min()
            .map_or(support.verbatim, |least| least.min(support.verbatim)),
    )
}

/// The class of each node by all that shows in it; none for nodes in which nothing does.
fn classes(dom: &Dom, class_of: impl Fn(NodeId) -> MarkClass) -> Vec<Option<MarkClass>> {
    let mut classes: Vec<Option<MarkClass>> = vec![None; dom.len()];
    let never = never_shown(dom);
    for node in dom.nodes().rev() {
        if never.contains(node) {
            continue;
        }
        if shows(dom, node) {
            classes[node.index()] = merged(classes[node.index()], Some(class_of(node)));
        }
        if let Some(parent) = dom.parent(node) {
            classes[parent.index()] = merged(classes[parent.index()], classes[node.index()]);
        }
    }
    classes
}

fn never_shown(dom: &Dom) -> NodeSet {
    let mut never = NodeSet::none(dom);
    for node in dom.nodes() {
        let is_below = dom.parent(node).is_some_and(|parent| never.contains(parent));
        if is_below || is_never_shown(dom, node) || dom.kind(node) == NodeKind::Fragment {
            never.insert(node);
        }
    }
    never
}

fn merged(one: Option<MarkClass>, other: Option<MarkClass>) -> Option<MarkClass> {
    match (one, other) {
        // A menu is template, too.
        (Some(MarkClass::Template), Some(MarkClass::Menu))
        | (Some(MarkClass::Menu), Some(MarkClass::Template)) => Some(MarkClass::Template),
        (Some(one), Some(other)) if one != other => Some(MarkClass::Mixed),
        (Some(class), _) | (None, Some(class)) => Some(class),
        (None, None) => None,
    }
}

/// Whether a node shows by itself, whatever is in it.
fn shows(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => !dom.is_blank_text(node),
        NodeKind::Element => shows_by_itself(dom, node),
        _ => false,
    }
}
