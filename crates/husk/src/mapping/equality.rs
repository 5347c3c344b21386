//! When two nodes are equal: the one subjective parameter of the published method.

use serde::{Deserialize, Serialize};

use super::tree::NodePosition;

/// How similar two nodes are, from 0 to 1, and from where on they are equal.
///
/// Any function will do: see [`Custom`]. It moves with the session between threads.
pub trait Equality: Send {
    /// How similar two nodes are, from 0 to 1.
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64;

    /// The similarity from which on two nodes may be paired.
    fn threshold(&self) -> f64 {
        1.0
    }
}

impl<E: Equality + ?Sized> Equality for Box<E> {
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        (**self).similarity(one, other)
    }

    fn threshold(&self) -> f64 {
        (**self).threshold()
    }
}

/// Nodes are equal if they have the same kind and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Label;

impl Equality for Label {
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        f64::from(u8::from(same_label(one, other)))
    }
}

/// Nodes are equal if they have the same label and attributes, with exceptions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LabelAttributes {
    /// Attributes to ignore, e.g. `style`.
    pub ignored_attributes: Vec<String>,
}

impl Equality for LabelAttributes {
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        let same = same_label(one, other) && same_attributes(one, other, &self.ignored_attributes);
        f64::from(u8::from(same))
    }
}

/// An equality made of a function and a threshold of your own.
///
/// ```
/// use husk::{Custom, NodePosition};
///
/// // Nodes are equal when their texts are.
/// let same_text = Custom {
///     similarity: |one: &NodePosition<'_>, other: &NodePosition<'_>| {
///         if one.dom.text_of(one.node) == other.dom.text_of(other.node) { 1.0 } else { 0.0 }
///     },
///     threshold: 1.0,
/// };
/// # let _: &dyn husk::Equality = &same_text;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Custom<F> {
    /// How similar two nodes are, from 0 to 1.
    pub similarity: F,
    /// The similarity from which on they are equal.
    pub threshold: f64,
}

impl<F: Fn(&NodePosition<'_>, &NodePosition<'_>) -> f64 + Send> Equality for Custom<F> {
    fn similarity(&self, one: &NodePosition<'_>, other: &NodePosition<'_>) -> f64 {
        (self.similarity)(one, other)
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }
}

/// Whether two nodes have the same kind, name and vocabulary.
pub(super) fn same_label(one: &NodePosition<'_>, other: &NodePosition<'_>) -> bool {
    one.dom.name(one.node) == other.dom.name(other.node)
        && one.dom.kind(one.node) == other.dom.kind(other.node)
        && one.dom.namespace(one.node) == other.dom.namespace(other.node)
}

/// Whether two elements have the same attributes, in any order, with exceptions.
fn same_attributes(one: &NodePosition<'_>, other: &NodePosition<'_>, ignored: &[String]) -> bool {
    one.attributes_without(ignored)
        .eq(other.attributes_without(ignored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Tree;
    use husk_dom::{Dom, name};

    /// The similarity of the first nodes of two bodies.
    fn similarity(equality: &impl Equality, one: &str, other: &str) -> f64 {
        let (one, other) = (Dom::parse(one), Dom::parse(other));
        let first = |dom: &Dom| dom.part(&name!("body")).unwrap();
        let one_children = Tree::whole(&one).children(first(&one));
        let other_children = Tree::whole(&other).children(first(&other));
        equality.similarity(&one_children[0], &other_children[0])
    }

    #[test]
    fn label() {
        assert_eq!(similarity(&Label, "<p class=a>x", "<p>y"), 1.0);
        assert_eq!(similarity(&Label, "<p>", "<div>"), 0.0);
        assert_eq!(similarity(&Label, "text", "other"), 1.0);
        assert_eq!(similarity(&Label, "text", "<p>"), 0.0);
    }

    #[test]
    fn label_and_attributes() {
        let all = LabelAttributes::default();
        assert_eq!(similarity(&all, "<p id=a class=b>", "<p class=b id=a>"), 1.0);
        assert_eq!(similarity(&all, "<p id=a>", "<p id=a style=x>"), 0.0);
        let no_style = LabelAttributes {
            ignored_attributes: vec!["style".to_owned()],
        };
        assert_eq!(similarity(&no_style, "<p id=a>", "<p id=a style=x>"), 1.0);
    }
}
