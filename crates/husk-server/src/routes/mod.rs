//! One file per route.

pub(crate) mod content;
pub(crate) mod health;
pub(crate) mod inspect;
pub(crate) mod menu;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod pagelets;
pub(crate) mod results;
pub(crate) mod sites;
pub(crate) mod template;
pub(crate) mod web_page;

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use husk::output::Part;

use crate::accept;
use crate::answer::{OutputAnswer, answer};
use crate::outputs;
use crate::problem::Problem;
use crate::request::{ArchiveParameters, Body};
use crate::state::ServerState;

/// The query parameters.
pub(crate) struct Parameters(ArchiveParameters);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = Query::try_from_uri(&parts.uri)
            .map_err(|cause| Problem::bad_request(format!("invalid URL: {}", cause.body_text())))?;
        Ok(Self(query.0))
    }
}

/// Extracts one part of a page.
async fn part(
    part: Part,
    server: Arc<ServerState>,
    Parameters(parameters): Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let settings = &server.settings;
    let request = match body.parse(parameters, &settings.limits, &settings.options) {
        Ok(request) => request,
        Err(problem) => return problem.into_response(),
    };
    let output = match outputs::choose(part, request.format.as_deref(), &headers) {
        Ok(output) => output,
        Err(problem) => return problem.into_response(),
    };
    let options = request.write.clone();
    let is_streamed = accept::wants_events(&headers);
    answer(server, request, is_streamed, move |_, extracted| {
        Ok(OutputAnswer {
            media_type: output.media_type,
            text: output.write(&extracted.analysis, &options)?.text,
            learned: extracted.learned,
        })
    })
    .await
}

/// The path parameters.
fn path_parameters<T>(path: Result<Path<T>, PathRejection>) -> Result<T, Problem> {
    path.map(|Path(parameters)| parameters)
        .map_err(|cause| Problem::bad_request(format!("invalid URL: {}", cause.body_text())))
}

fn store_failed(cause: impl std::fmt::Display) -> Problem {
    Problem::internal(format!("store: {cause}"))
}

/// Uses the store on a blocking thread.
async fn in_store<T: Send + 'static, E: std::fmt::Display + Send + 'static>(
    server: Arc<ServerState>,
    act: impl FnOnce(&ServerState) -> Result<T, E> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(move || act(&server)).await;
    done.map_err(Problem::internal)?.map_err(store_failed)
}
