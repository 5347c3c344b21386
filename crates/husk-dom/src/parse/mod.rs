//! Text to [`Dom`], within [`Limits`]: a tokenizer tells a builder what it finds, and that grows a tree.

mod tags;

mod tokenizer;

mod builder;

mod tree;

mod links;

#[cfg(feature = "oracle")]
mod oracle;

use crate::dom::Dom;
use crate::encoding::decode;
use crate::limits::{Limits, Note};

use builder::Builder;
#[cfg(feature = "oracle")]
pub use oracle::parse_by_html5ever;
use tokenizer::{Finished, Tokenizer, prepared};

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
        let builder = Builder::new(text.len(), limits);
        let page = prepared(text);
        let Finished { builder, tags_cut } = Tokenizer::new(&page, builder, limits.attributes).run();
        let mut dom = builder.finish();
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
