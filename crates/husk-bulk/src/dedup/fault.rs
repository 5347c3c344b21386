//! What can be wrong with a file of slots.

use std::io;

/// Why pages cannot be had again.
#[derive(Debug, thiserror::Error)]
pub enum DedupError {
    /// The system could not read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is another kind of file.
    #[error("this is not a file that husk bulk --dedup writes")]
    NotSlots,
    /// It was written by a later version.
    #[error("this file has version {0} of its format, and this husk reads version 1 only: use a newer husk")]
    Version(u8),
    /// It ends too early: the run that wrote it did not finish, or it was not copied whole.
    #[error("the file ends at byte {0}, before its index: it was not written or copied to its end")]
    Truncated(u64),
    /// Something in it is not as it was written.
    #[error("the file is damaged at byte {at}: {what}")]
    Damaged {
        /// Where the damaged part begins.
        at: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A page that is not like the one that was taken apart.
    #[error("{0} is damaged: it is not what was stored")]
    Page(String),
}

/// What is wrong with a part of a file; where that is, its reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken(pub(super) &'static str);

impl Broken {
    pub(super) fn at(self, at: u64) -> DedupError {
        DedupError::Damaged { at, what: self.0 }
    }
}

pub(super) fn broken(what: &'static str) -> Broken {
    Broken(what)
}
