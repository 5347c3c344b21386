//! What each node of a key page is to the vote, before any page is counted.

use husk_dom::{Dom, NodeId, NodeKind, name};
use serde::{Deserialize, Serialize};

use crate::fingerprint::{leads_here, mix};
use crate::mapping::Side;
use crate::thresholds::Thresholds;

/// What a node is to the vote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature {
    pub(super) kind: Kind,
    /// The evidence of a page that bears it out.
    pub(super) found: f32,
    /// The evidence of a page that does not, which is negative.
    pub(super) missing: f32,
    pub(super) unit: Unit,
    /// How often it, or one like it, stands on the page.
    pub(super) times: u32,
}

/// What is read as one, so that what stands in it tells nothing where the whole is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A link: "next" stands on every page, and leads elsewhere from each.
    Link,
    /// A heading: "Chapter" is a word of its title.
    Heading,
    /// Nothing of the kind.
    None,
}

/// Which kind of evidence there is for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A comment or blank text.
    NotCompared,
    /// A text: the same words or not.
    Text,
    /// A link, a picture, a field: the same target or not.
    Target,
    /// A link to a place on the page itself: goes where what stands in it goes.
    Neutral,
    /// An element right around its text: goes where the text goes.
    Frame,
    /// An element around other elements.
    Container,
    /// An element with nothing in it.
    Empty,
}

/// Finds out what the nodes of a key page are to the vote.
pub(super) fn natures(key: Side<'_>, thresholds: &Thresholds) -> Vec<Nature> {
    natures_like(key, |_| None, thresholds)
}

/// The same where the kinds of some nodes are known already.
pub(super) fn natures_like(
    key: Side<'_>,
    known: impl Fn(NodeId) -> Option<Kind>,
    thresholds: &Thresholds,
) -> Vec<Nature> {
    let kind = |node| match key.fingerprints.is_compared(node) {
        true => known(node).unwrap_or_else(|| kind(key, node)),
        false => Kind::NotCompared,
    };
    let kinds: Vec<Kind> = key.dom.nodes().map(kind).collect();
    let times = times_met(key, &kinds);
    natures_by_kind(key.dom, kinds.into_iter().zip(times), thresholds)
}

/// The natures of nodes of which kind and number are known already.
pub(super) fn natures_by_kind(
    dom: &Dom,
    known: impl Iterator<Item = (Kind, u32)>,
    thresholds: &Thresholds,
) -> Vec<Nature> {
    let scale = Scale::of(thresholds);
    let nature = |(node, (kind, times)): (NodeId, (Kind, u32))| {
        let (found, missing) = scale.evidence(dom, node, kind, times);
        Nature {
            kind,
            found: found as f32,
            missing: missing as f32,
            unit: unit(dom, node, kind),
            times,
        }
    };
    dom.nodes().zip(known).map(nature).collect()
}

fn unit(dom: &Dom, node: NodeId, kind: Kind) -> Unit {
    match *dom.name(node) {
        name!("a") if kind == Kind::Target => Unit::Link,
        name!("h1") | name!("h2") | name!("h3") | name!("h4") | name!("h5") | name!("h6") => Unit::Heading,
        _ => Unit::None,
    }
}

/// The kind of a node that is compared.
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

/// A cell of a table holds its row together, whatever is in it.
fn is_cell(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("td")) || dom.is_element(node, &name!("th"))
}

/// The evidence for a node of a page that bears it out, and of one that does not, kind by kind.
///
/// What stands on the key page many times at like places, such as a button beside each piece of code, is found again
/// by chance.
struct Scale<'a> {
    thresholds: &'a Thresholds,
    /// For what is there once, which nearly everything is.
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
            container_found,
            container_missing,
            empty_found,
            empty_missing,
            ..
        } = *self.thresholds;
        match kind {
            Kind::Text if !has_words(dom.text_of(node)) => self.marks,
            Kind::Text if times == 1 => self.words,
            Kind::Text => by_chance(words_by_chance, times, self.thresholds),
            Kind::Target if times == 1 => self.target,
            Kind::Target => by_chance(link_by_chance, times, self.thresholds),
            Kind::Container => (container_found / f64::from(times), -container_missing),
            Kind::Empty => (empty_found / f64::from(times), -empty_missing),
            Kind::NotCompared | Kind::Neutral | Kind::Frame => (0.0, 0.0),
        }
    }
}

/// The evidence of finding again what is found by chance so often, when it stands on the key page so many times.
fn by_chance(chance: f64, times: u32, thresholds: &Thresholds) -> (f64, f64) {
    let chance = (chance * f64::from(times)).min(thresholds.highest_chance);
    let stays = thresholds.template_stays;
    ((stays / chance).ln(), ((1.0 - stays) / (1.0 - chance)).ln())
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// How often each node, or one like it, stands on the page: a node with the same labels from the root down to it, which
/// says the same, if it is one that says something.
fn times_met(key: Side<'_>, kinds: &[Kind]) -> Vec<u32> {
    let mut paths: Vec<u64> = Vec::with_capacity(key.dom.len());
    let mut met: Vec<u64> = Vec::with_capacity(key.dom.len());
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
        met.push(likeness & !PLACE | node.index() as u64);
    }
    let mut times = vec![1; key.dom.len()];
    met.sort_unstable();
    for run in met.chunk_by(|one, other| one & !PLACE == other & !PLACE) {
        for &one in run {
            times[(one & PLACE) as usize] = run.len() as u32;
        }
    }
    times
}

/// The bits of a number that tell a node's place; the others tell what it is like. Sorting one number for each node takes
/// half the time of sorting pairs; pages have fewer nodes, and among them so many bits hardly ever fall together.
const PLACE: u64 = (1 << 24) - 1;

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
