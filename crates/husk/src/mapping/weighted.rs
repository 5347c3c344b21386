//! The paper's equality: a weighted sum over class, number of children, position and attributes.

use std::cmp::Ordering;

use husk_dom::name;
use serde::{Deserialize, Serialize};

use super::equality::{Equality, same_label};
use super::tree::NodePosition;

/// Similarity of nodes with the same label by class, number of children, position and attributes.
///
/// The paper names these four, but neither weights nor threshold. The weights are those of the authors' last published
/// code. Its threshold of 0.9 lets one more child of a wrapper unmap all that is in it; 0.6 was chosen on the corpus,
/// leaving out one site at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weighted {
    /// The weights of the four.
    pub weights: Weights,
    /// The similarity from which on two nodes are equal.
    pub threshold: f64,
    /// Attributes to ignore; `id` and `class` are never compared as attributes.
    pub ignored_attributes: Vec<String>,
    /// Whether a shared `id` alone makes two nodes equal, and so does the same class with the same attributes at any
    /// position, as in the authors' code.
    pub shortcuts: bool,
}

/// The weights of class, number of children, position and attributes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// The share of class names in common.
    pub class: f64,
    /// The ratio of the numbers of children.
    pub children: f64,
    /// The position among the siblings.
    pub position: f64,
    /// The share of other attributes in common.
    pub attributes: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            class: 0.1,
            children: 0.5,
            position: 0.4,
            attributes: 0.0,
        }
    }
}

impl Default for Weighted {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            threshold: 0.6,
            ignored_attributes: Vec::new(),
            shortcuts: true,
        }
    }
}

/// Similarity of nodes with the same class and attributes at another position: above any weighted sum, below
/// identity.
const SAME_BUT_MOVED: f64 = 0.99;

/// Highest weighted sum, below the shortcuts.
const BEST_WEIGHED: f64 = 0.98;

impl Equality for Weighted {
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        if !same_label(one, other) {
            return 0.0;
        }
        if is_frame(one) || (self.shortcuts && shares_id(one, other)) {
            return 1.0;
        }
        let class = class_similarity(one, other);
        let attributes = self.attribute_similarity(one, other);
        let position = position_similarity(one, other);
        if self.shortcuts && class == 1.0 && attributes == 1.0 {
            return if position == 1.0 { 1.0 } else { SAME_BUT_MOVED };
        }
        let children = ratio(one.children, other.children);
        let weights = &self.weights;
        let sum = weights.class * class
            + weights.children * children
            + weights.position * position
            + weights.attributes * attributes;
        let total = weights.class + weights.children + weights.position + weights.attributes;
        let best = if self.shortcuts { BEST_WEIGHED } else { 1.0 };
        if total > 0.0 {
            (sum / total).min(best)
        } else {
            best
        }
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }
}

impl Weighted {
    /// The share of attributes in common, without `id` and `class`.
    fn attribute_similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        let mut one = self.other_attributes(one).peekable();
        let mut other = self.other_attributes(other).peekable();
        if one.peek().is_none() && other.peek().is_none() {
            return NO_ATTRIBUTES;
        }
        shared(one, other)
    }

    fn other_attributes<'a>(&self, place: &NodePosition<'a>) -> impl Iterator<Item = (&'a str, &'a str)> {
        place
            .attributes_without(&self.ignored_attributes)
            .filter(|attribute| *attribute.name != name!("id") && *attribute.name != name!("class"))
            .map(|attribute| (&**attribute.name, attribute.value))
    }
}

/// Similarity in attributes of two nodes that have none: it says little.
const NO_ATTRIBUTES: f64 = 0.75;

/// `<html>`, `<head>` and `<body>`, which every page has once. The authors' code begins below the body.
fn is_frame(place: &NodePosition<'_>) -> bool {
    [name!("html"), name!("head"), name!("body")].contains(place.dom.name(place.node))
}

