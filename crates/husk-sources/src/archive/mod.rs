//! Pages in WARC files, by way of the crate `husk-warc`.
//!
//! A record becomes what it says about a URL (`recorded`): for those who want everything (`captures`), or single pages
//! (`url_index`, `source`).

mod note;

mod recorded;

mod captures;

mod url_index;

mod source;

mod writer;

pub use captures::{ArchivedCapture, Captures, SkippedRecords};
pub use note::ArchiveNote;
pub use source::Archive;
pub use writer::ArchiveWriter;
