//! Pages from archives.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use husk::{Address, Page, SameSite, Url};

use super::beside::{self, is_html};
use super::captures::{self, ROOM, SEGMENT};
use super::cdxj::{Line, plain_digest};
use super::fault::{ArchiveError, ArchiveNote, Fault};
use super::found::{self, Found, Kind, LISTING, Revisit};
use super::index::{Content, Index, Listed, Place, UNKNOWN};
use super::record::{Record, Records};
use super::unpack::Packing;
use crate::capture::{Boundary, Capture, Chase, Step};
use crate::content;
use crate::folder::Folder;
use crate::source::{LoadError, Source};

/// What is broken is told so often; more helps nobody.
const MOST_NOTES: usize = 1000;

/// So many listed pages of a file are held.
const MOST_LISTED: usize = 1 << 20;

/// A record that so much has to be unpacked for each time deserves a note.
const FAR: u64 = 1 << 20;

/// How often a repetition may refer to another one.
const MOST_REVISITS: usize = 3;

/// How many records may be read for one page, with its redirects and what repetitions refer to.
const MOST_READS: usize = 64;

/// How many records may still be read.
#[derive(Debug)]
struct Reads(usize);

impl Default for Reads {
    fn default() -> Self {
        Self(MOST_READS)
    }
}

impl Reads {
    fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// False if there is none left.
    fn take(&mut self) -> bool {
        let is_left = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        is_left
    }
}

/// Why there is no answer.
enum Failed {
    Load(LoadError),
    /// The index beside this file leads elsewhere.
    Misled(usize),
}

/// One or several WARC files as a source of pages.
///
/// An index is built when they are opened, in one pass over each file, unless there is one beside it: for
/// `site.warc.gz` that is `site.cdxj` or `site.warc.gz.cdxj`. It holds addresses and places, so the files may be large.
///
/// Of several answers for one address the newest page counts (status 2xx), or else the newest answer of any kind.
/// Redirects are followed within the archive. Its pages are listed, unless [`ArchiveWriter::listing`] said otherwise.
///
/// [`ArchiveWriter::listing`]: super::ArchiveWriter::listing
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
/// writer.write(&capture)?;
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
    index: Index,
    notes: Vec<ArchiveNote>,
    boundary: Boundary,
}

#[derive(Debug)]
struct ArchiveFile {
    path: PathBuf,
    packing: Packing,
    /// Whether an index beside it was believed.
    is_indexed: bool,
    /// What was listed when its pages were loaded, if that was written down.
    listing: Option<Vec<Url>>,
}

impl Archive {
    /// Opens files. What is broken in them is told by [`notes`](Self::notes), unless there is nothing else.
    pub fn open(files: &[PathBuf]) -> Result<Self, ArchiveError> {
        let mut archive = Self {
            files: Vec::new(),
            index: Index::default(),
            notes: Vec::new(),
            boundary: Boundary {
                site: None,
                max_bytes: Folder::MAX_BYTES,
            },
        };
        for path in files {
            archive.add(path)?;
        }
        archive.index.sort();
        Ok(archive)
    }

