//! How similarly two pages are built, by the paths from the root to their elements.
//!
//! A page with its fingerprints in, its [`Paths`] out. A path consists of labels, so the similarity to other pages of
//! a layout does not depend on the number of paragraphs.

use husk_dom::{Dom, NodeId, NodeKind};
use xxhash_rust::xxh3::xxh3_64;

use super::numbers::{DEEPEST_PATH, FRAME_DEPTH, HALF_DEPTH, LABELS_ABOVE};
use crate::fingerprint::{Fingerprints, mix};

/// The distinct paths from the root of a page to its elements, with their weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths(Vec<(u64, f32)>);

impl Paths {
    /// The paths to the given elements of a page.
    pub(super) fn of(dom: &Dom, fingerprints: &Fingerprints, is_meant: impl Fn(NodeId) -> bool) -> Self {
        let mut all = Vec::new();
        walk(dom, fingerprints, |node, path, depth| {
            if is_meant(node) {
                all.push((path, weight(depth)));
            }
        });
        all.sort_unstable_by_key(|&(path, _)| path);
        all.dedup_by_key(|&mut (path, _)| path);
        Self(all)
    }

    /// The paths with their weights.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, f32)> + '_ {
        self.0.iter().copied()
    }

    /// The sum of their weights.
    pub(super) fn weight(&self) -> f32 {
        self.iter().map(|(_, weight)| weight).sum()
    }

    /// The weighted share of the paths of either page that both have.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        let mut both = 0.0;
        let mut others = other.0.iter().peekable();
        for &(path, weight) in &self.0 {
            while others.next_if(|&&(other, _)| other < path).is_some() {}
            if others.peek().is_some_and(|&&(other, _)| other == path) {
                both += weight;
            }
        }
        let either = self.weight() + other.weight() - both;
        if either > 0.0 { both / either } else { 1.0 }
    }

    /// A hash of all of them.
    pub(super) fn hash(&self) -> u64 {
        self.0.iter().fold(0, |state, &(path, _)| mix(state, path))
    }
}

fn weight(depth: usize) -> f32 {
    HALF_DEPTH / (HALF_DEPTH + depth as f32)
}

/// An element that is open during a walk.
struct Open {
    /// The names from the root to it.
    names: u64,
    /// Name, classes and id.
    label: u64,
    end: usize,
}

/// Visits the compared elements of a page, without those that every page has, with path and depth.
///
/// `html` and `body` are in a path by name only: their classes often name the page. So are the elements that are
/// farther above, so that a class that one page has changes few of its paths.
pub(super) fn walk(dom: &Dom, fingerprints: &Fingerprints, mut visit: impl FnMut(NodeId, u64, usize)) {
    let mut open: Vec<Open> = Vec::with_capacity(DEEPEST_PATH);
    let mut index = dom.root().index();
    while index < dom.len() {
        let node = NodeId::from_index(index);
        while open.last().is_some_and(|above| above.end <= index) {
            open.pop();
        }
        if dom.kind(node) == NodeKind::Element && fingerprints.is_compared(node) {
            let name = xxh3_64(dom.name(node).as_bytes());
            let names = open.last().map_or(0, |above| above.names);
            let mut label = name;
            if open.len() >= FRAME_DEPTH {
                label = fingerprints.get(node).label;
                let nearest = &open[open.len().saturating_sub(LABELS_ABOVE)..];
                let path = nearest.iter().fold(names, |path, above| mix(path, above.label));
                visit(node, mix(path, label), open.len());
            }
            if open.len() + 1 >= DEEPEST_PATH {
                index = dom.range(node).end;
                continue;
            }
            open.push(Open {
                names: mix(names, name),
                label,
                end: dom.range(node).end,
            });
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::page::Page;

    fn paths(html: &str) -> Paths {
        let page = Page::parse(Url::parse("https://example.org/").unwrap(), html);
        Paths::of(&page.dom, &Fingerprints::of(&page), |_| true)
    }

    #[test]
    fn the_number_of_paragraphs_makes_no_difference() {
        let one = paths("<div class=a><p>x</p></div>");
        let many = paths("<div class=a><p>x</p><p>y</p><p>z</p></div>");
        assert_eq!(one.likeness(&many), 1.0);
        assert_eq!(one.hash(), many.hash());
    }

    #[test]
    fn other_designs_are_other_ways() {
        let one = paths("<i>x</i><div class=a><p>x</p></div>");
        let other = paths("<i>x</i><div class=b><p>x</p></div>");
        let likeness = one.likeness(&other);
        assert!(likeness > 0.1 && likeness < 0.5, "{likeness}");
        assert_eq!(likeness, other.likeness(&one));
    }

    #[test]
    fn the_classes_of_html_and_body_make_no_difference() {
        let one = paths("<html class=a id=b><body class='post-7 owls' id=c><p class=d>x");
        let other = paths("<body class='post-8 bats'><p class=d>x");
        assert_eq!(one.likeness(&other), 1.0);
    }

    #[test]
    fn a_name_that_one_page_has_changes_few_paths() {
        let page = |id| {
            paths(&format!(
                "<div id={id}><section><ul><li><a href=/>x</a></li></ul><ol><li><i>y</i></li></ol></section></div>"
            ))
        };
        // Its own and those of the two levels below it: 4 of 8.
        let likeness = page("zebra").likeness(&page("lion"));
        assert!(likeness > 0.25 && likeness < 0.4, "{likeness}");
    }

    #[test]
    fn deep_pages_end() {
        let deep = paths(&"<div>".repeat(400));
        assert!(deep.iter().count() <= DEEPEST_PATH + 1);
    }
}
