//! The result of an extraction, and its outputs.

use husk::output::{ContentFormat, Output, OutputOptions, Part, visits_json, write_nodes};
use husk::{Analysis, NodeSet, OutputError, needs_rendering};
use pyo3::prelude::*;

use crate::errors::{NoContentError, NoMenuError, NoSiblingError, OptionError, SessionError};
use crate::json::{parse_name, parse_options, to_json};

/// The result of an extraction.
#[pyclass(frozen, module = "husk._husk")]
pub(crate) struct Extraction(Analysis);

impl From<husk::Extraction> for Extraction {
    fn from(extraction: husk::Extraction) -> Self {
        Self(extraction.into())
    }
}

impl Extraction {
    /// A page whose template was removed.
    pub(crate) fn of_stripped(page: husk::Page, stripped: husk::Stripped) -> Self {
        Self(Analysis::of_stripped(page, stripped))
    }

    fn pagelet_nodes(&self, number: usize) -> PyResult<NodeSet> {
        let dom = &self.0.page().dom;
        let pagelet = self.0.pagelets().get(number);
        let pagelet =
            pagelet.ok_or_else(|| SessionError::new_err(format!("there is no pagelet {number}")))?;
        let mut nodes = NodeSet::none(dom);
        for &root in &pagelet.roots {
            dom.subtree(root).for_each(|node| nodes.insert(node));
        }
        Ok(nodes)
    }
}

fn texts(urls: &[husk::Url]) -> Vec<String> {
    urls.iter().map(ToString::to_string).collect()
}

/// An error of the engine as the exception that Python has for it.
fn exception(cause: &OutputError) -> PyErr {
    let message = cause.to_string();
    match cause {
        OutputError::NoSibling { page, .. } => NoSiblingError::new_err((message, page.to_string())),
        OutputError::NoMenu { page } | OutputError::NoNavigation { page } => {
            NoMenuError::new_err((message, page.to_string()))
        }
        OutputError::NoContent { page, .. } => NoContentError::new_err((message, page.to_string())),
        OutputError::UnknownFormat(_) | OutputError::NotSerialised(_) | OutputError::TooLarge { .. } => {
            OptionError::new_err(message)
        }
    }
}

#[pymethods]
impl Extraction {
    #[getter]
    fn key_page(&self) -> &str {
        self.0.page().url.as_str()
    }

    #[getter]
    fn method(&self) -> &str {
        self.0.extraction().method
    }

    #[getter]
    fn loaded(&self) -> Vec<String> {
        texts(&self.0.extraction().loaded)
    }

    #[getter]
    fn compared(&self) -> Vec<String> {
        texts(&self.0.extraction().compared)
    }

    /// How many pages the template is based on: those compared, or those it was learned from.
    #[getter]
    fn support(&self) -> usize {
        self.0.support()
    }

    #[getter]
    fn failed(&self) -> Vec<(String, String)> {
        let failures = self.0.extraction().failures.iter();
        failures
            .map(|failure| (failure.url.to_string(), failure.cause.clone()))
            .collect()
    }

    #[getter]
    fn node_count(&self) -> usize {
        self.0.page().dom.len()
    }

    #[getter]
    fn content_method(&self, py: Python<'_>) -> &'static str {
        py.detach(|| self.0.content().method.name())
    }

    fn needs_rendering(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| needs_rendering(self.0.page()).map(|reason| reason.to_string()))
    }

    fn require_sibling(&self) -> PyResult<()> {
        self.0.require_sibling().map_err(|cause| exception(&cause))
    }

    fn require_menu(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.require_menu(false).map_err(|cause| exception(&cause)))
    }

    /// A part in a format, as the command prints it. Raises an exception if the page does not have the part, unless
    /// `anyway` is true.
    fn write(
        &self,
        py: Python<'_>,
        part: &str,
        format: &str,
        options_json: &str,
        anyway: bool,
    ) -> PyResult<String> {
        let output = Output::find(part, format).map_err(|cause| exception(&cause))?;
        let options: OutputOptions = parse_options(options_json)?;
        py.detach(|| {
            let written = if anyway {
                output.write_anyway(&self.0, &options)
            } else {
                output.write(&self.0, &options)
            };
            written
                .map(|output| output.text)
                .map_err(|cause| exception(&cause))
        })
    }

    /// Every page that was asked for, in that order, as JSON.
    fn visits_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| to_json(&visits_json(self.0.extraction())))
    }

    /// The text of a pagelet, by its index.
    fn write_pagelet(&self, py: Python<'_>, number: usize, format: &str) -> PyResult<String> {
        let format: ContentFormat = parse_name("format", format)?;
        py.detach(|| {
            let nodes = self.pagelet_nodes(number)?;
            Ok(write_nodes(
                self.0.page(),
                &nodes,
                format,
                &OutputOptions::default(),
            ))
        })
    }
}

/// The formats of a part, each with a line of help.
#[pyfunction]
pub(crate) fn formats(part: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let part = Part::find(part).map_err(|cause| exception(&cause))?;
    Ok(part.outputs().map(|output| (output.name, output.help)).collect())
}
