//! The pages of a folder or an archive.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use husk::{SameSite, Url};
use husk_bulk::{BulkError, Input, SavedPage, SkippedPage};
use pyo3::prelude::*;

use crate::errors::{InputError, parse_url};
use crate::json::parse_name;
use crate::page::{Html, Page};

/// Limit on the size of a batch.
const BATCH_BYTES: usize = 8 << 20;

/// The pages of a folder, an archive, or a folder of archives.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct SavedPages {
    reader: Mutex<InputReader>,
    same_site: SameSite,
    base_url: Option<Url>,
    /// Name of the archive in rows, if it is not its path.
    archive_name: Option<String>,
}

struct InputReader {
    /// The next inputs, in reverse order.
    inputs: Vec<Input>,
    pages: Option<husk_bulk::SavedPages>,
    /// Messages about skipped pages and damaged records.
    notes: Vec<String>,
    /// Number of records and files that are not pages.
    skipped: u64,
}

impl InputReader {
    fn next(&mut self) -> Result<Option<Page>, BulkError> {
        loop {
            let Some(pages) = &mut self.pages else {
                let Some(input) = self.inputs.pop() else {
                    return Ok(None);
                };
                self.pages = Some(husk_bulk::SavedPages::of(&input)?);
                continue;
            };
            match pages.next() {
                None => self.pages = None,
                Some(Err(SkippedPage::Unreadable(cause))) => return Err(*cause),
                Some(Err(cause)) if cause.is_notable() => self.notes.push(cause.to_string()),
                Some(Err(_)) => self.skipped += 1,
                Some(Ok(page)) => match read_raw(page) {
                    Ok(page) => return Ok(Some(page)),
                    Err(cause) if cause.is_notable() => self.notes.push(cause.to_string()),
                    Err(_) => self.skipped += 1,
                },
            }
        }
    }
}

/// Reads a page without parsing it.
fn read_raw(page: SavedPage) -> Result<Page, SkippedPage> {
    let (info, url, bytes) = match page {
        SavedPage::Response { url, info, bytes } => (*info, url, bytes),
        SavedPage::File(folder, file) => {
            let failed = |cause| SkippedPage::Load {
                input: folder.root().to_owned(),
                date: None,
                cause: Box::new(cause),
            };
            let capture = folder.capture(&file).map_err(failed)?;
            let max_bytes = husk_bulk::Tuning::default().max_page_bytes;
            let (info, bytes) = husk_bulk::PageInfo::of_capture(&capture, max_bytes).map_err(failed)?;
            let bytes = bytes.into_owned();
            (info, capture.url, bytes)
        }
    };
    Ok(Page {
        url,
        given_url: info.url,
        html: Html::Own(bytes),
        date: info.date,
        charset: info.charset,
        id: info.id,
        record: info.record,
    })
}

fn input_error(cause: &BulkError) -> PyErr {
    InputError::new_err(cause.to_string())
}

#[pymethods]
impl SavedPages {
    #[new]
    #[pyo3(signature = (path, base_url = None, same_site = "host", archive_name = None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        base_url: Option<&str>,
        same_site: &str,
        archive_name: Option<String>,
    ) -> PyResult<Self> {
        let base_url = base_url.map(parse_url).transpose()?;
        let notes = Mutex::new(Vec::new());
        let inputs = py.detach(|| {
            let note = |note: &str| {
                let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                notes.push(note.to_owned());
            };
            Input::find(&path, base_url.as_ref(), &note)
        });
        let mut inputs = inputs.map_err(|cause| input_error(&cause))?;
        inputs.reverse();
        let notes = notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reader = InputReader {
            inputs,
            pages: None,
            notes,
            skipped: 0,
        };
        Ok(Self {
            reader: Mutex::new(reader),
            same_site: parse_name("same_site", same_site)?,
            base_url,
            archive_name,
        })
    }

    /// The site of `base_url`, if given.
    #[getter]
    fn site(&self) -> Option<String> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        match (&self.base_url, reader.inputs.last()) {
            (Some(url), Some(input)) => Some(input.site_of(url, self.same_site)),
            (Some(url), None) => Some(self.same_site.name_of(url)),
            (None, _) => None,
        }
    }

    /// The next pages, up to `max_pages`, fewer if they are large; empty at the end.
    fn batch(&self, py: Python<'_>, max_pages: usize) -> PyResult<Vec<Page>> {
        let read = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut pages, mut bytes) = (Vec::new(), 0);
            while pages.len() < max_pages
                && bytes < BATCH_BYTES
                && let Some(mut page) = reader.next()?
            {
                if let (Some(name), Some(record)) = (&self.archive_name, &mut page.record) {
                    record.file.clone_from(name);
                }
                bytes += page.html.bytes().len();
                pages.push(page);
            }
            Ok(pages)
        });
        read.map_err(|cause: BulkError| input_error(&cause))
    }

    /// Number of records and files read so far that are not pages.
    #[getter]
    fn skipped(&self) -> u64 {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.skipped
    }

    /// Takes the messages about skipped pages and damaged records read so far.
    fn notes(&self) -> Vec<String> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut reader.notes)
    }
}

/// An evenly spread sample of pages, given their sizes: see `husk learn`.
#[pyfunction]
pub(crate) fn sample_evenly(sizes: Vec<u64>, max_pages: usize, max_bytes: u64) -> Vec<usize> {
    husk_bulk::sample_evenly(&sizes, max_pages, max_bytes)
}
