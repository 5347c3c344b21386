//! Zstandard, which takes a library in C: builds that cannot have it leave it out, and what it packed is an error there.
//!
//! Both sides of this have the same functions, so that nobody else has to know.

#[cfg_attr(feature = "zstd", path = "present.rs")]
#[cfg_attr(not(feature = "zstd"), path = "absent.rs")]
mod library;

pub(crate) use library::{Frames, pack, reader};

/// Whether anything can be unpacked.
pub(crate) const IS_KNOWN: bool = cfg!(feature = "zstd");

/// What became of some packed bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// How many of them were read.
    pub(crate) read: usize,
    /// How many unpacked ones were written.
    pub(crate) written: usize,
    /// Whether their frame ends there.
    pub(crate) has_ended: bool,
}
