//! The exceptions of `husk.errors`.

use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(husk.errors, InputError);
import_exception!(husk.errors, NoContentError);
import_exception!(husk.errors, NoMenuError);
import_exception!(husk.errors, NoSiblingError);
import_exception!(husk.errors, NotAPageError);
import_exception!(husk.errors, OptionError);
import_exception!(husk.errors, SessionError);
import_exception!(husk.errors, TemplatesError);
import_exception!(husk.errors, UrlError);

pub(crate) fn parse_url(url: &str) -> PyResult<husk::Url> {
    husk_bulk::parse_page_url(url).map_err(|cause| {
        let message = format!("{url:?} is not a URL: {cause}; expected one like https://example.org/");
        UrlError::new_err((message, url.to_owned()))
    })
}
