//! What can be wrong with an archive.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::zstandard;

/// Why a file cannot be used as an archive, or a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The system could not read the file.
    #[error("cannot read {}: {cause}; check that the file is there and may be read", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is something else.
    #[error("{} is {kind}, not a WARC file: {remedy}", .path.display())]
    NotAnArchive {
        /// The file.
        path: PathBuf,
        /// What it is instead, such as `a folder`.
        kind: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A part of the file is broken; what follows can be read again.
    #[error("{0}")]
    Damaged(ArchiveNote),
}

/// What was met in an archive that could not be used, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveNote {
    /// The file.
    pub path: PathBuf,
    /// Where in the file; none if it is about all of it.
    pub offset: Option<u64>,
    /// What is wrong, and what was done about it.
    pub what: String,
}

impl fmt::Display for ArchiveNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path.display())?;
        if let Some(offset) = self.offset {
            write!(out, ", offset {offset}")?;
        }
        write!(out, ": {}", self.what)
    }
}

/// Something broken at an offset, of a file that is known elsewhere.
#[derive(Debug)]
pub(super) enum Fault {
    Io(io::Error),
    At(u64, String),
}

impl Fault {
    pub(super) fn within(self, path: &Path) -> ArchiveError {
        let path = path.to_owned();
        match self {
            Self::Io(cause) => ArchiveError::Io { path, cause },
            Self::At(offset, what) => ArchiveError::Damaged(ArchiveNote {
                path,
                offset: Some(offset),
                what,
            }),
        }
    }
}

/// Tells from its beginning what a file is that has no record in it.
pub(super) fn other_than_archive(path: &Path, head: &[u8]) -> ArchiveError {
    let no_warc = "name a file that a crawler, wget or `husk pack` wrote";
    let (kind, remedy) = match head {
        [] => ("empty", no_warc),
        [b'P', b'K', 3, 4, ..] => (
            "a ZIP file",
            "if it is a WACZ, unpack it and name the WARC files in its folder `archive`",
        ),
        [0x04, 0x22, 0x4D, 0x18, ..] => ("packed with LZ4", "unpack it first, or pack it with gzip or zstd"),
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] if !zstandard::IS_KNOWN => (
            "packed with Zstandard, which this build of Husk lacks",
            "unpack it first, or pack it with gzip",
        ),
        [b'B', b'Z', b'h', ..] => (
            "packed with bzip2",
            "unpack it first, or pack it with gzip or zstd",
        ),
        [0xFD, b'7', b'z', b'X', b'Z', ..] => {
            ("packed with xz", "unpack it first, or pack it with gzip or zstd")
        }
        head if head.starts_with(b"filedesc:") => {
            ("an ARC file", "convert it, for example with `warcio recompress`")
        }
        _ => ("something else", no_warc),
    };
    ArchiveError::NotAnArchive {
        path: path.to_owned(),
        kind,
        remedy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_that_cannot_be_unpacked_here_are_told_from_others() {
        let error = other_than_archive(Path::new("a.warc.zst"), b"\x28\xB5\x2F\xFD....").to_string();
        assert_eq!(
            error.contains("which this build of Husk lacks"),
            !zstandard::IS_KNOWN,
            "{error}"
        );
    }

    #[test]
    fn messages_name_the_file_and_the_remedy() {
        let path = Path::new("a.warc");
        for (head, expect) in [
            (&b""[..], "a.warc is empty, not a WARC file: name a file"),
            (
                b"PK\x03\x04...",
                "a.warc is a ZIP file, not a WARC file: if it is a WACZ, unpack it",
            ),
            (
                b"filedesc://x",
                "a.warc is an ARC file, not a WARC file: convert it",
            ),
            (
                b"<html>",
                "a.warc is something else, not a WARC file: name a file",
            ),
        ] {
            let error = other_than_archive(path, head).to_string();
            assert!(error.starts_with(expect), "{error}");
        }
        let error = Fault::At(17, "it is broken".to_owned()).within(path);
        assert_eq!(error.to_string(), "a.warc, offset 17: it is broken");
    }
}
