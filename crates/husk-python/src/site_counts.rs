//! Pages per site, counted in parts of a crawl.

use std::sync::{Mutex, PoisonError};

use husk::SameSite;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::json::parse_name;
use crate::page::Page;

/// Pages per site, and the sample keys of each site.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct SiteCounts {
    counts: Mutex<husk_bulk::SiteCounts>,
    same_site: SameSite,
}

/// Site, pages, their bytes, sample keys, and the highest key of the sample.
type SiteCount<'py> = (String, u64, u64, Bound<'py, PyBytes>, u64);

#[pymethods]
impl SiteCounts {
    #[new]
    fn new(same_site: &str, sample_pages: usize) -> PyResult<Self> {
        Ok(Self {
            counts: Mutex::new(husk_bulk::SiteCounts::new(sample_pages)),
            same_site: parse_name("same_site", same_site)?,
        })
    }

    /// Counts pages.
    fn add(&self, py: Python<'_>, pages: Vec<PyRef<'_, Page>>) {
        let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
        py.detach(|| {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            for page in pages {
                let bytes = page.html.bytes().len() as u64;
                counts.add(&self.same_site.name_of(&page.url), page.url.as_str(), bytes);
            }
        });
    }

    /// Adds counts from another process.
    fn merge(&self, site: &str, pages: u64, bytes: u64, keys: PyBackedBytes) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.merge(site, pages, bytes, &keys);
    }

    /// Takes all counts, by site, and leaves this empty.
    fn take<'py>(&self, py: Python<'py>) -> Vec<SiteCount<'py>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = counts.take().into_iter();
        let rows = sites.map(|(site, count)| {
            let keys = PyBytes::new(py, &count.key_bytes());
            (site, count.pages, count.bytes, keys, count.cutoff().value())
        });
        rows.collect()
    }
}
