//! A subset of CSS selectors: how they are written, and what they match.

use std::fmt::{self, Display, Write};

use husk_dom::{Dom, Name, Namespace, NodeId, NodeKind, name};
use indexmap::IndexMap;

/// A CSS selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// The parts from the outermost element to the subject, each with its combinator.
    steps: Vec<(Combinator, Compound)>,
}

/// A combinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combinator {
    /// Descendant.
    Descendant,
    /// Child.
    Child,
}

/// The conditions for one element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Compound {
    pub(super) tag: Option<Name>,
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
    pub(super) attribute: Option<(Name, String)>,
    /// Position among its siblings of the same name, from 1.
    pub(super) place: Option<usize>,
}

impl Selector {
    pub(super) fn of(compound: Compound) -> Self {
        Self {
            steps: vec![(Combinator::Descendant, compound)],
        }
    }

    pub(super) fn then(mut self, combinator: Combinator, compound: Compound) -> Self {
        self.steps.push((combinator, compound));
        self
    }

    /// The conditions for the subject.
    pub(super) fn last(&self) -> Option<&Compound> {
        self.steps.last().map(|(_, compound)| compound)
    }

    /// Whether an element of a page matches. Elements in a `<template>` must not be asked for.
    pub fn matches(&self, dom: &Dom, node: NodeId) -> bool {
        matches_steps(dom, &self.steps, node, &|node| place_of_type(dom, node).0)
    }

    /// The same with precomputed positions, for very many elements.
    pub(super) fn matches_in(&self, dom: &Dom, places: &Places, node: NodeId) -> bool {
        matches_steps(dom, &self.steps, node, &|node| places.0[node.index()])
    }
}

/// Recursive over the parts, which are few.
fn matches_steps(
    dom: &Dom,
    steps: &[(Combinator, Compound)],
    node: NodeId,
    place: &impl Fn(NodeId) -> usize,
) -> bool {
    let Some(((combinator, compound), above)) = steps.split_last() else {
        return true;
    };
    if !compound.matches(dom, node, place) {
        return false;
    }
    if above.is_empty() {
        return true;
    }
    let mut ancestors = dom.ancestors(node);
    match combinator {
        Combinator::Child => ancestors
            .next()
            .is_some_and(|parent| matches_steps(dom, above, parent, place)),
        Combinator::Descendant => ancestors.any(|ancestor| matches_steps(dom, above, ancestor, place)),
    }
}

impl Compound {
    pub(super) fn tag(name: &Name) -> Self {
        Self {
            tag: Some(name.clone()),
            ..Self::default()
        }
    }

    pub(super) fn class(class: &str) -> Self {
        Self {
            classes: vec![class.to_owned()],
            ..Self::default()
        }
    }

    pub(super) fn with_tag(mut self, name: &Name) -> Self {
        self.tag = Some(name.clone());
        self
    }

    fn matches(&self, dom: &Dom, node: NodeId, place_of: &impl Fn(NodeId) -> usize) -> bool {
        let is_same = |asked: &str, found: &str| {
            asked == found || (dom.is_quirky() && asked.eq_ignore_ascii_case(found))
        };
        dom.kind(node) == NodeKind::Element
            && self.tag.as_ref().is_none_or(|tag| dom.name(node) == tag)
            && self.id.as_ref().is_none_or(|id| {
                dom.attribute(node, &name!("id"))
                    .is_some_and(|found| is_same(id, found))
            })
            && self.classes.iter().all(|class| {
                let mut classes = classes(dom, node);
                classes.any(|found| is_same(class, found))
            })
            && self
                .attribute
                .as_ref()
                .is_none_or(|(attribute, value)| dom.attribute(node, attribute) == Some(value))
            && self.place.is_none_or(|place| place_of(node) == place)
    }
}

/// The classes of an element.
pub(super) fn classes(dom: &Dom, node: NodeId) -> impl Iterator<Item = &str> {
    let classes = dom.attribute(node, &name!("class")).unwrap_or_default();
    classes.split_ascii_whitespace()
}

/// An element's position among its siblings of the same name, from 1, and their number.
pub(super) fn place_of_type(dom: &Dom, node: NodeId) -> (usize, usize) {
    let Some(parent) = dom.parent(node) else {
        return (1, 1);
    };
    let is_of_type = |&other: &NodeId| {
        dom.kind(other) == NodeKind::Element
            && dom.name(other) == dom.name(node)
            && dom.namespace(other) == dom.namespace(node)
    };
    let mut of_type = dom.children(parent).filter(is_of_type);
    let place = of_type.by_ref().take_while(|&other| other != node).count() + 1;
    (place, place + of_type.count())
}

