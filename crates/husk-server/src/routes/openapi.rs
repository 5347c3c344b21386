//! The description of the API, for programs and for people.

use std::sync::Arc;

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::forms::{HTML, JSON};

/// The description, made once.
pub(crate) struct Description {
    pub(crate) json: String,
    pub(crate) page: String,
}

/// What the page of the description may do: nothing but be read.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The description of this API
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    tag = "operation",
    security(()),
    responses((status = 200, description = "The description, in the form of OpenAPI", content((Object = "application/json")))),
)]
pub(crate) async fn json(Extension(description): Extension<Arc<Description>>) -> Response {
    ([(header::CONTENT_TYPE, JSON)], description.json.clone()).into_response()
}

/// The same for people.
pub(crate) async fn page(Extension(description): Extension<Arc<Description>>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HTML),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, description.page.clone()).into_response()
}
