//! One page in one tab: from its address until nothing changes any more.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, SystemTime};

use husk::Url;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::RenderOptions;
use super::browser::{BESIDE_THE_PAGE, Browser, Tab, WORLD};
use super::devtools::Message;
use super::flat_tree::{self, Frames};
use super::net_error;
use super::proxy::USER;
use crate::capture::{Boundary, Capture, Chase, MediaType};
use crate::http::Http;
use crate::source::LoadError;

/// A page that has been loaded so long and still changes is taken as it is.
const RESTLESS: Duration = Duration::from_secs(10);

/// How long a page may take to say what it is, before its scripts are stopped and after.
const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(6)];

/// How long the browser may take to open a tab.
const OPENING: Duration = Duration::from_secs(20);

/// A page that will go elsewhere within this time is not there yet.
const SOON: Duration = Duration::from_secs(3);

/// A page that goes elsewhere more often than this, or to itself, is held where it is.
const MOST_DOCUMENTS: usize = 10;

/// Why there is no page.
#[derive(Debug)]
pub(super) enum Fault {
    /// For its own reasons.
    Page(LoadError),
    /// Since the browser is no good any more.
    Browser(String),
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

/// What came of it: the redirects on the way, and the page at their end.
#[derive(Debug)]
pub(super) struct Visited {
    pub(super) redirects: Vec<Capture>,
    pub(super) page: Capture,
}

/// Loads a page and waits until it is quiet.
pub(super) async fn visit(
    browser: &mut Browser,
    http: &Http,
    options: &RenderOptions,
    url: &Url,
) -> Result<Visited, Fault> {
    let boundary = Boundary {
        site: http.site(),
        max_bytes: options.max_bytes,
    };
    let chase = Chase::new(url, boundary)?;
    let opened = timeout_at(Instant::now() + OPENING, browser.open_tab()).await;
    let tab = opened.map_err(|_| Fault::Browser("the browser does not answer".to_owned()))??;
    let mut visit = Visit {
        browser,
        tab,
        http,
        options,
        asked: chase.at().clone(),
        chase,
        deadline: Instant::now() + options.timeout,
        navigation: 0,
        redirects: Vec::new(),
        document: None,
        coming: None,
        documents: 0,
        number: String::new(),
        bytes: 0,
        loaded: None,
        in_flight: BTreeMap::new(),
        last_request: Instant::now(),
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
    /// The address that was asked for.
    asked: Url,
    chase: Chase,
    /// The end of all patience; moved by the time spent on waiting out of politeness.
    deadline: Instant,
    /// The number of the call that began it all.
    navigation: u64,
    redirects: Vec<Capture>,
    /// What is shown.
    document: Option<Document>,
    /// What was answered and is not shown yet.
    coming: Option<Document>,
    /// How many documents were asked for.
    documents: usize,
    /// The number of the request for the last that was answered, and how long it is so far.
    number: String,
    bytes: u64,
    /// When what is shown had been loaded.
    loaded: Option<Instant>,
    /// Requests without an answer, each with its frame.
    in_flight: BTreeMap<String, String>,
    /// When the last request began or ended.
    last_request: Instant,
    /// Until when the page is expected to go elsewhere.
    leaves_at: Option<Instant>,
    /// The request for which the password was asked last.
    challenged: Option<String>,
    /// Why it is over before the page is quiet: an answer that is no page, or an error.
    end: Option<Result<Capture, LoadError>>,
}

impl Visit<'_> {
    async fn run(&mut self) -> Result<Visited, Fault> {
        let url = json!({ "url": self.chase.at().as_str() });
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

    /// Waits until the page is quiet, or cannot be waited for any longer.
    async fn settle(&mut self) -> Result<(), Fault> {
        while self.end.is_none() {
            let now = Instant::now();
            let patience = self.patience();
            if now >= patience {
                return if self.document.is_some() {
                    Ok(())
                } else {
                    Err(self.too_slow("the page").into())
                };
            }
            let mut wake = patience;
            match self.quiet_at() {
                Some(quiet) if quiet <= now => {
                    let remains = self
                        .options
                        .quiet
                        .saturating_sub(self.unchanged_for(patience).await?);
                    if remains.is_zero() && self.quiet_at().is_some_and(|quiet| quiet <= now) {
                        return Ok(());
                    }
                    wake = patience.min(Instant::now() + remains);
                }
                Some(quiet) => wake = patience.min(quiet),
                None => {}
            }
            if let Ok(message) = timeout_at(wake, self.browser.devtools.next()).await {
                self.take(message?).await?;
            }
        }
        Ok(())
    }

    /// Until when is waited for what is shown to become quiet.
    fn patience(&self) -> Instant {
        let restless = self.loaded.map(|loaded| loaded + RESTLESS);
        restless.map_or(self.deadline, |restless| restless.min(self.deadline))
    }

    /// When no request will have been made for long enough, if none is made from now on.
    fn quiet_at(&self) -> Option<Instant> {
        let loaded = self.loaded?;
        let is_leaving = self.leaves_at.is_some_and(|until| Instant::now() < until);
        let is_busy = is_leaving || !self.in_flight.is_empty();
        (!is_busy).then(|| self.last_request.max(loaded) + self.options.quiet)
    }

    /// For how long the document did not change.
    async fn unchanged_for(&mut self, patience: Instant) -> Result<Duration, Fault> {
        let found = timeout_at(patience, self.evaluate("husk.quietFor()")).await;
        let Ok(found) = found else {
            return Ok(Duration::ZERO);
        };
        // A document that is just being replaced has no answer: not quiet.
        let time = found?.and_then(|found| found.as_f64()).unwrap_or_default();
        Ok(Duration::from_secs_f64((time / 1000.0).clamp(0.0, 1e6)))
    }

    /// The page as it is now.
    async fn capture(&mut self) -> Result<Capture, Fault> {
        let Some(document) = self.document.clone() else {
            return Err(self.too_slow("the page").into());
        };
        let html = match timeout_at(Instant::now() + GRACE[0], self.html()).await {
            Ok(html) => html?,
            Err(_) => {
                // A script that does not end: it is ended.
                self.send("Runtime.terminateExecution", json!({})).await?;
                let Ok(html) = timeout_at(Instant::now() + GRACE[1], self.html()).await else {
                    return Err(Fault::Browser("a script of the page does not end".to_owned()));
                };
                html?
            }
        };
        let headers = vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())];
        Ok(rendered(
            &document.url,
            document.status,
            headers,
            html.into_bytes(),
        ))
    }

