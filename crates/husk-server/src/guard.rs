//! Checks the Host header and the bearer token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, ProblemType};
use crate::state::ServerState;

const LOCAL_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Rejects requests for other hosts. Prevents DNS rebinding: a web page could point its own domain at this machine and read
/// the responses as its own.
pub(crate) async fn check_host(
    State(server): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(host) = requested_host(&request) else {
        return Problem::bad_request("missing Host header").into_response();
    };
    if is_accepted_host(&server, &host) {
        return next.run(request).await;
    }
    let message = format!("unknown host {host:?}: to accept it, start the server with --name {host}");
    Problem::new(ProblemType::WrongHost, message).into_response()
}

fn requested_host(request: &Request) -> Option<String> {
    let field = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let sent = field.and_then(|host| host.parse::<Uri>().ok()?.host().map(str::to_owned));
    let host = sent.or_else(|| request.uri().host().map(str::to_owned))?;
    Some(host.trim_end_matches('.').to_ascii_lowercase())
}

fn is_accepted_host(server: &ServerState, host: &str) -> bool {
    let settings = &server.settings;
    let is_local = LOCAL_NAMES.iter().any(|name| name.eq_ignore_ascii_case(host));
    if settings.names.is_empty() {
        return is_local || !settings.address.ip().is_loopback();
    }
    is_local || settings.names.iter().any(|name| name.eq_ignore_ascii_case(host))
}

/// Rejects API requests without the token, if one is set.
pub(crate) async fn check_token(
    State(server): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(token) = &server.settings.token else {
        return next.run(request).await;
    };
    let path = request.uri().path();
    let needs_token = (path.starts_with("/v1/") && path != "/v1/openapi.json") || path == "/metrics";
    if !needs_token || has_token(&request, token) {
        return next.run(request).await;
    }
    let message = "missing or wrong token: send Authorization: Bearer TOKEN";
    Problem::new(ProblemType::Unauthorized, message).into_response()
}

fn has_token(request: &Request, token: &str) -> bool {
    let field = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|field| field.to_str().ok());
    let Some((scheme, sent)) = field.and_then(|field| field.split_once(' ')) else {
        return false;
    };
    scheme.eq_ignore_ascii_case("bearer") && is_equal(sent.trim().as_bytes(), token.as_bytes())
}

/// Compares in constant time.
fn is_equal(sent: &[u8], token: &[u8]) -> bool {
    let difference = sent
        .iter()
        .zip(token)
        .fold(0, |difference, (one, other)| difference | (one ^ other));
    sent.len() == token.len() && difference == 0
}
