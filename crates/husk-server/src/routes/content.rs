//! `POST /v1/content`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use husk::output::Part;

use super::{Parameters, part};
use crate::problem::Problem;
use crate::request::{ArchiveFile, ArchiveParameters, Body, ExtractionRequest};
use crate::state::ServerState;

/// The content of a page
///
/// As `husk content` prints it. A page without siblings is extracted by the single-page method. `Accept` selects the format;
/// `text/event-stream` sends progress and ends with `result` or `problem`.
#[utoipa::path(
    post,
    path = "/v1/content",
    tag = "extraction",
    params(ArchiveParameters),
    request_body(content(
        (ExtractionRequest = "application/json"),
        (ArchiveFile = "application/warc"),
    )),
    responses(
        (status = 200, description = "The content", content(
            (String = "text/event-stream"),
        )),
        (status = "4XX", description = "Invalid request, or nothing found", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be loaded, or a time limit was exceeded", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn content(
    State(server): State<Arc<ServerState>>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    part(Part::Content, server, parameters, headers, body).await
}
