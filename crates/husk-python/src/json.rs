//! Values with many fields go to Python as JSON, which is faster than making objects one by one.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::errors::OptionError;

pub(crate) fn to_json<T: Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|cause| OptionError::new_err(cause.to_string()))
}

/// Parses a name such as `"domain"`; `option` is for the error message.
pub(crate) fn parse_name<T: DeserializeOwned>(option: &str, name: &str) -> PyResult<T> {
    let value = serde_json::Value::String(name.to_owned());
    serde_json::from_value(value).map_err(|cause| OptionError::new_err(format!("{option}: {cause}")))
}

/// Parses options. The error has no line number, since the user never saw the JSON.
pub(crate) fn parse_options<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|cause| {
        let message = cause.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        OptionError::new_err(format!("options: {message}"))
    })
}
