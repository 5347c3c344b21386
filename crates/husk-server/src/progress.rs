//! Progress events of an extraction, for clients that ask for an event stream.

use std::collections::BTreeSet;

use husk::{Page, SameSite, Url, links};
use husk_sources::Event;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

/// One event of the stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProgressEvent {
    /// The SSE event name.
    pub(crate) name: &'static str,
    pub(crate) data: Value,
}

/// Sends progress events, if a client listens.
#[derive(Debug, Clone)]
pub(crate) struct ProgressSender(Option<UnboundedSender<ProgressEvent>>);

/// Maximum number of links in a `loaded` event.
const MAX_LINKS: usize = 300;

impl ProgressSender {
    /// A sender without a listener.
    pub(crate) fn disabled() -> Self {
        Self(None)
    }

    /// The channel may be unbounded: the number of events is bounded by the number of pages.
    pub(crate) fn new(listener: UnboundedSender<ProgressEvent>) -> Self {
        Self(Some(listener))
    }

    pub(crate) fn send(&self, name: &'static str, data: impl FnOnce() -> Value) {
        if let Some(listener) = &self.0 {
            // The client may have disconnected.
            let _ = listener.send(ProgressEvent { name, data: data() });
        }
    }

    pub(crate) fn send_loaded(&self, url: &Url, page: &Page, same_site: SameSite) {
        self.send("loaded", || {
            json!({"url": url.as_str(), "found_at": page.url.as_str(), "links": site_links(page, same_site)})
        });
    }

    /// Forwards an event of loading siblings.
    pub(crate) fn send_source_event(&self, event: &Event<'_>, same_site: SameSite) {
        match event {
            Event::Loading {
                url,
                why,
                more_at_most,
            } => self.send(
                "loading",
                || json!({"url": url.as_str(), "why": why, "max_remaining": more_at_most}),
            ),
            Event::Loaded { url, page } => self.send_loaded(url, page, same_site),
            Event::Failed { url, cause } => {
                self.send(
                    "failed",
                    || json!({"url": url.as_str(), "cause": cause.to_string()}),
                );
            }
            Event::Accepted { url } => self.send("accepted", || json!({"url": url.as_str()})),
            Event::Refused { url, cause } => {
                self.send("rejected", || json!({"url": url.as_str(), "cause": cause}));
            }
            Event::Listing => self.send("sitemap", || json!({})),
            _ => {}
        }
    }
}

fn site_links(page: &Page, same_site: SameSite) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let urls = links(page, same_site).into_iter().map(|link| {
        let mut url = link.url;
        url.set_fragment(None);
        url.to_string()
    });
    urls.filter(|url| seen.insert(url.clone()))
        .take(MAX_LINKS)
        .collect()
}
