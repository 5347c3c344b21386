//! The input `-`: a WARC stream or a list of inputs on standard input.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use husk_sources::Captures;
use xxhash_rust::xxh3::xxh3_64;

use super::lists::read_list_from;
use super::{Input, InputKind, InputStamp};
use crate::error::BulkError;

/// A reader whose first bytes were looked at.
type Peeked = io::Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// The records of a stream.
pub(crate) type StreamCaptures = Captures<Peeked>;

/// Bytes of a stream that identify it: enough for the first record of any crawler.
const HEAD_BYTES: u64 = 4096;

/// A WARC stream, which can be read once.
pub struct WarcStream(Mutex<Option<Box<StreamCaptures>>>);

impl WarcStream {
    /// The records; none if they were taken before.
    pub(crate) fn take(&self) -> Option<StreamCaptures> {
        let mut captures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        captures.take().map(|captures| *captures)
    }
}

impl fmt::Debug for WarcStream {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("WarcStream")
    }
}

/// What standard input holds.
#[derive(Debug)]
pub(super) enum StandardInput {
    Archive(Input),
    List(Vec<PathBuf>),
}

/// Reads standard input: a WARC stream if it starts like one, plain or compressed, else a list of inputs.
pub(super) fn open_stream(mut from: Box<dyn Read + Send>) -> Result<StandardInput, BulkError> {
    let name = Path::new("-");
    let mut head = Vec::new();
    from.by_ref()
        .take(HEAD_BYTES)
        .read_to_end(&mut head)
        .map_err(BulkError::io("read", name))?;
    if head.is_empty() {
        return Err(BulkError::Input(
            "standard input is empty: expected a WARC stream, or a list of WARC files and folders".to_owned(),
        ));
    }
    let stamp = InputStamp::of_stream(xxh3_64(&head));
    let is_archive = is_archive(&head);
    let peeked = Cursor::new(head).chain(from);
    if !is_archive {
        return read_list_from(peeked, name).map(StandardInput::List);
    }
    let captures = Captures::from_reader(peeked).map_err(BulkError::Archive)?;
    Ok(StandardInput::Archive(Input {
        path: name.to_owned(),
        kind: InputKind::Stream(WarcStream(Mutex::new(Some(Box::new(captures))))),
        stamp,
    }))
}

/// Whether a stream starts like a WARC file: plain, gzip, or Zstandard (a frame, or a skippable frame with a dictionary).
fn is_archive(head: &[u8]) -> bool {
    let is_zstd_dictionary = matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    let starts: [&[u8]; 3] = [b"WARC/", &[0x1F, 0x8B], &[0x28, 0xB5, 0x2F, 0xFD]];
    is_zstd_dictionary || starts.iter().any(|start| head.starts_with(start))
}

#[cfg(test)]
mod tests {
    use husk_sources::{ArchiveWriter, Compression};

    use super::*;

    fn open(bytes: &[u8]) -> Result<StandardInput, BulkError> {
        open_stream(Box::new(Cursor::new(bytes.to_vec())))
    }

    #[test]
    fn archives_of_every_compression_are_recognised() {
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            let mut writer = ArchiveWriter::new(Vec::new(), compression);
            writer.set_info(&[("software", "a test")]);
            let opened = open(&writer.finish().unwrap()).unwrap();
            assert!(matches!(opened, StandardInput::Archive(_)), "{compression:?}");
        }
    }

    #[test]
    fn other_text_is_a_list() {
        let StandardInput::List(names) = open(b"# crawls\nWARCs/a.warc.gz\n\nb.warc\n").unwrap() else {
            panic!("it is a list");
        };
        assert_eq!(names, [Path::new("WARCs/a.warc.gz"), Path::new("b.warc")]);
    }

    #[test]
    fn anything_else_is_an_error() {
        for (bytes, message) in [
            (&b""[..], "standard input is empty"),
            (b"# nothing\n", "the list - is empty"),
            (b"\xFF\xFE", "cannot read the list -"),
        ] {
            let error = open(bytes).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(
            open(&[0x1F, 0x8B, 8, 0]).is_err(),
            "gzip without a WARC file in it"
        );
    }
}
