//! All answers of an archive, one after the other.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
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
    passed: Passed,
}

/// How many records were passed over because there is no answer in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Passed {
    /// Records that only say that an answer was the same as an earlier one.
    pub revisits: u64,
    /// Requests, notes and what is not of the web.
    pub others: u64,
}

impl Captures<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Self::new(open(path)?, path)
    }

    /// Opens a file to read on from where [`resume_offset`](Self::resume_offset) was.
    pub fn open_at(path: &Path, offset: u64) -> Result<Self, ArchiveError> {
        let packing = records(open(path)?, path)?.packing().clone();
        let mut file = open(path)?;
        let within = |fault: Fault| fault.within(path);
        file.seek(SeekFrom::Start(offset))
            .map_err(|cause| within(Fault::Io(cause)))?;
        let records = Records::resumed(file, offset, packing).map_err(within)?;
        Ok(Self::of(records, path))
    }
}

impl<R: Read> Captures<R> {
    /// Reads what comes from somewhere else.
    pub fn from_reader(reader: R) -> Result<Self, ArchiveError> {
        Self::new(reader, Path::new("the archive"))
    }

    fn new(reader: R, path: &Path) -> Result<Self, ArchiveError> {
        Ok(Self::of(records(reader, path)?, path))
    }

    fn of(records: Records<R>, path: &Path) -> Self {
        Self {
            records,
            path: path.to_owned(),
            max_bytes: Folder::MAX_BYTES,
            has_ended: false,
            passed: Passed::default(),
        }
    }

    /// Where in the file reading may begin anew, to get nothing again and to miss nothing of what was not given yet;
    /// none if that is within something that can only be read from its beginning, such as a file packed as a whole.
    pub fn resume_offset(&self) -> Option<u64> {
        self.records.resume_offset()
    }

    /// The records that were passed over so far.
    pub fn passed(&self) -> Passed {
        self.passed
    }

    /// Leaves larger answers out; 64 MiB unless said otherwise.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    fn entry(&mut self, record: &Record) -> Result<Option<Entry>, Fault> {
        let failed = |what: String| Fault::At(record.position.member, what);
        let Some(kind) = Kind::of(record) else {
            self.passed.others += 1;
            return Ok(None);
        };
        if kind == Kind::Segment {
            return Err(failed(SEGMENT.to_owned()));
        }
        if matches!(kind, Kind::Revisit | Kind::Metadata | Kind::Listing) {
            match kind {
                Kind::Revisit => self.passed.revisits += 1,
                _ => self.passed.others += 1,
            }
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::capture::tests::capture;
    use crate::warc::{ArchiveWriter, Compression};
    use crate::zstandard;

    /// An archive with something before, between and behind its answers.
    fn archive(compression: Compression) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.info(&[("software", "husk")]);
        for number in 0..5 {
            let url = format!("https://example.org/{number}");
            let html = [("Content-Type", "text/html")];
            writer.write(&capture(&url, 200, &html, url.as_bytes())).unwrap();
            if number % 2 == 0 {
                let gone = husk::Url::parse(&format!("{url}/gone")).unwrap();
                writer.failure(&gone, "no answer").unwrap();
            }
        }
        writer.finish().unwrap()
    }

    /// What is given from an offset on, and what was passed over.
    fn rest(path: &Path, offset: u64) -> (Vec<String>, u64) {
        let mut captures = Captures::open_at(path, offset).unwrap();
        let told = captures.by_ref().map(told).collect();
        (told, captures.passed().others)
    }

    fn told(entry: Result<Entry, ArchiveError>) -> String {
        match entry {
            Ok(entry) => entry.capture.url.to_string(),
            Err(cause) => cause.to_string(),
        }
    }

    /// Stops behind every entry, and reads on from there; gives how often that could be done.
    fn check_resuming(file: &[u8]) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        fs::write(&path, file).unwrap();
        let mut all = Captures::open(&path).unwrap();
        let entries: Vec<String> = all.by_ref().map(told).collect();
        let mut captures = Captures::open(&path).unwrap();
        let mut resumed = 0;
        for count in 1..=entries.len() {
            captures.next().unwrap().ok();
            if let Some(offset) = captures.resume_offset() {
                resumed += 1;
                let left = all.passed().others - captures.passed().others;
                assert_eq!(
                    rest(&path, offset),
                    (entries[count..].to_vec(), left),
                    "behind {count}"
                );
            }
        }
        resumed
    }

    #[test]
    fn reading_goes_on_where_it_stopped() {
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            if compression == Compression::Zstd && !zstandard::IS_KNOWN {
                continue;
            }
            assert_eq!(check_resuming(&archive(compression)), 5, "{compression:?}");
        }
    }

    #[test]
    fn there_is_no_place_to_go_on_within_a_member() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&archive(Compression::None)).unwrap();
        assert!(check_resuming(&packed.finish().unwrap()) < 5);
    }

    #[test]
    fn what_is_broken_is_told_once() {
        for compression in [Compression::Gzip, Compression::None] {
            let file = archive(compression);
            for at in (0..file.len() - 8).step_by(61) {
                let mut broken = file.clone();
                broken[at..at + 8].fill(0x55);
                if Captures::from_reader(&broken[..]).is_ok() {
                    check_resuming(&broken);
                }
                let cut = [&file[..at], &file[at + 8..]].concat();
                if Captures::from_reader(&cut[..]).is_ok() {
                    check_resuming(&cut);
                }
            }
        }
    }
}
