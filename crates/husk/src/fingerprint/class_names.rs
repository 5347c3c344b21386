//! What class and id tell of an element's design, the state it is in and numbers aside.

use husk_dom::{Attribute, name};
use xxhash_rust::xxh3::xxh3_64;

use super::{hash_of_name, mix};
use crate::known::Known;

/// Hashes attributes of design, each value once.
pub(super) struct ClassNames {
    known: Known<u64>,
}

impl ClassNames {
    pub(super) fn new() -> Self {
        Self { known: Known::new() }
    }

    /// Adds an attribute to the hash of an element's design.
    pub(super) fn add(&mut self, design: u64, attribute: &Attribute<'_>) -> u64 {
        let hash = mix(hash_of_name(attribute.name), xxh3_64(attribute.value.as_bytes()));
        design.wrapping_add(self.known.get(hash, || design_of(attribute)))
    }
}

/// A sum over the words that tell a design: neither their order nor those that come and go matter.
fn design_of(attribute: &Attribute<'_>) -> u64 {
    let name = hash_of_name(attribute.name);
    let hash = |word: &str| mix(name, xxh3_64(word.as_bytes()));
    if *attribute.name != name!("class") && *attribute.name != name!("id") {
        return hash(attribute.value);
    }
    let words = attribute.value.split_ascii_whitespace();
    words
        .filter(|word| !is_state(word) && !is_generated(word))
        .map(|word| hash(&without_numbers(word)))
        .fold(0, u64::wrapping_add)
}

/// Words that tell which state an element is in, or its place in a row, rather than its design; sorted.
const STATES: [&str; 21] = [
    "active",
    "collapse",
    "collapsed",
    "current",
    "even",
    "expanded",
    "first",
    "here",
    "hidden",
    "hide",
    "in",
    "last",
    "odd",
    "off",
    "on",
    "open",
    "opened",
    "selected",
    "show",
    "shown",
    "visited",
];

/// Whether a class name tells a state: `is-active`, `current-menu-item`, `nav__item--open`.
pub(crate) fn is_state(class: &str) -> bool {
    let mut words = class.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| {
        let letters = || word.bytes().map(|letter| letter.to_ascii_lowercase());
        STATES
            .binary_search_by(|state| state.bytes().cmp(letters()))
            .is_ok()
    })
}

/// How often letters and digits take turns in a name that no person wrote.
const TURNS: usize = 3;

/// Whether a class name was made up by a tool: `css-1q8bwdy`. Its next build gives it another one.
pub(crate) fn is_generated(class: &str) -> bool {
    let mut parts = class.split(|letter: char| !letter.is_ascii_alphanumeric());
    parts.any(|part| {
        let turns = part
            .as_bytes()
            .windows(2)
            .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
        turns.count() >= TURNS
    })
}

/// A name with each run of digits as one: `post-12` and `post-345` are of one design.
fn without_numbers(class: &str) -> String {
    let mut out = String::with_capacity(class.len());
    for letter in class.chars() {
        match letter {
            digit if digit.is_ascii_digit() && out.ends_with('0') => {}
            digit if digit.is_ascii_digit() => out.push('0'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sorted() {
        assert!(STATES.is_sorted());
    }

    #[test]
    fn states_come_in_many_spellings() {
        for class in [
            "active",
            "is-active",
            "current_page_item",
            "nav__item--Open",
            "last",
        ] {
            assert!(is_state(class), "{class}");
        }
        for class in ["menu", "interactive", "currency", "online", "lasting"] {
            assert!(!is_state(class), "{class}");
        }
    }

    #[test]
    fn tools_make_up_names() {
        for class in ["css-1q8bwdy4", "a1b2c3", "_3xK9f2"] {
            assert!(is_generated(class), "{class}");
        }
        for class in ["col-md-6", "p-t-60", "h1", "post-1234", "bg0", "mtext-105"] {
            assert!(!is_generated(class), "{class}");
        }
    }

    #[test]
    fn numbers_are_one() {
        assert_eq!(without_numbers("post-12-a3"), "post-0-a0");
    }
}
