//! How each node of a key page takes part in the vote, decided before any page is counted.

use husk_dom::{Dom, NodeId, NodeKind, name};
use serde::{Deserialize, Serialize};

use crate::fingerprint::{leads_here, mix};
use crate::hash_table::HashTable;
use crate::mapping::Side;
use crate::thresholds::Thresholds;

/// How a node takes part in the vote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature {
    pub(super) kind: Kind,
    /// Evidence of a page that confirms it.
    pub(super) found: f32,
    /// Evidence of a page that does not; negative.
    pub(super) missing: f32,
    pub(super) unit: Unit,
    /// How many similar nodes the page has, itself included.
    pub(super) times: u32,
}

/// What is compared as a whole: if it differs, the nodes in it have no vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A link: "next" is on every page, with another target on each.
    Link,
    /// A heading: "Chapter" is one word of it.
    Heading,
    None,
}

/// How a node is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// A comment or blank text.
    NotCompared,
    /// A text, by its words.
    Text,
    /// A link, image or form field, by its target.
    Target,
    /// A link to a place on the same page; follows its children.
    Neutral,
    /// An element directly around a text; follows the text.
    Frame,
    /// An element around other elements.
    Container,
    /// An element with nothing in it.
    Empty,
}

/// How all nodes of a key page take part in the vote.
pub(super) fn natures(key: Side<'_>, thresholds: &Thresholds) -> Vec<Nature> {
    natures_like(key, |_| None, thresholds).collect()
}

/// The same, one after the other, where the kinds of some nodes are known.
pub(super) fn natures_like<'a, F: Fn(NodeId) -> Option<Kind>>(
    key: Side<'a>,
    known: F,
    thresholds: &'a Thresholds,
) -> impl Iterator<Item = Nature> + use<'a, F> {
    let kind = |node| match key.fingerprints.is_compared(node) {
        true => known(node).unwrap_or_else(|| kind(key, node)),
        false => Kind::NotCompared,
    };
    let kinds: Vec<Kind> = key.dom.nodes().map(kind).collect();
    let times = times_met(key, &kinds);
    natures_by_kind(key.dom, kinds.into_iter().zip(times), thresholds)
}

/// The same where kind and number are known.
pub(super) fn natures_by_kind<'a, I: Iterator<Item = (Kind, u32)>>(
    dom: &'a Dom,
    known: I,
    thresholds: &'a Thresholds,
) -> impl Iterator<Item = Nature> + use<'a, I> {
    let scale = Scale::of(thresholds);
    let nature = move |(node, (kind, times)): (NodeId, (Kind, u32))| {
        let (found, missing) = scale.evidence(dom, node, kind, times);
        Nature {
            kind,
            found: found as f32,
            missing: missing as f32,
            unit: unit(dom, node, kind),
            times,
        }
    };
    dom.nodes().zip(known).map(nature)
}

fn unit(dom: &Dom, node: NodeId, kind: Kind) -> Unit {
    match *dom.name(node) {
        name!("a") if kind == Kind::Target => Unit::Link,
        name!("h1") | name!("h2") | name!("h3") | name!("h4") | name!("h5") | name!("h6") => Unit::Heading,
        _ => Unit::None,
    }
}

fn kind(key: Side<'_>, node: NodeId) -> Kind {
    if key.dom.kind(node) == NodeKind::Text {
        return Kind::Text;
    }
    if key.fingerprints.get(node).says != 0 {
        return match leads_here(key.dom, node) {
            true => Kind::Neutral,
            false => Kind::Target,
        };
    }
    let mut children = key.fingerprints.children(key.dom, node).peekable();
    if children.peek().is_none() {
        Kind::Empty
    } else if children.any(|child| key.dom.kind(child) == NodeKind::Text) && !is_cell(key.dom, node) {
        Kind::Frame
    } else {
        Kind::Container
    }
}

/// A table cell holds its row together, whatever is in it.
fn is_cell(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("td")) || dom.is_element(node, &name!("th"))
}

/// The evidence of a page that confirms a node, and of one that does not, by kind.
///
/// What the key page has many times at similar places, such as a button next to each piece of code, is found by
/// chance.
struct Scale<'a> {
    thresholds: &'a Thresholds,
    /// For what is there once, as nearly everything is.
    words: (f64, f64),
    marks: (f64, f64),
    target: (f64, f64),
}

impl<'a> Scale<'a> {
    fn of(thresholds: &'a Thresholds) -> Self {
        let once = |chance| by_chance(chance, 1, thresholds);
        Self {
            thresholds,
            words: once(thresholds.words_by_chance),
            marks: once(thresholds.highest_chance),
            target: once(thresholds.link_by_chance),
        }
    }

