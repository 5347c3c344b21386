//! A page as it was and as it is: the differences, each with a key that is the same on all pages that have it.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::{IndexMap, IndexSet};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::{SiteDiff, TemplateChange};
use crate::fingerprint::{Acquaintance, Fingerprints, mix};
use crate::learn::{Change, short_text, shown_nodes};
use crate::links::{Address, base_url};
use crate::mapping::{Alignment, Side, align};
use crate::measure::words;
use crate::page::Page;
use crate::selectors::SelectorFinder;
use crate::template::Template;
use crate::vote::differ_in_numbers;

/// Blocks that are searched elsewhere on the page have at least so many nodes.
const MOVED_BLOCK: u32 = 8;

/// What changed on a page.
pub(super) struct Pair {
    pub(super) url: Url,
    /// The layout that it had.
    pub(super) layout: Option<usize>,
    pub(super) events: Vec<Event>,
    /// Whether its own words or targets changed, wherever they are.
    pub(super) says_otherwise: bool,
}

/// One difference.
pub(super) struct Event {
    /// The same on all pages that have it.
    pub(super) key: u64,
    /// For an element that was added or is gone: its label.
    pub(super) new_kind: Option<(Change, u64)>,
    /// Whether the learned templates take it for template.
    pub(super) is_template: bool,
    /// Whether it is in a list with a page that was added or removed.
    pub(super) is_list: bool,
    /// Whether words or targets differ, not only classes.
    pub(super) says_something: bool,
}

impl Event {
    /// The same for all elements with this label.
    pub(super) fn kind_key(&self) -> u64 {
        self.new_kind
            .map_or(self.key, |(change, label)| mix(mix(7, change as u64), label))
    }
}

/// How a change is shown.
pub(super) struct Description {
    change: Change,
    selector: String,
    text: String,
    new_text: Option<String>,
}

impl Description {
    /// Forgets what only one of the pages says.
    pub(super) fn forget_text(&mut self) {
        self.text.clear();
        self.new_text = None;
    }

    pub(super) fn told(&self, pages: &[usize]) -> TemplateChange {
        TemplateChange {
            change: self.change,
            selector: self.selector.clone(),
            text: self.text.clone(),
            new_text: self.new_text.clone(),
            pages: pages.to_vec(),
        }
    }
}

/// A difference with the nodes that it is about.
struct Difference {
    change: Change,
    old: Option<NodeId>,
    new: Option<NodeId>,
}

/// One page of a pair.
struct Version<'a> {
    side: Side<'a>,
    page: &'a Page,
    template: Template,
    is_shown: Vec<bool>,
}

impl Pair {
    /// Compares a page as it was and as it is. Also describes changes that no page before had, each with the key of its group
    /// and its own.
    pub(super) fn of(
        diff: &mut SiteDiff<'_>,
        old: &Page,
        new: &Page,
    ) -> (Self, Vec<(u64, u64, Description)>) {
        let mut acquaintance = Acquaintance::new();
        let prints = [old, new].map(|page| Fingerprints::with(page, &mut acquaintance));
        let sides = [Side::of(old, &prints[0]), Side::of(new, &prints[1])];
        for (labels, side) in diff.labels.iter_mut().zip(sides) {
            let elements = side
                .dom
                .nodes()
                .filter(|&node| side.dom.kind(node) == NodeKind::Element);
            labels.extend(elements.map(|node| side.fingerprints.get(node).label));
        }
        let (layout, old_template) = diff.old.find_template(old, &prints[0]);
        let (_, new_template) = diff.new.find_template(new, &prints[1]);
        let old = Version::of(sides[0], old, old_template);
        let new = Version::of(sides[1], new, new_template);
        let mut pair = Self {
            url: new.page.url.clone(),
            layout,
            events: Vec::new(),
            says_otherwise: false,
        };
        let alignment = align(old.side, new.side, MOVED_BLOCK);
        let differences = differences(&old, &new, &alignment);
        if differences.is_empty() {
            return (pair, Vec::new());
        }
        pair.says_otherwise = old.says_more_than(&new) || new.says_more_than(&old);
        let lists = Lists::of(&old, &new, &differences, &diff.only_one);
        let finders = [SelectorFinder::on(old.side.dom), SelectorFinder::on(new.side.dom)];
        let mut described: Vec<(u64, u64, Description)> = Vec::new();
        for difference in differences {
            let event = difference.event(&old, &new, &lists);
            let Some(event) = event else { continue };
            for key in [event.key, event.kind_key()] {
                let description = match diff.groups.contains_key(&key) {
                    true => Description::of_known(difference.change),
                    false => difference.describe(&old, &new, &finders),
                };
                described.push((key, event.key, description));
            }
            pair.events.push(event);
        }
        (pair, described)
    }
}

