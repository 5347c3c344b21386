//! Text to [`Dom`], by our own tokenizer and html5ever's tree builder, within [`Limits`].

mod tokenizer;

mod texts;

mod tree;

mod sink;

mod guard;

mod oracle;

use html5ever::interface::TreeSink;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use crate::dom::Dom;
use crate::encoding::decode;
use crate::limits::{Limits, Note};

use guard::Guard;
pub use oracle::parse_by_html5ever;
use sink::Sink;
use tokenizer::{Finished, Input, Tokenizer};

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
        let input = Input::new(text);
        let tokenizer = Tokenizer::new(&input, guard(text, limits), limits.attributes);
        let Finished { sink, tags_cut } = tokenizer.run();
        let mut dom = finish(sink);
        if tags_cut > 0 {
            dom.notes.push(Note::AttributesDropped(tags_cut));
        }
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

/// A guard in front of a tree builder, for that text.
fn guard(text: &str, limits: &Limits) -> Guard {
    let options = TreeBuilderOpts {
        // Nothing runs scripts here, so what stands in <noscript> is part of the page.
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Sink::for_bytes(text.len()), options);
    Guard::new(builder, limits)
}

/// What was built, with the guard's notes.
fn finish(guard: Guard) -> Dom {
    let notes = guard.notes();
    let mut dom = guard.into_builder().sink.finish();
    dom.notes = notes;
    dom
}
