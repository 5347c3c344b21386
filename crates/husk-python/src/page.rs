//! A page: URL and HTML, not parsed yet.

use husk::SameSite;
use husk::dom::Dom;
use husk_bulk::{PageInfo, SampleKey, WarcRecord, pack_page, unpack_page};
use husk_sources::page_charset;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

use crate::errors::{InputError, NotAPageError, parse_url};
use crate::json::parse_name;

/// HTML as text or bytes.
pub(crate) enum Html {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// Bytes read by Rust.
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
            // Python allows lone surrogates, UTF-8 doesn't.
            let valid = PyBackedStr::try_from(text.clone());
            return valid.map(Self::Text).map_err(|cause| {
                InputError::new_err((format!("{url}: HTML is not valid text: {cause}"), url.to_owned()))
            });
        }
        match html.extract::<PyBackedBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(_) => {
                let type_name = html.get_type().name()?;
                let message = format!("{url}: HTML must be str or bytes, not {type_name}");
                Err(pyo3::exceptions::PyTypeError::new_err(message))
            }
        }
    }
}

/// A page: URL and HTML, as text or bytes.
#[pyclass(frozen, module = "husk")]
pub(crate) struct Page {
    /// URL as it was given.
    pub(crate) given_url: String,
    pub(crate) url: husk::Url,
    pub(crate) html: Html,
    pub(crate) date: Option<String>,
    /// Charset declared by the server.
    pub(crate) charset: Option<String>,
    /// The caller's id.
    pub(crate) id: Option<String>,
    /// Where it is in an archive.
    pub(crate) record: Option<WarcRecord>,
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

    pub(crate) fn info(&self) -> PageInfo {
        PageInfo {
            url: self.given_url.clone(),
            id: self.id.clone(),
            record: self.record.clone(),
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
    #[pyo3(signature = (url, html, *, date = None, charset = None, id = None))]
    fn new(
        url: &str,
        html: &Bound<'_, PyAny>,
        date: Option<String>,
        charset: Option<String>,
        id: Option<String>,
    ) -> PyResult<Self> {
        Ok(Self {
            html: Html::of(html, url)?,
            url: parse_url(url)?,
            given_url: url.to_owned(),
            date,
            charset,
            id,
            record: None,
        })
    }

    /// The page of an HTTP response; fails if it is not a page.
    #[staticmethod]
    #[pyo3(signature = (url, body, *, status = 200, content_type = None, date = None, id = None))]
    fn from_response(
        url: &str,
        body: PyBackedBytes,
        status: i64,
        content_type: Option<&str>,
        date: Option<String>,
        id: Option<String>,
    ) -> PyResult<Self> {
        let parsed = parse_url(url)?;
        let status = u16::try_from(status).map_err(|_| {
            NotAPageError::new_err((format!("{url}: {status} is not an HTTP status"), url.to_owned()))
        })?;
        let charset = page_charset(&parsed, status, content_type, &body)
            .map_err(|cause| NotAPageError::new_err((cause.to_string(), url.to_owned())))?;
        Ok(Self {
            url: parsed,
            given_url: url.to_owned(),
            html: Html::Bytes(body),
            date,
            charset,
            id,
            record: None,
        })
    }

    /// URL as it was given.
    #[getter]
    fn url(&self) -> &str {
        &self.given_url
    }

    /// URL in the form of the URL standard, without a fragment.
    #[getter]
    fn normalized_url(&self) -> &str {
        self.url.as_str()
    }

    #[getter]
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
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

    /// Size in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.html.bytes().len()
    }

    /// Name of its site.
    #[pyo3(signature = (same_site = "host"))]
    fn site(&self, same_site: &str) -> PyResult<String> {
        let same_site: SameSite = parse_name("same_site", same_site)?;
        Ok(same_site.name_of(&self.url))
    }

    /// Its sampling key: pages with the lowest keys are sampled.
    #[getter]
    fn sample_key(&self) -> u64 {
        SampleKey::of(self.url.as_str(), self.html.bytes()).value()
    }

    /// The page with its metadata, compressed, to be sent to another process.
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed = py.detach(|| pack_page(&self.info(), self.html.bytes()));
        let packed = packed.map_err(|cause| self.input_error(&cause.to_string()))?;
        Ok(PyBytes::new(py, &packed))
    }

    /// The inverse of `pack`.
    #[staticmethod]
    fn unpack(py: Python<'_>, packed: PyBackedBytes) -> PyResult<Self> {
        let (info, bytes) = py
            .detach(|| unpack_page(&packed))
            .map_err(|cause| InputError::new_err(format!("cannot unpack a page: {cause}")))?;
        Ok(Self {
            url: parse_url(&info.url)?,
            given_url: info.url,
            html: Html::Own(bytes),
            date: info.date,
            charset: info.charset,
            id: info.id,
            record: info.record,
        })
    }

    fn __repr__(&self) -> String {
        format!("Page({:?}, {} bytes)", self.given_url, self.size())
    }
}

/// The part of a sample key that all captures of one URL share.
#[pyfunction]
pub(crate) fn sample_key_url_hash(key: u64) -> u64 {
    SampleKey::from(key).url_hash()
}

impl Page {
    fn input_error(&self, cause: &str) -> PyErr {
        InputError::new_err((format!("{}: {cause}", self.url), self.url.to_string()))
    }
}
