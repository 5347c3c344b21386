//! Pages from archives, found by their URLs.

use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;
use std::time::SystemTime;

use husk::{Address, Page, SameSite, Url};
use husk_warc::{CdxjIndex, CdxjLine, Position, Record, RecordReader, WarcError, WarcFile, normalize_digest};

use super::captures::{self, OVERHEAD, SEGMENT};
use super::note::ArchiveNote;
use super::recorded::{self, FIELDS_TYPE, PAGE_LIST, PageRecord, RecordContent, Revisit, is_html};
use super::url_index::{ContentSummary, IndexedRecord, RecordLocation, UNKNOWN_STATUS, UrlIndex};
use crate::capture::{Capture, LoadLimits, RedirectChain, Step};
use crate::folder::Folder;
use crate::mime_type;
use crate::source::{Admission, LoadError, Source};

/// How many notes are kept.
const MAX_NOTES: usize = 1000;

/// How many listed pages of a file are kept.
const MAX_LISTED: usize = 1 << 20;

/// A note warns if more bytes than this must be decompressed to reach a record.
const SLOW_SEEK_BYTES: u64 = 1 << 20;

/// How often a `revisit` record may refer to another one.
const MAX_REVISITS: usize = 3;

/// How many records may be read for one page, with its redirects and the records that `revisit` records refer to.
const MAX_READS: usize = 64;

/// How many records may still be read.
#[derive(Debug)]
struct ReadsLeft(usize);

impl Default for ReadsLeft {
    fn default() -> Self {
        Self(MAX_READS)
    }
}

impl ReadsLeft {
    fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// False if none is left.
    fn take(&mut self) -> bool {
        let is_left = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        is_left
    }
}

/// Why a response could not be read.
enum ReadFailure {
    Load(LoadError),
    /// The CDXJ index of this file points to other records.
    WrongIndex(usize),
}

/// One or several WARC files as a source of pages.
///
/// Opening reads each file once to index it, unless there is a CDXJ index next to it: for `site.warc.gz`, `site.cdxj` or
/// `site.warc.gz.cdxj`. Only URLs and offsets are kept in memory, so the files may be large.
///
/// Of several responses for one URL the newest page counts (status 2xx), or else the newest response of any status.
/// Redirects are followed within the archive. All its pages are listed, unless it holds a list of pages written by
/// [`ArchiveWriter::write_page_list`](super::ArchiveWriter::write_page_list).
///
/// ```
/// use husk::Url;
/// use husk_sources::{Archive, ArchiveWriter, Compression, Source};
/// # use husk_sources::Capture;
/// # let url = Url::parse("https://example.org/").unwrap();
/// # let capture = Capture {
/// #     url: url.clone(),
/// #     status: 200,
/// #     headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
/// #     body: b"<p>Hello".to_vec(),
/// #     is_whole: true,
/// #     date: std::time::SystemTime::UNIX_EPOCH,
/// #     ip: None,
/// #     is_rendered: false,
/// # };
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("site.warc.gz");
/// let mut writer = ArchiveWriter::new(std::fs::File::create(&path)?, Compression::Gzip);
/// writer.write_capture(&capture)?;
/// writer.finish()?;
///
/// let mut archive = Archive::open(&[path])?;
/// let page = archive.load(&Url::parse("http://www.example.org/index.html")?)?;
/// assert_eq!(page.url.as_str(), "https://example.org/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Archive {
    files: Vec<ArchiveFile>,
    index: UrlIndex,
    notes: Vec<ArchiveNote>,
    limits: LoadLimits,
}

#[derive(Debug)]
struct ArchiveFile {
    warc: WarcFile,
    /// Whether its CDXJ index is used.
    has_cdxj: bool,
    /// The pages that it lists, if it has such a list.
    page_list: Option<Vec<Url>>,
}

