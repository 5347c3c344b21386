//! What happens on the way to a result, for those who want to see it.

use std::collections::BTreeSet;

use husk::{Page, SameSite, Url, links};
use husk_sources::Event;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Happened {
    /// The name of the event.
    pub(crate) name: &'static str,
    pub(crate) data: Value,
}

/// Tells what happens to whoever listens, if anybody does.
#[derive(Debug, Clone)]
pub(crate) struct Teller(Option<UnboundedSender<Happened>>);

/// More links of a page are not told.
const MOST_LINKS: usize = 300;

impl Teller {
    /// Nobody listens.
    pub(crate) fn nobody() -> Self {
        Self(None)
    }

    /// No more is told than pages are loaded, so whoever listens need not hurry.
    pub(crate) fn to(listener: UnboundedSender<Happened>) -> Self {
        Self(Some(listener))
    }

    pub(crate) fn tell(&self, name: &'static str, data: impl FnOnce() -> Value) {
        if let Some(listener) = &self.0 {
            // Whoever has left needs to hear nothing.
            let _ = listener.send(Happened { name, data: data() });
        }
    }

    pub(crate) fn loaded(&self, url: &Url, page: &Page, same_site: SameSite) {
        self.tell("loaded", || {
            json!({"url": url.as_str(), "found-at": page.url.as_str(), "links": links_of(page, same_site)})
        });
    }

    /// What the loading of siblings tells.
    pub(crate) fn event(&self, event: &Event<'_>, same_site: SameSite) {
        match event {
            Event::Loading {
                url,
                why,
                more_at_most,
            } => self.tell(
                "loading",
                || json!({"url": url.as_str(), "why": why, "more-at-most": more_at_most}),
            ),
            Event::Loaded { url, page } => self.loaded(url, page, same_site),
            Event::Failed { url, cause } => {
                self.tell(
                    "failed",
                    || json!({"url": url.as_str(), "cause": cause.to_string()}),
                );
            }
            Event::Accepted { url } => self.tell("accepted", || json!({"url": url.as_str()})),
            Event::Refused { url, cause } => {
                self.tell("refused", || json!({"url": url.as_str(), "cause": cause}));
            }
            Event::Listing => self.tell("listing", || json!({})),
            _ => {}
        }
    }
}

fn links_of(page: &Page, same_site: SameSite) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let addresses = links(page, same_site).into_iter().map(|link| {
        let mut url = link.url;
        url.set_fragment(None);
        url.to_string()
    });
    addresses
        .filter(|url| seen.insert(url.clone()))
        .take(MOST_LINKS)
        .collect()
}