    fn evidence(&self, dom: &Dom, node: NodeId, kind: Kind, times: u32) -> (f64, f64) {
        let Thresholds {
            words_by_chance,
            link_by_chance,
            container,
            ..
        } = *self.thresholds;
        match kind {
            Kind::Text if !has_words(dom.text_of(node)) => self.marks,
            Kind::Text if times == 1 => self.words,
            Kind::Text => by_chance(words_by_chance, times, self.thresholds),
            Kind::Target if times == 1 => self.target,
            Kind::Target => by_chance(link_by_chance, times, self.thresholds),
            Kind::Container => (container / f64::from(times), -container),
            Kind::Empty => (container / f64::from(times), 0.0),
            Kind::NotCompared | Kind::Neutral | Kind::Frame => (0.0, 0.0),
        }
    }
}

/// The evidence of a match that has this probability by chance, for a node that the key page has so many times.
fn by_chance(chance: f64, times: u32, thresholds: &Thresholds) -> (f64, f64) {
    let chance = (chance * f64::from(times)).min(thresholds.highest_chance);
    let stays = thresholds.template_stays;
    ((stays / chance).ln(), ((1.0 - stays) / (1.0 - chance)).ln())
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// How many similar nodes the page has for each node: those with the same labels from the root down and, if they have
/// a text or target, the same one.
fn times_met(key: Side<'_>, kinds: &[Kind]) -> Vec<u32> {
    let mut paths: Vec<u64> = Vec::with_capacity(key.dom.len());
    let mut met: Vec<(NodeId, u64)> = Vec::with_capacity(key.dom.len());
    let mut counts = HashTable::with_room(key.dom.len() / 2);
    for node in key.dom.nodes() {
        let above = key.dom.parent(node).map_or(0, |parent| paths[parent.index()]);
        let print = key.fingerprints.get(node);
        let path = mix(above, print.label);
        paths.push(path);
        let likeness = match kinds[node.index()] {
            Kind::NotCompared | Kind::Neutral | Kind::Frame => continue,
            Kind::Text | Kind::Target => mix(path, print.says),
            Kind::Container | Kind::Empty => path,
        };
        counts.set(likeness, |count| count + 1);
        met.push((node, likeness));
    }
    let mut times = vec![1; key.dom.len()];
    for (node, likeness) in met {
        times[node.index()] = counts.get(likeness);
    }
    times
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::fingerprint::Fingerprints;
    use crate::page::Page;

    /// The kinds of all nodes of a body, in document order.
    #[track_caller]
    fn check(body: &str, expect: &[Kind]) {
        let page = Page::parse(Url::parse("https://example.org/a").unwrap(), body);
        let fingerprints = Fingerprints::of(&page);
        let key = Side::of(&page, &fingerprints);
        let natures = natures(key, &Thresholds::default());
        let body = page.dom.part(&name!("body")).unwrap();
        let kinds: Vec<_> = natures[body.index() + 1..]
            .iter()
            .map(|nature| nature.kind)
            .collect();
        assert_eq!(kinds, expect);
    }

    #[test]
    fn elements_are_told_apart_by_what_is_in_them() {
        check("<h1>a</h1>", &[Kind::Frame, Kind::Text]);
        check(
            "<div><p>a</p> </div>",
            &[Kind::Container, Kind::Frame, Kind::Text, Kind::NotCompared],
        );
        check("<hr><!-- c -->", &[Kind::Empty, Kind::NotCompared]);
        check("<a href=/x>y</a>", &[Kind::Target, Kind::Text]);
        check("<a href=#x>y</a>", &[Kind::Neutral, Kind::Text]);
        check(
            "<table><td>a",
            &[
                Kind::Container,
                Kind::Container,
                Kind::Container,
                Kind::Container,
                Kind::Text,
            ],
        );
    }

    #[test]
    fn what_is_repeated_is_found_by_chance() {
        let page = Page::parse(
            Url::parse("https://example.org/").unwrap(),
            "<i>a</i><p>b</p><p>b</p><p>c</p>",
        );
        let fingerprints = Fingerprints::of(&page);
        let key = Side::of(&page, &fingerprints);
        let natures = natures(key, &Thresholds::default());
        let texts: Vec<_> = natures
            .iter()
            .filter(|nature| nature.kind == Kind::Text)
            .collect();
        assert!(texts[1].found < texts[0].found);
        assert_eq!(texts[3].found, texts[0].found);
    }
}