impl Description {
    /// In place of one that was made before.
    fn of_known(change: Change) -> Self {
        Self {
            change,
            selector: String::new(),
            text: String::new(),
            new_text: None,
        }
    }
}

impl<'a> Version<'a> {
    fn of(side: Side<'a>, page: &'a Page, template: Template) -> Self {
        Self {
            is_shown: shown_nodes(side.dom),
            side,
            page,
            template,
        }
    }

    /// The nodes that are compared: what is shown in the body.
    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.side.dom.nodes();
        nodes.filter(|&node| self.is_shown[node.index()] && self.side.fingerprints.is_compared(node))
    }

    /// Hashes of the words and targets of some nodes, with their numbers.
    fn said(&self, is_meant: impl Fn(NodeId) -> bool) -> IndexMap<u64, u32> {
        let mut said = IndexMap::new();
        let mut add = |hash: u64| *said.entry(hash).or_insert(0) += 1;
        for node in self.nodes().filter(|&node| is_meant(node)) {
            match self.side.dom.kind(node) {
                NodeKind::Text => {
                    words(self.side.dom.text_of(node)).for_each(|word| add(xxh3_64(word.as_bytes())))
                }
                _ if is_named_target(self.side.dom, node) => add(self.side.fingerprints.get(node).says),
                _ => {}
            }
        }
        said
    }

    /// Whether the content has words or targets that the other page lacks.
    fn says_more_than(&self, other: &Self) -> bool {
        let own = self.said(|node| !self.template.contains(node));
        let others = other.said(|_| true);
        own.iter()
            .any(|(said, count)| others.get(said).is_none_or(|other| other < count))
    }
}

/// Links and pictures lead somewhere; the fields of a form do not.
fn is_named_target(dom: &Dom, node: NodeId) -> bool {
    [name!("a"), name!("img")].contains(dom.name(node))
}

/// The differences of two aligned pages, in document order of the earlier one.
fn differences(old: &Version<'_>, new: &Version<'_>, alignment: &Alignment) -> Vec<Difference> {
    let mut found = Vec::new();
    // The end of a block that is gone as a whole.
    let mut end = 0;
    for node in old.nodes().filter(|node| node.index() > 0) {
        if node.index() < end {
            continue;
        }
        let Some(mate) = alignment.mate(node) else {
            end = old.side.dom.range(node).end;
            found.push(Difference {
                change: Change::Gone,
                old: Some(node),
                new: None,
            });
            continue;
        };
        let (print, mate_print) = (old.side.fingerprints.get(node), new.side.fingerprints.get(mate));
        let is_text = old.side.dom.kind(node) == NodeKind::Text;
        let mut add = |change| {
            found.push(Difference {
                change,
                old: Some(node),
                new: Some(mate),
            });
        };
        if print.says != mate_print.says {
            add(if is_text { Change::Text } else { Change::Target });
        }
        if print.label != mate_print.label {
            add(Change::Restyled);
        }
    }
    let back = alignment.inverted(new.side);
    let mut end = 0;
    for node in new.nodes() {
        if node.index() >= end && back.mate(node).is_none() {
            end = new.side.dom.range(node).end;
            found.push(Difference {
                change: Change::Added,
                old: None,
                new: Some(node),
            });
        }
    }
    found
}

impl Difference {
    /// The event; none if only numbers in the template differ.
    fn event(&self, old: &Version<'_>, new: &Version<'_>, lists: &Lists) -> Option<Event> {
        let is_template = self.old.is_none_or(|node| is_in_template(old, node))
            && self.new.is_none_or(|node| is_in_template(new, node));
        if let (Change::Text, true, Some(node), Some(mate)) = (self.change, is_template, self.old, self.new)
            && differ_in_numbers(old.side.dom.text_of(node), new.side.dom.text_of(mate))
        {
            return None;
        }
        let print = |version: &Version<'_>, node: Option<NodeId>| {
            node.map_or(0, |node| {
                let print = version.side.fingerprints.get(node);
                match self.change {
                    Change::Restyled => print.label,
                    Change::Text | Change::Target => print.says,
                    Change::Gone | Change::Added => block_key(version, node),
                }
            })
        };
        let key = mix(
            mix(self.change as u64, print(old, self.old)),
            print(new, self.new),
        );
        let new_kind = match (self.change, self.old, self.new) {
            (Change::Gone, Some(node), _) => Some((Change::Gone, old.side.fingerprints.get(node).label)),
            (Change::Added, _, Some(node)) => Some((Change::Added, new.side.fingerprints.get(node).label)),
            _ => None,
        };
        Some(Event {
            key,
            new_kind,
            is_template,
            is_list: self.change != Change::Restyled && lists.contain(self),
            says_something: self.change != Change::Restyled,
        })
    }

    fn describe(
        &self,
        old: &Version<'_>,
        new: &Version<'_>,
        finders: &[SelectorFinder<'_>; 2],
    ) -> Description {
        let name = |finder: &SelectorFinder<'_>, node| {
            let name = finder.name(node);
            name.map(|(selector, _)| selector.to_string()).unwrap_or_default()
        };
        let (selector, text) = match (self.old, self.new) {
            (Some(node), _) => (name(&finders[0], node), short_text(old.side.dom, node)),
            (None, Some(node)) => (name(&finders[1], node), short_text(new.side.dom, node)),
            (None, None) => Default::default(),
        };
        let new_text = match (self.change, self.new) {
            (Change::Text, Some(node)) => Some(short_text(new.side.dom, node)),
            (Change::Target, Some(node)) => Some(short_text(new.side.dom, node)).filter(|new| *new != text),
            _ => None,
        };
        Description {
            change: self.change,
            selector,
            text,
            new_text,
        }
    }
}

