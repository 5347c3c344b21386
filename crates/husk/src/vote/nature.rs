//! What each node of a key page is to the vote, before any page is counted.

use husk_dom::{Dom, NodeId, NodeKind, name};

use crate::fingerprint::{Target, mix};
use crate::mapping::Side;
use crate::thresholds::Thresholds;

/// What a node is to the vote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature {
    pub(super) kind: Kind,
    /// The evidence of a page that bears it out.
    pub(super) found: f64,
    /// The evidence of a page that does not, which is negative.
    pub(super) missing: f64,
    pub(super) unit: Unit,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
    let paths = paths(key);
    let alike = counts(paths.iter().copied());
    let repeated = counts(key.dom.nodes().map(|node| {
        let says = key.fingerprints.get(node).says;
        mix(paths[node.index()], says)
    }));
    let nature = |node: NodeId| {
        let index = node.index();
        let kind = kind(key, node);
        let (found, missing) = evidence(key.dom, node, kind, alike[index], repeated[index], thresholds);
        Nature {
            kind,
            found,
            missing,
            unit: unit(key.dom, node, kind),
        }
    };
    key.dom.nodes().map(nature).collect()
}

fn unit(dom: &Dom, node: NodeId, kind: Kind) -> Unit {
    match &**dom.name(node) {
        "a" if kind == Kind::Target => Unit::Link,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Unit::Heading,
        _ => Unit::None,
    }
}

fn kind(key: Side<'_>, node: NodeId) -> Kind {
    if !key.fingerprints.is_compared(node) {
        return Kind::NotCompared;
    }
    if key.dom.kind(node) == NodeKind::Text {
        return Kind::Text;
    }
    if key.fingerprints.get(node).says != 0 {
        return match key.fingerprints.target(key.dom, node) {
            Some(Target::Here) => Kind::Neutral,
            _ => Kind::Target,
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

/// The evidence for a node of a page that bears it out, and of one that does not.
///
/// What stands on the key page many times at like places, such as a button beside each piece of code, is found again
/// by chance.
fn evidence(
    dom: &Dom,
    node: NodeId,
    kind: Kind,
    alike: f64,
    repeated: f64,
    thresholds: &Thresholds,
) -> (f64, f64) {
    let by_chance = |chance: f64| {
        let chance = (chance * repeated).min(thresholds.highest_chance);
        let stays = thresholds.template_stays;
        ((stays / chance).ln(), ((1.0 - stays) / (1.0 - chance)).ln())
    };
    match kind {
        Kind::Text if has_words(dom.text_of(node)) => by_chance(thresholds.words_by_chance),
        Kind::Text => by_chance(thresholds.highest_chance),
        Kind::Target => by_chance(thresholds.link_by_chance),
        Kind::Container => (thresholds.container_found / alike, -thresholds.container_missing),
        Kind::Empty => (thresholds.empty_found / alike, -thresholds.empty_missing),
        Kind::NotCompared | Kind::Neutral | Kind::Frame => (0.0, 0.0),
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The labels from the root down to each node, as one number.
fn paths(key: Side<'_>) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(key.dom.len());
    for node in key.dom.nodes() {
        let above = key.dom.parent(node).map_or(0, |parent| paths[parent.index()]);
        paths.push(mix(above, key.fingerprints.get(node).label));
    }
    paths
}

/// How often each value is there, value by value.
fn counts(values: impl Iterator<Item = u64>) -> Vec<f64> {
    let mut sorted: Vec<(u64, u32)> = values.zip(0..).collect();
    let mut counts = vec![0.0; sorted.len()];
    sorted.sort_unstable();
    for run in sorted.chunk_by(|one, other| one.0 == other.0) {
        for &(_, place) in run {
            counts[place as usize] = run.len() as f64;
        }
    }
    counts
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
        let key = Side {
            dom: &page.dom,
            fingerprints: &fingerprints,
        };
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
        let key = Side {
            dom: &page.dom,
            fingerprints: &fingerprints,
        };
        let natures = natures(key, &Thresholds::default());
        let texts: Vec<_> = natures
            .iter()
            .filter(|nature| nature.kind == Kind::Text)
            .collect();
        assert!(texts[1].found < texts[0].found);
        assert_eq!(texts[3].found, texts[0].found);
    }

    #[test]
    fn counts_are_those_of_the_same_value() {
        assert_eq!(counts([7, 3, 7, 7].into_iter()), [3.0, 1.0, 3.0, 3.0]);
    }
}