impl Archive {
    /// Opens files. Damaged parts are skipped and listed in [`notes`](Self::notes).
    pub fn open(files: &[PathBuf]) -> Result<Self, WarcError> {
        let mut archive = Self {
            files: Vec::new(),
            index: UrlIndex::default(),
            notes: Vec::new(),
            limits: LoadLimits {
                site: None,
                max_bytes: Folder::MAX_BYTES,
                admission: Admission::default(),
            },
        };
        for path in files {
            archive.add(WarcFile::open(path)?)?;
        }
        archive.index.sort();
        Ok(archive)
    }

    /// Parses only pages that are admitted.
    pub fn with_admission(mut self, admission: Admission) -> Self {
        self.limits.admission = admission;
        self
    }

    /// Refuses larger pages. The default is 64 MiB.
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.limits.max_bytes = max_bytes;
        self
    }

    /// Refuses redirects that leave the site of `key_page`.
    pub fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.limits.site = Some((key_page.clone(), same_site));
    }

    /// What is damaged or missing in the files, and what was done about it.
    pub fn notes(&self) -> &[ArchiveNote] {
        &self.notes
    }

    fn add(&mut self, warc: WarcFile) -> Result<(), WarcError> {
        let file = self.files.len();
        self.files.push(ArchiveFile {
            warc,
            has_cdxj: false,
            page_list: None,
        });
        self.files[file].has_cdxj = self.read_cdxj(file);
        match self.files[file].has_cdxj {
            true => Ok(()),
            false => self.scan(file),
        }
    }

    /// Indexes a file in one pass.
    fn scan(&mut self, file: usize) -> Result<(), WarcError> {
        let mut records = self.files[file].warc.records()?;
        let mut furthest = 0;
        while let Some(next) = records.next_record() {
            let added = next.and_then(|record| {
                furthest = furthest.max(record.position.within);
                self.add_record(file, &record, &mut records)
            });
            match added {
                Ok(()) => {}
                Err(WarcError::Damaged { offset, problem, .. }) => self.note(file, Some(offset), problem),
                Err(cause) => return Err(cause),
            }
        }
        if furthest > SLOW_SEEK_BYTES {
            let message = "many records are compressed as one, so every page is decompressed from their start: \
                           compress each record separately (`warcio recompress`) to make this fast";
            self.note(file, None, message.to_owned());
        }
        Ok(())
    }

    /// Adds a record to the index, if it says something about a page.
    fn add_record(
        &mut self,
        file: usize,
        record: &Record,
        records: &mut RecordReader<File>,
    ) -> Result<(), WarcError> {
        let damaged = |problem: String| WarcError::Damaged {
            path: self.files[file].warc.path().to_owned(),
            offset: record.position.offset,
            problem,
        };
        let Some(kind) = PageRecord::of(record) else {
            return Ok(());
        };
        if kind == PageRecord::Segment {
            return Err(damaged(SEGMENT.to_owned()));
        }
        let url = recorded::url_of(record).map_err(damaged)?;
        let large = ContentSummary::Response {
            is_page: false,
            is_whole: false,
        };
        let block = records.read_block(Folder::MAX_BYTES + OVERHEAD)?;
        let is_large = block.is_none();
        let (content, status) = match block {
            // With an unknown status it ranks below all pages.
            None => (large, UNKNOWN_STATUS),
            Some(block) => match RecordContent::read(kind, record, block).map_err(damaged)? {
                None => return Ok(()),
                Some(RecordContent::PageList(pages)) => {
                    self.add_page_list(file, pages);
                    return Ok(());
                }
                Some(content) => summarize(&content),
            },
        };
        let is_added = self.index.add(&IndexedRecord {
            url: &url,
            date: record.date(),
            status,
            content,
            location: RecordLocation {
                file,
                position: record.position,
            },
            id: record.get("warc-record-id"),
            digest: record.get("warc-payload-digest").map(normalize_digest),
        });
        match is_added {
            _ if is_large => Err(damaged(captures::too_large(Folder::MAX_BYTES))),
            true => Ok(()),
            false => Err(damaged(NOT_INDEXED.to_owned())),
        }
    }

    /// Reads the CDXJ index next to a file, if there is one that fits.
    fn read_cdxj(&mut self, file: usize) -> bool {
        let path = self.files[file].warc.path().to_owned();
        let Some(index) = CdxjIndex::find(&path) else {
            return false;
        };
        match CdxjIndex::read(&index, &path) {
            Ok(index) => {
                for line in &index.lines {
                    if line.url.as_str() == PAGE_LIST {
                        self.read_page_list(file, line);
                    } else if !self.index.add(&indexed_record(file, line)) {
                        self.note(file, Some(line.offset), NOT_INDEXED.to_owned());
                    }
                }
                true
            }
            Err(cause) => {
                self.note(file, None, cause.to_string());
                false
            }
        }
    }

    fn read_page_list(&mut self, file: usize, line: &CdxjLine) {
        let location = indexed_record(file, line).location;
        let read = self.read_record(&line.url, location, &mut ReadsLeft::default());
        if let Ok((_, RecordContent::PageList(pages))) = read {
            self.add_page_list(file, pages);
        }
    }

    /// There may be several lists, if archives were concatenated.
    fn add_page_list(&mut self, file: usize, pages: Vec<Url>) {
        let list = self.files[file].page_list.get_or_insert_default();
        let room = MAX_LISTED.saturating_sub(list.len());
        let is_full = pages.len() > room;
        list.extend(pages.into_iter().take(room));
        if is_full {
            let message = format!("more than {MAX_LISTED} pages are listed: the rest is skipped");
            self.note(file, None, message);
        }
    }

    fn note(&mut self, file: usize, offset: Option<u64>, message: String) {
        let path = self.files[file].warc.path().to_owned();
        match self.notes.len() {
            MAX_NOTES.. => {}
            LAST_NOTE => self.notes.push(ArchiveNote {
                path,
                offset: None,
                message: "further problems are not listed".to_owned(),
            }),
            _ => self.notes.push(ArchiveNote {
                path,
                offset,
                message,
            }),
        }
    }

    fn note_once(&mut self, location: RecordLocation, message: String) {
        let path = self.files[location.file].warc.path();
        let offset = Some(location.position.offset);
        let is_same =
            |note: &ArchiveNote| note.offset == offset && note.message == message && note.path == path;
        if !self.notes.iter().any(is_same) {
            self.note(location.file, offset, message);
        }
    }

    /// The response that counts for a URL.
    fn capture(&mut self, url: &Url, reads: &mut ReadsLeft) -> Result<Capture, LoadError> {
        let mut capture = loop {
            match self.best(url, reads) {
                Err(ReadFailure::WrongIndex(file)) => self.rebuild_index(url, file)?,
                Err(ReadFailure::Load(cause)) => return Err(cause),
                Ok(capture) => break capture,
            }
        };
        if capture.url != *url && capture.is_redirect() {
            self.resolve_location(url, &mut capture)?;
        }
        Ok(capture)
    }

    /// The best response that can be read. A `revisit` record may turn out not to be a page.
    fn best(&mut self, url: &Url, reads: &mut ReadsLeft) -> Result<Capture, ReadFailure> {
        let mut other: Option<(SystemTime, Capture)> = None;
        let mut failed: Vec<(RecordLocation, LoadError)> = Vec::new();
        let mut found = None;
        for candidate in self.index.candidates(url) {
            let is_newer = other.as_ref().is_none_or(|(date, _)| *date < candidate.date);
            if reads.is_spent() || !candidate.may_be_page && !is_newer {
                break;
            }
            match self.response(url, candidate.location, reads) {
                Ok(capture) if candidate.may_be_page && !(200..300).contains(&capture.status) => {
                    other.get_or_insert((candidate.date, capture));
                }
                Ok(capture) => {
                    found = Some(capture);
                    break;
                }
                Err(ReadFailure::Load(cause @ LoadError::Recorded { .. })) => {
                    return Err(ReadFailure::Load(cause));
                }
                Err(ReadFailure::Load(cause)) => failed.push((candidate.location, cause)),
                Err(wrong_index) => return Err(wrong_index),
            }
        }
        let Some(capture) = found.or(other.map(|(_, capture)| capture)) else {
            let cause = failed.into_iter().next().map(|(_, cause)| cause);
            return Err(ReadFailure::Load(cause.unwrap_or_else(
                || match reads.is_spent() {
                    true => self.too_many_reads(url),
                    false => self.missing(url),
                },
            )));
        };
        for (location, cause) in failed {
            self.note_once(location, format!("another response is used: {cause}"));
        }
        Ok(capture)
    }

    fn response(
        &self,
        url: &Url,
        location: RecordLocation,
        reads: &mut ReadsLeft,
    ) -> Result<Capture, ReadFailure> {
        let content = self.read(url, location, reads).map_err(|cause| match cause {
            LoadError::Archive { .. } if self.files[location.file].has_cdxj => {
                ReadFailure::WrongIndex(location.file)
            }
            cause => ReadFailure::Load(cause),
        })?;
        match content {
            RecordContent::Response(capture) => Ok(capture),
            RecordContent::Failure(failure) => Err(LoadError::Recorded { cause: failure.cause }),
            RecordContent::Revisit(revisit) => self.resolve(&revisit, MAX_REVISITS, reads),
            RecordContent::PageList(_) => Err(self.missing(url)),
        }
        .map_err(ReadFailure::Load)
    }

    /// Resolves a redirect that is stored for an equivalent URL against that URL.
    fn resolve_location(&self, url: &Url, capture: &mut Capture) -> Result<(), LoadError> {
        let stored = capture.url.clone();
        match make_location_absolute(&stored, capture) {
            Some(target) if target == *url => Err(self.missing(url)),
            _ => Ok(()),
        }
    }

    /// Reads the record at a location, which must be about the URL.
    fn read(
        &self,
        url: &Url,
        location: RecordLocation,
        reads: &mut ReadsLeft,
    ) -> Result<RecordContent, LoadError> {
        let (_, content) = self.read_record(url, location, reads)?;
        let stored = match &content {
            RecordContent::Response(capture) => &capture.url,
            RecordContent::Revisit(revisit) => &revisit.url,
            RecordContent::Failure(failure) => &failure.url,
            RecordContent::PageList(_) => {
                return Err(self.broken(url, location, "found a list of pages instead".to_owned()));
            }
        };
        if Address::of(stored) != Address::of(url) {
            return Err(self.broken(url, location, format!("found {stored} instead")));
        }
        Ok(content)
    }

    fn read_record(
        &self,
        url: &Url,
        location: RecordLocation,
        reads: &mut ReadsLeft,
    ) -> Result<(Record, RecordContent), LoadError> {
        if !reads.take() {
            return Err(self.too_many_reads(url));
        }
        let failed = |error: WarcError| {
            let cause = match error {
                WarcError::Io { cause, .. } => cause.to_string(),
                WarcError::Damaged { offset, problem, .. } => format!("at offset {offset}: {problem}"),
                other => other.to_string(),
            };
            self.broken(url, location, cause)
        };
        let warc = &self.files[location.file].warc;
        let mut records = warc.records_at(location.position).map_err(failed)?;
        let record = records.next_record().transpose().map_err(failed)?;
        let record = record.filter(|record| record.position == location.position);
        let kind = record.as_ref().and_then(PageRecord::of);
        let (Some(record), Some(kind)) = (record, kind) else {
            return Err(self.broken(url, location, "found no record".to_owned()));
        };
        let limit = self.limits.max_bytes;
        let block = records
            .read_block(limit.saturating_add(OVERHEAD))
            .map_err(failed)?;
        let Some(block) = block else {
            let object = url.to_string();
            return Err(LoadError::TooLarge { object, limit });
        };
        match RecordContent::read(kind, &record, block) {
            Ok(Some(content)) => Ok((record, content)),
            Ok(None) => Err(self.broken(url, location, "found no response".to_owned())),
            Err(cause) => Err(self.broken(url, location, cause)),
        }
    }

    /// The response that a `revisit` record stands for.
    fn resolve(&self, revisit: &Revisit, depth: usize, reads: &mut ReadsLeft) -> Result<Capture, LoadError> {
        let own = revisit.head.clone().filter(|head| head.status != 304);
        let own_status = own.as_ref().map(|head| head.status);
        let mut response = Capture {
            url: revisit.url.clone(),
            status: own_status.unwrap_or(UNKNOWN_STATUS),
            headers: own.map(|head| head.headers).unwrap_or_default(),
            body: Vec::new(),
            is_whole: true,
            date: revisit.date,
            ip: None,
            is_rendered: false,
        };
        if response.is_redirect() {
            return Ok(response);
        }
        let original = self
            .original(revisit, depth, reads)
            .ok_or_else(|| match reads.is_spent() {
                true => self.too_many_reads(&revisit.url),
                false => self.unresolved(revisit),
            })?;
        response.status = own_status.unwrap_or(original.status);
        // Content type and encoding belong to the body.
        response.headers = original.headers;
        response.body = original.body;
        response.is_whole = original.is_whole;
        response.is_rendered = original.is_rendered;
        if response.is_redirect() {
            make_location_absolute(&original.url, &mut response);
        }
        Ok(response)
    }

    fn original(&self, revisit: &Revisit, depth: usize, reads: &mut ReadsLeft) -> Option<Capture> {
        let digest = revisit.digest.as_deref().map(normalize_digest);
        let date = revisit.refers_to_date.unwrap_or(revisit.date);
        let mut locations = revisit
            .refers_to
            .as_ref()
            .map_or(Vec::new(), |id| self.index.by_id(id));
        let url = revisit.refers_to_url.as_ref().unwrap_or(&revisit.url);
        locations.extend(self.index.by_url_and_date(url, date));
        locations.extend(digest.iter().flat_map(|digest| self.index.by_digest(digest)));
        locations.into_iter().find_map(|location| {
            let (record, content) = self.read_record(&revisit.url, location, reads).ok()?;
            let has_id =
                revisit.refers_to.is_some() && record.get("warc-record-id") == revisit.refers_to.as_deref();
            let stored = record.get("warc-payload-digest").map(normalize_digest);
            let has_other_body = digest.is_some() && stored.is_some() && digest != stored;
            if has_other_body && !has_id {
                return None;
            }
            match content {
                RecordContent::Response(capture) => Some(capture),
                RecordContent::Revisit(next) if depth > 0 => self.resolve(&next, depth - 1, reads).ok(),
                _ => None,
            }
        })
    }

    fn unresolved(&self, revisit: &Revisit) -> LoadError {
        let of = revisit
            .refers_to_url
            .as_ref()
            .map_or(String::new(), |url| format!(" for {url}"));
        LoadError::Archive {
            object: revisit.url.to_string(),
            archive: self.name(),
            cause: format!(
                "its body is stored with an earlier response{of}, which is missing: \
                 name the archive with that response too"
            ),
        }
    }

    /// Indexes a file whose CDXJ index is wrong.
    fn rebuild_index(&mut self, url: &Url, file: usize) -> Result<(), LoadError> {
        self.files[file].has_cdxj = false;
        self.index = std::mem::take(&mut self.index).without(file);
        self.files[file].page_list = None;
        self.note(
            file,
            None,
            "its CDXJ index is wrong: the file was read instead".to_owned(),
        );
        let scanned = self.scan(file);
        self.index.sort();
        scanned.map_err(|cause| LoadError::Archive {
            object: url.to_string(),
            archive: self.files[file].warc.path().display().to_string(),
            cause: cause.to_string(),
        })
    }

    fn too_many_reads(&self, url: &Url) -> LoadError {
        LoadError::Archive {
            object: url.to_string(),
            archive: self.name(),
            cause: format!("more than {MAX_READS} records would have to be read for it"),
        }
    }

    fn missing(&self, url: &Url) -> LoadError {
        LoadError::NotInArchive {
            object: url.to_string(),
            archive: self.name(),
        }
    }

    fn broken(&self, url: &Url, location: RecordLocation, cause: String) -> LoadError {
        LoadError::Archive {
            object: url.to_string(),
            archive: self.files[location.file].warc.path().display().to_string(),
            cause,
        }
    }

    fn name(&self) -> String {
        match &self.files[..] {
            [file] => file.warc.path().display().to_string(),
            files => format!("{} archives", files.len()),
        }
    }
}