    /// Refuses larger pages; 64 MiB unless said otherwise.
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.boundary.max_bytes = max_bytes;
        self
    }

    /// Follows no redirect from now on that leaves the site of a page.
    pub fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.boundary.site = Some((key_page.clone(), same_site));
    }

    /// What is broken or missing in the files, and what was done about it.
    pub fn notes(&self) -> &[ArchiveNote] {
        &self.notes
    }

    fn add(&mut self, path: &Path) -> Result<(), ArchiveError> {
        let records = captures::records(captures::open(path)?, path)?;
        let file = self.files.len();
        self.files.push(ArchiveFile {
            path: path.to_owned(),
            packing: records.packing().clone(),
            is_indexed: false,
            listing: None,
        });
        if self.read_index(file) {
            self.files[file].is_indexed = true;
            return Ok(());
        }
        self.scan(file, records)
    }

    /// Builds the index of a file in one pass.
    fn scan(&mut self, file: usize, mut records: Records<File>) -> Result<(), ArchiveError> {
        let path = self.files[file].path.clone();
        let mut furthest = 0;
        while let Some(next) = records.next() {
            let listed = next.and_then(|record| {
                furthest = furthest.max(record.position.within);
                self.list(file, &record, &mut records)
            });
            match listed {
                Ok(()) => {}
                Err(Fault::Io(cause)) => return Err(ArchiveError::Io { path, cause }),
                Err(Fault::At(offset, what)) => self.note(file, Some(offset), what),
            }
        }
        if furthest > FAR {
            let what = "many records are packed as one, so each page is unpacked from their beginning: \
                        pack each record for itself (`warcio recompress`) to make that fast";
            self.note(file, None, what.to_owned());
        }
        Ok(())
    }

    /// Adds a record to the index, if it says something about a page.
    fn list(&mut self, file: usize, record: &Record, records: &mut Records<File>) -> Result<(), Fault> {
        let failed = |what: String| Fault::At(record.position.member, what);
        let Some(kind) = Kind::of(record) else {
            return Ok(());
        };
        if kind == Kind::Segment {
            return Err(failed(SEGMENT.to_owned()));
        }
        let url = found::url_of(record).map_err(failed)?;
        let large = Content::Answer {
            is_page: false,
            is_whole: false,
        };
        let block = records.block(Folder::MAX_BYTES + ROOM)?;
        let is_large = block.is_none();
        let (content, status) = match block {
            // Its status is not known, so that it comes after all pages.
            None => (large, UNKNOWN),
            Some(block) => match Found::read(kind, record, block).map_err(failed)? {
                None => return Ok(()),
                Some(Found::Listing(pages)) => {
                    self.add_listing(file, pages);
                    return Ok(());
                }
                Some(found) => summary(&found),
            },
        };
        let digest = record.get("warc-payload-digest").map(plain_digest);
        let is_taken = self.index.add(&Listed {
            url: &url,
            date: found::date_of(record),
            status,
            content,
            place: Place {
                file,
                position: record.position,
            },
            id: record.get("warc-record-id"),
            digest: digest.as_deref(),
        });
        match is_taken {
            _ if is_large => Err(failed(captures::too_large(Folder::MAX_BYTES))),
            true => Ok(()),
            false => Err(failed(NOT_TAKEN.to_owned())),
        }
    }

    /// Reads the index beside a file, if there is one that fits.
    fn read_index(&mut self, file: usize) -> bool {
        let path = self.files[file].path.clone();
        let Some(index) = beside::find(&path) else {
            return false;
        };
        match beside::lines(&path, &index) {
            Ok(lines) => {
                for line in &lines {
                    if line.url.as_str() == LISTING {
                        self.read_listing(file, line);
                    } else if !self.index.add(&beside::listed(file, line)) {
                        self.note(file, Some(line.offset), NOT_TAKEN.to_owned());
                    }
                }
                true
            }
            Err(cause) => {
                let what = format!("its index {} is not used: {cause}", index.display());
                self.note(file, None, what);
                false
            }
        }
    }

    fn read_listing(&mut self, file: usize, line: &Line) {
        let place = beside::listed(file, line).place;
        let found = self.record(&line.url, place, &mut Reads::default());
        if let Ok((_, Found::Listing(pages))) = found {
            self.add_listing(file, pages);
        }
    }

    /// There may be several listings, if archives were put together.
    fn add_listing(&mut self, file: usize, pages: Vec<Url>) {
        let listing = self.files[file].listing.get_or_insert_default();
        let room = MOST_LISTED.saturating_sub(listing.len());
        let is_full = pages.len() > room;
        listing.extend(pages.into_iter().take(room));
        if is_full {
            let what = format!("more than {MOST_LISTED} pages are listed: the rest is left out");
            self.note(file, None, what);
        }
    }

    fn note(&mut self, file: usize, offset: Option<u64>, what: String) {
        let path = self.files[file].path.clone();
        match self.notes.len() {
            MOST_NOTES.. => {}
            LAST_NOTE => self.notes.push(ArchiveNote {
                path,
                offset: None,
                what: "more is broken than is told here".to_owned(),
            }),
            _ => self.notes.push(ArchiveNote { path, offset, what }),
        }
    }

    fn note_once(&mut self, place: Place, what: String) {
        let path = &self.files[place.file].path;
        let offset = Some(place.position.member);
        let is_same = |note: &ArchiveNote| note.offset == offset && note.what == what && note.path == *path;
        if !self.notes.iter().any(is_same) {
            self.note(place.file, offset, what);
        }
    }

    /// The answer that counts for an address.
    fn capture(&mut self, url: &Url, reads: &mut Reads) -> Result<Capture, LoadError> {
        let mut capture = loop {
            match self.best(url, reads) {
                Err(Failed::Misled(file)) => self.distrust_index(url, file)?,
                Err(Failed::Load(cause)) => return Err(cause),
                Ok(capture) => break capture,
            }
        };
        if capture.url != *url && capture.is_redirect() {
            self.point_from(url, &mut capture)?;
        }
        Ok(capture)
    }

    /// The best answer that can be read. A repetition may turn out to be no page, and then counts among others.
    fn best(&mut self, url: &Url, reads: &mut Reads) -> Result<Capture, Failed> {
        let mut other: Option<(SystemTime, Capture)> = None;
        let mut failed: Vec<(Place, LoadError)> = Vec::new();
        let mut found = None;
        for candidate in self.index.candidates(url) {
            let is_newer = other.as_ref().is_none_or(|(date, _)| *date < candidate.date);
            if reads.is_spent() || !candidate.may_be_page && !is_newer {
                break;
            }
            match self.answer(url, candidate.place, reads) {
                Ok(capture) if candidate.may_be_page && !(200..300).contains(&capture.status) => {
                    other.get_or_insert((candidate.date, capture));
                }
                Ok(capture) => {
                    found = Some(capture);
                    break;
                }
                Err(Failed::Load(cause @ LoadError::Recorded { .. })) => return Err(Failed::Load(cause)),
                Err(Failed::Load(cause)) => failed.push((candidate.place, cause)),
                Err(misled) => return Err(misled),
            }
        }
        let Some(capture) = found.or(other.map(|(_, capture)| capture)) else {
            let cause = failed.into_iter().next().map(|(_, cause)| cause);
            return Err(Failed::Load(cause.unwrap_or_else(|| match reads.is_spent() {
                true => self.spent(url),
                false => self.missing(url),
            })));
        };
        for (place, cause) in failed {
            self.note_once(place, format!("another answer is used, for {cause}"));
        }
        Ok(capture)
    }

    fn answer(&self, url: &Url, place: Place, reads: &mut Reads) -> Result<Capture, Failed> {
        let found = self.read(url, place, reads).map_err(|cause| match cause {
            LoadError::Archive { .. } if self.files[place.file].is_indexed => Failed::Misled(place.file),
            cause => Failed::Load(cause),
        })?;
        match found {
            Found::Answer(capture) => Ok(capture),
            Found::Failure(failure) => Err(LoadError::Recorded { cause: failure.cause }),
            Found::Revisit(revisit) => self.resolved(&revisit, MOST_REVISITS, reads),
            Found::Listing(_) => Err(self.missing(url)),
        }
        .map_err(Failed::Load)
    }

    /// Makes a redirect that was stored for another way to write the address lead where it led from there.
    fn point_from(&self, url: &Url, capture: &mut Capture) -> Result<(), LoadError> {
        let stored = capture.url.clone();
        match lead_from(&stored, capture) {
            Some(target) if target == *url => Err(self.missing(url)),
            _ => Ok(()),
        }
    }

    /// Reads what stands at a place, which must be about that address.
    fn read(&self, url: &Url, place: Place, reads: &mut Reads) -> Result<Found, LoadError> {
        let (_, found) = self.record(url, place, reads)?;
        let stored = match &found {
            Found::Answer(capture) => &capture.url,
            Found::Revisit(revisit) => &revisit.url,
            Found::Failure(failure) => &failure.url,
            Found::Listing(_) => {
                return Err(self.broken(url, place, "there is a listing in its place".to_owned()));
            }
        };
        if Address::of(stored) != Address::of(url) {
            return Err(self.broken(url, place, format!("there is {stored} in its place")));
        }
        Ok(found)
    }

    fn record(&self, url: &Url, place: Place, reads: &mut Reads) -> Result<(Record, Found), LoadError> {
        if !reads.take() {
            return Err(self.spent(url));
        }
        let failed = |fault: Fault| {
            let cause = match fault {
                Fault::Io(cause) => cause.to_string(),
                Fault::At(offset, what) => format!("at offset {offset} {what}"),
            };
            self.broken(url, place, cause)
        };
        let mut records = self.seek(place).map_err(failed)?;
        let record = records.next().transpose().map_err(failed)?;
        let record = record.filter(|record| record.position == place.position);
        let kind = record.as_ref().and_then(Kind::of);
        let (Some(record), Some(kind)) = (record, kind) else {
            return Err(self.broken(url, place, "there is no record in its place".to_owned()));
        };
        let limit = self.boundary.max_bytes;
        let block = records.block(limit.saturating_add(ROOM)).map_err(failed)?;
        let Some(block) = block else {
            let object = url.to_string();
            return Err(LoadError::TooLarge { object, limit });
        };
        match Found::read(kind, &record, block) {
            Ok(Some(found)) => Ok((record, found)),
            Ok(None) => Err(self.broken(url, place, "there is no answer in its place".to_owned())),
            Err(cause) => Err(self.broken(url, place, cause)),
        }
    }

    fn seek(&self, place: Place) -> Result<Records<File>, Fault> {
        let file = &self.files[place.file];
        let mut reader = File::open(&file.path).map_err(Fault::Io)?;
        let offset = SeekFrom::Start(place.position.member);
        reader.seek(offset).map_err(Fault::Io)?;
        Records::at(reader, place.position, file.packing.clone())
    }

    /// The answer that a repetition stands for.
    fn resolved(&self, revisit: &Revisit, depth: usize, reads: &mut Reads) -> Result<Capture, LoadError> {
        let own = revisit.head.clone().filter(|head| head.status != 304);
        let own_status = own.as_ref().map(|head| head.status);
        let mut answer = Capture {
            url: revisit.url.clone(),
            status: own_status.unwrap_or(UNKNOWN),
            headers: own.map(|head| head.headers).unwrap_or_default(),
            body: Vec::new(),
            is_whole: true,
            date: revisit.date,
            ip: None,
            is_rendered: false,
        };
        if answer.is_redirect() {
            return Ok(answer);
        }
        let original = self
            .original(revisit, depth, reads)
            .ok_or_else(|| match reads.is_spent() {
                true => self.spent(&revisit.url),
                false => self.unresolved(revisit),
            })?;
        answer.status = own_status.unwrap_or(original.status);
        // Type and coding belong to the body.
        answer.headers = original.headers;
        answer.body = original.body;
        answer.is_whole = original.is_whole;
        answer.is_rendered = original.is_rendered;
        if answer.is_redirect() {
            lead_from(&original.url, &mut answer);
        }
        Ok(answer)
    }

    fn original(&self, revisit: &Revisit, depth: usize, reads: &mut Reads) -> Option<Capture> {
        let digest = revisit.digest.as_deref().map(plain_digest);
        let date = revisit.refers_to_date.unwrap_or(revisit.date);
        let mut places = revisit
            .refers_to
            .as_ref()
            .map_or(Vec::new(), |id| self.index.by_id(id));
        let url = revisit.refers_to_url.as_ref().unwrap_or(&revisit.url);
        places.extend(self.index.by_url_and_date(url, date));
        places.extend(digest.iter().flat_map(|digest| self.index.by_digest(digest)));
        places.into_iter().find_map(|place| {
            let (record, found) = self.record(&revisit.url, place, reads).ok()?;
            let is_meant =
                revisit.refers_to.is_some() && record.get("warc-record-id") == revisit.refers_to.as_deref();
            let stored = record.get("warc-payload-digest").map(plain_digest);
            let has_other_body = digest.is_some() && stored.is_some() && digest != stored;
            if has_other_body && !is_meant {
                return None;
            }
            match found {
                Found::Answer(capture) => Some(capture),
                Found::Revisit(next) if depth > 0 => self.resolved(&next, depth - 1, reads).ok(),
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
                "it is stored as a repetition of an earlier answer{of}, which is not there; \
                 name the archive with that answer too"
            ),
        }
    }

    /// Builds the index of a file anew, for the one beside it is wrong.
    fn distrust_index(&mut self, url: &Url, file: usize) -> Result<(), LoadError> {
        let path = self.files[file].path.clone();
        self.files[file].is_indexed = false;
        self.index = std::mem::take(&mut self.index).without(file);
        self.files[file].listing = None;
        self.note(
            file,
            None,
            "its index does not fit, so it was built anew".to_owned(),
        );
        let scanned = captures::open(&path)
            .and_then(|reader| captures::records(reader, &path))
            .and_then(|records| self.scan(file, records));
        self.index.sort();
        scanned.map_err(|cause| LoadError::Archive {
            object: url.to_string(),
            archive: path.display().to_string(),
            cause: cause.to_string(),
        })
    }

    fn spent(&self, url: &Url) -> LoadError {
        LoadError::Archive {
            object: url.to_string(),
            archive: self.name(),
            cause: format!("more than {MOST_READS} records would have to be read for it"),
        }
    }

    fn missing(&self, url: &Url) -> LoadError {
        LoadError::NotInArchive {
            object: url.to_string(),
            archive: self.name(),
        }
    }

    fn broken(&self, url: &Url, place: Place, cause: String) -> LoadError {
        LoadError::Archive {
            object: url.to_string(),
            archive: self.files[place.file].path.display().to_string(),
            cause,
        }
    }

    fn name(&self) -> String {
        match &self.files[..] {
            [file] => file.path.display().to_string(),
            files => format!("{} archives", files.len()),
        }
    }
}

