//! Loads pages before they are requested, if the site allows it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use husk::{Page, Url};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::Http;
use super::politeness::MAX_CONCURRENT;
use crate::source::LoadError;

/// The most pages that are loaded ahead or waiting to be requested.
const MAX_AHEAD: usize = 16;

/// Pages that are being loaded ahead, or are waiting to be requested.
#[derive(Debug, Default)]
pub(super) struct Ahead(BTreeMap<Url, PendingLoad>);

#[derive(Debug)]
struct PendingLoad {
    page: JoinHandle<Result<Page, LoadError>>,
    /// How many requests were sent for it.
    requests: Arc<AtomicUsize>,
}

impl Ahead {
    /// The page, if it was or is being loaded ahead.
    pub(super) fn take(&mut self, url: &Url) -> Option<JoinHandle<Result<Page, LoadError>>> {
        Some(self.0.remove(&without_fragment(url))?.page)
    }

    /// Stops and returns the pages that were requested from the server, but never used.
    pub(super) fn take_rest(&mut self) -> Vec<Url> {
        let rest = std::mem::take(&mut self.0);
        let asked = rest.into_iter().filter_map(|(url, load)| {
            load.page.abort();
            (load.requests.load(Ordering::SeqCst) > 0).then_some(url)
        });
        asked.collect()
    }

    fn has_room(&self) -> bool {
        let under_way = self.0.values().filter(|load| !load.page.is_finished());
        self.0.len() < MAX_AHEAD && under_way.count() < MAX_CONCURRENT as usize
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.take_rest();
    }
}

impl Http {
    /// Starts to load pages, as many as may be loaded at once.
    pub(super) fn begin_ahead(&self, urls: &[Url]) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut ahead = self.ahead();
        for url in urls.iter().map(without_fragment) {
            if !ahead.has_room() {
                break;
            }
            if !ahead.0.contains_key(&url) && self.allows_ahead(&url) {
                let load = self.begin(&runtime, url.clone());
                ahead.0.insert(url, load);
            }
        }
    }

    fn begin(&self, runtime: &Handle, url: Url) -> PendingLoad {
        let requests = Arc::new(AtomicUsize::new(0));
        let http = Self {
            own_requests: Some(requests.clone()),
            ahead: Arc::default(),
            ..self.clone()
        };
        let page = runtime.spawn(async move { http.page(&url).await });
        PendingLoad { page, requests }
    }

    /// Whether neither the options nor the site demand a delay between pages.
    fn allows_ahead(&self, url: &Url) -> bool {
        let options = &self.shared.options;
        let is_free = !options.obey_robots || {
            let rules = self.shared.sites.known(url);
            rules.is_some_and(|rules| rules.delay().is_zero())
        };
        options.delay.is_zero() && is_free
    }
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
