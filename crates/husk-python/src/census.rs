//! How many pages each site has, counted in parts.

use std::sync::{Mutex, PoisonError};

use husk::{SameSite, Url};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyBytes;

use crate::json::named;

/// How many pages each site has, and whose lots are drawn.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Census {
    counted: Mutex<husk_bulk::Census>,
    same_site: SameSite,
}

/// A site, its pages, the lots of those that may be drawn, and the largest of them.
type SiteCount<'py> = (String, u64, Bound<'py, PyBytes>, u64);

#[pymethods]
impl Census {
    #[new]
    fn new(same_site: &str, sample_pages: usize) -> PyResult<Self> {
        Ok(Self {
            counted: Mutex::new(husk_bulk::Census::new(sample_pages)),
            same_site: named("same_site", same_site)?,
        })
    }

    /// Counts pages by their addresses, and tells how many of these are none.
    fn add(&self, py: Python<'_>, urls: Vec<PyBackedStr>) -> usize {
        py.detach(|| {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            let mut left_out = 0;
            for url in &urls {
                match Url::parse(url) {
                    Ok(url) => counted.add(&self.same_site.name_of(&url), url.as_str()),
                    Err(_) => left_out += 1,
                }
            }
            left_out
        })
    }

    /// Adds what was counted elsewhere.
    fn merge(&self, site: &str, pages: u64, lots: PyBackedBytes) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.merge(site, pages, &lots);
    }

    /// Hands over what was counted, by site, and begins anew.
    fn take<'py>(&self, py: Python<'py>) -> Vec<SiteCount<'py>> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let sites = counted.take().into_iter();
        let told = sites.map(|(site, count)| {
            let lots = PyBytes::new(py, &count.lot_bytes());
            (site, count.pages, lots, count.cutoff().number())
        });
        told.collect()
    }
}
