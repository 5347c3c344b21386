//! Errors as `application/problem+json` (RFC 9457): the one place where causes become status codes.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use husk_sources::LoadError;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Stable identifier of the kind of error.
    #[serde(rename = "type")]
    #[schema(example = "/problems/private-address")]
    pub(crate) kind: String,
    /// Short description of the kind of error.
    pub(crate) title: String,
    /// HTTP status code.
    #[schema(example = 403)]
    pub(crate) status: u16,
    /// What went wrong in this request, and what to do.
    pub(crate) detail: String,
    /// Seconds to wait before a retry, as in `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
    /// URLs to choose from, for `page-required`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pages: Vec<String>,
}

/// The kinds of errors; docs/serve.md lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemType {
    BadRequest,
    Unauthorized,
    PrivateAddress,
    WrongHost,
    CrossOrigin,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    BodyTimeout,
    BodyTooLarge,
    UnsupportedMediaType,
    PageRequired,
    UnknownFormat,
    NoSibling,
    NoMenu,
    NoContent,
    OutputTooLarge,
    QueueFull,
    NoMemory,
    PageNotLoaded,
    Timeout,
    NotReady,
    ShuttingDown,
    Internal,
}

impl ProblemType {
    fn describe(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::BadRequest => (StatusCode::BAD_REQUEST, "bad-request", "Invalid request"),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "Missing or wrong token"),
            Self::PrivateAddress => (StatusCode::FORBIDDEN, "private-address", "No public IP address"),
            Self::WrongHost => (StatusCode::MISDIRECTED_REQUEST, "wrong-host", "Unknown host name"),
            Self::CrossOrigin => (
                StatusCode::FORBIDDEN,
                "cross-origin",
                "Request of another website",
            ),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method-not-allowed",
                "Method not allowed",
            ),
            Self::NotAcceptable => (
                StatusCode::NOT_ACCEPTABLE,
                "not-acceptable",
                "No matching media type",
            ),
            Self::BodyTimeout => (
                StatusCode::REQUEST_TIMEOUT,
                "body-timeout",
                "Request body too slow",
            ),
            Self::BodyTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "body-too-large",
                "Request body too large",
            ),
            Self::UnsupportedMediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                "Unsupported request media type",
            ),
            Self::PageRequired => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "page-required",
                "The archive has several pages",
            ),
            Self::UnknownFormat => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "unknown-format",
                "The part has no such format",
            ),
            Self::NoSibling => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "no-sibling",
                "No page to compare with",
            ),
            Self::NoMenu => (StatusCode::UNPROCESSABLE_ENTITY, "no-menu", "No menu found"),
            Self::NoContent => (StatusCode::UNPROCESSABLE_ENTITY, "no-content", "No content found"),
            Self::OutputTooLarge => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "output-too-large",
                "The output is too large",
            ),
            Self::QueueFull => (StatusCode::TOO_MANY_REQUESTS, "queue-full", "Too many requests"),
            Self::NoMemory => (StatusCode::SERVICE_UNAVAILABLE, "no-memory", "No memory is free"),
            Self::PageNotLoaded => (
                StatusCode::BAD_GATEWAY,
                "page-not-loaded",
                "The page could not be loaded",
            ),
            Self::Timeout => (StatusCode::GATEWAY_TIMEOUT, "timeout", "Time limit exceeded"),
            Self::NotReady => (
                StatusCode::SERVICE_UNAVAILABLE,
                "not-ready",
                "The server is not ready",
            ),
            Self::ShuttingDown => (
                StatusCode::SERVICE_UNAVAILABLE,
                "shutting-down",
                "The server is shutting down",
            ),
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal-error",
                "Internal error",
            ),
        }
    }
}

impl Problem {
    pub(crate) fn new(problem_type: ProblemType, detail: impl Into<String>) -> Self {
        let (status, name, title) = problem_type.describe();
        Self {
            kind: format!("/problems/{name}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            retry_after: None,
            pages: Vec::new(),
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(ProblemType::BadRequest, detail)
    }

    /// An error of the server itself. Its cause goes to the log only.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(ProblemType::Internal, "see the server's log")
    }

    /// No memory is free for the request.
    pub(crate) fn no_memory() -> Self {
        /// Most requests take less.
        const SECONDS: u64 = 5;
        let mut problem = Self::new(
            ProblemType::NoMemory,
            "other requests use the memory of this server: retry in a few seconds",
        );
        problem.retry_after = Some(SECONDS);
        problem
    }

    /// The key page could not be loaded.
    pub(crate) fn of_load(cause: &LoadError) -> Self {
        let problem_type = match cause {
            LoadError::Private { .. } | LoadError::UnknownHost { .. } => ProblemType::PrivateAddress,
            LoadError::Timeout { .. } => ProblemType::Timeout,
            LoadError::NotAdmitted { .. } => return Self::no_memory(),
            LoadError::Scheme { .. } | LoadError::Credentials { .. } => ProblemType::BadRequest,
            LoadError::NotInArchive { .. } => ProblemType::NotFound,
            _ => ProblemType::PageNotLoaded,
        };
        // The messages of these errors name flags of the command.
        let detail = match cause {
            LoadError::Private { object, .. } | LoadError::UnknownHost { object, .. } => {
                format!("the host of {object} has no public IP address: this server loads public pages only")
            }
            LoadError::Robots { object, robots } => format!("{object} is disallowed by {robots}"),
            LoadError::Timeout { object, stage, .. } => {
                format!("{object}: {stage} timed out")
            }
            _ => cause.to_string(),
        };
        Self::new(problem_type, detail)
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status(), [(header::CONTENT_TYPE, PROBLEM_JSON)], body).into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED.as_u16() {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
