//! Pages without what their site repeats: each template once, each page as its slots, every byte to be had again.
//!
//! A few pages of a site tell what it shares ([`SharedBytes`]); each page becomes copies from that and its own bytes
//! between them ([`Slots`], which can be made in many threads); a [`DedupWriter`] packs them in the order in which they
//! come; a [`DedupReader`] gives them back, one after the other or by address. docs/dedup.md has the format.

mod tokens;

mod shared;

mod numbers;

mod fault;

mod slots;

mod format;

mod rivals;

mod block;

mod index;

mod totals;

mod writer;

mod reader;

pub use block::{Block, PageHead};
pub use fault::DedupError;
pub use format::EXTENSION;
pub use reader::{DedupReader, StoredPage};
pub use rivals::{Compared, Rivals};
pub use shared::SharedBytes;
pub use slots::Slots;
pub use totals::DedupTotals;
pub use writer::DedupWriter;

#[cfg(test)]
mod tests;
