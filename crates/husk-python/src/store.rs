//! The template store, for reading, and for crawls on many machines.

use std::path::PathBuf;

use husk_bulk::{BulkError, choose_templates, store_updates};
use husk_store::{StoreReader, TemplateStore};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::TemplatesError;
use crate::json::to_json;
use crate::page::Page;
use crate::templates::Templates;

/// A template store, open for reading.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Store(StoreReader);

#[pymethods]
impl Store {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| StoreReader::open(&path));
        opened.map(Self).map_err(to_error)
    }

    /// What is known of every site, as JSON.
    fn sites_json(&self, py: Python<'_>) -> PyResult<String> {
        to_json(&py.detach(|| self.0.sites()).map_err(to_error)?)
    }

    /// Chooses the templates of a site with so many pages, given a sample, as `husk bulk --templates` does. Returns them, their
    /// source, whether there were enough pages, and the update of the store.
    fn choose<'py>(
        &self,
        py: Python<'py>,
        site: &str,
        count: usize,
        sample: Vec<PyRef<'_, Page>>,
        min_pages: usize,
        now: &str,
    ) -> PyResult<(Templates, &'static str, bool, Bound<'py, PyBytes>)> {
        let now = now
            .parse()
            .map_err(|cause| TemplatesError::new_err(format!("{now}: {cause}")))?;
        let sample: Vec<&Page> = sample.iter().map(|page| &**page).collect();
        let (update, chosen) = py
            .detach(|| {
                let sample: Vec<husk::Page> = sample.iter().map(|page| page.parsed()).collect();
                let chosen = choose_templates(&self.0, now, min_pages, site, count, &sample)?;
                Ok((chosen.packed_update(), chosen))
            })
            .map_err(|cause: BulkError| TemplatesError::new_err(cause.to_string()))?;
        let update = update.map_err(|cause| TemplatesError::new_err(format!("{site}: {cause}")))?;
        let (source, had_enough_pages) = (chosen.source.name(), chosen.had_enough_pages);
        let templates = Templates::of(chosen.templates);
        Ok((templates, source, had_enough_pages, PyBytes::new(py, &update)))
    }

    /// Creates the store at a path, if there is none.
    #[staticmethod]
    fn create(py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| TemplateStore::open(&path)).map_err(to_error)?;
        Ok(())
    }

    /// Makes the updates in these files, unless this run has made them before.
    #[staticmethod]
    fn update(py: Python<'_>, path: PathBuf, run: &str, files: Vec<PathBuf>) -> PyResult<()> {
        let stored = py.detach(|| store_updates(&TemplateStore::open(&path)?, run, &files));
        stored.map_err(|cause: BulkError| TemplatesError::new_err(cause.to_string()))
    }

    /// The templates of a site, if there are any.
    fn site(&self, py: Python<'_>, name: &str) -> PyResult<Option<Templates>> {
        let found = py.detach(|| self.0.site(name)).map_err(to_error)?;
        Ok(found.map(|found| Templates::of(found.templates)))
    }
}

fn to_error(cause: husk_store::StoreError) -> PyErr {
    TemplatesError::new_err(cause.to_string())
}
