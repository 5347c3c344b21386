//! Loads one page in one tab, until nothing changes any more.

mod documents;

mod requests;

mod shown;

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use husk::Url;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::RenderOptions;
use super::browser::{Browser, Tab};
use super::devtools::{self, Message};
use crate::capture::{Capture, RedirectChain};
use crate::http::Http;
use crate::source::LoadError;

/// A page that still changes so long after it was loaded is used as it is.
const SETTLE_LIMIT: Duration = Duration::from_secs(10);

/// The time limits for reading a page, before and after its scripts are stopped.
const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(6)];

/// A page that will navigate within this time is not finished.
const SOON: Duration = Duration::from_secs(3);

/// A page that navigates more often than this, or to itself, is stopped.
const MAX_DOCUMENTS: usize = 10;

/// Why there is no page.
#[derive(Debug)]
pub(super) enum Fault {
    /// Because of the page.
    Page(LoadError),
    /// Because the browser no longer works.
    Browser(String),
    /// The browser did not answer in time.
    Late,
}

impl From<LoadError> for Fault {
    fn from(cause: LoadError) -> Self {
        Self::Page(cause)
    }
}

impl From<io::Error> for Fault {
    fn from(cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => {
                Self::Browser("the browser ended".to_owned())
            }
            _ => Self::Browser(cause.to_string()),
        }
    }
}

/// The redirects on the way, and the page.
#[derive(Debug)]
pub(super) struct Visited {
    pub(super) redirects: Vec<Capture>,
    pub(super) page: Capture,
}

/// The browser is not reused after a crash.
fn crashed() -> Fault {
    Fault::Browser("the page crashed its tab".to_owned())
}

/// Adds a duration, if the clock reaches that far.
fn later(time: Instant, wait: Duration) -> Instant {
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    time + wait.min(LONGEST)
}

/// Loads a page in a new tab and waits until it is finished.
pub(super) async fn visit(
    browser: &mut Browser,
    tab: Tab,
    http: &Http,
    options: &RenderOptions,
    chain: RedirectChain,
) -> Result<Visited, Fault> {
    let now = Instant::now();
    let mut visit = Visit {
        browser,
        tab,
        http,
        options,
        asked: chain.at().clone(),
        chain,
        deadline: later(now, options.timeout),
        answer_by: now,
        is_taken: false,
        navigation: 0,
        redirects: Vec::new(),
        document: None,
        coming: None,
        documents: 0,
        number: String::new(),
        bytes: 0,
        loaded: None,
        in_flight: BTreeMap::new(),
        last_request: now,
        leaves_at: None,
        challenged: None,
        end: None,
    };
    let visited = visit.run().await;
    let Visit { browser, tab, .. } = visit;
    browser.close_tab(&tab).await?;
    visited
}

/// A document in the main frame, or about to be there.
#[derive(Debug, Clone)]
struct Document {
    url: Url,
    status: u16,
}

struct Visit<'a> {
    browser: &'a mut Browser,
    tab: Tab,
    http: &'a Http,
    options: &'a RenderOptions,
    /// The requested URL.
    asked: Url,
    chain: RedirectChain,
    /// The time limit; extended by the delay between pages.
    deadline: Instant,
    /// Until when to wait for answers of the tab; extended likewise.
    answer_by: Instant,
    /// Whether the page is being read: it must not navigate any more.
    is_taken: bool,
    /// The ID of the call that started the navigation.
    navigation: u64,
    redirects: Vec<Capture>,
    /// What is shown.
    document: Option<Document>,
    /// What was answered and is not shown yet.
    coming: Option<Document>,
    /// How many documents were requested.
    documents: usize,
    /// The ID of the request for the last document, and its size so far.
    number: String,
    bytes: u64,
    /// When the shown document was loaded.
    loaded: Option<Instant>,
    /// Requests without a response, each with its frame.
    in_flight: BTreeMap<String, String>,
    /// When the last request began or ended.
    last_request: Instant,
    /// Until when the page is expected to navigate.
    leaves_at: Option<Instant>,
    /// The request for which the password was asked last.
    challenged: Option<String>,
    /// Why it ended before the page was finished: a response that is not a page, or an error.
    end: Option<Result<Capture, LoadError>>,
}

