//! An extraction whose pages still have to be loaded, or are all at hand.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use husk::{Address, Options, Url};
use pyo3::prelude::*;

use crate::extraction::Extraction;
use crate::fault::{OptionError, SessionError};
use crate::json::{self, to_json};
use crate::page::Page;

/// The options that hold where none is given, as JSON.
#[pyfunction]
pub(crate) fn default_options() -> PyResult<String> {
    to_json(&Options::default())
}

fn options(json: &str) -> PyResult<Options> {
    let options: Options = json::options(json)?;
    let checked = options.thresholds.check();
    checked.map_err(|cause| OptionError::new_err(format!("options: {cause}")))?;
    Ok(options)
}

/// Finds out about a page with the help of others that are at hand.
#[pyfunction]
pub(crate) fn extract(
    py: Python<'_>,
    key_page: &Page,
    pages: Vec<PyRef<'_, Page>>,
    options_json: &str,
) -> PyResult<Extraction> {
    let options = options(options_json)?;
    let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
    Ok(py.detach(|| {
        let mut session = husk::Session::new(key_page.parsed(), options);
        Given::new(&pages).answer(&mut session);
        Extraction::from(session.finish())
    }))
}

/// Pages that are at hand, in the order in which they were given.
struct Given<'a> {
    pages: BTreeMap<Address, &'a Page>,
    urls: Vec<Url>,
}

impl<'a> Given<'a> {
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

    /// Gives a session what it asks for, as far as it is there.
    fn answer(&self, session: &mut husk::Session) {
        loop {
            while let Some(url) = session.next_wanted().cloned() {
                match self.pages.get(&Address::of(&url)) {
                    Some(page) => session.give(page.parsed()),
                    None => session.give_up(format!("{url} is not among the pages that were given")),
                }
            }
            if !session.wants_addresses() {
                return;
            }
            session.offer(self.urls.clone());
        }
    }
}

/// An extraction that asks for one page at a time and never loads one itself.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Session(Mutex<Option<husk::Session>>);

type Open<'a> = MutexGuard<'a, Option<husk::Session>>;

impl Session {
    /// Does something with the session while other threads of Python run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut husk::Session) -> T + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut open: Open<'_> = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_mut().map(work)
        });
        done.ok_or_else(used_up)
    }
}

fn used_up() -> PyErr {
    SessionError::new_err("the session is finished: begin another one")
}

#[pymethods]
impl Session {
    #[new]
    fn new(py: Python<'_>, key_page: &Page, options_json: &str) -> PyResult<Self> {
        let options = options(options_json)?;
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

    fn wants_addresses(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| session.wants_addresses())
    }

    /// What is no address is left out.
    fn offer(&self, py: Python<'_>, addresses: Vec<String>) -> PyResult<()> {
        let addresses = addresses.iter().filter_map(|address| Url::parse(address).ok());
        let addresses: Vec<Url> = addresses.collect();
        self.with(py, |session| session.offer(addresses))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Extraction> {
        let finished = py.detach(|| {
            let session = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            session.map(|session| Extraction::from(session.finish()))
        });
        finished.ok_or_else(used_up)
    }
}
