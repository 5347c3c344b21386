//! Pages per site, counted in parts of a crawl.

use std::sync::{Mutex, PoisonError};

use husk::SameSite;
use husk_bulk::parse_page_url;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyBytes;

use crate::json::parse_name;

/// Pages per site, and the sample keys of each site.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct SiteCounts {
    counts: Mutex<husk_bulk::SiteCounts>,
    same_site: SameSite,
}

/// Site, pages, sample keys, and the highest key of the sample.
type SiteCount<'py> = (String, u64, Bound<'py, PyBytes>, u64);

#[pymethods]
impl SiteCounts {
    #[new]
    fn new(same_site: &str, sample_pages: usize) -> PyResult<Self> {
        Ok(Self {
            counts: Mutex::new(husk_bulk::SiteCounts::new(sample_pages)),
            same_site: parse_name("same_site", same_site)?,
        })
    }

    /// Counts pages by URL. Returns the number of invalid URLs.
    fn add(&self, py: Python<'_>, urls: Vec<PyBackedStr>) -> usize {
        py.detach(|| {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let mut invalid = 0;
            for url in &urls {
                match parse_page_url(url) {
                    Ok(url) => counts.add(&self.same_site.name_of(&url), url.as_str()),
                    Err(_) => invalid += 1,
                }
            }
            invalid
        })
    }

    /// Adds counts from another process.
    fn merge(&self, site: &str, pages: u64, keys: PyBackedBytes) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.merge(site, pages, &keys);
    }

    /// Takes all counts, by site, and leaves this empty.
    fn take<'py>(&self, py: Python<'py>) -> Vec<SiteCount<'py>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = counts.take().into_iter();
        let rows = sites.map(|(site, count)| {
            let keys = PyBytes::new(py, &count.key_bytes());
            (site, count.pages, keys, count.cutoff().value())
        });
        rows.collect()
    }
}
