use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use husk_server::{Settings, router};
use husk_sources::{Private, Reach};
use serde_json::Value;
use std::time::Duration;
use tower::ServiceExt;

pub(crate) const JSON: &str = "application/json";
pub(crate) const EVENTS: &str = "text/event-stream";

/// A server without a socket.
#[derive(Clone)]
pub(crate) struct App(pub(crate) Router);

impl App {
    pub(crate) fn new(settings: Settings) -> Self {
        Self(router(settings).unwrap())
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response {
        self.0.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        Answer::read(self.send(request).await).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(request("GET", path)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.ask(request("DELETE", path)).await
    }

    pub(crate) async fn post(&self, path: &str, accept: &str, body: &Value) -> Answer {
        self.ask(post(path, accept, body)).await
    }
}

/// What was answered, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        Self {
            status: parts.status,
            headers: parts.headers,
            body: body.collect().await.unwrap().to_bytes().to_vec(),
        }
    }

    pub(crate) fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|cause| panic!("{cause}: {}", self.text()))
    }

    /// Fails unless this is a problem of a kind, and its detail says some words.
    #[track_caller]
    pub(crate) fn is_problem(&self, status: u16, kind: &str, words: &[&str]) {
        let told = self.text();
        assert_eq!(self.status.as_u16(), status, "{told}");
        assert_eq!(self.header(header::CONTENT_TYPE), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{kind}"), "{told}");
        assert_eq!(problem["status"], status, "{told}");
        assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()));
        let detail = problem["detail"].as_str().unwrap();
        for word in words {
            assert!(detail.contains(word), "{word:?} is missing in {detail:?}");
        }
    }

    /// The events of a stream: their names and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        assert_eq!(self.header(header::CONTENT_TYPE), EVENTS);
        self.text()
            .split("\n\n")
            .filter(|event| !event.is_empty() && !event.starts_with(':'))
            .map(event)
            .collect()
    }
}

/// One event, as it is sent.
pub(crate) fn event(text: &str) -> (String, Value) {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {text:?}")).trim()
    };
    (
        field("event:").to_owned(),
        serde_json::from_str(field("data:")).unwrap(),
    )
}

pub(crate) fn request(method: &str, path: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    request
        .header(header::HOST, "localhost")
        .body(Body::empty())
        .unwrap()
}

pub(crate) fn post(path: &str, accept: &str, body: &Value) -> Request<Body> {
    sent(path, accept, JSON, body.to_string().into_bytes())
}

pub(crate) fn sent(path: &str, accept: &str, media_type: &str, body: Vec<u8>) -> Request<Body> {
    let mut request = request("POST", path);
    let headers = request.headers_mut();
    if !accept.is_empty() {
        headers.insert(header::ACCEPT, accept.parse().unwrap());
    }
    if !media_type.is_empty() {
        headers.insert(header::CONTENT_TYPE, media_type.parse().unwrap());
    }
    *request.body_mut() = Body::from(body);
    request
}

/// A server that goes everywhere, and in a hurry: for sites on the loopback interface.
pub(crate) fn local() -> Settings {
    let mut settings = hurried();
    settings.http.reach = Reach {
        private: Private::Everywhere,
        typed_hosts: Vec::new(),
    };
    settings
}

/// As everybody has it, but without time between pages.
pub(crate) fn hurried() -> Settings {
    let mut settings = Settings::default();
    settings.http.delay = Duration::ZERO;
    settings
}