/// The number of the note that says there are more.
const LAST_NOTE: usize = MOST_NOTES - 1;

const NOT_TAKEN: &str = "the address of this record is too long, or there are too many: left out";

impl Source for Archive {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let mut chase = Chase::new(url, self.boundary.clone())?;
        let mut reads = Reads::default();
        loop {
            let at = chase.at().clone();
            let capture = self.capture(&at, &mut reads)?;
            if let Step::Arrived(page) = chase.take(&capture)? {
                return Ok(*page);
            }
        }
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        let listings: Vec<&Vec<Url>> = self
            .files
            .iter()
            .filter_map(|file| file.listing.as_ref())
            .collect();
        Some(match listings.is_empty() {
            true => self.index.pages(),
            false => {
                let mut seen = HashSet::new();
                let pages = listings.into_iter().flatten();
                pages.filter(|page| seen.insert(*page)).cloned().collect()
            }
        })
    }
}

/// Makes a redirect lead where it led from the address that it was stored for, and says where.
fn lead_from(stored: &Url, capture: &mut Capture) -> Option<Url> {
    let mut fields = capture.headers.iter_mut();
    let (_, location) = fields.find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
    let target = stored.join(location.trim()).ok()?;
    *location = target.to_string();
    Some(target)
}

/// What an index keeps of a record.
fn summary(found: &Found) -> (Content, u16) {
    match found {
        Found::Answer(capture) => {
            let content = Content::Answer {
                is_page: is_html(capture.header("content-type").unwrap_or_default())
                    .unwrap_or_else(|| content::begins_as_page(&capture.body)),
                is_whole: capture.is_whole,
            };
            (content, capture.status)
        }
        Found::Revisit(revisit) => {
            let own = revisit.head.as_ref().map(|head| head.status);
            let status = own.filter(|&status| status != 304);
            (Content::Revisit, status.unwrap_or(UNKNOWN))
        }
        Found::Failure(_) | Found::Listing(_) => (Content::Failure, 0),
    }
}
