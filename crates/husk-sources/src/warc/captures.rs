//! All answers of an archive, one after the other.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::fault::{self, ArchiveError, Fault};
use super::found::{Found, Kind};
use super::record::{Record, Records};
use crate::capture::Capture;
use crate::folder::Folder;

/// How much larger than its page a record may be: by its head, and by what chunks add.
pub(super) const ROOM: u64 = 1 << 20;

/// An answer, and where in the archive it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The answer.
    pub capture: Capture,
    /// Where in the file its record begins, or the member that holds it.
    pub offset: u64,
    /// How many bytes of the file it takes; 0 if it shares a member with other records.
    pub len: u64,
}

/// Reads all answers of an archive in the order in which they were stored, with no more than one of them in memory.
///
/// What is broken comes as an error, and reading goes on behind it. Records that repeat the body of another one
/// (`revisit`) are left out: [`Archive`](super::Archive) puts them together.
///
/// ```
/// use husk_sources::{Captures, Compression, ArchiveWriter};
/// # let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
/// # writer.info(&[("software", "husk")]);
/// # let file = writer.finish()?;
/// for entry in Captures::from_reader(&file[..])? {
///     match entry {
///         Ok(entry) => assert!(entry.capture.status >= 100),
///         Err(broken) => eprintln!("{broken}"),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Captures<R> {
    records: Records<R>,
    path: PathBuf,
    max_bytes: u64,
    has_ended: bool,
}

impl Captures<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Self::new(open(path)?, path)
    }
}

impl<R: Read> Captures<R> {
    /// Reads what comes from somewhere else.
    pub fn from_reader(reader: R) -> Result<Self, ArchiveError> {
        Self::new(reader, Path::new("the archive"))
    }

    fn new(reader: R, path: &Path) -> Result<Self, ArchiveError> {
        Ok(Self {
            records: records(reader, path)?,
            path: path.to_owned(),
            max_bytes: Folder::MAX_BYTES,
            has_ended: false,
        })
    }

    /// Leaves larger answers out; 64 MiB unless said otherwise.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    fn entry(&mut self, record: &Record) -> Result<Option<Entry>, Fault> {
        let failed = |what: String| Fault::At(record.position.member, what);
        let Some(kind) = Kind::of(record) else {
            return Ok(None);
        };
        if kind == Kind::Segment {
            return Err(failed(SEGMENT.to_owned()));
        }
        if matches!(kind, Kind::Revisit | Kind::Metadata | Kind::Listing) {
            return Ok(None);
        }
        let Some(block) = self.records.block(self.max_bytes.saturating_add(ROOM))? else {
            return Err(failed(too_large(self.max_bytes)));
        };
        let len = self.records.length_of(record);
        Ok(match Found::read(kind, record, block).map_err(failed)? {
            Some(Found::Answer(capture)) => Some(Entry {
                capture,
                offset: record.position.member,
                len,
            }),
            _ => None,
        })
    }
}

impl<R: Read> Iterator for Captures<R> {
    type Item = Result<Entry, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.has_ended {
            let Some(next) = self.records.next() else {
                self.has_ended = true;
                break;
            };
            match next.and_then(|record| self.entry(&record)) {
                Ok(Some(entry)) => return Some(Ok(entry)),
                Ok(None) => {}
                Err(fault) => {
                    // What the system cannot read now it will not read then.
                    self.has_ended = matches!(fault, Fault::Io(_));
                    return Some(Err(fault.within(&self.path)));
                }
            }
        }
        None
    }
}

/// Why segments are left out.
pub(super) const SEGMENT: &str = "this record is only a part of an answer: left out";

/// Why large records are left out.
pub(super) fn too_large(limit: u64) -> String {
    format!("this record is larger than {limit} bytes: left out")
}

/// Opens a file that may be an archive.
pub(super) fn open(path: &Path) -> Result<File, ArchiveError> {
    let failed = |cause| ArchiveError::Io {
        path: path.to_owned(),
        cause,
    };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(ArchiveError::NotAnArchive {
            path: path.to_owned(),
            kind: "a folder",
            remedy: "name the WARC files in it; a folder with a saved site needs no archive",
        });
    }
    Ok(file)
}

/// The records of a file, if it has any.
pub(super) fn records<R: Read>(reader: R, path: &Path) -> Result<Records<R>, ArchiveError> {
    let mut records = Records::new(reader).map_err(|fault| fault.within(path))?;
    let head = records.packed_head().map_err(|fault| fault.within(path))?;
    match records.is_archive() {
        Ok(true) => Ok(records),
        Ok(false) => Err(fault::other_than_archive(path, &head)),
        Err(fault) => Err(fault.within(path)),
    }
}
