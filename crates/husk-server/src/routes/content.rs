//! `POST /v1/content`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Parameters, part};
use crate::forms::Part;
use crate::problem::Problem;
use crate::request::{ArchiveFile, ArchiveParameters, Body, ExtractionRequest};
use crate::state::Server;

/// The content of a page
///
/// What a reader came for, as `husk content` prints it. Told by the page alone where it has no siblings. Answers by `Accept`; `text/event-stream` tells of progress
/// and ends with an event `result` or `problem`.
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
            (Object = "application/json"),
            (String = "text/html"),
            (String = "text/markdown"),
            (String = "text/plain"),
            (String = "text/event-stream"),
        )),
        (status = "4XX", description = "The request cannot be answered", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be had in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn content(
    State(server): State<Arc<Server>>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    part(Part::Content, server, parameters, headers, body).await
}