    async fn html(&mut self) -> Result<String, Fault> {
        let url = self
            .document
            .as_ref()
            .map_or(&self.asked, |document| &document.url)
            .to_string();
        let broken = |what: &str| LoadError::Browser {
            object: url.clone(),
            cause: format!("the browser does not say {what}"),
        };
        let kind = self
            .evaluate("husk.kind()")
            .await?
            .ok_or_else(|| broken("what it shows"))?;
        if let Some(kind) = other_than_html(kind["contentType"].as_str().unwrap_or_default()) {
            return Err(LoadError::NotAPage { object: url, kind }.into());
        }
        let too_large = LoadError::TooLarge {
            object: url.clone(),
            limit: self.options.max_bytes,
        };
        let doctype = kind["doctype"].as_str().unwrap_or_default();
        let html = if self.options.flatten_shadow {
            let frames = if self.options.flatten_frames {
                Frames::Unfolded
            } else {
                Frames::Folded
            };
            let snapshot = self
                .ask("DOMSnapshot.captureSnapshot", json!({ "computedStyles": [] }))
                .await?;
            let snapshot = snapshot.map_err(|_| broken("how the page is composed"))?;
            flat_tree::html(snapshot, frames, self.options.max_bytes).map_err(|fault| match fault {
                flat_tree::Fault::TooLarge => too_large,
                flat_tree::Fault::Unknown(cause) => broken(&format!("how the page is composed ({cause})")),
            })?
        } else {
            let call = format!(
                "husk.html({}, {})",
                self.options.max_bytes, self.options.flatten_frames
            );
            match self
                .evaluate(&call)
                .await?
                .ok_or_else(|| broken("what the page is"))?
            {
                Value::String(html) => html,
                _ => return Err(too_large.into()),
            }
        };
        Ok(format!("{doctype}{html}"))
    }