fn shares_id(one: &NodePosition<'_>, other: &NodePosition<'_>) -> bool {
    let id = one.attribute(&name!("id")).filter(|id| !id.is_empty());
    id.is_some() && id == other.attribute(&name!("id"))
}

/// The share of class names in common; 1 if neither has any.
fn class_similarity(one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
    let one = one.attribute(&name!("class")).unwrap_or_default();
    let other = other.attribute(&name!("class")).unwrap_or_default();
    if one == other {
        1.0
    } else {
        shared(classes(one).into_iter(), classes(other).into_iter())
    }
}

fn classes(class: &str) -> Vec<&str> {
    let mut classes: Vec<_> = class.split_ascii_whitespace().collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// What two sorted lists have in common, as a share of what either has; 1 if both are empty.
fn shared<T: Ord>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> f64 {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    let (mut common, mut all) = (0, 0);
    loop {
        let order = match (one.peek(), other.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.cmp(other),
        };
        all += 1;
        common += usize::from(order.is_eq());
        if order.is_le() {
            one.next();
        }
        if order.is_ge() {
            other.next();
        }
    }
    if all == 0 {
        1.0
    } else {
        f64::from(common as u32) / f64::from(all as u32)
    }
}

/// The smaller as a share of the larger; 1 if both are 0.
fn ratio(one: usize, other: usize) -> f64 {
    if one == other {
        1.0
    } else {
        one.min(other) as f64 / one.max(other) as f64
    }
}

/// 1 if the difference between the numbers of siblings may explain the difference in position, less the farther a
/// node is from there.
fn position_similarity(one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
    let (shorter, longer) = if one.siblings <= other.siblings {
        (one, other)
    } else {
        (other, one)
    };
    let first = shorter.position;
    let last = first + (longer.siblings - shorter.siblings);
    let distance = first.saturating_sub(longer.position) + longer.position.saturating_sub(last);
    (1.0 - distance as f64 / shorter.siblings as f64).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Tree;
    use husk_dom::Dom;

    /// The similarity of the last elements of two bodies.
    fn check(one: &str, other: &str, expect: f64) {
        check_with(&Weighted::default(), one, other, expect);
    }

    fn check_with(equality: &Weighted, one: &str, other: &str, expect: f64) {
        let (one, other) = (Dom::parse(one), Dom::parse(other));
        let last = |dom| {
            Tree::whole(dom)
                .children(dom.part(&name!("body")).unwrap())
                .pop()
                .unwrap()
        };
        let similarity = equality.similarity(&last(&one), &last(&other));
        assert!((similarity - expect).abs() < 1e-9, "{similarity} is not {expect}");
    }

    #[test]
    fn shortcuts_decide_alone() {
        check("<p>", "<div>", 0.0);
        check("<p id=a class=x>", "<i></i><p id=a class=y><b>", 1.0);
        check("<p class=a title=t>", "<p title=t class=a><b>", 1.0);
        check("<b></b><b></b><p class=a title=t>", "<p class=a title=t>", 1.0);
    }

    #[test]
    fn weighs_what_differs() {
        // The authors' weights: class 0.1, children 0.5, position 0.4.
        check("<p class='a b'>", "<p class='b c'>", 0.1 / 3.0 + 0.9);
        check(
            "<p class=a><b></b><b></b></p>",
            "<p class=b><b></b></p>",
            0.4 + 0.25,
        );
        check("<p class=a><b></b></p>", "<p class=b></p>", 0.4);
        check("<p>", "<p title=t>", 0.98);
    }

    #[test]
    fn weights_are_settable() {
        let equality = Weighted {
            weights: Weights {
                class: 3.0,
                children: 0.0,
                position: 0.0,
                attributes: 1.0,
            },
            shortcuts: false,
            ignored_attributes: vec!["style".to_owned()],
            ..Weighted::default()
        };
        check_with(
            &equality,
            "<p class=a style=x title=t>",
            "<p class=a title=t>",
            1.0,
        );
        check_with(&equality, "<p class=a title=u>", "<p class=a title=t>", 0.75);
    }
}
