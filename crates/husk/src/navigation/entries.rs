//! The links of a block as a tree.
//!
//! Subtrees of a page in, [`MenuItem`]s out. A list after a label is below it: `li > a + ul`, `h3 + ul`, `dt + dd`;
//! without lists, an element right after a label that is alone in its element.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexSet;
use url::Url;

use super::MenuItem;
use super::numbers::{DEEPEST_ITEM, LONGEST_LABEL, MOST_CHILDREN, MOST_ITEMS, MOST_UNFOLDED};
use super::survey::{Link, Survey, Target, is_list, is_marked_active};
use crate::hints::is_heading;
use crate::links::Address;
use crate::measure::is_never_shown;

/// The items of a block that consists of these subtrees.
pub(super) fn entries(survey: &Survey<'_>, roots: &[NodeId]) -> Vec<MenuItem> {
    let mut found = Found::of(survey, roots);
    found.mark_active(survey);
    found.into_tree()
}

/// A label with its level.
struct Item {
    entry: MenuItem,
    level: usize,
    is_link: bool,
    is_marked: bool,
    /// The element that it has alone, or shares with what is below it.
    owner: NodeId,
    target: Target,
}

/// The labels of a block in document order.
struct Found {
    items: Vec<Item>,
}

/// The state of a walk through a block.
#[derive(Clone, Copy)]
struct WalkState {
    /// End of the nodes it is valid for.
    end: usize,
    level: usize,
    owner: NodeId,
    is_marked: bool,
}

impl Found {
    fn of(survey: &Survey<'_>, roots: &[NodeId]) -> Self {
        let mut found = Self { items: Vec::new() };
        for &root in roots {
            found.collect(survey, root);
        }
        found
    }

    fn collect(&mut self, survey: &Survey<'_>, root: NodeId) {
        let dom = survey.dom;
        let range = dom.range(root);
        let mut places = vec![WalkState {
            end: range.end,
            level: 1,
            owner: root,
            is_marked: false,
        }];
        let mut index = range.start;
        while index < range.end && self.items.len() < MOST_ITEMS {
            let node = NodeId::from_index(index);
            while places.len() > 1 && places.last().is_some_and(|place| place.end <= index) {
                places.pop();
            }
            let Some(&place) = places.last() else { break };
            if is_never_shown(dom, node) {
                index = dom.range(node).end;
                continue;
            }
            if let Some(link) = survey.links_in(node).first().filter(|link| link.node == node) {
                self.add_link(survey, link, place);
                index = dom.range(node).end;
                continue;
            }
            match dom.kind(node) {
                NodeKind::Element => places.push(place_in(survey, node, root, place)),
                NodeKind::Text => self.add_heading(survey, node, place),
                _ => {}
            }
            index += 1;
        }
    }

    fn add_link(&mut self, survey: &Survey<'_>, link: &Link, place: WalkState) {
        let label = label(survey.dom, link.node);
        if label.is_empty() {
            return;
        }
        // An image and a title next to each other with the same target are one item.
        let is_same = self.items.last().is_some_and(|last| {
            last.level == place.level && last.entry.url == link.url && last.owner == place.owner
        });
        if is_same && link.url.is_some() {
            return;
        }
        self.items.push(Item {
            entry: entry(label, link.url.clone(), link.node),
            level: place.level,
            is_link: true,
            is_marked: place.is_marked || is_marked_active(survey.dom, link.node),
            owner: place.owner,
            target: link.target,
        });
    }

    /// Unlinked words may be a heading of what follows.
    fn add_heading(&mut self, survey: &Survey<'_>, text: NodeId, place: WalkState) {
        if survey.amount(text).words == 0 {
            return;
        }
        let dom = survey.dom;
        let element = dom.parent(text).unwrap_or(text);
        let words = shortened(dom.text_of(text));
        match self.items.last_mut() {
            // What follows a link in its own item belongs to it: a counter, a button to unfold.
            Some(last) if last.owner == place.owner && last.is_link => {}
            // Words that are split by markup.
            Some(last) if last.owner == place.owner && last.level == place.level => {
                last.entry.label = shortened(&format!("{} {words}", last.entry.label));
            }
            _ => self.items.push(Item {
                entry: entry(words, None, element),
                level: place.level,
                is_link: false,
                is_marked: place.is_marked,
                owner: place.owner,
                target: Target::Nowhere,
            }),
        }
    }

