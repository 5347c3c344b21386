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

use attributes::find_excess;
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
        let quick = Parser::new(text, limits).run();
        let mut dom = quick.unwrap_or_else(|| Parser::new(text, limits).run_counting_attributes());
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
    // A NUL takes three times its room when it is shown.
    let bytes = bytes.min(u32::MAX as usize / 4);
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

    /// Parses the text as it stands; none if some tag may have too many attributes.
    fn run(self) -> Option<Dom> {
        let mut attributes_at_most = 0;
        let mut start = 0;
        while start < self.text.len() {
            let end = self.text.ceil_char_boundary((start + PIECE).min(self.text.len()));
            if self.emits(start, end) {
                attributes_at_most = 0;
            } else {
                attributes_at_most += attributes::attributes_at_most(&self.text[start..end]);
                if attributes_at_most > self.limits.attributes {
                    return None;
                }
            }
            start = end;
        }
        Some(self.finish())
    }

    /// Parses the text without the attributes beyond the limit.
    ///
    /// What looks like a tag may stand in a script or a comment. The tokenizer knows: in a script it emits the name of
    /// the tag as text, and in a comment, or in another tag, it has not emitted anything since that began.
    fn run_counting_attributes(self) -> Dom {
        let mut dropped = 0;
        let mut start = 0;
        let mut is_within = false;
        while start < self.text.len() {
            let mut begins = is_within || self.may_begin(start);
            let mut at = start;
            if !is_within && let Some(name_end) = self.tag_name_end(start) {
                // Alone, since a bracket that stood in front of this one is emitted only now.
                self.emits(start, start + 1);
                begins = !self.emits(start + 1, name_end);
                at = name_end;
                if begins && let Some(excess) = find_excess(self.text, start, self.limits.attributes) {
                    self.emits(at, excess.start);
                    at = excess.end;
                    dropped += 1;
                }
            }
            let end = self.next_bracket(at.max(start + 1));
            is_within = !self.emits(at, end) && begins;
            start = end;
        }
        let mut dom = self.finish();
        if dropped > 0 {
            dom.notes.push(Note::AttributesDropped(dropped));
        }
        dom
    }

    /// Whether a token other than text may begin here.
    fn may_begin(&self, at: usize) -> bool {
        let next = self.text.as_bytes().get(at + 1);
        next.is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
    }

    /// Where the name of a tag ends that seems to begin here, with the letter behind it.
    fn tag_name_end(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes()[at..].strip_prefix(b"<")?;
        let name = rest.strip_prefix(b"/").unwrap_or(rest);
        name.first().filter(|letter| letter.is_ascii_alphabetic())?;
        let length = name
            .iter()
            .position(|&byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))?;
        Some(at + 1 + (rest.len() - name.len()) + length + 1)
    }

    /// Where the next `<` stands, or the end.
    fn next_bracket(&self, from: usize) -> usize {
        self.text.as_bytes()[from..]
            .iter()
            .position(|&byte| byte == b'<')
            .map_or(self.text.len(), |at| from + at)
    }

    /// Feeds a stretch of the text, and tells whether the tokenizer made anything of it yet.
    fn emits(&self, start: usize, end: usize) -> bool {
        let before = self.tokenizer.sink.tokens();
        self.feed(start, end);
        self.tokenizer.sink.tokens() > before
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