    /// What comes out of an expression in our own world beside the scripts of the page; nothing if there is no page.
    async fn evaluate(&mut self, expression: &str) -> Result<Option<Value>, Fault> {
        let world = json!({ "frameId": self.tab.target, "worldName": WORLD });
        let Ok(world) = self.ask("Page.createIsolatedWorld", world).await? else {
            return Ok(None);
        };
        let expression = format!("{BESIDE_THE_PAGE}\n{expression}");
        let params = json!({
            "contextId": world["executionContextId"], "expression": expression, "returnByValue": true,
        });
        let answer = self.ask("Runtime.evaluate", params).await?;
        Ok(answer.ok().map(|mut answer| answer["result"]["value"].take()))
    }

    /// Asks the tab for something; meanwhile everything else goes on, for a page that waits for us answers nothing.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Result<Value, String>, Fault> {
        let asked = self.send(method, params).await?;
        loop {
            match self.browser.devtools.next().await? {
                Message::Answer { id, result } if id == asked => return Ok(result),
                message => self.take(message).await?,
            }
        }
    }

    async fn send(&mut self, method: &str, params: Value) -> io::Result<u64> {
        self.browser
            .devtools
            .send(Some(&self.tab.session), method, params)
            .await
    }

    /// Takes note of what the browser says, and answers where it waits for an answer.
    async fn take(&mut self, message: Message) -> Result<(), Fault> {
        match message {
            Message::Answer { id, result } if id == self.navigation => self.navigated(&result),
            Message::Answer { .. } => {}
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
            "Target.targetDestroyed" | "Target.targetCrashed"
                if params["targetId"] == self.tab.target.as_str() =>
            {
                let cause = if method.ends_with("Crashed") {
                    "the page made its tab crash"
                } else {
                    "the page closed itself"
                };
                self.fail(LoadError::Browser {
                    object: self.asked.to_string(),
                    cause: cause.to_owned(),
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
                // To leave is allowed, everything else is denied.
                let accept = params["type"] == "beforeunload";
                self.send("Page.handleJavaScriptDialog", json!({ "accept": accept }))
                    .await?;
            }
            "Page.frameNavigated" => self.committed(&params["frame"]),
            "Page.loadEventFired" => self.is_loaded(),
            // A page that was held back when it wanted to go elsewhere says nothing but this.
            "Page.frameStoppedLoading" if is_main_frame => self.is_loaded(),
            "Page.frameScheduledNavigation" if is_main_frame => {
                let delay =
                    Duration::from_secs_f64(params["delay"].as_f64().unwrap_or_default().clamp(0.0, 1e6));
                self.leaves_at = (delay <= SOON).then(|| Instant::now() + delay + Duration::from_secs(1));
            }
            "Page.frameClearedScheduledNavigation" if is_main_frame => self.leaves_at = None,
            "Page.frameDetached" => {
                // Its requests end in another tab, so to speak, and are not heard of here.
                let frame = params["frameId"].as_str().unwrap_or_default();
                self.in_flight.retain(|_, of| of != frame);
                self.last_request = Instant::now();
            }
            "Network.requestWillBeSent" => self.request_begun(params),
            "Network.loadingFinished" | "Network.loadingFailed" => self.request_ended(params),
            "Network.dataReceived" => self.received(params),
            "Inspector.targetCrashed" => {
                let cause = "the page made its tab crash".to_owned();
                self.fail(LoadError::Browser {
                    object: self.asked.to_string(),
                    cause,
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// A document is asked for, or was answered: here it is decided whether that goes on.
    async fn paused(&mut self, params: &Value, is_main_frame: bool) -> Result<(), Fault> {
        let request = json!({ "requestId": params["requestId"] });
        let url = params["request"]["url"]
            .as_str()
            .and_then(|url| Url::parse(url).ok());
        let goes_on = match url {
            Some(_) if !is_main_frame => true,
            Some(url) => match params["responseStatusCode"].as_u64() {
                Some(status) => self.answered(params, url, u16::try_from(status).unwrap_or_default()),
                None if params["responseErrorReason"].is_string() => true,
                None => self.may_ask(url).await,
            },
            None => false,
        };
        if goes_on {
            self.send("Fetch.continueRequest", request).await?;
        } else {
            // Without an error page, so that what is shown stays.
            let mut request = request;
            request["errorReason"] = "Aborted".into();
            self.send("Fetch.failRequest", request).await?;
        }
        Ok(())
    }

    /// Whether the main frame may ask for a document. Waits until it is polite to do so.
    async fn may_ask(&mut self, mut url: Url) -> bool {
        url.set_fragment(None);
        self.documents += 1;
        if self.documents > MOST_DOCUMENTS + 1 && self.document.is_some() {
            return false;
        }
        if url != *self.chase.at() {
            // Not a redirect by the server, for that would have been seen: the page itself leads on.
            let from = self.chase.at().clone();
            let headers = vec![("Location".to_owned(), url.to_string())];
            if let Err(cause) = self.redirected(rendered(&from, 302, headers, Vec::new())) {
                self.refuse(cause);
                return false;
            }
        }
        let asked = Instant::now();
        let permission = self.http.permission(&url).await;
        self.deadline += asked.elapsed();
        permission.map_err(|cause| self.refuse(cause)).is_ok()
    }

    fn redirected(&mut self, redirect: Capture) -> Result<(), LoadError> {
        self.chase.follow(&redirect)?;
        self.redirects.push(redirect);
        Ok(())
    }

    /// A document that must not be loaded is an error, unless there is one that can stay.
    fn refuse(&mut self, cause: LoadError) {
        if self.document.is_none() {
            self.fail(cause);
        }
    }

    fn fail(&mut self, cause: LoadError) {
        self.end.get_or_insert(Err(cause));
    }

    /// Whether the answer for the main frame is worth reading.
    fn answered(&mut self, params: &Value, mut url: Url, status: u16) -> bool {
        url.set_fragment(None);
        if matches!(status, 403 | 502)
            && let Some(cause) = self.browser.proxy.failure(&url)
        {
            self.fail(LoadError::Network {
                object: url.to_string(),
                cause,
            });
            return false;
        }
        let headers = headers(&params["responseHeaders"]);
        let answer = rendered(&url, status, headers, Vec::new());
        if answer.is_redirect() {
            return self
                .redirected(answer)
                .map_err(|cause| self.refuse(cause))
                .is_ok();
        }
        let is_page = MediaType::of(&answer).is_none_or(|kind| kind.other_than_page().is_none());
        if !(200..300).contains(&status) || (!is_page && self.document.is_none()) {
            // Its status or type says all there is to say.
            self.end.get_or_insert(Ok(answer));
            return false;
        }
        if is_page {
            self.number = params["networkId"].as_str().unwrap_or_default().to_owned();
            self.coming = Some(Document { url, status });
            self.bytes = 0;
        }
        is_page
    }

    /// The answer to our request for the page.
    fn navigated(&mut self, result: &Result<Value, String>) {
        let object = self.asked.to_string();
        match result {
            Err(cause) => self.fail(LoadError::Browser {
                object,
                cause: cause.clone(),
            }),
            Ok(answer) => match (answer["errorText"].as_str(), self.coming.take()) {
                (Some("net::ERR_ABORTED"), Some(document)) => {
                    // The browser would rather save it than show it.
                    let kind = "a file to save";
                    self.fail(LoadError::NotAPage {
                        object: document.url.to_string(),
                        kind,
                    });
                }
                (Some(error), _) => self.fail_to_connect(error),
                (None, coming) => self.coming = coming,
            },
        }
    }

    /// A frame shows another document.
    fn committed(&mut self, frame: &Value) {
        if frame["id"] != self.tab.target.as_str() || self.end.is_some() {
            return;
        }
        match (frame["url"].as_str().unwrap_or_default(), self.coming.take()) {
            (_, Some(document)) if frame["loaderId"] == self.number.as_str() => {
                self.document = Some(document);
                self.loaded = None;
                self.leaves_at = None;
                self.last_request = Instant::now();
            }
            ("about:blank", coming) if self.document.is_none() => self.coming = coming,
            (other, _) => {
                // Where no server was asked there is nothing to look at.
                let cause = format!(
                    "the page turned into {}",
                    other.chars().take(60).collect::<String>()
                );
                self.fail(LoadError::Browser {
                    object: self.asked.to_string(),
                    cause,
                });
            }
        }
    }

    fn is_loaded(&mut self) {
        if self.document.is_some() {
            self.loaded.get_or_insert_with(Instant::now);
        }
    }

    fn request_begun(&mut self, params: &Value) {
        // What may well stay open for ever is not waited for.
        let is_open = matches!(
            params["type"].as_str(),
            Some("EventSource" | "Media" | "Ping" | "Prefetch" | "WebSocket" | "CSPViolationReport")
        );
        if let (Some(number), false) = (params["requestId"].as_str(), is_open) {
            let frame = params["frameId"].as_str().unwrap_or_default();
            self.in_flight.insert(number.to_owned(), frame.to_owned());
            self.last_request = Instant::now();
        }
    }

    fn request_ended(&mut self, params: &Value) {
        let number = params["requestId"].as_str().unwrap_or_default();
        let Some(frame) = self.in_flight.remove(number) else {
            return;
        };
        self.last_request = Instant::now();
        let is_given_up =
            params["canceled"] == true || params["type"] != "Document" || frame != self.tab.target;
        if let (Some(error), false) = (params["errorText"].as_str(), is_given_up) {
            self.fail_to_connect(error);
        }
    }

    fn fail_to_connect(&mut self, error: &str) {
        let url = self.chase.at();
        let cause = self
            .browser
            .proxy
            .failure(url)
            .unwrap_or_else(|| net_error::cause(error));
        let object = url.to_string();
        self.fail(LoadError::Network { object, cause });
    }

    /// Counts the bytes of the document itself: those of a page without end.
    fn received(&mut self, params: &Value) {
        if params["requestId"] != self.number.as_str() {
            return;
        }
        self.bytes += params["dataLength"].as_u64().unwrap_or_default();
        if self.bytes > self.options.max_bytes {
            let object = self.chase.at().to_string();
            self.fail(LoadError::TooLarge {
                object,
                limit: self.options.max_bytes,
            });
        }
    }

    /// Answers for the password of the proxy, once; servers that want one do not get any.
    async fn challenged(&mut self, params: &Value) -> Result<(), Fault> {
        let number = params["requestId"].as_str().unwrap_or_default();
        let is_first = self.challenged.as_deref() != Some(number);
        let response = if params["authChallenge"]["source"] == "Proxy" && is_first {
            self.challenged = Some(number.to_owned());
            json!({ "response": "ProvideCredentials", "username": USER, "password": self.browser.proxy.password })
        } else {
            json!({ "response": "CancelAuth" })
        };
        let answer = json!({ "requestId": number, "authChallengeResponse": response });
        self.send("Fetch.continueWithAuth", answer).await?;
        Ok(())
    }

    fn too_slow(&self, stage: &'static str) -> LoadError {
        LoadError::Timeout {
            object: self.asked.to_string(),
            stage,
            limit: self.options.timeout,
        }
    }
}

/// What a browser made of an answer.
fn rendered(url: &Url, status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Capture {
    Capture {
        url: url.clone(),
        status,
        headers,
        body,
        is_whole: true,
        date: SystemTime::now(),
        ip: None,
        is_rendered: true,
    }
}

/// The header fields that say something of an answer whose body is not kept.
fn headers(fields: &Value) -> Vec<(String, String)> {
    let is_kept = |name: &str| {
        ["content-type", "location", "retry-after"].contains(&name.to_ascii_lowercase().as_str())
    };
    let fields = fields.as_array().map_or(&[][..], Vec::as_slice).iter();
    let fields = fields.filter_map(|field| {
        Some((
            field["name"].as_str()?.to_owned(),
            field["value"].as_str()?.to_owned(),
        ))
    });
    fields.filter(|(name, _)| is_kept(name)).collect()
}

/// What a document is that is shown, but is none of HTML.
fn other_than_html(content_type: &str) -> Option<&'static str> {
    match content_type {
        "text/html" | "application/xhtml+xml" => None,
        "text/plain" => Some("plain text"),
        "application/pdf" => Some("a PDF document"),
        _ if content_type.ends_with("json") => Some("JSON data"),
        _ if content_type.ends_with("xml") => Some("XML data"),
        _ if content_type.starts_with("image/") => Some("an image"),
        _ => Some("something else"),
    }
}