    /// Marks the item of the page; see [`MenuItem::is_active`].
    fn mark_active(&mut self, survey: &Survey<'_>) {
        let is_page = |item: &Item| item.target == Target::Here { is_place: false };
        if self.items.iter().any(is_page) {
            for item in self.items.iter_mut().filter(|item| is_page(item)) {
                item.entry.is_active = true;
            }
            return;
        }
        let marked = deepest(self.items.iter_mut().filter(|item| item.is_marked), |item| {
            item.level
        });
        if let Some(item) = marked {
            item.entry.is_active = true;
            return;
        }
        let own = survey.own.as_str();
        let steps_above = |item: &Item| match (&item.entry.url, item.target) {
            (Some(url), Target::Site { .. }) => steps_above(Address::of(url).as_str(), own),
            _ => 0,
        };
        let nearest = self.items.iter_mut().filter(|item| steps_above(item) > 0);
        if let Some(item) = deepest(nearest, |item| steps_above(item)) {
            item.entry.is_active = true;
        }
    }

    /// Puts each item below the last one before it with a lower level.
    fn into_tree(self) -> Vec<MenuItem> {
        let mut top = Level::default();
        // The open items, each with its level and its children so far.
        let mut open: Vec<(Item, Level)> = Vec::new();
        let close = |open: &mut Vec<(Item, Level)>, top: &mut Level| {
            if let Some((mut item, below)) = open.pop() {
                item.entry.children = below.entries;
                let is_needed = item.is_link || !item.entry.children.is_empty();
                let level = open.last_mut().map_or(top, |(_, level)| level);
                if is_needed {
                    level.add(item.entry);
                }
            }
        };
        for item in self.items {
            while open.last().is_some_and(|(last, _)| last.level >= item.level) || open.len() >= DEEPEST_ITEM
            {
                close(&mut open, &mut top);
            }
            open.push((item, Level::default()));
        }
        while !open.is_empty() {
            close(&mut open, &mut top);
        }
        top.entries
    }
}

/// Sibling items, each once.
#[derive(Default)]
struct Level {
    entries: Vec<MenuItem>,
    seen: IndexSet<(String, Option<Url>)>,
}

impl Level {
    fn add(&mut self, entry: MenuItem) {
        let is_new = self.seen.insert((entry.label.clone(), entry.url.clone()));
        if is_new || !entry.children.is_empty() {
            self.entries.push(entry);
        }
    }
}

/// The first item with the highest number.
fn deepest<'a>(
    items: impl Iterator<Item = &'a mut Item>,
    depth: impl Fn(&Item) -> usize,
) -> Option<&'a mut Item> {
    items.reduce(|best, item| if depth(item) > depth(best) { item } else { best })
}

/// The state within an element.
fn place_in(survey: &Survey<'_>, node: NodeId, root: NodeId, above: WalkState) -> WalkState {
    let dom = survey.dom;
    let is_below =
        is_list(dom, node) || dom.is_element(node, &name!("dd")) || is_below_label(survey, node, root);
    let is_item = is_item(dom, node) || node != root && has_label_first(survey, node);
    WalkState {
        end: dom.range(node).end,
        // Half a level up: what follows a heading in the same element is below it.
        level: above.level + 2 * usize::from(is_below) - usize::from(is_heading(dom, node)).min(above.level),
        owner: if is_item || is_below || is_heading(dom, node) {
            node
        } else {
            above.owner
        },
        // Marks on an item are for its label, not for the list below.
        is_marked: !is_below && (above.is_marked || node != root && is_marked_active(dom, node)),
    }
}

fn is_item(dom: &Dom, node: NodeId) -> bool {
    [name!("li"), name!("dt"), name!("tr"), name!("td")]
        .iter()
        .any(|item| dom.is_element(node, item))
}