/// The number of the note that says there are more.
const LAST_NOTE: usize = MAX_NOTES - 1;

const NOT_INDEXED: &str = "the URL of this record is too long, or there are too many records: skipped";

impl Source for Archive {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let mut chain = RedirectChain::new(url, self.limits.clone())?;
        let mut reads = ReadsLeft::default();
        loop {
            let at = chain.at().clone();
            let capture = self.capture(&at, &mut reads)?;
            if let Step::Arrived(page) = chain.take(&capture)? {
                return Ok(*page);
            }
        }
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let lists: Vec<&Vec<Url>> = self
            .files
            .iter()
            .filter_map(|file| file.page_list.as_ref())
            .collect();
        Some(match lists.is_empty() {
            true => self.index.pages(),
            false => {
                let mut seen = HashSet::new();
                let pages = lists.into_iter().flatten();
                pages.filter(|page| seen.insert(*page)).cloned().collect()
            }
        })
    }
}

/// Makes the `Location` of a redirect absolute, relative to the URL that it is stored for, and returns it.
fn make_location_absolute(stored: &Url, capture: &mut Capture) -> Option<Url> {
    let mut fields = capture.headers.iter_mut();
    let (_, location) = fields.find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
    let target = stored.join(location.trim()).ok()?;
    *location = target.to_string();
    Some(target)
}

