//! A page as a caller has it: an address and HTML that is not parsed yet.

use husk::SameSite;
use husk::dom::Dom;
use husk_bulk::{About, Lot, pack_page, unpack_page};
use husk_sources::page_charset;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

use crate::fault::{InputError, NotAPageError, address};
use crate::json::named;

/// HTML as text, or as it came over the wire.
pub(crate) enum Html {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// What was read without Python.
    Own(Vec<u8>),
}

impl Html {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Own(bytes) => bytes,
        }
    }

    fn of(html: &Bound<'_, PyAny>, url: &str) -> PyResult<Self> {
        if let Ok(text) = html.cast::<PyString>() {
            // Halves of characters, which Python allows in texts, are none in UTF-8.
            let whole = PyBackedStr::try_from(text.clone());
            return whole.map(Self::Text).map_err(|cause| {
                InputError::new_err((
                    format!("{url}: its HTML is no whole text: {cause}"),
                    url.to_owned(),
                ))
            });
        }
        match html.extract::<PyBackedBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(_) => {
                let kind = html.get_type().name()?;
                let message = format!("{url}: HTML is str or bytes, not {kind}");
                Err(pyo3::exceptions::PyTypeError::new_err(message))
            }
        }
    }
}

/// A page: its address and its HTML, as text or bytes.
#[pyclass(frozen, module = "husk")]
pub(crate) struct Page {
    pub(crate) url: husk::Url,
    pub(crate) html: Html,
    pub(crate) date: Option<String>,
    /// The charset that its server says.
    pub(crate) charset: Option<String>,
}

impl Page {
    pub(crate) fn parsed(&self) -> husk::Page {
        let dom = match &self.html {
            Html::Text(text) => Dom::parse(text),
            Html::Bytes(bytes) => Dom::from_bytes(bytes, self.charset.as_deref()),
            Html::Own(bytes) => Dom::from_bytes(bytes, self.charset.as_deref()),
        };
        husk::Page::new(self.url.clone(), dom)
    }

    pub(crate) fn about(&self) -> About {
        About {
            url: self.url.to_string(),
            date: self.date.clone(),
            charset: match self.html {
                Html::Text(_) => Some("utf-8".to_owned()),
                Html::Bytes(_) | Html::Own(_) => self.charset.clone(),
            },
            bytes: self.html.bytes().len(),
        }
    }
}

#[pymethods]
impl Page {
    #[new]
    #[pyo3(signature = (url, html, *, date = None, charset = None))]
    fn new(
        url: &str,
        html: &Bound<'_, PyAny>,
        date: Option<String>,
        charset: Option<String>,
    ) -> PyResult<Self> {
        Ok(Self {
            html: Html::of(html, url)?,
            url: address(url)?,
            date,
            charset,
        })
    }

    /// The page that a server answered; fails if that is no page.
    #[staticmethod]
    #[pyo3(signature = (url, body, *, status = 200, content_type = None, date = None))]
    fn from_answer(
        url: &str,
        body: PyBackedBytes,
        status: i64,
        content_type: Option<&str>,
        date: Option<String>,
    ) -> PyResult<Self> {
        let address = address(url)?;
        let status = u16::try_from(status).map_err(|_| {
            NotAPageError::new_err((format!("{url}: {status} is no status of HTTP"), url.to_owned()))
        })?;
        let charset = page_charset(&address, status, content_type, &body)
            .map_err(|cause| NotAPageError::new_err((cause.to_string(), url.to_owned())))?;
        Ok(Self {
            url: address,
            html: Html::Bytes(body),
            date,
            charset,
        })
    }

    #[getter]
    fn url(&self) -> &str {
        self.url.as_str()
    }

    #[getter]
    fn html<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.html {
            Html::Text(text) => PyString::new(py, text).into_any(),
            html => PyBytes::new(py, html.bytes()).into_any(),
        }
    }

    #[getter]
    fn date(&self) -> Option<&str> {
        self.date.as_deref()
    }

    #[getter]
    fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    /// How many bytes it has.
    #[getter]
    fn size(&self) -> usize {
        self.html.bytes().len()
    }

    /// The name of the site that it belongs to.
    #[pyo3(signature = (same_site = "host"))]
    fn site(&self, same_site: &str) -> PyResult<String> {
        let same_site: SameSite = named("same_site", same_site)?;
        Ok(same_site.name_of(&self.url))
    }

    /// The number that decides whether a site is learned from it: smaller ones are drawn first.
    #[getter]
    fn lot(&self) -> u64 {
        Lot::of(self.url.as_str(), self.html.bytes()).number()
    }

    /// The page with all that is known of it, packed, to be sent to another process.
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed = py.detach(|| pack_page(&self.about(), self.html.bytes()));
        let packed = packed.map_err(|cause| self.input_error(&cause.to_string()))?;
        Ok(PyBytes::new(py, &packed))
    }

    /// What was packed.
    #[staticmethod]
    fn unpack(py: Python<'_>, packed: PyBackedBytes) -> PyResult<Self> {
        let (about, bytes) = py
            .detach(|| unpack_page(&packed))
            .map_err(|cause| InputError::new_err(format!("a packed page cannot be unpacked: {cause}")))?;
        Ok(Self {
            url: address(&about.url)?,
            html: Html::Own(bytes),
            date: about.date,
            charset: about.charset,
        })
    }

    fn __repr__(&self) -> String {
        format!("Page({:?}, {} bytes)", self.url.as_str(), self.size())
    }
}

/// What the lots of all captures of one address have in common.
#[pyfunction]
pub(crate) fn lot_address(lot: u64) -> u64 {
    Lot::from(lot).address()
}

impl Page {
    fn input_error(&self, cause: &str) -> PyErr {
        InputError::new_err((format!("{}: {cause}", self.url), self.url.to_string()))
    }
}
