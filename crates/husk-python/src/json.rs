//! Values with many fields go to Python as JSON, which it reads faster than it makes objects one by one.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::OptionError;

pub(crate) fn to_json<T: Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|cause| OptionError::new_err(cause.to_string()))
}

/// Something that was said by name, such as `"domain"`; what it was said of stands in front of the message.
pub(crate) fn named<T: DeserializeOwned>(what: &str, name: &str) -> PyResult<T> {
    let value = serde_json::Value::String(name.to_owned());
    serde_json::from_value(value).map_err(|cause| OptionError::new_err(format!("{what}: {cause}")))
}

/// Options from JSON that the caller never saw, so that no place in it is told.
pub(crate) fn options<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|cause| {
        let told = cause.to_string();
        let told = told.split(" at line ").next().unwrap_or_default();
        OptionError::new_err(format!("options: {told}"))
    })
}
