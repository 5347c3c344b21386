//! Extractions: with all pages given, or asking for one page at a time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use husk::{Address, Options, Url};
use pyo3::prelude::*;

use crate::errors::{OptionError, SessionError};
use crate::extraction::Extraction;
use crate::json::{parse_options, to_json};
use crate::page::Page;

/// The default options as JSON.
#[pyfunction]
pub(crate) fn default_options() -> PyResult<String> {
    to_json(&Options::default())
}

fn checked_options(json: &str) -> PyResult<Options> {
    let options: Options = parse_options(json)?;
    let checked = options.thresholds.check();
    checked.map_err(|cause| OptionError::new_err(format!("options: {cause}")))?;
    Ok(options)
}

/// Extracts from a page, comparing it with given pages.
#[pyfunction]
pub(crate) fn extract(
    py: Python<'_>,
    key_page: &Page,
    pages: Vec<PyRef<'_, Page>>,
    options_json: &str,
) -> PyResult<Extraction> {
    let options = checked_options(options_json)?;
    let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
    Ok(py.detach(|| {
        let mut session = husk::Session::new(key_page.parsed(), options);
        GivenPages::new(&pages).answer(&mut session);
        Extraction::from(session.finish())
    }))
}

/// Given pages, in order.
struct GivenPages<'a> {
    pages: BTreeMap<Address, &'a Page>,
    urls: Vec<Url>,
}

impl<'a> GivenPages<'a> {
    fn new(pages: &[&'a Page]) -> Self {
        let mut given = Self {
            pages: BTreeMap::new(),
            urls: Vec::new(),
        };
        for &page in pages {
            given.urls.push(page.url.clone());
            given.pages.entry(Address::of(&page.url)).or_insert(page);
        }
        given
    }

    /// Answers the requests of a session.
    fn answer(&self, session: &mut husk::Session) {
        loop {
            while let Some(url) = session.next_wanted().cloned() {
                match self.pages.get(&Address::of(&url)) {
                    Some(page) => session.give(page.parsed()),
                    None => session.give_up(format!("{url} is not among the given pages")),
                }
            }
            if !session.wants_addresses() {
                return;
            }
            session.offer(self.urls.clone());
        }
    }
}

/// An extraction that asks for one page at a time and loads nothing itself.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Session(Mutex<Option<husk::Session>>);

type OpenSession<'a> = MutexGuard<'a, Option<husk::Session>>;

impl Session {
    /// Uses the session without holding the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut husk::Session) -> T + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut open: OpenSession<'_> = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_mut().map(work)
        });
        done.ok_or_else(finished_error)
    }
}

fn finished_error() -> PyErr {
    SessionError::new_err("the session is finished: create a new one")
}

#[pymethods]
impl Session {
    #[new]
    fn new(py: Python<'_>, key_page: &Page, options_json: &str) -> PyResult<Self> {
        let options = checked_options(options_json)?;
        let session = py.detach(|| husk::Session::new(key_page.parsed(), options));
        Ok(Self(Mutex::new(Some(session))))
    }

    fn next_wanted(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |session| session.next_wanted().map(ToString::to_string))
    }

    fn wanted_ahead(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |session| {
            session.wanted_ahead().into_iter().map(Url::into).collect()
        })
    }

    fn wanted_at_most(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |session| session.wanted_at_most())
    }

    fn why_wanted(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |session| session.why_wanted().map(|why| why.to_string()))
    }

    fn give(&self, py: Python<'_>, page: &Page) -> PyResult<()> {
        self.with(py, |session| session.give(page.parsed()))
    }

    fn give_up(&self, py: Python<'_>, cause: String) -> PyResult<()> {
        self.with(py, |session| session.give_up(cause))
    }

    fn wants_urls(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| session.wants_addresses())
    }

    /// Invalid URLs are ignored.
    fn offer(&self, py: Python<'_>, urls: Vec<String>) -> PyResult<()> {
        let urls: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        self.with(py, |session| session.offer(urls))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Extraction> {
        let finished = py.detach(|| {
            let session = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            session.map(|session| Extraction::from(session.finish()))
        });
        finished.ok_or_else(finished_error)
    }
}
