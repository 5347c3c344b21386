//! What can be wrong with a WARC file or its index.

use std::io;
use std::path::{Path, PathBuf};

use crate::zstandard;

/// Why a WARC file, a part of it or its index cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WarcError {
    /// The file could not be read.
    #[error("cannot read {}: {cause}; check that the file exists and is readable", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The file is not a WARC file.
    #[error("{} is {found}, not a WARC file: {help}", .path.display())]
    NotWarc {
        /// The file.
        path: PathBuf,
        /// What it is instead, such as `a ZIP file`.
        found: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// A part of the file is damaged. Reading can continue after it.
    #[error("{}, offset {offset}: {problem}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in the file, in bytes.
        offset: u64,
        /// What is wrong, and what was done about it.
        problem: String,
    },
    /// The index cannot be used.
    #[error("cannot use the index {}: {problem}", .path.display())]
    Index {
        /// The index file.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
}

/// An error inside a file whose path only the caller knows.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io(io::Error),
    Damaged(u64, String),
}

impl ReadError {
    pub(crate) fn in_file(self, path: &Path) -> WarcError {
        let path = path.to_owned();
        match self {
            Self::Io(cause) => WarcError::Io { path, cause },
            Self::Damaged(offset, problem) => WarcError::Damaged {
                path,
                offset,
                problem,
            },
        }
    }
}

/// The error for a file without any record, which its first bytes may explain.
pub(crate) fn not_warc(path: &Path, head: &[u8]) -> WarcError {
    let need_warc = "expected a file written by a crawler, wget or another WARC writer";
    let decompress = "decompress it first, or compress it with gzip or zstd";
    let (found, help) = match head {
        [] => ("empty", need_warc),
        [b'P', b'K', 3, 4, ..] => (
            "a ZIP file",
            "if it is a WACZ, unzip it and use the WARC files in its folder `archive`",
        ),
        [0x04, 0x22, 0x4D, 0x18, ..] => ("compressed with LZ4", decompress),
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] if !zstandard::IS_SUPPORTED => (
            "compressed with Zstandard, which this build does not support",
            "decompress it first, or compress it with gzip",
        ),
        [b'B', b'Z', b'h', ..] => ("compressed with bzip2", decompress),
        [0xFD, b'7', b'z', b'X', b'Z', ..] => ("compressed with xz", decompress),
        head if head.starts_with(b"filedesc:") => {
            ("an ARC file", "convert it, for example with `warcio recompress`")
        }
        head if head.trim_ascii_start().starts_with(b"<") => (
            "an HTML or XML file",
            "expected a WARC file; to read pages, give the folder that they are in",
        ),
        _ => ("in another format", need_warc),
    };
    WarcError::NotWarc {
        path: path.to_owned(),
        found,
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_compression_is_named() {
        let error = not_warc(Path::new("a.warc.zst"), b"\x28\xB5\x2F\xFD....").to_string();
        assert_eq!(
            error.contains("which this build does not support"),
            !zstandard::IS_SUPPORTED,
            "{error}"
        );
    }

    #[test]
    fn messages_name_the_file_and_what_to_do() {
        let path = Path::new("a.warc");
        for (head, expect) in [
            (&b""[..], "a.warc is empty, not a WARC file: expected a file"),
            (
                b"PK\x03\x04...",
                "a.warc is a ZIP file, not a WARC file: if it is a WACZ, unzip it",
            ),
            (
                b"filedesc://x",
                "a.warc is an ARC file, not a WARC file: convert it",
            ),
            (
                b"<html>",
                "a.warc is an HTML or XML file, not a WARC file: expected a WARC file; to read pages",
            ),
            (
                b"words",
                "a.warc is in another format, not a WARC file: expected a file",
            ),
        ] {
            let error = not_warc(path, head).to_string();
            assert!(error.starts_with(expect), "{error}");
        }
        let error = ReadError::Damaged(17, "it is broken".to_owned()).in_file(path);
        assert_eq!(error.to_string(), "a.warc, offset 17: it is broken");
    }
}
