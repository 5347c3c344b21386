//! Everything that can go wrong, as `application/problem+json` (RFC 9457): the one place where causes become statuses.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use husk_sources::LoadError;
use serde::Serialize;
use utoipa::ToSchema;

/// The media type of problems.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Problem {
    /// Which kind of problem it is; stays the same over time.
    #[serde(rename = "type")]
    #[schema(example = "/problems/private-address")]
    pub(crate) kind: String,
    /// The kind in words.
    pub(crate) title: String,
    /// The status of the answer.
    #[schema(example = 403)]
    pub(crate) status: u16,
    /// What it was this time, and what to do.
    pub(crate) detail: String,
    /// In how many seconds it may be tried again, where that would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
    /// The pages to choose from, where one has to be named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pages: Vec<String>,
}

/// The kinds of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    BadRequest,
    Unauthorized,
    PrivateAddress,
    WrongHost,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    BodyTooLarge,
    UnsupportedMediaType,
    WhichPage,
    NoSibling,
    NoMenu,
    NoContent,
    TooBusy,
    PageNotLoaded,
    TimedOut,
    NotReady,
    ShuttingDown,
    Internal,
}

impl Kind {
    fn about(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::BadRequest => (
                StatusCode::BAD_REQUEST,
                "bad-request",
                "The request cannot be understood",
            ),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "A token is needed"),
            Self::PrivateAddress => (
                StatusCode::FORBIDDEN,
                "private-address",
                "The address is not on the public internet",
            ),
            Self::WrongHost => (
                StatusCode::MISDIRECTED_REQUEST,
                "wrong-host",
                "This server has another name",
            ),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "There is nothing here"),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method-not-allowed",
                "This cannot be done here",
            ),
            Self::NotAcceptable => (
                StatusCode::NOT_ACCEPTABLE,
                "not-acceptable",
                "There is no such form of the answer",
            ),
            Self::BodyTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "body-too-large",
                "The request is too large",
            ),
            Self::UnsupportedMediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                "The request is in a form that is not read here",
            ),
            Self::WhichPage => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "which-page",
                "There are several pages to choose from",
            ),
            Self::NoSibling => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "no-sibling",
                "There is no other page to compare with",
            ),
            Self::NoMenu => (StatusCode::UNPROCESSABLE_ENTITY, "no-menu", "No menu was found"),
            Self::NoContent => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "no-content",
                "No content was found",
            ),
            Self::TooBusy => (
                StatusCode::TOO_MANY_REQUESTS,
                "too-busy",
                "Too many extractions are waiting already",
            ),
            Self::PageNotLoaded => (
                StatusCode::BAD_GATEWAY,
                "page-not-loaded",
                "The page could not be loaded",
            ),
            Self::TimedOut => (StatusCode::GATEWAY_TIMEOUT, "timed-out", "It took too long"),
            Self::NotReady => (
                StatusCode::SERVICE_UNAVAILABLE,
                "not-ready",
                "The server takes nothing now",
            ),
            Self::ShuttingDown => (
                StatusCode::SERVICE_UNAVAILABLE,
                "shutting-down",
                "The server is about to end",
            ),
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "Something is wrong with the server",
            ),
        }
    }
}

impl Problem {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        let (status, name, title) = kind.about();
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
        Self::new(Kind::BadRequest, detail)
    }

    /// What nobody but the operator can do something about: he finds the cause in the log.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal problem");
        Self::new(Kind::Internal, "the server's log says more; try again later")
    }

    /// Why the key page could not be had.
    pub(crate) fn of_load(cause: &LoadError) -> Self {
        let kind = match cause {
            LoadError::Private { .. } => Kind::PrivateAddress,
            LoadError::Timeout { .. } => Kind::TimedOut,
            LoadError::Scheme { .. } | LoadError::Secret { .. } => Kind::BadRequest,
            LoadError::NotInArchive { .. } => Kind::NotFound,
            _ => Kind::PageNotLoaded,
        };
        // The flags that it names are those of the command.
        let text = cause.to_string();
        let detail = match cause {
            LoadError::Private { object, address } => {
                format!(
                    "{object} leads to {address}, which is not on the public internet: this server does not go there"
                )
            }
            LoadError::Robots { object, robots } => format!("{object} is not to be loaded, says {robots}"),
            LoadError::Timeout { object, stage, .. } => {
                format!("{object}: {stage} took too long; try again later")
            }
            _ => text,
        };
        Self::new(kind, detail)
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
