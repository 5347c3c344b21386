//! One request and its answer, within limits of time and size.

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

/// A little more time, so that what took too long can say so itself.
const GRACE: Duration = Duration::from_millis(50);

/// The time that is left for a page, however many requests it takes. Waiting out of politeness does not count.
#[derive(Debug)]
pub(super) struct Clock {
    whole: Duration,
    left: Duration,
}

impl Clock {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, left: whole }
    }

    /// Waits for something, but no longer than it may take; fails with the time it had.
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

/// What is done with the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A page is made of it; what is none is not read.
    Page,
    /// Another file, read whole.
    File,
    /// What the site wants of programs, of which the beginning is enough.
    Robots,
}

/// What is asked for.
#[derive(Debug)]
pub(super) struct Request<'a> {
    pub(super) url: &'a Url,
    pub(super) answer_use: Use,
    /// Further header fields.
    pub(super) fields: Vec<(HeaderName, HeaderValue)>,
}

/// Why there is no answer, and whether another try may bring one.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) cause: LoadError,
    /// Whether the connection went away before anything was answered.
    pub(super) is_lost: bool,
    /// Whether the same would happen with any other page of the host.
    pub(super) is_unreachable: bool,
}

impl Failure {
    /// One that concerns the whole host.
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

/// How answers are got.
pub(super) struct Line {
    pub(super) client: Client,
    pub(super) resolver: Resolver,
    /// The most time until an answer begins, and between two parts of it.
    pub(super) stage_limit: Duration,
    pub(super) max_bytes: u64,
}

/// The most bytes of answers that are no page, such as the text of a redirect. They are cut there.
const MOST_WORDS: u64 = 256 << 10;

impl Line {
    /// Finds out whether the host may be connected to.
    pub(super) async fn admit(&self, url: &Url, clock: &mut Clock) -> Result<(), Failure> {
        let admitted = clock.run(self.stage_limit, self.resolver.admit(url)).await;
        let admitted = admitted.unwrap_or_else(|limit| Err(too_slow(url, "looking up the host", limit)));
        admitted.map_err(Failure::of_the_host)
    }

    /// Sends a request to an admitted host.
    pub(super) async fn ask(&self, request: &Request<'_>, clock: &mut Clock) -> Result<Capture, Failure> {
        let url = request.url;
        let response = self.begin(request, clock).await?;
        // Behind a proxy nobody knows who answered.
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

    /// The answer up to its body.
    async fn begin(&self, request: &Request<'_>, clock: &mut Clock) -> Result<Response, Failure> {
        let url = request.url;
        let fields = HeaderMap::from_iter(request.fields.iter().cloned());
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
                    cause: self.told(url, &error),
                },
                is_lost: cause::is_lost(&error),
                is_unreachable: error.is_connect(),
            }),
            Err(limit) => Err(too_slow(url, "the beginning of the answer", limit).into()),
        }
    }

    /// What went wrong, and whose fault it may be.
    fn told(&self, url: &Url, error: &reqwest::Error) -> String {
        let cause = cause::cause(url, error);
        if self.resolver.is_proxied(url) {
            format!("{cause} (through the proxy; --proxy none goes without)")
        } else {
            cause
        }
    }

    /// The body, as far as it is of use.
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
            && request.answer_use == Use::Page
            && kind.is_some_and(|kind| kind.other_than_page().is_some())
        {
            return Ok(());
        }
        let (limit, is_cut) = match request.answer_use {
            Use::Robots => (robots::MOST_BYTES.min(self.max_bytes), true),
            _ if !is_good => (MOST_WORDS.min(self.max_bytes), true),
            Use::Page | Use::File => (self.max_bytes, false),
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
                // What there is may be enough; that is not for us to say.
                Ok(Err(_)) => return Ok(()),
                Err(_) if !is_good => return Ok(()),
                // Nothing more may come because nothing is missing.
                Err(_)
                    if is_good
                        && request.answer_use == Use::Page
                        && !capture.body.is_empty()
                        && decoded(capture, self.max_bytes).is_ok() =>
                {
                    return Ok(());
                }
                Err(limit) => return Err(too_slow(request.url, "the answer", limit)),
            }
        }
    }
}

/// The header fields as text. Names were made lower case by the client.
fn fields(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
        .collect()
}

/// The value of a field: UTF-8, or else Latin-1, as was once the rule.
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
