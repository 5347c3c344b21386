//! Web archives: WARC files, read and written.

mod fault;

mod input;

mod unpack;

mod fields;

mod date;

mod record;

mod chunked;

mod found;

mod captures;

mod cdxj;

mod writer;

pub use captures::{Captures, Entry};
pub use fault::{ArchiveError, ArchiveNote};
pub use writer::{ArchiveWriter, Compression};
