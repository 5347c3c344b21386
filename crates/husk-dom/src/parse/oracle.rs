//! The same page by html5ever's own tokenizer, which ours is compared with.

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};

use super::{finish, guard};
use crate::dom::Dom;
use crate::limits::Limits;

/// Parses a page as [`Dom::parse`] does, but with html5ever's tokenizer and without a limit of attributes.
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