/// The position of every element among its siblings of the same name, from 1, in linear time.
pub(super) struct Places(Vec<usize>);

impl Places {
    pub(super) fn of(dom: &Dom) -> Self {
        let mut places = vec![1; dom.len()];
        let mut counts: IndexMap<(Namespace, &Name), usize> = IndexMap::new();
        for parent in dom.nodes() {
            counts.clear();
            let is_element = |&child: &NodeId| dom.kind(child) == NodeKind::Element;
            for child in dom.children(parent).filter(is_element) {
                let count = counts.entry((dom.namespace(child), dom.name(child))).or_default();
                *count += 1;
                places[child.index()] = *count;
            }
        }
        Self(places)
    }
}

impl Display for Selector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (combinator, compound)) in self.steps.iter().enumerate() {
            match combinator {
                _ if index == 0 => {}
                Combinator::Descendant => out.write_char(' ')?,
                Combinator::Child => out.write_str(" > ")?,
            }
            compound.fmt(out)?;
        }
        Ok(())
    }
}

impl Display for Compound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tag) = &self.tag {
            write_identifier(tag, out)?;
        }
        if let Some(id) = &self.id {
            out.write_char('#')?;
            write_identifier(id, out)?;
        }
        for class in &self.classes {
            out.write_char('.')?;
            write_identifier(class, out)?;
        }
        if let Some((attribute, value)) = &self.attribute {
            out.write_char('[')?;
            write_identifier(attribute, out)?;
            out.write_char('=')?;
            write_string(value, out)?;
            out.write_char(']')?;
        }
        if let Some(place) = self.place {
            write!(out, ":nth-of-type({place})")?;
        }
        Ok(())
    }
}

/// Writes an identifier as CSSOM's "serialize an identifier" does.
fn write_identifier(name: &str, out: &mut impl Write) -> fmt::Result {
    for (index, letter) in name.chars().enumerate() {
        let is_first = index == 0 || (index == 1 && name.starts_with('-'));
        match letter {
            '\0' => out.write_char('\u{FFFD}')?,
            '\u{1}'..='\u{1f}' | '\u{7f}' => write!(out, "\\{:x} ", u32::from(letter))?,
            '0'..='9' if is_first => write!(out, "\\{:x} ", u32::from(letter))?,
            '-' if name.len() == 1 => out.write_str("\\-")?,
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '\u{80}'.. => out.write_char(letter)?,
            _ => write!(out, "\\{letter}")?,
        }
    }
    Ok(())
}

/// Writes a string as CSSOM's "serialize a string" does.
fn write_string(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '\0' => out.write_char('\u{FFFD}')?,
            '\u{1}'..='\u{1f}' | '\u{7f}' => write!(out, "\\{:x} ", u32::from(letter))?,
            '"' | '\\' => write!(out, "\\{letter}")?,
            _ => out.write_char(letter)?,
        }
    }
    out.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_escaped() {
        let check = |name: &str, expect: &str| {
            let mut out = String::new();
            write_identifier(name, &mut out).unwrap();
            assert_eq!(out, expect);
        };
        check("menu-1_a", "menu-1_a");
        check("1a", "\\31 a");
        check("-1a", "-\\31 a");
        check("-", "\\-");
        check("--x", "--x");
        check("md:flex", "md\\:flex");
        check("w-1/2", "w-1\\/2");
        check("größe", "größe");
        check("a\tb", "a\\9 b");
    }

    #[test]
    fn places_are_the_same_however_they_are_counted() {
        let dom =
            Dom::parse("<p>a<i></i><b></b><i><i></i></i></p><svg><a></a></svg><a></a><p></p><!-- p --><p>");
        let places = Places::of(&dom);
        let elements = dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Element);
        for node in elements {
            assert_eq!(
                places.0[node.index()],
                place_of_type(&dom, node).0,
                "{}",
                dom.xpath(node)
            );
        }
    }

    #[test]
    fn strings_are_escaped() {
        let selector = Selector::of(Compound {
            attribute: Some((name!("aria-label"), "a \"b\" \\ c\n".to_owned())),
            ..Compound::tag(&name!("nav"))
        });
        assert_eq!(selector.to_string(), r#"nav[aria-label="a \"b\" \\ c\a "]"#);
    }
}
