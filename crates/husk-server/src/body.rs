//! Reads the body of a request, within a time and as far as there is memory for it.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use futures_util::StreamExt;

use crate::memory::Reservation;
use crate::problem::{Problem, ProblemType};
use crate::request::Body;
use crate::state::ServerState;

impl FromRequest<Arc<ServerState>> for Body {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Arc<ServerState>) -> Result<Self, Problem> {
        let sent = request.headers().get(header::CONTENT_TYPE);
        let media_type = sent.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let is_archive = match &*media_type {
            "application/json" => false,
            "application/warc" | "application/warc+gzip" | "application/x-warc" => true,
            other => {
                let sent = if other.is_empty() { "(none)" } else { other };
                return Err(Problem::new(
                    ProblemType::UnsupportedMediaType,
                    format!("unsupported Content-Type {sent}: send application/json or application/warc"),
                ));
            }
        };
        let time = server.settings.limits.body_time;
        let read = tokio::time::timeout(time, read_body(request.into_body(), server));
        let (bytes, memory) = read.await.map_err(|_| {
            let message = format!("the request body was not complete within {} s", time.as_secs());
            Problem::new(ProblemType::BodyTimeout, message)
        })??;
        Ok(Self {
            is_archive,
            bytes,
            memory,
        })
    }
}

/// Reads a body as far as there is memory for it.
async fn read_body(body: axum::body::Body, server: &ServerState) -> Result<(Vec<u8>, Reservation), Problem> {
    let too_large = || {
        let message = "the request body is too large: send fewer or smaller pages";
        Problem::new(ProblemType::BodyTooLarge, message)
    };
    let most = server.settings.limits.body_bytes;
    let least = body.size_hint().lower();
    if least > most as u64 {
        return Err(too_large());
    }
    let memory = server.body_memory.try_reserve(BODY_COPIES * least as usize)?;
    let (mut bytes, mut reserved) = (Vec::with_capacity(least as usize), least as usize);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk =
            chunk.map_err(|cause| Problem::bad_request(format!("cannot read the request body: {cause}")))?;
        if bytes.len() + chunk.len() > most {
            return Err(too_large());
        }
        if bytes.len() + chunk.len() > reserved {
            let more = (bytes.len() + chunk.len()).max(2 * reserved).min(most) - reserved;
            if !memory.grow(BODY_COPIES * more) {
                return Err(Problem::no_memory());
            }
            reserved += more;
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, memory))
}

/// A body is there as bytes and as the texts in it.
const BODY_COPIES: usize = 2;
