//! The tokenizer of the HTML standard, for pages that are there as a whole: tells a [`Builder`] what it finds.
//!
//! Others take a page in pieces, as they come from a network, and look at it letter by letter. Here the end of a
//! text, a tag or a comment is searched for in one buffer, and what lies before it is told as a slice of that buffer.
//! So the states of the standard are places in the code: being in the middle of a tag means being in
//! [`Tokenizer::tag`]. Errors are not reported; nobody listens.

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
pub(super) use input::prepared;
use names::Names;

/// A page that is being cut into tokens.
pub(super) struct Tokenizer<'p> {
    text: &'p str,
    /// What was read so far ends here.
    at: usize,
    builder: Builder,
    names: Box<Names>,
    /// For text that is not on the page as it should be told. Empty between tokens.
    scratch: String,
    max_attributes: usize,
    tags_cut: usize,
}

/// What is left when a page is read.
pub(super) struct Finished {
    pub(super) builder: Builder,
    /// How many tags lost attributes.
    pub(super) tags_cut: usize,
}

impl<'p> Tokenizer<'p> {
    /// A tokenizer of a prepared page, which tells of at most so many attributes in a tag.
    pub(super) fn new(text: &'p str, builder: Builder, max_attributes: usize) -> Self {
        Self {
            text,
            at: 0,
            builder,
            names: Names::kept(),
            scratch: String::new(),
            max_attributes,
            tags_cut: 0,
        }
    }

    /// Reads the page to its end.
    pub(super) fn run(mut self) -> Finished {
        while !self.is_at_end() {
            self.text();
            self.markup();
        }
        self.names.keep();
        Finished {
            builder: self.builder,
            tags_cut: self.tags_cut,
        }
    }

    /// Reads what begins with the `<` that stands here.
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

    /// What is still to be read.
    fn rest(&self) -> &'p [u8] {
        &self.bytes()[self.at..]
    }

    /// The byte so many places ahead.
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes().get(self.at + ahead).copied()
    }

    fn skip_whitespace(&mut self) {
        while self.peek(0).is_some_and(is_whitespace) {
            self.at += 1;
        }
    }

    /// The text from here to `end`, which is read thereby; NULs are shown.
    fn take_to(&mut self, end: usize) -> Cow<'p, str> {
        let start = std::mem::replace(&mut self.at, end);
        let taken = &self.text[start..end];
        if memchr::memchr(b'\0', taken.as_bytes()).is_none() {
            Cow::Borrowed(taken)
        } else {
            Cow::Owned(taken.replace('\0', "\u{fffd}"))
        }
    }

    /// Tells of text, if there is any.
    #[inline]
    fn tell_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.builder.text(text);
        }
    }
}

/// Whether a byte is a space to HTML. Vertical tabs are not, and `\r` does not occur.
fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c')
}
