//! Who may ask: by the name that the server is called by, and by what only some know.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Kind, Problem};
use crate::state::Server;

/// The names that this machine has for itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Sends away who calls the server by another name than its own. A page of the web could have its own name lead to this
/// machine, and then read what the server answers as if it came from itself.
pub(crate) async fn check_name(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let Some(name) = name_of(&request) else {
        return Problem::bad_request("the request does not say which host it is for (Host)").into_response();
    };
    if is_own_name(&server, &name) {
        return next.run(request).await;
    }
    let message =
        format!("{name:?} is not the name of this server: allow it (--name {name}) if that is meant");
    Problem::new(Kind::WrongHost, message).into_response()
}

fn name_of(request: &Request) -> Option<String> {
    let field = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let said = field.and_then(|host| host.parse::<Uri>().ok()?.host().map(str::to_owned));
    let name = said.or_else(|| request.uri().host().map(str::to_owned))?;
    Some(name.trim_end_matches('.').to_ascii_lowercase())
}

fn is_own_name(server: &Server, name: &str) -> bool {
    let settings = &server.settings;
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    if settings.names.is_empty() {
        return !settings.address.ip().is_loopback() || OWN_NAMES.iter().any(|known| is(known));
    }
    settings.names.iter().any(|known| is(known)) || OWN_NAMES.iter().any(|known| is(known))
}

/// Sends away who does not know the token, if there is one, from everything but what tells no secrets.
pub(crate) async fn check_token(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let Some(token) = &server.settings.token else {
        return next.run(request).await;
    };
    let path = request.uri().path();
    let is_secret = (path.starts_with("/v1/") && path != "/v1/openapi.json") || path == "/metrics";
    if !is_secret || knows(&request, token) {
        return next.run(request).await;
    }
    let message = "this server answers those who know its token: send it along (Authorization: Bearer TOKEN)";
    Problem::new(Kind::Unauthorized, message).into_response()
}

fn knows(request: &Request, token: &str) -> bool {
    let field = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|field| field.to_str().ok());
    let Some((scheme, said)) = field.and_then(|field| field.split_once(' ')) else {
        return false;
    };
    scheme.eq_ignore_ascii_case("bearer") && is_same(said.trim().as_bytes(), token.as_bytes())
}

/// Takes as long for a wrong guess that begins well as for any other.
fn is_same(said: &[u8], token: &[u8]) -> bool {
    let differing = said
        .iter()
        .zip(token)
        .fold(0, |differing, (one, other)| differing | (one ^ other));
    said.len() == token.len() && differing == 0
}
