//! Whether the server lives, and whether it takes requests.

use std::sync::Arc;

use axum::extract::State;

use crate::problem::{Kind, Problem};
use crate::state::Server;

/// Whether the server lives
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200, description = "It does", body = String, content_type = "text/plain")))]
pub(crate) async fn live() -> &'static str {
    "ok\n"
}

/// Whether the server takes requests
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operation",
    responses(
        (status = 200, description = "It does", body = String, content_type = "text/plain"),
        (status = 503, description = "It does not, or not now", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn ready(State(server): State<Arc<Server>>) -> Result<&'static str, Problem> {
    let not_ready = |kind, cause: &str| Err(Problem::new(kind, cause));
    if server.is_ending() {
        let cause = "the server finishes what is under way and takes nothing new";
        return not_ready(Kind::ShuttingDown, cause);
    }
    if server.queue.is_full() {
        let cause = "as many extractions wait as may: try again in some seconds";
        return not_ready(Kind::NotReady, cause);
    }
    if !server.store.is_well() {
        return not_ready(Kind::NotReady, "what was learned cannot be read");
    }
    Ok("ready\n")
}
