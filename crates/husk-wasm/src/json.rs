//! Values on their way between Rust and JavaScript, as JSON: the same that the command prints.

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// A value for JavaScript, of the type that the caller declares.
pub(crate) fn to_js<T: JsCast>(value: &impl Serialize) -> Result<T, JsError> {
    let text = serde_json::to_string(value)?;
    let value = JSON::parse(&text).map_err(|_| JsError::new("what was found cannot be written as JSON"))?;
    Ok(value.unchecked_into())
}

/// A value from JavaScript; the default if there is none.
pub(crate) fn from_js<T: DeserializeOwned + Default>(value: &JsValue) -> Result<T, String> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    let text = JSON::stringify(value)
        .ok()
        .and_then(|text| text.as_string())
        .ok_or("it is no plain object")?;
    serde_json::from_str(&text).map_err(|cause| cause.to_string())
}
