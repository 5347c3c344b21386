//! The text of a page as the tokenizer reads it.

use std::borrow::Cow;

use memchr::memchr;

/// A page with its line ends made `\n` and without a byte order mark, as the standard prepares it.
pub(in crate::parse) fn prepared(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match memchr(b'\r', text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(with_plain_line_ends(text, first)),
    }
}

/// Makes a `\n` of every `\r\n` and every other `\r`, of which `first` is the first.
fn with_plain_line_ends(text: &str, first: usize) -> String {
    let mut page = String::with_capacity(text.len());
    let mut rest = text;
    let mut next = Some(first);
    while let Some(end) = next {
        page.push_str(&rest[..end]);
        page.push('\n');
        rest = &rest[end + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
        next = memchr(b'\r', rest.as_bytes());
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(prepared(text), expect, "{text:?}");
    }

    #[test]
    fn line_ends_are_plain() {
        check("a\r\nb\rc\nd", "a\nb\nc\nd");
        check("\r\r\n\n\r", "\n\n\n\n");
        check("\r", "\n");
    }

    #[test]
    fn one_byte_order_mark_goes() {
        check("\u{feff}\u{feff}a", "\u{feff}a");
        check("a\u{feff}", "a\u{feff}");
    }
}
