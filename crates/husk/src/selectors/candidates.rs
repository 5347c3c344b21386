//! The selectors that may be used for an element, the most robust first.

use std::fmt;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};

use super::css::{Combinator, Compound, Selector, classes, place_of_type};
use super::numbers::{LONGEST_LABEL, LONGEST_PATH, MOST_CLASSES, MOST_SURROUNDINGS};
use crate::fingerprint::{is_generated, is_state};

/// A selector that may be used for an element.
#[derive(Debug, Clone)]
pub(super) struct SelectorCandidate {
    pub(super) selector: Selector,
    pub(super) basis: Basis,
}

/// What a selector relies on, the most stable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The id of the element.
    Id,
    /// An element with a meaning, such as `<nav>`.
    Element,
    /// A role, label or property.
    Role,
    /// A class.
    Class,
    /// Several classes.
    Classes,
    /// A named ancestor.
    Surroundings,
    /// The position among its siblings.
    Place,
}

impl fmt::Display for Basis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Id => "by id",
            Self::Element => "by element",
            Self::Role => "by role, label or property",
            Self::Class => "by class",
            Self::Classes => "by classes",
            Self::Surroundings => "by what it stands in",
            Self::Place => "by place, for want of a name",
        })
    }
}

/// The selectors that may be used for an element, the most robust first, then the shortest.
pub(super) fn candidates(dom: &Dom, node: NodeId) -> Vec<SelectorCandidate> {
    let own = names(dom, node);
    let mut all: Vec<SelectorCandidate> = own
        .iter()
        .map(|(compound, basis)| SelectorCandidate {
            selector: Selector::of(compound.clone()),
            basis: *basis,
        })
        .collect();
    if !matches!(&**dom.name(node), "html" | "body") {
        all.extend(in_surroundings(dom, node, &own));
        all.extend(by_place(dom, node));
    }
    all.sort_by_key(|candidate| (candidate.basis, candidate.selector.to_string().len()));
    all
}

/// Selectors for the element alone.
fn names(dom: &Dom, node: NodeId) -> Vec<(Compound, Basis)> {
    let tag = dom.name(node);
    let mut names = Vec::new();
    if let Some(id) = dom.attribute(node, &name!("id")).filter(|id| is_lasting(id)) {
        let id = Compound {
            id: Some(id.to_owned()),
            ..Compound::default()
        };
        names.push((id, Basis::Id));
    }
    if tells_purpose(tag) {
        names.push((Compound::tag(tag), Basis::Element));
    }
    for attribute in [name!("role"), name!("aria-label"), name!("itemprop")] {
        let value = dom.attribute(node, &attribute);
        if let Some(value) = value.filter(|value| !value.is_empty() && value.len() <= LONGEST_LABEL) {
            let compound = Compound {
                attribute: Some((attribute, value.to_owned())),
                ..Compound::default()
            };
            names.push((compound.clone(), Basis::Role));
            names.push((compound.with_tag(tag), Basis::Role));
        }
    }
    let classes: Vec<&str> = good_classes(dom, node);
    for class in &classes {
        names.push((Compound::class(class), Basis::Class));
        names.push((Compound::class(class).with_tag(tag), Basis::Class));
    }
    for (index, first) in classes.iter().enumerate() {
        for second in &classes[index + 1..] {
            let mut both = Compound::class(first);
            both.classes.push((*second).to_owned());
            names.push((both, Basis::Classes));
        }
    }
    names
}

/// Classes that a person gave, and only meaningful ones if there are any.
fn good_classes(dom: &Dom, node: NodeId) -> Vec<&str> {
    let mut good: Vec<&str> = classes(dom, node).filter(|class| is_lasting(class)).collect();
    if good.iter().any(|class| says_something(class)) {
        good.retain(|class| says_something(class));
    }
    good.truncate(MOST_CLASSES);
    good
}

/// Whether an id or class is stable: no number of an article, no state, not generated.
fn is_lasting(name: &str) -> bool {
    let has_number = name
        .as_bytes()
        .windows(2)
        .any(|pair| pair.iter().all(u8::is_ascii_digit));
    !name.is_empty()
        && !name.contains(char::is_whitespace)
        && !has_number
        && !is_state(name)
        && !is_generated(name)
        && !ends_in_hash(name)
}

/// Whether a name ends like those of CSS modules: `card_Djhp`, `menu__aB3x`.
fn ends_in_hash(name: &str) -> bool {
    let Some((_, end)) = name.rsplit_once('_') else {
        return false;
    };
    let is_as_long = (4..=8).contains(&end.len()) && end.bytes().all(|letter| letter.is_ascii_alphanumeric());
    let has_capital = end.bytes().skip(1).any(|letter| letter.is_ascii_uppercase());
    let has_small = end.bytes().any(|letter| letter.is_ascii_lowercase());
    let is_word = end
        .bytes()
        .any(|letter| b"aeiouy".contains(&letter.to_ascii_lowercase()));
    is_as_long && ((has_capital && has_small) || !is_word)
}

