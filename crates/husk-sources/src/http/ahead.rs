//! Loads pages before they are asked for, where the site does not mind.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use husk::{Page, Url};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::Http;
use super::politeness::MOST_AT_ONCE;
use crate::source::LoadError;

/// The most pages that wait to be asked for.
const MOST_WAITING: usize = 16;

/// Pages under way, or waiting to be asked for.
#[derive(Debug, Default)]
pub(super) struct Ahead(BTreeMap<Url, Load>);

#[derive(Debug)]
struct Load {
    page: JoinHandle<Result<Page, LoadError>>,
    /// How many requests were made for it.
    requests: Arc<AtomicUsize>,
}

impl Ahead {
    /// The page, if it was loaded ahead or still is.
    pub(super) fn take(&mut self, url: &Url) -> Option<JoinHandle<Result<Page, LoadError>>> {
        Some(self.0.remove(&without_fragment(url))?.page)
    }

    /// The pages that nobody asked for, but that were asked of the server. They are forgotten.
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
        self.0.len() < MOST_WAITING && under_way.count() < MOST_AT_ONCE as usize
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.take_rest();
    }
}

impl Http {
    /// Begins to load pages, as many as may be loaded at once.
    pub(super) fn begin_ahead(&self, urls: &[Url]) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut ahead = self.ahead();
        for url in urls.iter().map(without_fragment) {
            if !ahead.has_room() {
                break;
            }
            if !ahead.0.contains_key(&url) && self.may_hurry(&url) {
                let load = self.begin(&runtime, url.clone());
                ahead.0.insert(url, load);
            }
        }
    }

    fn begin(&self, runtime: &Handle, url: Url) -> Load {
        let requests = Arc::new(AtomicUsize::new(0));
        let http = Self {
            tally: Some(requests.clone()),
            ahead: Arc::default(),
            ..self.clone()
        };
        let page = runtime.spawn(async move { http.page(&url).await });
        Load { page, requests }
    }

    /// Whether neither we nor the site want time between two pages.
    fn may_hurry(&self, url: &Url) -> bool {
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
