//! Checks the Host header and the bearer token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Uri, header};
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
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Problem::bad_request("several Host headers: send one").into_response();
    }
    let Some(host) = requested_host(&request) else {
        return Problem::bad_request("missing Host header").into_response();
    };
    if is_accepted_host(&server, &host) {
        return next.run(request).await;
    }
    let message = format!("unknown host {host:?}: to accept it, start the server with --name {host}");
    Problem::new(ProblemType::WrongHost, message).into_response()
}

/// Rejects requests by pages of other websites that would change something or make the server work.
pub(crate) async fn check_origin(
    State(server): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    if request.method().is_safe() || is_own_request(&server, &request) {
        return next.run(request).await;
    }
    let message =
        "a page of another website sent this request: to allow that, start the server with --cors ORIGIN";
    Problem::new(ProblemType::CrossOrigin, message).into_response()
}

/// Whether no browser sent a request, or a browser did for a page of this server or of an origin that is allowed.
fn is_own_request(server: &ServerState, request: &Request) -> bool {
    let field = |name| {
        request
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let Some(origin) = field(header::ORIGIN) else {
        return !matches!(field(SEC_FETCH_SITE), Some("cross-site" | "same-site"));
    };
    let host = field(header::HOST).or_else(|| request.uri().authority().map(|host| host.as_str()));
    let own_host = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    (own_host.is_some() && own_host == host)
        || server.settings.cors_origins.iter().any(|known| known == origin)
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets no page of another origin embed a response, not even as an image or a script.
pub(crate) async fn forbid_embedding(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let same_origin = HeaderValue::from_static("same-origin");
    response.headers_mut().insert(RESOURCE_POLICY, same_origin);
    response
}

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

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
