//! The OpenAPI description and its HTML page.

use std::sync::Arc;

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use husk::output::{HTML, JSON};

/// Both forms, built once.
pub(crate) struct Description {
    pub(crate) json: String,
    pub(crate) page: String,
}

/// No scripts, nothing from other hosts.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The OpenAPI description
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    tag = "operation",
    security(()),
    responses((status = 200, description = "The OpenAPI description", content((Object = "application/json")))),
)]
pub(crate) async fn json(Extension(description): Extension<Arc<Description>>) -> Response {
    ([(header::CONTENT_TYPE, JSON)], description.json.clone()).into_response()
}

/// The description as an HTML page.
pub(crate) async fn page(Extension(description): Extension<Arc<Description>>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HTML),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, description.page.clone()).into_response()
}
