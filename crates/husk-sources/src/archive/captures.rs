//! All responses of an archive, one after the other.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use husk_warc::{Record, RecordReader, RecordType, WarcError, WarcFile};

use super::recorded::{PageRecord, RecordContent};
use crate::capture::Capture;
use crate::folder::Folder;

/// How much larger than its page a record may be, because of headers and chunks.
pub(super) const OVERHEAD: u64 = 1 << 20;

/// A response, and where it is in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchivedCapture {
    /// The response.
    pub capture: Capture,
    /// The offset of its record in the file, or of the compressed member that holds it.
    pub offset: u64,
    /// How many bytes of the file the record takes. 0 if it shares a compressed member with other records.
    pub len: u64,
    /// Its URL as the record has it, which is not normalised as that of the response.
    pub target_uri: String,
    /// The id of its record.
    pub record_id: Option<String>,
    /// The digest of the body, as the record has it: `sha1:…`.
    pub digest: Option<String>,
}

/// Reads all responses of an archive in the order in which they are stored, one at a time.
///
/// Damage is returned as an error, and reading continues after it. Records that refer to the body of another one
/// (`revisit`) are skipped; [`Archive`](super::Archive) resolves them.
///
/// ```
/// use husk_sources::{Captures, Compression, ArchiveWriter};
/// # let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
/// # writer.set_info(&[("software", "husk")]);
/// # let file = writer.finish()?;
/// for entry in Captures::from_reader(&file[..])? {
///     match entry {
///         Ok(entry) => assert!(entry.capture.status >= 100),
///         Err(cause) => eprintln!("{cause}"),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Captures<R> {
    records: RecordReader<R>,
    max_bytes: u64,
    has_ended: bool,
    skipped: SkippedRecords,
}

/// How many records were skipped because they hold no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SkippedRecords {
    /// `revisit` records, whose body is stored in an earlier record.
    pub revisits: u64,
    /// HTTP responses whose URL is not one of `http` or `https`.
    pub unusable_urls: u64,
    /// Requests, metadata and records of other protocols.
    pub others: u64,
}

impl Captures<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, WarcError> {
        Ok(Self::new(WarcFile::open(path)?.records()?))
    }

    /// Opens a file to continue where [`resume_offset`](Self::resume_offset) was taken.
    pub fn open_at(path: &Path, offset: u64) -> Result<Self, WarcError> {
        Ok(Self::new(WarcFile::open(path)?.resume(offset)?))
    }
}

impl<R: Read> Captures<R> {
    /// Reads from anything.
    pub fn from_reader(reader: R) -> Result<Self, WarcError> {
        Ok(Self::new(RecordReader::new(reader)?))
    }

    fn new(records: RecordReader<R>) -> Self {
        Self {
            records,
            max_bytes: Folder::MAX_BYTES,
            has_ended: false,
            skipped: SkippedRecords::default(),
        }
    }

    /// The offset at which [`open_at`](Self::open_at) continues exactly after what was read so far. `None` within
    /// something that can only be read from its start, such as a file compressed as a whole.
    pub fn resume_offset(&self) -> Option<u64> {
        self.records.resume_offset()
    }

    /// The records skipped so far.
    pub fn skipped(&self) -> SkippedRecords {
        self.skipped
    }

    /// Skips larger responses. The default is 64 MiB.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    fn read_capture(&mut self, record: &Record) -> Result<Option<ArchivedCapture>, WarcError> {
        let path = self.records.path().to_owned();
        let offset = record.position.offset;
        let damaged = |problem: String| WarcError::Damaged {
            path,
            offset,
            problem,
        };
        let kind = match PageRecord::of(record) {
            Some(PageRecord::Segment) => return Err(damaged(SEGMENT.to_owned())),
            Some(kind @ (PageRecord::Response | PageRecord::Resource)) => kind,
            Some(PageRecord::Revisit) => {
                self.skipped.revisits += 1;
                return Ok(None);
            }
            None if is_http_response(record) => {
                self.skipped.unusable_urls += 1;
                return Ok(None);
            }
            Some(PageRecord::Metadata | PageRecord::PageList) | None => {
                self.skipped.others += 1;
                return Ok(None);
            }
        };
        let Some(block) = self.records.read_block(self.max_bytes.saturating_add(OVERHEAD))? else {
            return Err(damaged(too_large(self.max_bytes)));
        };
        let len = self.records.stored_len(record).unwrap_or(0);
        Ok(match RecordContent::read(kind, record, block).map_err(damaged)? {
            Some(RecordContent::Response(capture)) => Some(ArchivedCapture {
                capture,
                offset,
                len,
                target_uri: record.target_uri().to_owned(),
                record_id: record.get("warc-record-id").map(str::to_owned),
                digest: record.get("warc-payload-digest").map(str::to_owned),
            }),
            _ => None,
        })
    }
}

