//! `GET /metrics`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::in_store;
use crate::metrics::GaugeValues;
use crate::problem::Problem;
use crate::state::ServerState;

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Metrics for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operation",
    responses((status = 200, description = "All metrics", body = String, content_type = "application/openmetrics-text")),
)]
pub(crate) async fn metrics(State(server): State<Arc<ServerState>>) -> Result<impl IntoResponse, Problem> {
    let (results, sites) = in_store(server.clone(), |server| server.store.counts()).await?;
    let values = GaugeValues {
        running: server.queue.running(),
        queued: server.queue.queued(),
        results,
        sites,
    };
    Ok(([(header::CONTENT_TYPE, OPENMETRICS)], server.metrics.text(values)))
}
