//! The tokenizer of the HTML standard, for pages that are completely in memory. Passes tokens to a [`Builder`].
//!
//! Streaming tokenizers read a page character by character in a state machine. This one searches the end of a text, tag or
//! comment in the buffer and passes slices of it, so that the states of the standard are positions in the code. Parse errors
//! are not reported.

mod input;

mod names;

mod references;

mod text;

mod raw_text;

mod tags;

mod comments;

mod doctype;

use std::borrow::Cow;

use super::builder::Builder;
pub(super) use input::normalize_newlines;
use names::NameCache;

/// A page that is being tokenized.
pub(super) struct Tokenizer<'p> {
    text: &'p str,
    /// Offset of the next byte to read.
    at: usize,
    builder: Builder,
    names: Box<NameCache>,
    /// For text that differs from the source, such as decoded references. Empty between tokens.
    scratch: String,
    max_attributes: usize,
    tags_cut: usize,
}

/// The result of tokenizing a page.
pub(super) struct Tokenized {
    pub(super) builder: Builder,
    /// How many tags lost attributes.
    pub(super) tags_cut: usize,
}

impl<'p> Tokenizer<'p> {
    /// A tokenizer for text with normalized line ends.
    pub(super) fn new(text: &'p str, builder: Builder, max_attributes: usize) -> Self {
        Self {
            text,
            at: 0,
            builder,
            names: NameCache::take(),
            scratch: String::new(),
            max_attributes,
            tags_cut: 0,
        }
    }

    /// Reads the page to its end.
    pub(super) fn run(mut self) -> Tokenized {
        while !self.is_at_end() {
            self.text();
            self.markup();
        }
        self.names.store();
        Tokenized {
            builder: self.builder,
            tags_cut: self.tags_cut,
        }
    }

    /// Reads the markup that starts with the `<` here.
    fn markup(&mut self) {
        match self.peek(1) {
            None => {}
            Some(b'!') => {
                self.at += 2;
                self.declaration();
            }
            Some(b'?') => {
                self.at += 1;
                self.bogus_comment();
            }
            Some(b'/') => self.end_markup(),
            Some(_) => {
                self.at += 1;
                self.start_tag();
            }
        }
    }

    fn end_markup(&mut self) {
        self.at += 2;
        match self.peek(0) {
            Some(byte) if byte.is_ascii_alphabetic() => self.end_tag(),
            Some(b'>') => self.at += 1,
            _ => self.bogus_comment(),
        }
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn bytes(&self) -> &'p [u8] {
        self.text.as_bytes()
    }

    /// The bytes that are not read yet.
    fn rest(&self) -> &'p [u8] {
        &self.bytes()[self.at..]
    }

    /// The byte `ahead` bytes after the next one.
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes().get(self.at + ahead).copied()
    }

    fn skip_whitespace(&mut self) {
        while self.peek(0).is_some_and(is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads text up to `end`, with NULs replaced by U+FFFD.
    fn take_to(&mut self, end: usize) -> Cow<'p, str> {
        let start = std::mem::replace(&mut self.at, end);
        let taken = &self.text[start..end];
        if memchr::memchr(b'\0', taken.as_bytes()).is_none() {
            Cow::Borrowed(taken)
        } else {
            Cow::Owned(taken.replace('\0', "\u{fffd}"))
        }
    }

    /// Passes text to the builder, if there is any.
    #[inline]
    fn emit_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.builder.text(text);
        }
    }
}

/// Whether a byte is HTML white space. Vertical tabs are not, and `\r` does not occur.
fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c')
}
