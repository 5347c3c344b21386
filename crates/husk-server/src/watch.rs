//! Every request in the log and in the metrics, and on every answer what browsers should know.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::state::Server;

pub(crate) async fn watch(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = uuid::Uuid::new_v4().simple().to_string();
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>();
    // Not the address itself: there are too many of them to count, and the log has it.
    let route = matched.map_or("none", MatchedPath::as_str).to_owned();
    let path = request.uri().path().to_owned();
    let begun = Begun {
        id: &id,
        path: &path,
        is_answered: false,
    };
    tracing::debug!(id, %method, path, "request");
    let mut response = next.run(request).await;
    begun.answered();
    let (status, took) = (response.status().as_u16(), began.elapsed());
    server
        .metrics
        .answered(&route, counted_method(&method), status, took);
    tracing::info!(id, %method, path, status, milliseconds = took.as_millis() as u64, "answered");
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    response
}

/// The name that a method is counted by. Anybody can think of more of them than there is room for.
fn counted_method(method: &Method) -> &str {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH") => known,
        _ => "other",
    }
}

/// A request that was begun; who left before the answer is in the log, too.
struct Begun<'a> {
    id: &'a str,
    path: &'a str,
    is_answered: bool,
}

impl Begun<'_> {
    fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            tracing::info!(id = self.id, path = self.path, "the client left");
        }
    }
}
