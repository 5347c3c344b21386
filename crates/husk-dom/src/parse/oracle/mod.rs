//! The same page parsed by html5ever, for comparison.

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

/// Parses a page as [`Dom::parse`] does, but with html5ever and without the limit of attributes. For tests and benchmarks.
#[doc(hidden)]
pub fn parse_by_html5ever(text: &str) -> Dom {
    // html5ever would drop the mark after every pause too, such as after a script.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let options = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(guard(text, &Limits::DEFAULT), options);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    // It pauses where a script would run or an encoding is declared. Neither matters here.
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    finish(tokenizer.sink)
}

/// A guard and a tree builder for a text.
fn guard(text: &str, limits: &Limits) -> Guard {
    let options = TreeBuilderOpts {
        // Scripts do not run, so the content of <noscript> is part of the page.
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Sink::for_bytes(text.len()), options);
    Guard::new(builder, limits)
}

/// The page, with the guard's notes.
fn finish(guard: Guard) -> Dom {
    let notes = guard.notes();
    let mut dom = guard.into_builder().sink.finish();
    dom.notes = notes;
    dom
}
