//! The templates of a site, and stripped pages.

use std::sync::{Arc, Mutex, PoisonError};

use husk::{SiteTemplates, Stripper};
use husk_bulk::{ContentFormat, RowFields, TemplateSource, pack_templates, read_templates};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::errors::{OptionError, TemplatesError};
use crate::extraction::Extraction;
use crate::json::{parse_name, to_json};
use crate::page::Page;
use crate::row::Row;

/// The templates of a site, one per layout.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Templates {
    learned: Arc<SiteTemplates>,
    /// Idle strippers. Each thread needs its own, and making one is expensive.
    strippers: Mutex<Vec<Stripper<Arc<SiteTemplates>>>>,
}

impl Templates {
    pub(crate) fn of(learned: SiteTemplates) -> Self {
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
        let extraction = Extraction::of_stripped(parsed, stripped);
        (layout, warnings, extraction)
    }
}

#[pymethods]
impl Templates {
    #[new]
    fn new(site: &str) -> Self {
        Self::of(SiteTemplates::new(site))
    }

    /// Reads a templates file, compressed or not.
    #[staticmethod]
    fn unpack(py: Python<'_>, packed: PyBackedBytes) -> PyResult<Self> {
        let learned = py.detach(|| read_templates(&packed[..]));
        let learned = learned.map_err(|cause| TemplatesError::new_err(cause.to_string()))?;
        Ok(Self::of(learned))
    }

    /// As the bytes of a file.
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed = py.detach(|| pack_templates(&self.learned));
        let packed = packed.map_err(|cause| TemplatesError::new_err(cause.to_string()))?;
        Ok(PyBytes::new(py, &packed))
    }

    /// New templates that also cover the given pages, and the lesson as JSON.
    fn learn(&self, py: Python<'_>, pages: Vec<PyRef<'_, Page>>) -> PyResult<(Self, String)> {
        let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
        let known = self.learned.to_bytes();
        let (learned, lesson) = py
            .detach(|| {
                let mut templates = SiteTemplates::from_bytes(&known)?;
                let pages: Vec<husk::Page> = pages.iter().map(|page| page.parsed()).collect();
                let lesson = templates.learn(&pages);
                Ok((templates, lesson))
            })
            .map_err(|cause: husk::FormatError| TemplatesError::new_err(cause.to_string()))?;
        let lesson = to_json(&serde_json::json!({
            "pages": lesson.pages,
            "known": lesson.known,
            "new_layouts": lesson.new_layouts,
        }))?;
        Ok((Self::of(learned), lesson))
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
        let rows = layouts.map(|(index, layout)| {
            serde_json::json!({
                "number": index + 1,
                "id": layout.id(),
                "pages": layout.pages(),
                "support": layout.support(),
                "template_nodes": layout.template_nodes(),
                "model": layout.model().as_str(),
            })
        });
        to_json(&rows.collect::<Vec<_>>())
    }

    /// The model page of a layout, without its content.
    fn layout_extraction(&self, py: Python<'_>, number: usize) -> PyResult<Extraction> {
        let layout = self.learned.layouts().get(number);
        let layout = layout.ok_or_else(|| {
            TemplatesError::new_err(format!("{} has no layout {}", self.learned.site(), number + 1))
        })?;
        Ok(py.detach(|| Extraction::from(layout.extraction())))
    }

    /// Strips the template from a page.
    fn strip(&self, py: Python<'_>, page: &Page) -> PyResult<Stripped> {
        let (layout, warnings, extraction) = py.detach(|| self.strip_page(page));
        Ok(Stripped {
            layout,
            warnings,
            extraction: Py::new(py, extraction)?,
        })
    }

    /// A builder of rows.
    #[pyo3(signature = (fields, content_format, enough_pages, source = "learned"))]
    fn row_builder(
        &self,
        fields: Vec<String>,
        content_format: &str,
        enough_pages: bool,
        source: &str,
    ) -> PyResult<RowBuilder> {
        let fields = parse_fields(&fields)?;
        let format: ContentFormat = parse_name("content_format", content_format)?;
        let builder = husk_bulk::RowBuilder::new(fields, format, self.learned.clone());
        let builder = builder
            .with_enough_pages(enough_pages)
            .with_source(parse_source(source)?);
        Ok(RowBuilder(Mutex::new(builder)))
    }

    fn __repr__(&self) -> String {
        let layouts = self.learned.layouts().len();
        format!("Templates({:?}, layouts: {layouts})", self.learned.site())
    }
}

/// Builds rows like `husk bulk`.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct RowBuilder(Mutex<husk_bulk::RowBuilder<Arc<SiteTemplates>>>);

#[pymethods]
impl RowBuilder {
    /// The rows of pages, in order.
    fn rows(&self, py: Python<'_>, pages: Vec<PyRef<'_, Page>>) -> Vec<Row> {
        let pages: Vec<&Page> = pages.iter().map(|page| &**page).collect();
        py.detach(|| {
            let mut builder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let rows = pages
                .iter()
                .map(|page| builder.build_row(page.info(), page.parsed()));
            rows.map(Row).collect()
        })
    }
}

fn parse_source(name: &str) -> PyResult<TemplateSource> {
    use TemplateSource::{Learned, Relearned, Stored, Updated};
    let found = [Learned, Stored, Updated, Relearned]
        .into_iter()
        .find(|source| source.name() == name);
    found.ok_or_else(|| OptionError::new_err(format!("source: unknown source of templates {name:?}")))
}

fn parse_fields(names: &[String]) -> PyResult<RowFields> {
    let mut fields = RowFields {
        content: false,
        menu: false,
        template_id: false,
    };
    for name in names {
        match name.as_str() {
            "content" => fields.content = true,
            "menu" => fields.menu = true,
            "template-id" => fields.template_id = true,
            other => {
                return Err(OptionError::new_err(format!(
                    "fields: unknown field {other:?}, expected \"content\", \"menu\" or \"template-id\""
                )));
            }
        }
    }
    Ok(fields)
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

    /// The extraction of the page.
    #[getter]
    fn extraction(&self, py: Python<'_>) -> Py<Extraction> {
        self.extraction.clone_ref(py)
    }
}