/// A hash of a block that is the same wherever its links lead: "comments" leads to those of each page.
fn block_key(version: &Version<'_>, node: NodeId) -> u64 {
    let print = version.side.fingerprints.get(node);
    let words: Vec<&str> = version.side.dom.text_of(node).split_whitespace().collect();
    match words.is_empty() {
        true => print.whole,
        false => mix(print.label, xxh3_64(words.join(" ").as_bytes())),
    }
}

/// Whether a node is template, or an element whose texts all are.
fn is_in_template(version: &Version<'_>, node: NodeId) -> bool {
    let dom = version.side.dom;
    let mut texts = dom
        .subtree(node)
        .filter(|&node| dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node))
        .peekable();
    match texts.peek() {
        None => version.template.contains(node),
        Some(_) => texts.all(|text| version.template.contains(text)),
    }
}

/// The lists of pages on a page that changed because pages were added or removed: elements of the earlier and the later
/// page.
struct Lists {
    old: IndexSet<NodeId>,
    new: IndexSet<NodeId>,
    old_above: Vec<Option<NodeId>>,
    new_above: Vec<Option<NodeId>>,
}

impl Lists {
    fn of(
        old: &Version<'_>,
        new: &Version<'_>,
        differences: &[Difference],
        only_one: &IndexSet<Address>,
    ) -> Self {
        let above = |version: &Version<'_>| {
            version
                .side
                .dom
                .nodes()
                .map(|node| version.side.dom.parent(node))
                .collect()
        };
        let mut lists = Self {
            old: IndexSet::new(),
            new: IndexSet::new(),
            old_above: above(old),
            new_above: above(new),
        };
        if only_one.is_empty() {
            return lists;
        }
        for difference in differences {
            let leads = |version: &Version<'_>, node: Option<NodeId>| {
                node.is_some_and(|node| leads_to(version, node, only_one))
            };
            if leads(old, difference.old) || leads(new, difference.new) {
                lists
                    .old
                    .extend(difference.old.and_then(|node| list_around(old, node)));
                lists
                    .new
                    .extend(difference.new.and_then(|node| list_around(new, node)));
            }
        }
        lists
    }

    fn contain(&self, difference: &Difference) -> bool {
        let is_in = |lists: &IndexSet<NodeId>, above: &[Option<NodeId>], node: Option<NodeId>| {
            let chain = std::iter::successors(node, |node| above[node.index()]);
            chain.into_iter().any(|node| lists.contains(&node))
        };
        is_in(&self.old, &self.old_above, difference.old) || is_in(&self.new, &self.new_above, difference.new)
    }
}

/// Whether a block is, has, or is in a link to one of these pages.
fn leads_to(version: &Version<'_>, node: NodeId, pages: &IndexSet<Address>) -> bool {
    let dom = version.side.dom;
    let base = base_url(version.page);
    let around = dom
        .ancestors(node)
        .take_while(|&above| !dom.is_element(above, &name!("body")));
    let mut links = dom
        .subtree(node)
        .chain(around.filter(|&above| dom.is_element(above, &name!("a"))));
    links.any(|node| {
        let href = dom
            .attribute(node, &name!("href"))
            .filter(|_| dom.is_element(node, &name!("a")));
        let url = href.and_then(|href| base.join(href).ok());
        url.is_some_and(|url| pages.contains(&Address::of(&url)))
    })
}

/// The list that an entry is in: the nearest element around it with several elements in it.
fn list_around(version: &Version<'_>, node: NodeId) -> Option<NodeId> {
    let dom = version.side.dom;
    let has_several = |above: &NodeId| {
        let children = dom.children(*above);
        children
            .filter(|&child| dom.kind(child) == NodeKind::Element)
            .nth(1)
            .is_some()
    };
    let mut around = dom
        .ancestors(node)
        .take_while(|&above| version.is_shown[above.index()]);
    around.find(has_several)
}
