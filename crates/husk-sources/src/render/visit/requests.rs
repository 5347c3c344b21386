//! The requests that a page is still waiting for.

use serde_json::Value;
use tokio::time::Instant;

use super::Visit;
use crate::render::net_error;
use crate::render::proxy::Failure;
use crate::source::LoadError;

impl Visit<'_> {
    pub(super) fn request_begun(&mut self, params: &Value) {
        // These may stay open forever.
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

    pub(super) fn request_ended(&mut self, params: &Value) {
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

    pub(super) fn fail_to_connect(&mut self, error: &str) {
        let url = self.chain.at();
        let failure = self.browser.proxy.failure(url);
        let failure = failure.unwrap_or_else(|| Failure::Network(net_error::cause(error)));
        self.fail(failure.of_page(url));
    }

    /// Counts the bytes of the document itself, which may be endless.
    pub(super) fn received(&mut self, params: &Value) {
        if params["requestId"] != self.number.as_str() {
            return;
        }
        self.bytes += params["dataLength"].as_u64().unwrap_or_default();
        if self.bytes > self.options.max_bytes {
            let object = self.chain.at().to_string();
            self.fail(LoadError::TooLarge {
                object,
                limit: self.options.max_bytes,
            });
        }
    }
}
