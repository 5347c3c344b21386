//! The web page and its files.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, ProblemType};

/// Built from `web/` and checked in, so that building the server needs Rust only.
const INDEX: &str = include_str!("../../assets/index.html");
const FILES: [(&str, &str, &str); 3] = [
    (
        "app.js",
        "text/javascript; charset=utf-8",
        include_str!("../../assets/app.js"),
    ),
    (
        "app.css",
        "text/css; charset=utf-8",
        include_str!("../../assets/app.css"),
    ),
    ("icon.svg", "image/svg+xml", include_str!("../../assets/icon.svg")),
];

/// Only its own script runs and nothing is loaded from other hosts; frames inherit that.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline' data:; img-src 'self' data:; \
    font-src data:; connect-src 'self'; frame-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page; its script reads the result from the URL.
pub(crate) async fn index() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, INDEX).into_response()
}

pub(crate) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(&(_, media_type, text)) = FILES.iter().find(|(known, ..)| *known == name) else {
        return Problem::new(ProblemType::NotFound, format!("no such file: {name:?}")).into_response();
    };
    let tag = etag_of(text);
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag),
    ];
    (headers, text).into_response()
}

/// Entity tag: an FNV hash of the file.
fn etag_of(text: &str) -> HeaderValue {
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    HeaderValue::from_str(&format!("\"{hash:x}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}
