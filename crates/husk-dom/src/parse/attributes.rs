//! Finds where a tag goes over the limit of attributes, before the tokenizer has to compare them all.

/// Where a start tag with too many attributes goes over the limit, and where it ends; offsets in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excess {
    /// Where the first attribute beyond the limit begins.
    pub(super) start: usize,
    /// Where the closing `>` stands.
    pub(super) end: usize,
}

/// How many attributes a stretch of a tag can have at most.
pub(super) fn attributes_at_most(stretch: &str) -> usize {
    stretch.bytes().filter(|&byte| is_separator(byte)).count()
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'/'
}

/// The attributes beyond the limit of the tag that begins at `start`, if it has so many.
pub(super) fn find_excess(text: &str, start: usize, max_attributes: usize) -> Option<Excess> {
    // Behind the bracket, and the slash of an end tag.
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: start + 2,
    };
    scan.skip(|byte| !is_separator(byte) && byte != b'>');
    let mut excess = None;
    let mut count = 0;
    loop {
        scan.skip(is_separator);
        if scan.peek().is_none_or(|byte| byte == b'>') {
            return excess.map(|start| Excess { start, end: scan.at });
        }
        count += 1;
        if count == max_attributes + 1 {
            excess = Some(scan.at);
        }
        scan.skip_attribute();
    }
}

/// A place within a tag.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn skip_attribute(&mut self) {
        // A name may begin with `=`.
        self.at += 1;
        self.skip(|byte| !is_separator(byte) && byte != b'>' && byte != b'=');
        self.skip(|byte| byte.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            return;
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                self.skip(|byte| byte != quote);
                self.at = (self.at + 1).min(self.bytes.len());
            }
            _ => self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Option<(usize, usize)>) {
        let expect = expect.map(|(start, end)| Excess { start, end });
        assert_eq!(find_excess(text, 0, 2), expect, "{text}");
    }

    #[test]
    fn counts_attributes() {
        check("<a b c>", None);
        check("<a b c d>", Some((7, 8)));
        check("<p a='> d e f' b=\">\">", None);
        check("<p a=1 b = 2 c='3'></p>", Some((13, 18)));
        check("<p a/b/c>", Some((7, 8)));
        check("<p a b c", Some((7, 8)));
    }

    #[test]
    fn ends_on_any_broken_tag() {
        for broken in ["<a", "<a ", "<a b=", "<a b='", "<a b='c", "<", "<a <a <a <a"] {
            find_excess(broken, 0, 1);
        }
    }
}
