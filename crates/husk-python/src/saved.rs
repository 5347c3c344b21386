//! The pages of a folder or an archive.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use husk::{SameSite, Url};
use husk_bulk::{BulkError, Input, NoPage, SavedPage};
use pyo3::prelude::*;

use crate::fault::{InputError, address};
use crate::json::named;
use crate::page::{Html, Page};

/// A batch is full when it has so many bytes, whatever their number.
const BATCH_BYTES: usize = 8 << 20;

/// The pages of a folder, an archive, or a folder of archives, one after the other.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct SavedPages {
    reading: Mutex<Reading>,
    same_site: SameSite,
    base_url: Option<Url>,
}

struct Reading {
    /// The inputs that come next, the first one last.
    inputs: Vec<Input>,
    pages: Option<husk_bulk::SavedPages>,
    /// What is odd about the inputs.
    notes: Vec<String>,
}

impl Reading {
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
                Some(Err(NoPage::End(cause))) => return Err(*cause),
                Some(Err(cause)) if cause.is_odd() => self.notes.push(cause.to_string()),
                Some(Err(_)) => {}
                Some(Ok(page)) => match raw(page) {
                    Ok(page) => return Ok(Some(page)),
                    Err(cause) if cause.is_odd() => self.notes.push(cause.to_string()),
                    Err(_) => {}
                },
            }
        }
    }
}

/// A page as it is, not parsed.
fn raw(page: SavedPage) -> Result<Page, NoPage> {
    let (about, url, bytes) = match page {
        SavedPage::Answer { url, about, bytes } => (about, url, bytes),
        SavedPage::File(folder, file) => {
            let failed = |cause| NoPage::Load {
                input: folder.root().to_owned(),
                cause: Box::new(cause),
            };
            let capture = folder.capture(&file).map_err(failed)?;
            let most = husk_bulk::Tuning::default().max_page_bytes;
            let (about, bytes) = husk_bulk::About::of_capture(&capture, most).map_err(failed)?;
            let bytes = bytes.into_owned();
            (about, capture.url, bytes)
        }
    };
    Ok(Page {
        url,
        html: Html::Own(bytes),
        date: about.date,
        charset: about.charset,
    })
}

fn input_error(cause: &BulkError) -> PyErr {
    InputError::new_err(cause.to_string())
}

#[pymethods]
impl SavedPages {
    #[new]
    #[pyo3(signature = (path, base_url = None, same_site = "host"))]
    fn new(py: Python<'_>, path: PathBuf, base_url: Option<&str>, same_site: &str) -> PyResult<Self> {
        let base_url = base_url.map(address).transpose()?;
        let notes = Mutex::new(Vec::new());
        let found = py.detach(|| {
            let note = |note: &str| {
                let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                notes.push(note.to_owned());
            };
            Input::find(&path, base_url.as_ref(), &note)
        });
        let mut inputs = found.map_err(|cause| input_error(&cause))?;
        inputs.reverse();
        let notes = notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reading = Reading {
            inputs,
            pages: None,
            notes,
        };
        Ok(Self {
            reading: Mutex::new(reading),
            same_site: named("same_site", same_site)?,
            base_url,
        })
    }

    /// The name of the site that the address of the folder stands for; none if that is not known.
    #[getter]
    fn site(&self) -> Option<String> {
        let reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        match (&self.base_url, reading.inputs.last()) {
            (Some(url), Some(input)) => Some(input.site_of(url, self.same_site)),
            (Some(url), None) => Some(self.same_site.name_of(url)),
            (None, _) => None,
        }
    }

    /// The next pages, so many at most, and fewer if they are large; none at the end.
    fn batch(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Page>> {
        let read = py.detach(|| {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut pages, mut bytes) = (Vec::new(), 0);
            while pages.len() < most
                && bytes < BATCH_BYTES
                && let Some(page) = reading.next()?
            {
                bytes += page.html.bytes().len();
                pages.push(page);
            }
            Ok(pages)
        });
        read.map_err(|cause: BulkError| input_error(&cause))
    }

    /// What is odd about the inputs, as far as they were read; each is told once.
    fn notes(&self) -> Vec<String> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut reading.notes)
    }
}

/// Which of so many pages are looked at, by their sizes: see `husk learn`.
#[pyfunction]
pub(crate) fn sample(sizes: Vec<u64>, most_pages: usize, most_bytes: u64) -> Vec<usize> {
    husk_bulk::sample(&sizes, most_pages, most_bytes)
}
