//! Web archives: WARC files, read and written.
//!
//! Bytes of a file become those of its members (`input`, `unpack`), these records (`record`), these what was answered
//! (`found`): for those who want everything (`captures`), or one page (`index`, `cdxj`, `beside`, `archive`).

mod fault;

mod input;

mod unpack;

mod fields;

mod date;

mod record;

mod chunked;

mod found;

mod captures;

mod index;

mod cdxj;

mod beside;

mod archive;

mod writer;

pub use archive::Archive;
pub use captures::{Captures, Entry, Passed};
pub use fault::{ArchiveError, ArchiveNote};
pub use writer::{ArchiveWriter, Compression, Conversion};
