//! Parses text to a [`Dom`] within [`Limits`]: a tokenizer passes tokens to a tree builder.

mod tags;

mod tokenizer;

mod builder;

mod tree;

mod links;

#[cfg(feature = "oracle")]
mod oracle;

use crate::dom::Dom;
use crate::encoding::decode;
use crate::limits::{Limits, ParseNote};

use builder::Builder;
#[cfg(feature = "oracle")]
pub use oracle::parse_by_html5ever;
use tokenizer::{Tokenized, Tokenizer, normalize_newlines};

impl Dom {
    /// Parses a page from its text.
    pub fn parse(text: &str) -> Self {
        Self::parse_within(text, &Limits::DEFAULT)
    }

    /// Parses a page from its text, within other limits than [`Limits::DEFAULT`].
    ///
    /// Never fails: what exceeds the limits is cut or flattened, and [`notes`](Self::notes) says so.
    pub fn parse_within(text: &str, limits: &Limits) -> Self {
        let (text, cut) = within(text, limits.bytes);
        let builder = Builder::new(text.len(), limits);
        let page = normalize_newlines(text);
        let Tokenized { builder, tags_cut } = Tokenizer::new(&page, builder, limits.attributes).run();
        let mut dom = builder.finish();
        if tags_cut > 0 {
            dom.notes.push(ParseNote::AttributesDropped(tags_cut));
        }
        dom.notes.extend(cut);
        dom
    }

    /// Parses a page from its bytes. `charset` is that of the HTTP header, if it has one.
    pub fn from_bytes(bytes: &[u8], charset: Option<&str>) -> Self {
        Self::parse(&decode(bytes, charset).text)
    }
}

fn within(text: &str, bytes: usize) -> (&str, Option<ParseNote>) {
    // Offsets have 32 bits, and a NUL becomes U+FFFD, which takes three bytes.
    let bytes = bytes.min(u32::MAX as usize / 4);
    if text.len() <= bytes {
        return (text, None);
    }
    let end = text.floor_char_boundary(bytes);
    (&text[..end], Some(ParseNote::BytesCut(end)))
}