/// Whether a class is a word and not a utility class: `sidebar`, not `px-4` or `md:w-1/2`.
fn says_something(class: &str) -> bool {
    let mut parts = class.split(|letter: char| !letter.is_alphabetic());
    parts.any(|part| part.chars().count() >= 4) && !class.contains([':', '/', '[', '!'])
}

fn tells_purpose(tag: &Name) -> bool {
    matches!(
        &**tag,
        "nav"
            | "main"
            | "header"
            | "footer"
            | "aside"
            | "article"
            | "search"
            | "body"
            | "dialog"
            | "h1"
            | "address"
    )
}

/// Selectors with a named ancestor.
fn in_surroundings(dom: &Dom, node: NodeId, own: &[(Compound, Basis)]) -> Vec<SelectorCandidate> {
    let tag = Compound::tag(dom.name(node));
    let own = own.iter().map(|(compound, _)| compound).take(MOST_CLASSES);
    let own: Vec<&Compound> = own.chain([&tag]).collect();
    let mut found = Vec::new();
    for (above, names) in named_surroundings(dom, node) {
        let is_parent = dom.parent(node) == Some(above);
        // Everything is in the body.
        if dom.is_element(above, &name!("body")) && !is_parent {
            continue;
        }
        let combinator = if is_parent {
            Combinator::Child
        } else {
            Combinator::Descendant
        };
        for name in names.iter().take(2) {
            found.extend(own.iter().map(|&own| SelectorCandidate {
                selector: Selector::of(name.0.clone()).then(combinator, own.clone()),
                basis: Basis::Surroundings,
            }));
        }
    }
    found
}

/// The named ancestors, innermost first, with their names.
fn named_surroundings(dom: &Dom, node: NodeId) -> Vec<(NodeId, Vec<(Compound, Basis)>)> {
    let above = dom.ancestors(node).filter(|&above| is_body_or_below(dom, above));
    let named = above.map(|above| (above, names(dom, above)));
    named
        .filter(|(_, names)| !names.is_empty())
        .take(MOST_SURROUNDINGS)
        .collect()
}

fn is_body_or_below(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Element && node != dom.root()
}

/// The path to the element from the nearest element with an id or a meaning, and from the body.
fn by_place(dom: &Dom, node: NodeId) -> Vec<SelectorCandidate> {
    let mut steps: Vec<Compound> = vec![step(dom, node)];
    let mut found = Vec::new();
    for above in dom.ancestors(node).filter(|&above| is_body_or_below(dom, above)) {
        if steps.len() > LONGEST_PATH {
            break;
        }
        let name = names(dom, above).into_iter().next();
        if let Some((name, _)) = name.filter(|(_, basis)| *basis <= Basis::Class) {
            let start = Selector::of(name);
            let way = steps.iter().rev().cloned();
            found.push(SelectorCandidate {
                selector: way.fold(start, |way, step| way.then(Combinator::Child, step)),
                basis: Basis::Place,
            });
        }
        steps.push(step(dom, above));
    }
    found
}

/// An element by its name, and by its position if it has siblings of that name.
fn step(dom: &Dom, node: NodeId) -> Compound {
    let (place, count) = place_of_type(dom, node);
    Compound {
        place: (count > 1).then_some(place),
        ..Compound::tag(dom.name(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the first selectors for the element with the attribute `data-me`.
    fn check(html: &str, expect: &[&str]) {
        let dom = Dom::parse(html);
        let me = Name::from("data-me");
        let node = dom
            .nodes()
            .find(|&node| dom.attribute(node, &me).is_some())
            .unwrap();
        let found = candidates(&dom, node);
        let found: Vec<_> = found
            .iter()
            .map(|candidate| candidate.selector.to_string())
            .collect();
        assert_eq!(&found[..expect.len()], expect, "{found:?}");
        for candidate in candidates(&dom, node) {
            assert!(candidate.selector.matches(&dom, node), "{}", candidate.selector);
        }
    }

    #[test]
    fn lasting_names_come_first() {
        check(
            "<div data-me id=menu class='box wide'>",
            &["#menu", ".wide", "div.wide"],
        );
        check("<nav data-me id=post-123 class=is-open>", &["nav"]);
        check(
            "<div data-me role=search class=css-1q8bwdy4>",
            &["[role=\"search\"]"],
        );
        check("<div data-me class='card_Djhp card'>", &[".card"]);
        check("<div data-me class='px-4 teaser'>", &[".teaser", "div.teaser"]);
    }

    #[test]
    fn what_has_no_name_is_found_by_what_is_around_it() {
        check("<div id=top><ul data-me>", &["#top > ul", "#top > ul"]);
        check(
            "<div id=top><p><i></i><i data-me></i>",
            &["#top i", "#top > p > i:nth-of-type(2)"],
        );
    }
}
