//! The text of a page as the tokenizer reads it: one shared buffer that tokens are slices of.

use html5ever::tendril::StrTendril;
use memchr::memchr;

/// A page with its line ends made `\n` and without a byte order mark, as the standard prepares it.
pub(in crate::parse) struct Input {
    page: StrTendril,
}

impl Input {
    /// Takes a page whose length fits 32 bits.
    pub(in crate::parse) fn new(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let page = match memchr(b'\r', text.as_bytes()) {
            None => StrTendril::from_slice(text),
            Some(first) => with_plain_line_ends(text, first),
        };
        Self { page }
    }

    pub(super) fn text(&self) -> &str {
        &self.page
    }

    /// A part of the page. Long ones share its buffer.
    #[inline]
    pub(super) fn slice(&self, start: usize, end: usize) -> StrTendril {
        if start == end {
            return StrTendril::new();
        }
        self.page.subtendril(start as u32, (end - start) as u32)
    }
}

/// Makes a `\n` of every `\r\n` and every other `\r`, of which `first` is the first.
fn with_plain_line_ends(text: &str, first: usize) -> StrTendril {
    let mut page = StrTendril::with_capacity(text.len() as u32);
    let mut rest = text;
    let mut next = Some(first);
    while let Some(end) = next {
        page.push_slice(&rest[..end]);
        page.push_char('\n');
        rest = &rest[end + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
        next = memchr(b'\r', rest.as_bytes());
    }
    page.push_slice(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(Input::new(text).text(), expect, "{text:?}");
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
