//! The tree that pages are merged into.

use std::collections::HashMap;

use husk::dom::{Dom, Name, NodeId, NodeKind, name};
use husk::{Page, Url, base_url};

use crate::baselines::label::{hash_of, is_url_attribute, target};

/// All pages of a sample in one tree. Ancestors come first.
#[derive(Default)]
pub(super) struct StyleTree {
    elements: Vec<Element>,
    pages: u32,
}

/// An element of the tree.
#[derive(Clone, Copy)]
pub(super) struct ElementId(usize);

impl ElementId {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// An element of the pages that have the same styles from the root down to it.
#[derive(Default)]
pub(super) struct Element {
    /// The number of pages that have it.
    pub(super) pages: u32,
    /// Its sequences of children.
    pub(super) styles: Vec<Style>,
    /// Its features: the hash of a word or URL, and the page.
    pub(super) features: Vec<(u64, u32)>,
    by_sequence: HashMap<Vec<Name>, usize>,
}

/// A sequence of children.
pub(super) struct Style {
    /// The number of pages that have it.
    pub(super) pages: u32,
    pub(super) elements: Vec<ElementId>,
}

impl StyleTree {
    /// All elements, ancestors first.
    pub(super) fn elements(&self) -> &[Element] {
        &self.elements
    }

    pub(super) fn element(&self, element: ElementId) -> &Element {
        &self.elements[element.0]
    }

    /// Merges a page into the tree and returns the element of each of its nodes. The tree begins at the body.
    pub(super) fn add(&mut self, page: &Page) -> Vec<Option<ElementId>> {
        let (dom, base) = (&page.dom, base_url(page));
        let mut places = vec![None; dom.len()];
        if self.elements.is_empty() {
            self.elements.push(Element::default());
        }
        let body = dom.part(&name!("body")).map(|body| (body, ElementId(0)));
        let mut open: Vec<_> = body.into_iter().collect();
        while let Some((node, place)) = open.pop() {
            places[node.index()] = Some(place);
            let element = &mut self.elements[place.0];
            element.pages += 1;
            let features = features(dom, node, &base).into_iter();
            element
                .features
                .extend(features.map(|feature| (feature, self.pages)));
            let children: Vec<NodeId> = dom.children(node).filter(|&child| is_seen(dom, child)).collect();
            if !children.is_empty() {
                let below = self.add_style(
                    place,
                    children.iter().map(|&child| dom.name(child).clone()).collect(),
                );
                open.extend(children.into_iter().zip(below));
            }
        }
        self.pages += 1;
        places
    }

    /// Counts a style of an element and returns its elements.
    fn add_style(&mut self, place: ElementId, sequence: Vec<Name>) -> Vec<ElementId> {
        let first = self.elements.len();
        let below = first..first + sequence.len();
        let element = &mut self.elements[place.0];
        let next = element.styles.len();
        let style = *element.by_sequence.entry(sequence).or_insert(next);
        if style == next {
            element.styles.push(Style {
                pages: 0,
                elements: below.clone().map(ElementId).collect(),
            });
        }
        let found = &mut element.styles[style];
        found.pages += 1;
        let elements = found.elements.clone();
        if style == next {
            self.elements.resize_with(below.end, Element::default);
        }
        elements
    }
}

/// Whether a node is visible.
fn is_seen(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => !dom.is_blank_text(node),
        NodeKind::Element => !UNSEEN.contains(&&**dom.name(node)),
        _ => false,
    }
}

const UNSEEN: [&str; 6] = ["link", "meta", "noscript", "script", "style", "template"];

/// The features of a node: the words of a text, the URL of a link or an image.
fn features(dom: &Dom, node: NodeId, base: &Url) -> Vec<u64> {
    if dom.kind(node) == NodeKind::Text {
        let words = dom.text_of(node).split_whitespace();
        return words.map(|word| hash_of(&word.to_lowercase())).collect();
    }
    dom.attributes(node)
        .filter(|attribute| is_url_attribute(attribute.name))
        .map(|attribute| hash_of(&target(base, attribute.value)))
        .collect()
}