impl<R: Read> Iterator for Captures<R> {
    type Item = Result<ArchivedCapture, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.has_ended {
            let Some(next) = self.records.next_record() else {
                self.has_ended = true;
                break;
            };
            match next.and_then(|record| self.read_capture(&record)) {
                Ok(Some(capture)) => return Some(Ok(capture)),
                Ok(None) => {}
                Err(cause) => {
                    self.has_ended = matches!(cause, WarcError::Io { .. });
                    return Some(Err(cause));
                }
            }
        }
        None
    }
}

fn is_http_response(record: &Record) -> bool {
    let media_type = record.get("content-type").unwrap_or_default();
    let is_http = media_type.to_ascii_lowercase().starts_with("application/http");
    record.record_type() == Some(RecordType::Response) && is_http
}

/// Why segments are skipped.
pub(super) const SEGMENT: &str = "this record is only a part of a response: skipped";

/// Why large records are skipped.
pub(super) fn too_large(limit: u64) -> String {
    format!("this record is larger than {limit} bytes: skipped")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use husk_warc::{Compression, ZSTD_IS_SUPPORTED};

    use super::super::ArchiveWriter;
    use crate::capture::tests::capture;

    /// An archive with other records before, between and after its responses.
    fn archive(compression: Compression) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.set_info(&[("software", "husk")]);
        for number in 0..5 {
            let url = format!("https://example.org/{number}");
            let html = [("Content-Type", "text/html")];
            writer
                .write_capture(&capture(&url, 200, &html, url.as_bytes()))
                .unwrap();
            if number % 2 == 0 {
                let gone = husk::Url::parse(&format!("{url}/gone")).unwrap();
                writer.write_failure(&gone, "no response").unwrap();
            }
        }
        writer.finish().unwrap()
    }

    /// The items from an offset on, and how many other records were skipped.
    fn rest(path: &Path, offset: u64) -> (Vec<String>, u64) {
        let mut captures = Captures::open_at(path, offset).unwrap();
        let items = captures.by_ref().map(describe).collect();
        (items, captures.skipped().others)
    }

    fn describe(item: Result<ArchivedCapture, WarcError>) -> String {
        match item {
            Ok(item) => item.capture.url.to_string(),
            Err(cause) => cause.to_string(),
        }
    }

    /// Stops after every item and resumes from there. Returns how often that was possible.
    fn check_resuming(file: &[u8]) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        fs::write(&path, file).unwrap();
        let mut all = Captures::open(&path).unwrap();
        let entries: Vec<String> = all.by_ref().map(describe).collect();
        let mut captures = Captures::open(&path).unwrap();
        let mut resumed = 0;
        for count in 1..=entries.len() {
            captures.next().unwrap().ok();
            if let Some(offset) = captures.resume_offset() {
                resumed += 1;
                let left = all.skipped().others - captures.skipped().others;
                assert_eq!(
                    rest(&path, offset),
                    (entries[count..].to_vec(), left),
                    "after {count}"
                );
            }
        }
        resumed
    }

    #[test]
    fn reading_resumes_where_it_stopped() {
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            if compression == Compression::Zstd && !ZSTD_IS_SUPPORTED {
                continue;
            }
            assert_eq!(check_resuming(&archive(compression)), 5, "{compression:?}");
        }
    }

    #[test]
    fn reading_cannot_resume_within_a_member() {
        let mut compressed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        compressed.write_all(&archive(Compression::None)).unwrap();
        assert!(check_resuming(&compressed.finish().unwrap()) < 5);
    }

    #[test]
    fn damage_is_reported_once() {
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
