//! Text of elements that contain only text, up to their end tag.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::super::builder::ContentModel;
use super::references::{ReferenceContext, push_decoded};
use super::{Tokenizer, is_whitespace};

impl<'p> Tokenizer<'p> {
    /// Reads the text of the element that was just opened, up to its end tag; for `<plaintext>` to the end of the page.
    pub(super) fn raw_text(&mut self, content: ContentModel, name: &str) {
        let length = match content {
            ContentModel::Markup => return,
            ContentModel::Script => script_length(self.rest(), name),
            ContentModel::RawText | ContentModel::TextWithReferences => raw_text_length(self.rest(), name),
            ContentModel::PlainText => self.rest().len(),
        };
        let end = self.at + length;
        let text = if content == ContentModel::TextWithReferences {
            self.take_decoded_to(end)
        } else {
            self.take_to(end)
        };
        self.emit_text(&text);
    }

    fn take_decoded_to(&mut self, end: usize) -> Cow<'p, str> {
        let stretch = &self.text[self.at..end];
        if memchr(b'&', stretch.as_bytes()).is_none() {
            return self.take_to(end);
        }
        self.at = end;
        let mut decoded = String::with_capacity(stretch.len());
        push_decoded(&mut decoded, stretch, ReferenceContext::Text);
        Cow::Owned(decoded)
    }
}

/// How many bytes come before the end tag with this name.
fn raw_text_length(page: &[u8], name: &str) -> usize {
    let mut brackets = memchr::memchr_iter(b'<', page);
    brackets
        .find(|&at| is_end_tag(&page[at..], name))
        .unwrap_or(page.len())
}

/// Whether `page` starts with an end tag with this name.
fn is_end_tag(page: &[u8], name: &str) -> bool {
    page.strip_prefix(b"</")
        .is_some_and(|tag| starts_with_name(tag, name))
}

/// Whether `page` starts with this tag name, in any case.
fn starts_with_name(page: &[u8], word: &str) -> bool {
    page.split_at_checked(word.len())
        .is_some_and(|(letters, behind)| {
            letters.eq_ignore_ascii_case(word.as_bytes())
                && behind
                    .first()
                    .is_some_and(|&byte| is_whitespace(byte) || matches!(byte, b'/' | b'>'))
        })
}

/// How many bytes come before the end tag of a script.
///
/// Scripts used to be wrapped in `<!--` and `-->`, to hide them from browsers without scripts. Within such a comment, a
/// nested `<script>` hides its end tag.
fn script_length(page: &[u8], name: &str) -> usize {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &page[at..]) {
        at += found;
        let rest = &page[at..];
        if is_end_tag(rest, name) {
            return at;
        }
        at += 1;
        if rest.starts_with(b"<!--") {
            // The two dashes may also start a `-->`.
            match hidden_length(&rest[2..], name) {
                HiddenEnd::Shown(length) => at += 1 + length,
                HiddenEnd::Ended(length) => return at + 1 + length,
            }
        }
    }
    page.len()
}

/// How the comment within a script ends, with its length.
enum HiddenEnd {
    /// With a `-->`: the script continues.
    Shown(usize),
    /// With the end tag of the script, or with the page.
    Ended(usize),
}

/// The comment within a script; `page` starts with its dashes.
fn hidden_length(page: &[u8], name: &str) -> HiddenEnd {
    let mut at = 0;
    let mut is_in_inner_script = false;
    while let Some(found) = memchr2(b'<', b'-', &page[at..]) {
        at += found;
        let rest = &page[at..];
        if rest.starts_with(b"-->") {
            return HiddenEnd::Shown(at + 3);
        }
        if is_in_inner_script {
            is_in_inner_script = !is_end_tag(rest, "script");
        } else if is_end_tag(rest, name) {
            return HiddenEnd::Ended(at);
        } else {
            is_in_inner_script = rest[0] == b'<' && starts_with_name(&rest[1..], "script");
        }
        at += 1;
    }
    HiddenEnd::Ended(page.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, ends: Option<usize>) {
        let length = script_length(script.as_bytes(), "script");
        assert_eq!(length, ends.unwrap_or(script.len()), "{script}");
    }

    #[test]
    fn scripts_end_with_their_tag() {
        check("a </script>", Some(2));
        check("a </SCRIPT\n", Some(2));
        check("</scripts></script/", Some(10));
        check("</script", None);
        check("<!- </script>", Some(4));
    }

    #[test]
    fn nested_scripts_in_comments_hide_end_tags() {
        check("<!-- </script>", Some(5));
        check("<!-- <script> </script> </script>", Some(24));
        check("<!-- <script> </script>", None);
        check("<!-- <script> --> </script>", Some(18));
        check("<!--> <script> </script>", Some(15));
        check("<!---> <script> </script>", Some(16));
        check("<!-- <scripts> </script>", Some(15));
        check("<!-- <script</script>", Some(12));
        check("<!-- <script></scripts></script></script>", Some(32));
        check("<!-- --> <script> </script>", Some(18));
    }
}
