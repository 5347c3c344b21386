//! Zstandard, which needs a C library. Without the feature `zstd` the same functions return an error.

#[cfg_attr(feature = "zstd", path = "present.rs")]
#[cfg_attr(not(feature = "zstd"), path = "absent.rs")]
mod library;

pub(crate) use library::{FrameDecoder, compress, reader};

/// Whether this build reads and writes Zstandard, which the feature `zstd` turns on.
pub const IS_SUPPORTED: bool = cfg!(feature = "zstd");

/// How far one step of decompression came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// How many compressed bytes were read.
    pub(crate) read: usize,
    /// How many decompressed bytes were written.
    pub(crate) written: usize,
    /// Whether the frame ended there.
    pub(crate) has_ended: bool,
}
