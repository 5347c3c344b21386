//! `POST /v1/inspect`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use husk::output::Part;

use super::{Parameters, part};
use crate::problem::Problem;
use crate::request::{ArchiveFile, ArchiveParameters, Body, ExtractionRequest};
use crate::state::ServerState;

/// An inspection of a page
///
/// An HTML report, as `husk inspect` writes it; as JSON, the part that each node belongs to. `Accept` selects the format;
/// `text/event-stream` sends progress and ends with `result` or `problem`.
#[utoipa::path(
    post,
    path = "/v1/inspect",
    tag = "extraction",
    params(ArchiveParameters),
    request_body(content(
        (ExtractionRequest = "application/json"),
        (ArchiveFile = "application/warc"),
    )),
    responses(
        (status = 200, description = "The report", content(
            (String = "text/event-stream"),
        )),
        (status = "4XX", description = "Invalid request, or nothing found", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be loaded, or a time limit was exceeded", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn inspect(
    State(server): State<Arc<ServerState>>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    part(Part::Inspect, server, parameters, headers, body).await
}
