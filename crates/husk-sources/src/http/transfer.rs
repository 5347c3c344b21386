//! Sends one request and reads the response, within limits of time and size.

use std::time::{Duration, SystemTime};

use husk::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use tokio::time::{Instant, timeout};

use super::cause;
use super::resolver::Resolver;
use super::robots;
use crate::capture::{Capture, MediaType, decoded};
use crate::source::LoadError;

/// Extra time, so that a stage can report its own timeout.
const GRACE: Duration = Duration::from_millis(50);

/// The time left for a page, over all its requests. Delays between requests do not count.
#[derive(Debug)]
pub(super) struct Clock {
    whole: Duration,
    left: Duration,
}

impl Clock {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, left: whole }
    }

    /// Waits for something up to a limit; fails with the limit that applied.
    async fn run<T>(&mut self, limit: Duration, work: impl Future<Output = T>) -> Result<T, Duration> {
        if self.left.is_zero() {
            return Err(self.whole);
        }
        let begun = Instant::now();
        let done = timeout(limit.min(self.left).saturating_add(GRACE), work).await;
        let is_last = limit >= self.left;
        self.left = self.left.saturating_sub(begun.elapsed());
        done.map_err(|_| if is_last { self.whole } else { limit })
    }
}

/// What a response is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseUse {
    /// A page; anything else is not read.
    Page,
    /// Another file, read completely.
    File,
    /// `robots.txt`, of which the beginning is enough.
    Robots,
}

/// A request to send.
#[derive(Debug)]
pub(super) struct Request<'a> {
    pub(super) url: &'a Url,
    pub(super) response_use: ResponseUse,
    /// Additional header fields.
    pub(super) fields: Vec<(HeaderName, HeaderValue)>,
}

/// Why there is no response, and whether another attempt may help.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) cause: LoadError,
    /// Whether the connection was closed before the response.
    pub(super) is_lost: bool,
    /// Whether all pages of the host would fail.
    pub(super) is_unreachable: bool,
}

impl Failure {
    /// A failure of the whole host.
    pub(super) fn of_the_host(cause: LoadError) -> Self {
        Self {
            cause,
            is_lost: false,
            is_unreachable: true,
        }
    }
}

impl From<LoadError> for Failure {
    fn from(cause: LoadError) -> Self {
        Self {
            cause,
            is_lost: false,
            is_unreachable: false,
        }
    }
}

/// Sends requests.
pub(super) struct Transport {
    pub(super) client: Client,
    pub(super) resolver: Resolver,
    /// The time limit until a response begins, and between two parts of it.
    pub(super) stage_limit: Duration,
    pub(super) max_bytes: u64,
    /// Fields for the hosts that the user named.
    pub(super) user_fields: HeaderMap,
}

/// The size limit for responses that are not pages, such as the text of a redirect. They are cut there.
const MAX_ERROR_BYTES: u64 = 256 << 10;

impl Transport {
    /// Checks whether the host may be connected to.
    pub(super) async fn admit(&self, url: &Url, clock: &mut Clock) -> Result<(), Failure> {
        let admitted = clock.run(self.stage_limit, self.resolver.admit(url)).await;
        let admitted = admitted.unwrap_or_else(|limit| Err(too_slow(url, "resolving the host", limit)));
        admitted.map_err(Failure::of_the_host)
    }

    /// Sends a request to an admitted host.
    pub(super) async fn ask(&self, request: &Request<'_>, clock: &mut Clock) -> Result<Capture, Failure> {
        let url = request.url;
        let response = self.begin(request, clock).await?;
        // Behind a proxy, the server's IP address is unknown.
        let ip = response
            .remote_addr()
            .map(|address| address.ip())
            .filter(|_| !self.resolver.is_proxied(url));
        if let Some(ip) = ip {
            self.resolver.check_answer(url, ip)?;
        }
        let mut capture = Capture {
            url: url.clone(),
            status: response.status().as_u16(),
            headers: fields(response.headers()),
            body: Vec::new(),
            is_whole: false,
            date: SystemTime::now(),
            ip,
            is_rendered: false,
        };
        self.read(request, response, &mut capture, clock).await?;
        Ok(capture)
    }

