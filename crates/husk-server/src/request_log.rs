//! Logs and counts every request, and sets the headers that every response has.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::state::ServerState;

pub(crate) async fn log_request(
    State(server): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let request_id = uuid::Uuid::new_v4().simple().to_string();
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>();
    // The route, not the path: a label with arbitrary values would grow without bound.
    let route = matched.map_or("none", MatchedPath::as_str).to_owned();
    let path = request.uri().path().to_owned();
    let pending = PendingRequest {
        request_id: &request_id,
        path: &path,
        is_answered: false,
    };
    tracing::debug!(request_id, %method, path, "request");
    let mut response = next.run(request).await;
    pending.answered();
    let (status, took) = (response.status().as_u16(), started.elapsed());
    server
        .metrics
        .count_request(&route, method_label(&method), status, took);
    tracing::info!(request_id, %method, path, status, duration_ms = took.as_millis() as u64, "response");
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(request_id) = HeaderValue::from_str(&request_id) {
        headers.insert("x-request-id", request_id);
    }
    response
}

/// A bounded set of labels: clients can invent methods.
fn method_label(method: &Method) -> &str {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH") => known,
        _ => "other",
    }
}

/// Logs a disconnect if dropped before the response.
struct PendingRequest<'a> {
    request_id: &'a str,
    path: &'a str,
    is_answered: bool,
}

impl PendingRequest<'_> {
    fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for PendingRequest<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            tracing::info!(
                request_id = self.request_id,
                path = self.path,
                "client disconnected"
            );
        }
    }
}
