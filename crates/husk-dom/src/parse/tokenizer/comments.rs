//! Comments, bogus comments and CDATA sections.

use memchr::{memchr, memchr_iter, memmem};

use super::Tokenizer;

impl Tokenizer<'_> {
    /// Reads what follows `<!`.
    pub(super) fn declaration(&mut self) {
        if self.eat(b"--") {
            self.comment();
        } else if self.eat(b"doctype") {
            self.doctype();
        } else if self.rest().starts_with(b"[CDATA[") && self.builder.is_in_foreign() {
            self.at += b"[CDATA[".len();
            self.cdata();
        } else {
            self.bogus_comment();
        }
    }

    /// Reads these letters, in any case, if they come next.
    pub(super) fn eat(&mut self, letters: &[u8]) -> bool {
        let comes_next = self
            .rest()
            .get(..letters.len())
            .is_some_and(|next| next.eq_ignore_ascii_case(letters));
        if comes_next {
            self.at += letters.len();
        }
        comes_next
    }

    fn comment(&mut self) {
        let CommentExtent { length, with_end } = comment_extent(self.rest());
        let next = self.at + with_end;
        let data = self.take_to(self.at + length);
        self.at = next;
        self.builder.comment(&data);
    }

    /// Reads up to a `>` and makes a comment of it.
    pub(super) fn bogus_comment(&mut self) {
        let length = memchr(b'>', self.rest());
        let end = length.map_or(self.text.len(), |length| self.at + length);
        let data = self.take_to(end);
        self.skip_past_bracket();
        self.builder.comment(&data);
    }

    /// Continues after the next `>`.
    pub(super) fn skip_past_bracket(&mut self) {
        let found = memchr(b'>', self.rest());
        self.at = found.map_or(self.text.len(), |found| self.at + found + 1);
    }

    fn cdata(&mut self) {
        let length = memmem::find(self.rest(), b"]]>");
        let end = length.map_or(self.text.len(), |length| self.at + length);
        self.text_with_nuls(end);
        self.at = length.map_or(end, |_| end + b"]]>".len());
    }

    /// Emits text up to `end`, and its NULs separately, since the tree builder decides what they become.
    fn text_with_nuls(&mut self, end: usize) {
        let text = self.text;
        for piece in text[self.at..end].split_inclusive('\0') {
            let letters = piece.trim_end_matches('\0');
            self.emit_text(letters);
            if letters.len() < piece.len() {
                self.builder.nul();
            }
            self.at += piece.len();
        }
    }
}

/// The length of a comment, without and with its end.
#[derive(Debug, PartialEq, Eq)]
struct CommentExtent {
    length: usize,
    with_end: usize,
}

/// The extent of a comment whose `<!--` is right before `page`.
fn comment_extent(page: &[u8]) -> CommentExtent {
    for abrupt in [&b">"[..], b"->"] {
        if page.starts_with(abrupt) {
            return CommentExtent {
                length: 0,
                with_end: abrupt.len(),
            };
        }
    }
    let ends = memchr_iter(b'>', page).find_map(|bracket| {
        let data = strip_end(&page[..bracket])?;
        Some(CommentExtent {
            length: data.len(),
            with_end: bracket + 1,
        })
    });
    ends.unwrap_or_else(|| {
        // A beginning of an end is not part of the comment.
        let data = strip_end(page).or(page.strip_suffix(b"-")).unwrap_or(page);
        CommentExtent {
            length: data.len(),
            with_end: page.len(),
        }
    })
}

/// The text before the dashes that end a comment, if they are there.
fn strip_end(data: &[u8]) -> Option<&[u8]> {
    data.strip_suffix(b"--").or(data.strip_suffix(b"--!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, data: &str, rest: &str) {
        let extent = comment_extent(page.as_bytes());
        let found = (&page[..extent.length], &page[extent.with_end..]);
        assert_eq!(found, (data, rest), "{page}");
    }

    #[test]
    fn comments_end() {
        check(" a -->b", " a ", "b");
        check("a--->b", "a-", "b");
        check("a--!>b", "a", "b");
        check(">b", "", "b");
        check("->b", "", "b");
        check("-->b", "", "b");
        check("--!>b", "", "b");
        check("-!>b-->", "-!>b", "");
        check("a -> b > c-- >d-->", "a -> b > c-- >d", "");
        check("<!-->b", "<!", "b");
        check("--!-->b", "--!", "b");
    }

    #[test]
    fn comments_that_do_not_end() {
        check("a", "a", "");
        check("a-", "a", "");
        check("a--", "a", "");
        check("a---", "a-", "");
        check("a--!", "a", "");
        check("-", "", "");
        check("-!", "-!", "");
        check("--!-", "--!", "");
    }
}
