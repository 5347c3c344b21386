//! Text to [`Dom`], by html5ever, within [`Limits`].

mod attributes;

mod texts;

mod tree;

mod sink;

mod guard;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Tokenizer;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use crate::dom::Dom;
use crate::encoding::decode;
use crate::limits::{Limits, Note};

use attributes::Excess;
use guard::Guard;
use sink::Sink;

/// How much is fed to the tokenizer at once.
///
/// A piece that yields no token lies within one huge tag, comment or the like; only then is it worth asking
/// whether a tag has too many attributes.
const PIECE: usize = 4096;

impl Dom {
    /// Parses a page from its text.
    pub fn parse(text: &str) -> Self {
        Self::parse_within(text, &Limits::DEFAULT)
    }

    /// Parses a page from its text, within limits of your own.
    ///
    /// Never fails: what goes beyond the limits is cut or flattened, and noted in the result.
    pub fn parse_within(text: &str, limits: &Limits) -> Self {
        let (text, cut) = within(text, limits.bytes);
        let mut dom = match Parser::new(text, limits).run_watching_attributes() {
            Ok(dom) => dom,
            Err(excess) => Parser::new(text, limits).run_without(&excess),
        };
        dom.notes.extend(cut);
        dom
    }

    /// Parses a page from its bytes; `charset` is what the transport said of them, if anything.
    pub fn from_bytes(bytes: &[u8], charset: Option<&str>) -> Self {
        Self::parse(&decode(bytes, charset).text)
    }
}

fn within(text: &str, bytes: usize) -> (&str, Option<Note>) {
    // Offsets are kept in 32 bits.
    let bytes = bytes.min(u32::MAX as usize / 2);
    if text.len() <= bytes {
        return (text, None);
    }
    let end = text.floor_char_boundary(bytes);
    (&text[..end], Some(Note::BytesCut(end)))
}

struct Parser<'a> {
    text: &'a str,
    limits: &'a Limits,
    input: StrTendril,
    tokenizer: Tokenizer<Guard>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, limits: &'a Limits) -> Self {
        let options = TreeBuilderOpts {
            // Nothing runs scripts here, so what stands in <noscript> is part of the page.
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        };
        let builder = TreeBuilder::new(Sink::for_bytes(text.len()), options);
        let guard = Guard::new(builder, limits);
        Self {
            text,
            limits,
            input: StrTendril::from_slice(text),
            tokenizer: Tokenizer::new(guard, Default::default()),
        }
    }

    /// Parses the text as it stands, unless some tag proves to have too many attributes.
    fn run_watching_attributes(self) -> Result<Dom, Excess> {
        let mut checked = false;
        let mut start = 0;
        while start < self.text.len() && !self.tokenizer.sink.is_full() {
            let end = self.text.ceil_char_boundary((start + PIECE).min(self.text.len()));
            let tokens_before = self.tokenizer.sink.tokens();
            self.feed(start, end);
            if self.tokenizer.sink.tokens() == tokens_before && !checked {
                checked = true;
                if let Some(excess) = Excess::find(self.text, self.limits.attributes) {
                    return Err(excess);
                }
            }
            start = end;
        }
        Ok(self.finish())
    }

    /// Parses the text without the attributes in excess.
    ///
    /// `excess` was found by a scan that cannot know whether it was in a script or the like. The tokenizer
    /// knows: if it emitted anything between the start of the tag and the excess, it was no tag. (A comment with
    /// a thousand words behind a `<` loses those beyond; nobody reads these.)
    fn run_without(self, excess: &Excess) -> Dom {
        let mut start = 0;
        let mut dropped = 0;
        for tag in &excess.tags {
            self.feed(start, tag.start);
            let tokens_before = self.tokenizer.sink.tokens();
            self.feed(tag.start, tag.excess);
            start = tag.excess;
            if self.tokenizer.sink.tokens() == tokens_before {
                start = tag.end;
                dropped += 1;
            }
        }
        self.feed(start, self.text.len());
        let mut dom = self.finish();
        if dropped > 0 {
            dom.notes.push(Note::AttributesDropped(dropped));
        }
        dom
    }

    fn feed(&self, start: usize, end: usize) {
        if start >= end || self.tokenizer.sink.is_full() {
            return;
        }
        let queue = BufferQueue::default();
        // Both lie within the text, whose length fits.
        queue.push_back(self.input.subtendril(start as u32, (end - start) as u32));
        // The tokenizer pauses where a script would run or an encoding is named: neither matters here.
        while !matches!(self.tokenizer.feed(&queue), TokenizerResult::Done) {}
    }

    fn finish(self) -> Dom {
        self.tokenizer.end();
        let guard = self.tokenizer.sink;
        let notes = guard.notes();
        let mut dom = guard.into_builder().sink.finish();
        dom.notes = notes;
        dom
    }
}
