//! What was learned of a site, and pages without it.

use std::sync::{Arc, Mutex, PoisonError};

use husk::{SiteTemplates, Stripper};
use husk_bulk::{ContentFormat, What, pack_templates, read_templates};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::extraction::Extraction;
use crate::fault::{OptionError, TemplatesError};
use crate::json::{named, to_json};
use crate::page::Page;
use crate::row::Row;

/// What was learned of a site: a template for each of its layouts.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Templates {
    learned: Arc<SiteTemplates>,
    /// Those that nobody uses now: each thread needs its own, and they are dear to make.
    strippers: Mutex<Vec<Stripper<Arc<SiteTemplates>>>>,
}

impl Templates {
    fn of(learned: SiteTemplates) -> Self {
        Self {
            learned: Arc::new(learned),
            strippers: Mutex::new(Vec::new()),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Stripper<Arc<SiteTemplates>>>> {
        self.strippers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strip_page(&self, page: &Page) -> (Option<String>, Vec<&'static str>, Extraction) {
        let idle = self.idle().pop();
        let mut stripper = idle.unwrap_or_else(|| Stripper::new(self.learned.clone()));
        let parsed = page.parsed();
        let stripped = stripper.strip(&parsed);
        self.idle().push(stripper);
        let layouts = self.learned.layouts();
        let layout = stripped.layout.map(|layout| layouts[layout].id().to_owned());
        let warnings = stripped.warnings.iter().map(|warning| warning.name()).collect();
        let content = stripped.content.clone();
        let extraction = Extraction::with_content(stripped.into_extraction(parsed), content);
        (layout, warnings, extraction)
    }
}

#[pymethods]
impl Templates {
    /// Nothing is known of a site yet.
    #[new]
    fn new(site: &str) -> Self {
        Self::of(SiteTemplates::new(site))
    }

    /// Reads what was stored, packed or not.
    #[staticmethod]
    fn unpack(py: Python<'_>, packed: PyBackedBytes) -> PyResult<Self> {
        let learned = py.detach(|| read_templates(&packed[..]));
        let learned = learned.map_err(|cause| TemplatesError::new_err(cause.to_string()))?;
        Ok(Self::of(learned))
    }

    /// As they are stored; the same ones are the same bytes.
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed = py.detach(|| pack_templates(&self.learned));
        let packed = packed.map_err(|cause| TemplatesError::new_err(cause.to_string()))?;
        Ok(PyBytes::new(py, &packed))
    }

    /// These templates and what further pages teach; what the lesson taught is told as JSON.
    fn learn(&self, py: Python<'_>, pages: Vec<PyRef<'_, Page>>) -> PyResult<(Self, String)> {
        let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
        let known = self.learned.to_json();
        let (learned, lesson) = py
            .detach(|| {
                let mut templates = SiteTemplates::from_json(&known)?;
                let pages: Vec<husk::Page> = pages.iter().map(|page| page.parsed()).collect();
                let lesson = templates.learn(&pages);
                Ok((templates, lesson))
            })
            .map_err(|cause: husk::FormatError| TemplatesError::new_err(cause.to_string()))?;
        let taught = to_json(&serde_json::json!({
            "pages": lesson.pages,
            "known": lesson.known,
            "new_layouts": lesson.new_layouts,
        }))?;
        Ok((Self::of(learned), taught))
    }

    #[getter]
    fn site(&self) -> &str {
        self.learned.site()
    }

    #[getter]
    fn pages(&self) -> u64 {
        self.learned.pages()
    }

    /// The layouts as JSON.
    fn layouts_json(&self) -> PyResult<String> {
        let layouts = self.learned.layouts().iter().enumerate();
        let told = layouts.map(|(place, layout)| {
            serde_json::json!({
                "number": place + 1,
                "id": layout.id(),
                "pages": layout.pages(),
                "support": layout.support(),
                "template_nodes": layout.template_nodes(),
                "model": layout.model().as_str(),
            })
        });
        to_json(&told.collect::<Vec<_>>())
    }

    /// The page that stands for a layout, without its content.
    fn layout_extraction(&self, py: Python<'_>, number: usize) -> PyResult<Extraction> {
        let layout = self.learned.layouts().get(number);
        let layout = layout.ok_or_else(|| {
            TemplatesError::new_err(format!("{} has no layout {}", self.learned.site(), number + 1))
        })?;
        Ok(py.detach(|| Extraction::from(layout.extraction())))
    }

    /// Takes the templates off a page.
    fn strip(&self, py: Python<'_>, page: &Page) -> PyResult<Stripped> {
        let (layout, warnings, extraction) = py.detach(|| self.strip_page(page));
        Ok(Stripped {
            layout,
            warnings,
            extraction: Py::new(py, extraction)?,
        })
    }

    /// What tells of pages in rows.
    fn teller(&self, what: Vec<String>, content_format: &str, has_enough: bool) -> PyResult<Teller> {
        let what = what_of(&what)?;
        let format: ContentFormat = named("content_format", content_format)?;
        let teller = husk_bulk::Teller::new(what, format, self.learned.clone());
        Ok(Teller(Mutex::new(teller.with_enough_pages(has_enough))))
    }

    fn __repr__(&self) -> String {
        let layouts = self.learned.layouts().len();
        format!("Templates({:?}, layouts: {layouts})", self.learned.site())
    }
}

/// Tells of pages in rows, as `husk bulk` does.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Teller(Mutex<husk_bulk::Teller<Arc<SiteTemplates>>>);

#[pymethods]
impl Teller {
    /// The rows of pages, in their order.
    fn rows(&self, py: Python<'_>, pages: Vec<PyRef<'_, Page>>) -> Vec<Row> {
        let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
        py.detach(|| {
            let mut teller = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let told = pages.iter().map(|page| teller.tell(page.about(), page.parsed()));
            told.map(Row).collect()
        })
    }
}

/// From names to what is told.
fn what_of(names: &[String]) -> PyResult<What> {
    let mut what = What {
        content: false,
        menu: false,
        template_id: false,
    };
    for name in names {
        match name.as_str() {
            "content" => what.content = true,
            "menu" => what.menu = true,
            "template-id" => what.template_id = true,
            other => {
                return Err(OptionError::new_err(format!(
                    "what: {other:?} is none of \"content\", \"menu\" and \"template-id\""
                )));
            }
        }
    }
    Ok(what)
}

/// A page without its template.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Stripped {
    layout: Option<String>,
    warnings: Vec<&'static str>,
    extraction: Py<Extraction>,
}

#[pymethods]
impl Stripped {
    #[getter]
    fn layout(&self) -> Option<&str> {
        self.layout.as_deref()
    }

    #[getter]
    fn warnings(&self) -> Vec<&'static str> {
        self.warnings.clone()
    }

    /// The page with its template, for all else that is made of it.
    #[getter]
    fn extraction(&self, py: Python<'_>) -> Py<Extraction> {
        self.extraction.clone_ref(py)
    }
}