    /// The response without its body.
    async fn begin(&self, request: &Request<'_>, clock: &mut Clock) -> Result<Response, Failure> {
        let url = request.url;
        let mut fields = HeaderMap::from_iter(request.fields.iter().cloned());
        if url.host_str().is_some_and(|host| self.resolver.is_typed(host)) {
            fields.extend(self.user_fields.clone());
        }
        let sending = self.client.get(url.clone()).headers(fields).send();
        match clock.run(self.stage_limit, sending).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_timeout() => Err(Failure::of_the_host(too_slow(
                url,
                "connecting",
                self.stage_limit,
            ))),
            Ok(Err(error)) => Err(Failure {
                cause: LoadError::Network {
                    object: url.to_string(),
                    cause: self.explain(url, &error),
                },
                is_lost: cause::is_lost(&error),
                is_unreachable: error.is_connect(),
            }),
            Err(limit) => Err(too_slow(url, "the beginning of the response", limit).into()),
        }
    }

    /// What went wrong, and whether a proxy was involved.
    fn explain(&self, url: &Url, error: &reqwest::Error) -> String {
        let cause = cause::cause(url, error);
        if self.resolver.is_proxied(url) {
            format!("{cause} (through the proxy; use --proxy none to bypass it)")
        } else {
            cause
        }
    }

    /// Reads the body, as far as it is needed.
    async fn read(
        &self,
        request: &Request<'_>,
        mut response: Response,
        capture: &mut Capture,
        clock: &mut Clock,
    ) -> Result<(), LoadError> {
        let is_good = (200..300).contains(&capture.status);
        let kind = MediaType::of(capture);
        if is_good
            && request.response_use == ResponseUse::Page
            && kind.is_some_and(|kind| kind.other_than_page().is_some())
        {
            return Ok(());
        }
        let (limit, is_cut) = match request.response_use {
            ResponseUse::Robots => (robots::MAX_BYTES.min(self.max_bytes), true),
            _ if !is_good => (MAX_ERROR_BYTES.min(self.max_bytes), true),
            ResponseUse::Page | ResponseUse::File => (self.max_bytes, false),
        };
        if !is_cut && response.content_length().is_some_and(|length| length > limit) {
            return Err(too_large(request.url, limit));
        }
        loop {
            match clock.run(self.stage_limit, response.chunk()).await {
                Ok(Ok(Some(chunk))) => {
                    let room = usize::try_from(limit).unwrap_or(usize::MAX) - capture.body.len();
                    capture.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    match chunk.len() > room {
                        true if is_cut => return Ok(()),
                        true => return Err(too_large(request.url, limit)),
                        false => (),
                    }
                }
                Ok(Ok(None)) => {
                    capture.is_whole = true;
                    return Ok(());
                }
                // It may be enough; the caller decides.
                Ok(Err(_)) => return Ok(()),
                Err(_) if !is_good => return Ok(()),
                // The page may be complete although the connection stays open.
                Err(_)
                    if is_good
                        && request.response_use == ResponseUse::Page
                        && !capture.body.is_empty()
                        && decoded(capture, self.max_bytes).is_ok() =>
                {
                    return Ok(());
                }
                Err(limit) => return Err(too_slow(request.url, "the response", limit)),
            }
        }
    }
}

/// The header fields as text, names in lower case.
fn fields(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
        .collect()
}

/// The value of a field: UTF-8, or else Latin-1.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn too_slow(url: &Url, stage: &'static str, limit: Duration) -> LoadError {
    LoadError::Timeout {
        object: url.to_string(),
        stage,
        limit,
    }
}

fn too_large(url: &Url, limit: u64) -> LoadError {
    LoadError::TooLarge {
        object: url.to_string(),
        limit,
    }
}
