//! What a page may cost, and notes on a page that wanted more.

use std::fmt;

/// Bounds on what one page may cost to parse. Beyond them a page is cut or flattened, and a [`Note`] says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text read from the start of the page; the rest is left unread.
    pub bytes: usize,
    /// Nodes built; the page ends there.
    pub nodes: usize,
    /// Elements that may be open at once, the formatting elements waiting to be reopened included.
    ///
    /// Further elements become siblings instead of children. Browsers stop nesting at 512 as well, and the
    /// tree builder walks this stack for many tags, so without a bound deep nesting costs quadratic time.
    pub open_elements: usize,
    /// Attributes of one element; further ones are dropped. The tokenizer compares each with all before it.
    pub attributes: usize,
}

impl Limits {
    /// The limits that [`Dom::parse`](crate::Dom::parse) uses.
    pub const DEFAULT: Self = Self {
        bytes: 256 << 20,
        nodes: 8_000_000,
        open_elements: 512,
        attributes: 1024,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Something of a page that the parser did not take as it stood, because of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The page was longer than the limit: so many bytes were read.
    BytesCut(usize),
    /// The page had more nodes than the limit: so many were built.
    NodesCut(usize),
    /// Elements were nested deeper than the limit: so many became siblings instead.
    Flattened(usize),
    /// Elements had more attributes than the limit: so many elements lost some.
    AttributesDropped(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BytesCut(read) => write!(out, "page too long: only its first {read} bytes were read"),
            Self::NodesCut(built) => write!(out, "page too large: only its first {built} nodes were built"),
            Self::Flattened(count) => {
                write!(
                    out,
                    "page nested too deep: {count} elements were placed beside their parents"
                )
            }
            Self::AttributesDropped(count) => {
                write!(
                    out,
                    "too many attributes: {count} elements lost those beyond the limit"
                )
            }
        }
    }
}