/// Whether an element without lists unfolds below the label before it.
fn is_below_label(survey: &Survey<'_>, node: NodeId, root: NodeId) -> bool {
    let Some(parent) = survey
        .dom
        .parent(node)
        .filter(|&parent| node != root && parent != root)
    else {
        return false;
    };
    survey.link_count(node) > 0
        && has_label_first(survey, parent)
        && parts(survey, parent).next().is_some_and(|first| first != node)
}

/// Whether an element begins with a label, and all links after it are in other elements.
fn has_label_first(survey: &Survey<'_>, node: NodeId) -> bool {
    let mut parts = parts(survey, node);
    let is_label = |part: NodeId| survey.is_link(part) || survey.link_count(part) == 0;
    let begins = parts.next().is_some_and(is_label);
    let (mut count, mut holds_links) = (0, false);
    begins
        && parts.take(MOST_UNFOLDED + 1).all(|part| {
            count += 1;
            holds_links |= survey.link_count(part) > 0;
            count <= MOST_UNFOLDED && !survey.is_link(part)
        })
        && holds_links
}

/// The first few visible children of an element; limited since each child may ask for its siblings.
fn parts<'a>(survey: &'a Survey<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    survey
        .dom
        .children(node)
        .take(MOST_CHILDREN)
        .filter(|&child| survey.link_count(child) > 0 || survey.amount(child).words > 0)
}

/// Number of segments of an address, if it is that of a folder that contains another.
fn steps_above(address: &str, other: &str) -> usize {
    match other.strip_prefix(address) {
        Some(rest) if rest.starts_with('/') => address.matches('/').count(),
        _ => 0,
    }
}

fn entry(label: String, url: Option<Url>, node: NodeId) -> MenuItem {
    MenuItem {
        label,
        url,
        is_active: false,
        children: Vec::new(),
        node,
    }
}

/// The words of a link, or those of its images, or its accessible name.
fn label(dom: &Dom, link: NodeId) -> String {
    let texts = shown_texts(dom, link);
    let pictures = || {
        let alt = |node| dom.attribute(node, &name!("alt"));
        dom.subtree(link).filter_map(alt).collect::<Vec<_>>().join(" ")
    };
    let called = |attribute| dom.attribute(link, &attribute).unwrap_or_default().to_owned();
    [
        texts,
        pictures(),
        called(name!("aria-label")),
        called(name!("title")),
    ]
    .iter()
    .map(|words| shortened(words))
    .find(|words| !words.is_empty())
    .unwrap_or_default()
}

/// The texts of a subtree without scripts and styles, up to the length of a label.
fn shown_texts(dom: &Dom, node: NodeId) -> String {
    let mut texts = String::new();
    let mut hidden_until = 0;
    for part in dom.subtree(node) {
        if is_never_shown(dom, part) {
            hidden_until = hidden_until.max(dom.range(part).end);
        }
        if dom.kind(part) == NodeKind::Element && texts.len() > 4 * LONGEST_LABEL {
            break;
        }
        if dom.kind(part) == NodeKind::Text && part.index() >= hidden_until {
            texts.push_str(dom.text_of(part));
        } else if is_apart(dom, part) {
            texts.push(' ');
        }
    }
    texts
}

/// Whether an element is a block.
pub(super) fn is_apart(dom: &Dom, node: NodeId) -> bool {
    matches!(
        &**dom.name(node),
        "div" | "p" | "br" | "li" | "ul" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "td" | "tr"
    )
}

/// Words with single spaces, cut if too long.
fn shortened(text: &str) -> String {
    let mut label = String::new();
    let mut letters = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count() + usize::from(!label.is_empty());
        if letters + length > LONGEST_LABEL {
            let room = LONGEST_LABEL.saturating_sub(letters + 2);
            if !label.is_empty() {
                label.push(' ');
            }
            label.extend(word.chars().take(room));
            label.push('…');
            break;
        }
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(word);
        letters += length;
    }
    label
}
