//! From an extraction to the response: one body, or a stream of progress events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use husk::output::JSON;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::task::AbortOnDropHandle;

use crate::extraction::{Extracted, Learned, run_extraction};
use crate::problem::Problem;
use crate::progress::{ProgressEvent, ProgressSender};
use crate::request::ParsedRequest;
use crate::state::ServerState;

/// Says that a template was known before, and how old it is.
const LEARNED: HeaderName = HeaderName::from_static("husk-learned");

/// What HTML from elsewhere may do where somebody opens it at our address: be looked at.
pub(crate) const FOREIGN_HTML: &str = "default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// So long a connection is silent at most.
const SILENCE: Duration = Duration::from_secs(10);

/// Something that can be answered at once, or as the last event.
pub(crate) trait Answer: Send + 'static {
    fn into_answer(self) -> Response;
    fn into_event(self) -> Value;
}

/// Extracts, makes something of it, and answers with that.
pub(crate) async fn answer<A: Answer>(
    server: Arc<ServerState>,
    asked: ParsedRequest,
    is_streamed: bool,
    make: impl FnOnce(&ServerState, Extracted) -> Result<A, Problem> + Send + 'static,
) -> Response {
    if is_streamed {
        return streamed(server, asked, make);
    }
    match run_extraction(server, asked, ProgressSender::disabled(), make).await {
        Ok((made, memory)) => {
            let response = made.into_answer();
            memory.shrink_to(response.body().size_hint().lower() as usize);
            memory.until_sent(response)
        }
        Err(problem) => problem.into_response(),
    }
}

fn streamed<A: Answer>(
    server: Arc<ServerState>,
    asked: ParsedRequest,
    make: impl FnOnce(&ServerState, Extracted) -> Result<A, Problem> + Send + 'static,
) -> Response {
    let (sender, events) = unbounded_channel();
    let task = tokio::spawn(async move {
        let last = match run_extraction(server, asked, ProgressSender::new(sender.clone()), make).await {
            Ok((made, _)) => ProgressEvent {
                name: "result",
                data: made.into_event(),
            },
            Err(problem) => ProgressEvent {
                name: "problem",
                data: json!(problem),
            },
        };
        // Whoever has left needs to hear nothing.
        let _ = sender.send(last);
    });
    // The work ends with the stream: nobody would see what comes of it.
    let task = AbortOnDropHandle::new(task);
    let events = stream::unfold(Some((events, task)), async |under_way| {
        let (mut events, task) = under_way?;
        let event = events.recv().await?;
        // What ran out of time may go on telling for a moment, but nothing comes after the last event.
        let is_last = matches!(event.name, "result" | "problem");
        Some((event, (!is_last).then_some((events, task))))
    });
    Sse::new(events.map(sse_event))
        .keep_alive(KeepAlive::new().interval(SILENCE))
        .into_response()
}

fn sse_event(event: ProgressEvent) -> Result<Event, Infallible> {
    Ok(Event::default().event(event.name).data(event.data.to_string()))
}

/// An output, and the stored template that was used.
pub(crate) struct OutputAnswer {
    pub(crate) media_type: &'static str,
    pub(crate) text: String,
    pub(crate) learned: Option<Learned>,
}

impl Answer for OutputAnswer {
    fn into_answer(self) -> Response {
        let mut response = foreign(self.media_type, self.text.into_bytes());
        if let Some(learned) = self.learned {
            let learned = format!(
                "layout={}; age={}; pages={}",
                learned.layout, learned.age_seconds, learned.pages
            );
            if let Ok(learned) = HeaderValue::from_str(&learned) {
                response.headers_mut().insert(LEARNED, learned);
            }
        }
        response
    }

    fn into_event(self) -> Value {
        let body = match self.media_type {
            JSON => serde_json::from_str(&self.text).unwrap_or(Value::Null),
            _ => Value::String(self.text),
        };
        json!({"content_type": self.media_type, "body": body, "learned": self.learned})
    }
}

/// An output that is safe to open in a browser, whatever page it is from.
pub(crate) fn foreign(media_type: &'static str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, FOREIGN_HTML),
        (header::VARY, "accept"),
    ];
    (StatusCode::OK, headers, bytes).into_response()
}
