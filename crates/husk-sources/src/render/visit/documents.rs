//! The documents of a tab's main frame: requests, responses, and what is shown.

use std::time::{Duration, SystemTime};

use husk::Url;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Document, Fault, MAX_DOCUMENTS, Visit, later};
use crate::capture::{Capture, MediaType};
use crate::render::proxy::USER;
use crate::source::LoadError;

impl Visit<'_> {
    /// A document was requested or answered: decides whether to continue.
    pub(super) async fn paused(&mut self, params: &Value, is_main_frame: bool) -> Result<(), Fault> {
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
            // Without an error page, so that the current document stays.
            let mut request = request;
            request["errorReason"] = "Aborted".into();
            self.send("Fetch.failRequest", request).await?;
        }
        Ok(())
    }

    /// Whether the main frame may request a document. Waits for the delay between pages.
    async fn may_ask(&mut self, mut url: Url) -> bool {
        if self.is_taken {
            return false;
        }
        url.set_fragment(None);
        self.documents += 1;
        if self.documents > MAX_DOCUMENTS + 1 && self.document.is_some() {
            return false;
        }
        if url != *self.chain.at() {
            // Not a redirect by the server, which would have been seen: the page itself navigates.
            let from = self.chain.at().clone();
            let headers = vec![("Location".to_owned(), url.to_string())];
            if let Err(cause) = self.redirected(rendered(&from, 302, headers, Vec::new())) {
                self.refuse(cause);
                return false;
            }
        }
        let asked = Instant::now();
        let permission = self.http.permission(&url).await;
        self.has_waited(asked.elapsed());
        permission.map_err(|cause| self.refuse(cause)).is_ok()
    }

    /// Excludes the delay between pages from the time limit.
    fn has_waited(&mut self, time: Duration) {
        self.deadline = later(self.deadline, time);
        self.answer_by = later(self.answer_by, time);
        self.loaded = self.loaded.map(|loaded| later(loaded, time));
    }

    fn redirected(&mut self, redirect: Capture) -> Result<(), LoadError> {
        self.chain.follow(&redirect)?;
        self.redirects.push(redirect);
        Ok(())
    }

    /// A document that must not be loaded is an error, unless another one is shown.
    fn refuse(&mut self, cause: LoadError) {
        if self.document.is_none() {
            self.fail(cause);
        }
    }

    /// Whether to read the response for the main frame.
    fn answered(&mut self, params: &Value, mut url: Url, status: u16) -> bool {
        url.set_fragment(None);
        if matches!(status, 403 | 502)
            && let Some(failure) = self.browser.proxy.failure(&url)
        {
            self.fail(failure.of_page(&url));
            return false;
        }
        self.http.answered(&url, true);
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
            // Its status or type says enough.
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

    /// The answer to the request for the page.
    pub(super) fn navigated(&mut self, result: &Result<Value, String>) {
        let object = self.asked.to_string();
        match result {
            Err(cause) => self.fail(LoadError::Browser {
                object,
                cause: cause.clone(),
            }),
            Ok(answer) => match (answer["errorText"].as_str(), self.coming.take()) {
                (Some("net::ERR_ABORTED"), Some(document)) => {
                    // The browser cannot show the document, or would download it.
                    let has_nothing = matches!(document.status, 204 | 205);
                    let kind = if has_nothing {
                        "an answer without content"
                    } else {
                        "a file to save"
                    };
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
    pub(super) fn committed(&mut self, frame: &Value) {
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
                // Without a server there is no document to look at.
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

    /// Sends the password of the proxy, once; servers that ask for one get none.
    pub(super) async fn challenged(&mut self, params: &Value) -> Result<(), Fault> {
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
}

/// A response as a browser rendered it.
pub(super) fn rendered(url: &Url, status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Capture {
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

/// The header fields that matter for a response without body.
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