/// What the index keeps of a record.
fn summarize(content: &RecordContent) -> (ContentSummary, u16) {
    match content {
        RecordContent::Response(capture) => {
            let summary = ContentSummary::Response {
                is_page: is_html(capture.header("content-type").unwrap_or_default())
                    .unwrap_or_else(|| mime_type::begins_as_page(&capture.body)),
                is_whole: capture.is_whole,
            };
            (summary, capture.status)
        }
        RecordContent::Revisit(revisit) => {
            let own = revisit.head.as_ref().map(|head| head.status);
            let status = own.filter(|&status| status != 304);
            (ContentSummary::Revisit, status.unwrap_or(UNKNOWN_STATUS))
        }
        RecordContent::Failure(_) | RecordContent::PageList(_) => (ContentSummary::Failure, 0),
    }
}

/// The record that a line of a CDXJ index describes.
fn indexed_record(file: usize, line: &CdxjLine) -> IndexedRecord<'_> {
    let (content, status) = match line.media_type.as_str() {
        CdxjLine::REVISIT => (
            ContentSummary::Revisit,
            line.status
                .filter(|&status| status != 304)
                .unwrap_or(UNKNOWN_STATUS),
        ),
        FIELDS_TYPE if line.status.is_none() => (ContentSummary::Failure, 0),
        _ => (
            ContentSummary::Response {
                is_page: is_html(&line.media_type)
                    .unwrap_or(matches!(line.media_type.as_str(), "" | "-" | "unk")),
                is_whole: true,
            },
            line.status.unwrap_or(200),
        ),
    };
    IndexedRecord {
        url: &line.url,
        date: line.date,
        status,
        content,
        location: RecordLocation {
            file,
            position: Position {
                offset: line.offset,
                within: 0,
            },
        },
        id: None,
        digest: line.digest.as_deref().map(normalize_digest),
    }
}
