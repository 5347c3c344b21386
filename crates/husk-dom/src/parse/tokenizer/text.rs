//! Text between tags.

use memchr::memchr3;

use super::Tokenizer;
use super::references::{ReferenceContext, reference};

impl Tokenizer<'_> {
    /// Reads text up to the next markup.
    pub(super) fn text(&mut self) {
        // Text before this offset is in the scratch buffer, or was passed on.
        let mut start = self.at;
        while let Some(found) = memchr3(b'<', b'&', b'\0', self.rest()) {
            self.at += found;
            match self.bytes()[self.at] {
                b'<' if self.is_at_markup() => return self.end_text(start),
                b'<' => self.at += 1,
                b'&' => start = self.reference(start),
                _ => {
                    self.end_text(start);
                    self.builder.nul();
                    self.at += 1;
                    start = self.at;
                }
            }
        }
        self.at = self.text.len();
        self.end_text(start);
    }

    /// Whether the `<` here starts markup.
    fn is_at_markup(&self) -> bool {
        match self.peek(1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => self.peek(2).is_some(),
            Some(byte) => byte.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// Reads the reference whose `&` is here. Returns the offset of the first byte that is not in the scratch buffer.
    fn reference(&mut self, start: usize) -> usize {
        let text = self.text;
        let ampersand = self.at;
        self.at += 1;
        let Some(reference) = reference(&text[self.at..], ReferenceContext::Text) else {
            return start;
        };
        self.scratch.push_str(&text[start..ampersand]);
        reference.push_to(&mut self.scratch);
        self.at += reference.length;
        self.at
    }

    /// Passes on the text in the scratch buffer, and from `start` to here.
    fn end_text(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        if self.scratch.is_empty() {
            return self.emit_text(text);
        }
        self.scratch.push_str(text);
        self.builder.text(&self.scratch);
        self.scratch.clear();
    }
}