impl Visit<'_> {
    async fn run(&mut self) -> Result<Visited, Fault> {
        let url = json!({ "url": self.chain.at().as_str() });
        self.navigation = self.send("Page.navigate", url).await?;
        self.settle().await?;
        let page = match self.end.take() {
            Some(end) => end?,
            None => self.capture().await?,
        };
        Ok(Visited {
            redirects: std::mem::take(&mut self.redirects),
            page,
        })
    }

    /// Waits until the page is finished, or the time is over.
    async fn settle(&mut self) -> Result<(), Fault> {
        while self.end.is_none() {
            let now = Instant::now();
            let until = self.settle_by();
            if now >= until {
                return if self.document.is_some() {
                    Ok(())
                } else {
                    self.http.answered(self.chain.at(), false);
                    Err(self.too_slow("the page").into())
                };
            }
            let mut wake = until;
            match self.quiet_at() {
                Some(quiet) if quiet <= now => {
                    let remains = self
                        .options
                        .quiet
                        .saturating_sub(self.unchanged_for(until).await?);
                    if remains.is_zero() && self.quiet_at().is_some_and(|quiet| quiet <= now) {
                        return Ok(());
                    }
                    wake = until.min(later(Instant::now(), remains));
                }
                Some(quiet) => wake = until.min(quiet),
                None => {}
            }
            if let Ok(message) = timeout_at(wake, self.browser.devtools.next()).await {
                self.take(message?).await?;
            }
        }
        Ok(())
    }

    /// Until when to wait for the shown document to finish.
    fn settle_by(&self) -> Instant {
        let limit = self.loaded.map(|loaded| loaded + SETTLE_LIMIT);
        limit.map_or(self.deadline, |limit| limit.min(self.deadline))
    }

    /// When no request will have been sent for long enough, if none is sent from now on.
    fn quiet_at(&self) -> Option<Instant> {
        let loaded = self.loaded?;
        let is_leaving = self.leaves_at.is_some_and(|until| Instant::now() < until);
        let is_busy = is_leaving || !self.in_flight.is_empty();
        (!is_busy).then(|| later(self.last_request.max(loaded), self.options.quiet))
    }

    /// Sends a call to the tab and handles other messages meanwhile: a paused page answers nothing.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Result<Value, String>, Fault> {
        let asked = self.send(method, params).await?;
        loop {
            match self.next_in_time().await? {
                Message::Answer { id, result } if id == asked => return Ok(result),
                message => self.take(message).await?,
            }
        }
    }

    /// The same for an answer that may be large.
    async fn ask_for<T: DeserializeOwned>(
        &mut self,
        method: &str,
        params: Value,
    ) -> Result<Result<T, String>, Fault> {
        let session = Some(self.tab.session.as_str());
        let asked = self
            .browser
            .devtools
            .send_for_bytes(session, method, params)
            .await?;
        loop {
            match self.next_in_time().await? {
                Message::Bytes { id, bytes } if id == asked => return Ok(devtools::read(&bytes)),
                message => self.take(message).await?,
            }
        }
    }

    /// The next message. Only this is limited in time, not its handling: a request that waits for the delay between pages must be
    /// answered.
    async fn next_in_time(&mut self) -> Result<Message, Fault> {
        let message = timeout_at(self.answer_by, self.browser.devtools.next()).await;
        Ok(message.map_err(|_| Fault::Late)??)
    }

    async fn send(&mut self, method: &str, params: Value) -> io::Result<u64> {
        self.browser
            .devtools
            .send(Some(&self.tab.session), method, params)
            .await
    }

    /// Handles a message of the browser.
    async fn take(&mut self, message: Message) -> Result<(), Fault> {
        match message {
            Message::Answer { id, result } if id == self.navigation => self.navigated(&result),
            Message::Answer { .. } | Message::Bytes { .. } => {}
            Message::Event {
                session: None,
                method,
                params,
            } => self.in_browser(&method, &params).await?,
            Message::Event {
                session: Some(session),
                method,
                params,
            } if session == self.tab.session => {
                self.in_tab(&method, &params).await?;
            }
            Message::Event { .. } => {}
        }
        Ok(())
    }

    async fn in_browser(&mut self, method: &str, params: &Value) -> Result<(), Fault> {
        let target = &params["targetInfo"];
        match method {
            "Target.targetCreated"
                if target["type"] == "page" && target["openerId"] == self.tab.target.as_str() =>
            {
                let close = json!({ "targetId": target["targetId"] });
                self.browser
                    .devtools
                    .send(None, "Target.closeTarget", close)
                    .await?;
            }
            "Target.targetCrashed" if params["targetId"] == self.tab.target.as_str() => return Err(crashed()),
            "Target.targetDestroyed" if params["targetId"] == self.tab.target.as_str() => {
                let cause = "the page closed itself".to_owned();
                self.fail(LoadError::Browser {
                    object: self.asked.to_string(),
                    cause,
                });
            }
            _ => {}
        }
        Ok(())
    }

    async fn in_tab(&mut self, method: &str, params: &Value) -> Result<(), Fault> {
        let is_main_frame = params["frameId"] == self.tab.target.as_str();
        match method {
            "Fetch.requestPaused" => self.paused(params, is_main_frame).await?,
            "Fetch.authRequired" => self.challenged(params).await?,
            "Page.javascriptDialogOpening" => {
                // Allows leaving the page, and denies everything else.
                let accept = params["type"] == "beforeunload";
                self.send("Page.handleJavaScriptDialog", json!({ "accept": accept }))
                    .await?;
            }
            "Page.frameNavigated" => self.committed(&params["frame"]),
            "Page.loadEventFired" => self.is_loaded(),
            // A page that was kept from navigating only sends this.
            "Page.frameStoppedLoading" if is_main_frame => self.is_loaded(),
            "Page.frameScheduledNavigation" if is_main_frame => {
                let delay =
                    Duration::from_secs_f64(params["delay"].as_f64().unwrap_or_default().clamp(0.0, 1e6));
                self.leaves_at = (delay <= SOON).then(|| Instant::now() + delay + Duration::from_secs(1));
            }
            "Page.frameClearedScheduledNavigation" if is_main_frame => self.leaves_at = None,
            "Page.frameDetached" => {
                // Its requests end in another process, without an event here.
                let frame = params["frameId"].as_str().unwrap_or_default();
                self.in_flight.retain(|_, of| of != frame);
                self.last_request = Instant::now();
            }
            "Network.requestWillBeSent" => self.request_begun(params),
            "Network.loadingFinished" | "Network.loadingFailed" => self.request_ended(params),
            "Network.dataReceived" => self.received(params),
            "Inspector.targetCrashed" => return Err(crashed()),
            _ => {}
        }
        Ok(())
    }

    fn is_loaded(&mut self) {
        if self.document.is_some() {
            self.loaded.get_or_insert_with(Instant::now);
        }
    }

    fn fail(&mut self, cause: LoadError) {
        self.end.get_or_insert(Err(cause));
    }

    fn too_slow(&self, stage: &'static str) -> LoadError {
        LoadError::Timeout {
            object: self.asked.to_string(),
            stage,
            limit: self.options.timeout,
        }
    }
}
