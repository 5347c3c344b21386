//! Comments, what is taken for comments, and CDATA sections.

use memchr::{memchr, memchr_iter, memmem};

use super::Tokenizer;

impl Tokenizer<'_> {
    /// Reads what stands behind `<!`.
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

    /// Reads these letters, in whatever case, if they come next.
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
        let Extent { length, with_end } = comment_extent(self.rest());
        let behind = self.at + with_end;
        let words = self.take_to(self.at + length);
        self.at = behind;
        self.builder.comment(&words);
    }

    /// Reads up to a `>` something that is none of the things it looks like, and makes a comment of it.
    pub(super) fn bogus_comment(&mut self) {
        let length = memchr(b'>', self.rest());
        let end = length.map_or(self.text.len(), |length| self.at + length);
        let words = self.take_to(end);
        self.skip_past_bracket();
        self.builder.comment(&words);
    }

    /// Goes on behind the next `>`.
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

    /// Tells of text up to `end`, of its NULs one by one: it is for the tree builder to know what they become.
    fn text_with_nuls(&mut self, end: usize) {
        let text = self.text;
        for stretch in text[self.at..end].split_inclusive('\0') {
            let letters = stretch.trim_end_matches('\0');
            self.tell_text(letters);
            if letters.len() < stretch.len() {
                self.builder.nul();
            }
            self.at += stretch.len();
        }
    }
}

/// The bytes of a comment: those of its words, and all up to where the page goes on.
#[derive(Debug, PartialEq, Eq)]
struct Extent {
    length: usize,
    with_end: usize,
}

/// The comment whose `<!--` stands right before `page`.
fn comment_extent(page: &[u8]) -> Extent {
    for abrupt in [&b">"[..], b"->"] {
        if page.starts_with(abrupt) {
            return Extent {
                length: 0,
                with_end: abrupt.len(),
            };
        }
    }
    let ends = memchr_iter(b'>', page).find_map(|bracket| {
        let words = strip_end(&page[..bracket])?;
        Some(Extent {
            length: words.len(),
            with_end: bracket + 1,
        })
    });
    ends.unwrap_or_else(|| {
        // What could have become an end is no word, either.
        let words = strip_end(page).or(page.strip_suffix(b"-")).unwrap_or(page);
        Extent {
            length: words.len(),
            with_end: page.len(),
        }
    })
}

/// The words before the dashes that end a comment, if they stand there.
fn strip_end(words: &[u8]) -> Option<&[u8]> {
    words.strip_suffix(b"--").or(words.strip_suffix(b"--!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, words: &str, rest: &str) {
        let extent = comment_extent(page.as_bytes());
        let found = (&page[..extent.length], &page[extent.with_end..]);
        assert_eq!(found, (words, rest), "{page}");
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
