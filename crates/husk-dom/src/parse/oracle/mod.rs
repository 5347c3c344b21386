//! The same page by html5ever, whose tokenizer and tree builder ours are compared with.

mod guard;

mod sink;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use guard::Guard;
use sink::Sink;

use crate::dom::Dom;
use crate::limits::Limits;

/// Parses a page as [`Dom::parse`] does, but by html5ever and without a limit of attributes.
///
/// For tests and benchmarks only.
#[doc(hidden)]
pub fn parse_by_html5ever(text: &str) -> Dom {
    // html5ever would drop the mark wherever it is fed anew, as behind every script.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let options = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(guard(text, &Limits::DEFAULT), options);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    // It pauses where a script would run or an encoding is named: neither matters here.
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    finish(tokenizer.sink)
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
