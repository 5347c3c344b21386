//! The template store, for reading.

use std::path::PathBuf;

use husk_store::StoreReader;
use pyo3::prelude::*;

use crate::errors::TemplatesError;
use crate::json::to_json;
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

    /// The templates of a site, if there are any.
    fn site(&self, py: Python<'_>, name: &str) -> PyResult<Option<Templates>> {
        let found = py.detach(|| self.0.site(name)).map_err(to_error)?;
        Ok(found.map(|found| Templates::of(found.templates)))
    }
}

fn to_error(cause: husk_store::StoreError) -> PyErr {
    TemplatesError::new_err(cause.to_string())
}
