//! Character references: `&amp;`, `&#38;`, `&#x26;`, with or without semicolon.

use memchr::memchr2;
use web_atoms::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The length of the longest name in the standard, without semicolon.
const LONGEST_NAME: usize = 31;

const REPLACEMENT: char = '\u{fffd}';

/// Where a reference occurs. In attributes `&copy=1` is not a reference, because of URLs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceContext {
    Text,
    Attribute,
}

/// The one or two characters of a reference.
pub(super) struct Reference {
    first: char,
    second: Option<char>,
    /// How many bytes it takes after the `&`.
    pub(super) length: usize,
}

impl Reference {
    pub(super) fn push_to(&self, text: &mut String) {
        text.push(self.first);
        text.extend(self.second);
    }
}

/// Appends a piece of the page to `text`, with references decoded and NULs replaced by U+FFFD.
pub(super) fn push_decoded(text: &mut String, piece: &str, context: ReferenceContext) {
    let mut rest = piece;
    while let Some(at) = memchr2(b'&', b'\0', rest.as_bytes()) {
        let is_nul = rest.as_bytes()[at] == b'\0';
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if is_nul {
            text.push(REPLACEMENT);
        } else if let Some(reference) = reference(rest, context) {
            reference.push_to(text);
            rest = &rest[reference.length..];
        } else {
            text.push('&');
        }
    }
    text.push_str(rest);
}

/// The reference whose `&` is right before `rest`, if it is one.
pub(super) fn reference(rest: &str, context: ReferenceContext) -> Option<Reference> {
    match rest.strip_prefix('#') {
        Some(number) => numeric(number),
        None => named(rest, context),
    }
}

fn named(rest: &str, context: ReferenceContext) -> Option<Reference> {
    let letters = rest.bytes().take(LONGEST_NAME + 1);
    let length = letters.take_while(u8::is_ascii_alphanumeric).count();
    let next = rest.as_bytes().get(length).copied();
    if next == Some(b';')
        && let Some(known) = known(&rest[..=length])
    {
        return Some(known);
    }
    match context {
        // A shorter name would be followed by a letter.
        ReferenceContext::Attribute if next == Some(b'=') || length > LONGEST_NAME => None,
        ReferenceContext::Attribute => known(&rest[..length]),
        ReferenceContext::Text => longest_known(&rest[..length]),
    }
}

/// The longest name that `letters` starts with.
fn longest_known(letters: &str) -> Option<Reference> {
    // The table has all prefixes of names too.
    (1..=letters.len())
        .take_while(|&length| NAMED_ENTITIES.contains_key(&letters[..length]))
        .filter_map(|length| known(&letters[..length]))
        .last()
}

fn known(name: &str) -> Option<Reference> {
    let &(first, second) = NAMED_ENTITIES.get(name)?;
    Some(Reference {
        first: char::from_u32(first).filter(|&letter| letter != '\0')?,
        second: char::from_u32(second).filter(|&letter| letter != '\0'),
        length: name.len(),
    })
}

fn numeric(rest: &str) -> Option<Reference> {
    let (digits, base) = match rest.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (rest, 10),
    };
    let mut number = 0u32;
    let mut length = 0;
    for digit in digits.bytes().map_while(|byte| char::from(byte).to_digit(base)) {
        number = number.saturating_mul(base).saturating_add(digit);
        length += 1;
    }
    if length == 0 {
        return None;
    }
    let has_semicolon = digits.as_bytes().get(length) == Some(&b';');
    Some(Reference {
        first: letter_of(number),
        second: None,
        // With the `#`, and the `x` if there is one.
        length: 1 + (rest.len() - digits.len()) + length + usize::from(has_semicolon),
    })
}

/// The character with a number. C1 controls are decoded as Windows-1252.
fn letter_of(number: u32) -> char {
    match number {
        0 => REPLACEMENT,
        0x80..=0x9f => C1_REPLACEMENTS[number as usize - 0x80]
            .or(char::from_u32(number))
            .unwrap_or(REPLACEMENT),
        _ => char::from_u32(number).unwrap_or(REPLACEMENT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(piece: &str, text: &str, attribute: &str) {
        for (context, expect) in [
            (ReferenceContext::Text, text),
            (ReferenceContext::Attribute, attribute),
        ] {
            let mut decoded = String::new();
            push_decoded(&mut decoded, piece, context);
            assert_eq!(decoded, expect, "{piece}");
        }
    }

    #[test]
    fn names() {
        check("a&amp;b", "a&b", "a&b");
        check("&ampb &amp=c &amp", "&b &=c &", "&ampb &amp=c &");
        check("&notit; &notin; &not", "¬it; ∉ ¬", "&notit; ∉ ¬");
        check("&; & &x; &nosuch;", "&; & &x; &nosuch;", "&; & &x; &nosuch;");
        check("&NotEqualTilde;", "≂̸", "≂̸");
        check("&CounterClockwiseContourIntegral;", "∳", "∳");
        check(
            "&CounterClockwiseContourIntegrals;",
            "&CounterClockwiseContourIntegrals;",
            "&CounterClockwiseContourIntegrals;",
        );
        check("&&lt;&gt", "&<>", "&<>");
        check(
            "&éacute; &am\0p;",
            "&éacute; &am\u{fffd}p;",
            "&éacute; &am\u{fffd}p;",
        );
    }

    #[test]
    fn numbers() {
        for (piece, expect) in [
            ("&#65;&#x42;&#X43;&#68", "ABCD"),
            ("&#; &#x; &#xg; &#-1;", "&#; &#x; &#xg; &#-1;"),
            (
                "&#0;&#xD800;&#x110000;&#99999999999999999999;",
                "\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
            ),
            ("&#128;&#129;&#x9f;", "€\u{81}Ÿ"),
            ("&#13;&#x1F600;", "\r😀"),
        ] {
            check(piece, expect, expect);
        }
    }

    #[test]
    fn longest_name_is_correct() {
        let longest = NAMED_ENTITIES
            .keys()
            .map(|name| name.trim_end_matches(';').len())
            .max();
        assert_eq!(longest, Some(LONGEST_NAME));
    }
}
