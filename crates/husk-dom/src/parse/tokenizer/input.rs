//! Prepares the text of a page for the tokenizer.

use std::borrow::Cow;

use memchr::memchr;

/// Converts all line ends to `\n` and removes the byte order mark, as the standard requires.
pub(in crate::parse) fn normalize_newlines(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match memchr(b'\r', text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(replace_returns(text, first)),
    }
}

/// Converts every `\r\n` and other `\r`; the first one is at `first`.
fn replace_returns(text: &str, first: usize) -> String {
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
        assert_eq!(normalize_newlines(text), expect, "{text:?}");
    }

    #[test]
    fn line_ends_are_normalized() {
        check("a\r\nb\rc\nd", "a\nb\nc\nd");
        check("\r\r\n\n\r", "\n\n\n\n");
        check("\r", "\n");
    }

    #[test]
    fn one_byte_order_mark_is_removed() {
        check("\u{feff}\u{feff}a", "\u{feff}a");
        check("a\u{feff}", "a\u{feff}");
    }
}
