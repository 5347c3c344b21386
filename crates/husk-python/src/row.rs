//! The rows of `husk bulk` and `husk strip`.

use husk_bulk::output::to_parquet;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::InputError;
use crate::json::to_json;

/// The row of a page.
#[pyclass(frozen, module = "husk")]
pub(crate) struct Row(pub(crate) husk_bulk::Row);

#[pymethods]
impl Row {
    #[getter]
    fn url(&self) -> &str {
        &self.0.url
    }

    #[getter]
    fn normalized_url(&self) -> &str {
        &self.0.normalized_url
    }

    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    #[getter]
    fn site(&self) -> &str {
        &self.0.site
    }

    #[getter]
    fn date(&self) -> Option<&str> {
        self.0.date.as_deref()
    }

    #[getter]
    fn warc_file(&self) -> Option<&str> {
        self.0.warc_file.as_deref()
    }

    #[getter]
    fn warc_offset(&self) -> Option<u64> {
        self.0.warc_offset
    }

    #[getter]
    fn warc_record_id(&self) -> Option<&str> {
        self.0.warc_record_id.as_deref()
    }

    #[getter]
    fn warc_digest(&self) -> Option<&str> {
        self.0.warc_digest.as_deref()
    }

    #[getter]
    fn layout(&self) -> Option<&str> {
        self.0.layout.as_deref()
    }

    #[getter]
    fn layout_fit(&self) -> Option<f64> {
        self.0.layout_fit
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    #[getter]
    fn author(&self) -> Option<&str> {
        self.0.author.as_deref()
    }

    #[getter]
    fn published(&self) -> Option<&str> {
        self.0.published.as_deref()
    }

    #[getter]
    fn modified(&self) -> Option<&str> {
        self.0.modified.as_deref()
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }

    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.language.as_deref()
    }

    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.0.canonical.as_deref()
    }

    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    #[getter]
    fn content(&self) -> Option<&str> {
        self.0.content.as_deref()
    }

    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.0.confidence
    }

    #[getter]
    fn content_hash(&self) -> Option<&str> {
        self.0.content_hash.as_deref()
    }

    #[getter]
    fn near_duplicate_id(&self) -> Option<&str> {
        self.0.near_duplicate_id.as_deref()
    }

    #[getter]
    fn template_id(&self) -> Option<&str> {
        self.0.template_id.as_deref()
    }

    #[getter]
    fn template_source(&self) -> Option<&str> {
        self.0.template_source.as_deref()
    }

    #[getter]
    fn template_share(&self) -> Option<f64> {
        self.0.template_share
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes
    }

    #[getter]
    fn words(&self) -> u32 {
        self.0.words
    }

    #[getter]
    fn content_words(&self) -> u32 {
        self.0.content_words
    }

    #[getter]
    fn links(&self) -> u32 {
        self.0.links
    }

    #[getter]
    fn flags(&self) -> Vec<String> {
        self.0.flags.clone()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// As a line of JSON, like `husk bulk` writes it.
    fn to_json(&self) -> PyResult<String> {
        to_json(&self.0)
    }

    /// As a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json()?,))
    }

    /// The main menu: a list of `label`, `url` and `children`.
    #[getter]
    fn menu<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(menu) = &self.0.menu else {
            return Ok(None);
        };
        Ok(Some(py.import("json")?.call_method1("loads", (to_json(menu)?,))?))
    }

    fn __repr__(&self) -> String {
        format!("Row({:?}, method={:?})", self.0.url, self.0.method)
    }
}

/// Rows as a Parquet file, with the columns of `husk bulk --format parquet`.
#[pyfunction]
pub(crate) fn rows_to_parquet<'py>(
    py: Python<'py>,
    rows: Vec<PyRef<'py, Row>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let rows: Vec<husk_bulk::Row> = rows.iter().map(|row| row.0.clone()).collect();
    let bytes = py.detach(|| to_parquet(&rows));
    let bytes = bytes.map_err(|cause| InputError::new_err(cause.to_string()))?;
    Ok(PyBytes::new(py, &bytes))
}
