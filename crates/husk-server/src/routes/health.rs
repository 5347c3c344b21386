//! `GET /healthz` and `GET /readyz`.

use std::sync::Arc;

use axum::extract::State;
use husk_store::StoreError;

use super::in_store;
use crate::problem::{Problem, ProblemType};
use crate::state::ServerState;

/// Liveness check
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200, description = "The server runs", body = String, content_type = "text/plain")))]
pub(crate) async fn live() -> &'static str {
    "ok\n"
}

/// Readiness check
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operation",
    responses(
        (status = 200, description = "The server accepts requests", body = String, content_type = "text/plain"),
        (status = 503, description = "The server does not accept requests now", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn ready(State(server): State<Arc<ServerState>>) -> Result<&'static str, Problem> {
    let failed = |problem_type, cause: &str| Err(Problem::new(problem_type, cause));
    if server.is_shutting_down() {
        return failed(
            ProblemType::ShuttingDown,
            "the server is finishing its last requests",
        );
    }
    if server.queue.is_full() {
        return failed(ProblemType::NotReady, "the queue is full: retry in a few seconds");
    }
    let is_healthy = in_store(server, |server| Ok::<_, StoreError>(server.store.is_healthy()));
    if !is_healthy.await? {
        return failed(
            ProblemType::NotReady,
            "the store cannot be written: see the server's log",
        );
    }
    Ok("ready\n")
}
