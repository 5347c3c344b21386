//! `POST /v1/template`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Parameters, part};
use crate::forms::Part;
use crate::problem::Problem;
use crate::request::{ArchiveFile, ArchiveParameters, Body, ExtractionRequest};
use crate::state::Server;

/// The template of a page
///
/// What the page shares with its siblings, as JSON or as HTML with slots, as `husk template` prints it. Answers by `Accept`; `text/event-stream` tells of progress
/// and ends with an event `result` or `problem`.
#[utoipa::path(
    post,
    path = "/v1/template",
    tag = "extraction",
    params(ArchiveParameters),
    request_body(content(
        (ExtractionRequest = "application/json"),
        (ArchiveFile = "application/warc"),
    )),
    responses(
        (status = 200, description = "The template", content(
            (Object = "application/json"),
            (String = "text/html"),
            (String = "text/plain"),
            (String = "text/event-stream"),
        )),
        (status = "4XX", description = "The request cannot be answered", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be had in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn template(
    State(server): State<Arc<Server>>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    part(Part::Template, server, parameters, headers, body).await
}
