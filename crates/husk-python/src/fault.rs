//! What goes wrong, as the exceptions of `husk.errors`.

use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(husk.errors, AddressError);
import_exception!(husk.errors, InputError);
import_exception!(husk.errors, NotAPageError);
import_exception!(husk.errors, OptionError);
import_exception!(husk.errors, SessionError);
import_exception!(husk.errors, TemplatesError);

pub(crate) fn address(url: &str) -> PyResult<husk::Url> {
    husk::Url::parse(url).map_err(|cause| {
        let message =
            format!("{url:?} is no address: {cause}; give it in full, such as https://example.org/");
        AddressError::new_err((message, url.to_owned()))
    })
}
