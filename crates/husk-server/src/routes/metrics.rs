//! What operators want to know.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::in_store;
use crate::metrics::Levels;
use crate::problem::Problem;
use crate::state::Server;

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counts and times, for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operation",
    responses((status = 200, description = "All of them", body = String, content_type = "application/openmetrics-text")),
)]
pub(crate) async fn metrics(State(server): State<Arc<Server>>) -> Result<impl IntoResponse, Problem> {
    let (results, sites) = in_store(server.clone(), |server| server.store.counts()).await?;
    let levels = Levels {
        under_way: server.queue.under_way(),
        waiting: server.queue.waiting(),
        results,
        sites,
    };
    Ok(([(header::CONTENT_TYPE, OPENMETRICS)], server.metrics.text(levels)))
}
