//! Limits on what a page may cost, and notes on pages that exceed them.

use std::fmt;

/// Limits on what a page may cost to parse. A page that exceeds them is cut or flattened, and a [`ParseNote`] says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of text are read; the rest is ignored.
    pub bytes: usize,
    /// How many nodes are built; the rest is ignored.
    pub nodes: usize,
    /// How many elements may be open at once, including formatting elements that are to be reopened.
    ///
    /// Further elements become siblings instead of children. Browsers stop nesting at 512 too, and the tree builder
    /// walks this stack for many tags, so that without a limit deep nesting would take quadratic time.
    pub open_elements: usize,
    /// How many attributes an element may have; further ones are dropped. The tokenizer compares each one with all before it.
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

/// What the parser cut because of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseNote {
    /// The page is too long. Holds the number of bytes read.
    BytesCut(usize),
    /// The page has too many nodes. Holds the number of nodes built.
    NodesCut(usize),
    /// Elements are nested too deep. Holds the number of those that became siblings instead.
    Flattened(usize),
    /// Elements have too many attributes. Holds the number of elements that lost some.
    AttributesDropped(usize),
}

impl fmt::Display for ParseNote {
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
