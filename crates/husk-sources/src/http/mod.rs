//! Pages from the web.

mod options;

mod reach;

mod resolver;

mod cause;

mod client;

mod transfer;

mod politeness;

mod retry;

mod robots;

mod cache;

mod ask;

mod ahead;

mod file;

mod listing;

mod style_sheets;

#[cfg(feature = "render")]
mod browsing;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use husk::{Page, SameSite, Url};
use reqwest::cookie::Jar;

use crate::capture::{Boundary, Capture, Chase, Step};
use crate::source::{AsyncSource, LoadError};
use ahead::Ahead;
use ask::Wanted;
use cache::Cache;
pub use options::{HttpOptions, Private, ProxyChoice, Reach, SitemapChoice};
use politeness::Hosts;
pub use resolver::Lookup;
use resolver::Resolver;
use robots::Sites;
use transfer::{Clock, Line, Use};

/// Pages from the web, loaded politely and within limits.
///
/// What `robots.txt` forbids is left alone, and so is every address outside of the public internet that the user did not
/// name; hosts are asked one page after the other, with time between. See [`HttpOptions`] for all of it. Clones share
/// what they know about sites, their cookies and their cache.
///
/// ```no_run
/// use husk::{Options, Url};
/// use husk_sources::{AsyncSource, Http, HttpOptions, extract_async};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let mut web = Http::new(HttpOptions::default())?;
/// let key_page = web.load(&Url::parse("https://example.org/")?).await?;
/// let options = Options::default();
/// web.stay_on(&key_page.url, options.same_site);
/// let extraction = extract_async(key_page, options, &mut web, |_| ()).await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    /// The site that redirects must not leave.
    site: Option<(Url, SameSite)>,
    ahead: Arc<Mutex<Ahead>>,
    /// Counts the requests of this handle alone.
    tally: Option<Arc<AtomicUsize>>,
}

/// What all handles have in common.
struct Shared {
    options: HttpOptions,
    line: Line,
    cookies: Arc<Jar>,
    cache: Option<Arc<Cache>>,
    hosts: Arc<Hosts>,
    sites: Arc<Sites>,
    requests: AtomicUsize,
    notes: Mutex<Vec<String>>,
    listener: Mutex<Option<Listener>>,
}

/// Who is told about answers, and which he knows already.
struct Listener {
    recorder: Arc<Mutex<dyn Recorder + Send>>,
    told: BTreeSet<(Url, u16, SystemTime)>,
}

/// Wants to know what servers answered.
pub trait Recorder {
    /// Takes an answer.
    fn captured(&mut self, capture: &Capture);
}

/// Why the web cannot be asked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The name that we are to go by cannot be sent.
    #[error("{0:?} cannot be sent as the name of a user agent: use letters of ASCII")]
    UserAgent(String),
    /// The proxy is none that we can use.
    #[error("{0} cannot be used as a proxy: name an http: or https: address")]
    Proxy(Url),
    /// A file of certificates cannot be used.
    #[error("cannot use the certificates in {}: {cause}", .file.display())]
    Certificates {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The folder for kept answers cannot be used.
    #[error("cannot keep answers in {}: {cause}; name another folder (--cache) or keep none (--no-cache)", .folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The system lacks something.
    #[error("cannot ask the web: {0}")]
    Client(String),
}

impl Http {
    /// Makes ready for loading pages; nothing is loaded yet.
    pub fn new(options: HttpOptions) -> Result<Self, HttpError> {
        Self::with_lookup(options, Arc::new(resolver::system_lookup))
    }

    /// The same, with another way to find the addresses of hosts: for tests.
    #[doc(hidden)]
    pub fn with_lookup(options: HttpOptions, lookup: Arc<Lookup>) -> Result<Self, HttpError> {
        let resolver = Resolver::new(options.reach.clone(), lookup, options.proxy.clone());
        let cookies = Arc::new(Jar::default());
        let line = Line {
            client: client::client(&options, resolver.clone(), cookies.clone())?,
            resolver,
            stage_limit: options.stage_limit(),
            max_bytes: options.max_bytes,
        };
        let shared = Shared {
            cache: open_cache(&options)?.map(Arc::new),
            options,
            line,
            cookies,
            hosts: Arc::default(),
            sites: Arc::default(),
            requests: AtomicUsize::new(0),
            notes: Mutex::default(),
            listener: Mutex::new(None),
        };
        Ok(Self::of(shared))
    }

    /// The web for somebody else, who must not get what servers said to us: another one with no cookies yet, which looks the
    /// names of hosts up anew. Hosts are asked no more often by both together than by one; what `robots.txt` says and what the
    /// cache holds is shared.
    pub fn for_another(&self) -> Result<Self, HttpError> {
        let Shared {
            options,
            line,
            cache,
            hosts,
            sites,
            ..
        } = &*self.shared;
        let (cookies, resolver) = (Arc::new(Jar::default()), line.resolver.for_another());
        let shared = Shared {
            line: Line {
                client: client::client(options, resolver.clone(), cookies.clone())?,
                resolver,
                ..*line
            },
            options: options.clone(),
            cookies,
            cache: cache.clone(),
            hosts: hosts.clone(),
            sites: sites.clone(),
            requests: AtomicUsize::new(0),
            notes: Mutex::default(),
            listener: Mutex::new(None),
        };
        Ok(Self::of(shared))
    }

    fn of(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
            site: None,
            ahead: Arc::default(),
            tally: None,
        }
    }

    /// From now on redirects do not leave the site of a page: another site is not asked.
    pub fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.site = Some((key_page.clone(), same_site));
    }

    /// Hands every answer over from now on, also those that were kept, each once.
    pub fn record(&mut self, recorder: Arc<Mutex<dyn Recorder + Send>>) {
        *lock(&self.shared.listener) = Some(Listener {
            recorder,
            told: BTreeSet::new(),
        });
    }

    /// What went wrong beside pages since the last time, such as a sitemap that is not there.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.shared.notes))
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::SeqCst)
    }

    /// The answer to a request for one address; redirects are not followed.
    pub async fn capture(&self, url: &Url) -> Result<Capture, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let chase = Chase::new(url, self.boundary())?;
        self.ask_page(&chase, &mut clock).await
    }

    async fn page(&self, url: &Url) -> Result<Page, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chase = Chase::new(url, self.boundary())?;
        loop {
            let capture = self.ask_page(&chase, &mut clock).await?;
            if let Step::Arrived(page) = chase.take(&capture)? {
                return Ok(*page);
            }
        }
    }

    async fn ask_page(&self, chase: &Chase, clock: &mut Clock) -> Result<Capture, LoadError> {
        let wanted = Wanted {
            url: chase.at(),
            answer_use: Use::Page,
            is_return: chase.is_return(),
        };
        self.ask(&wanted, clock).await
    }

    fn boundary(&self) -> Boundary {
        Boundary {
            site: self.site.clone(),
            max_bytes: self.shared.options.max_bytes,
        }
    }

    /// Tells who wants to know about an answer.
    fn hand_over(&self, capture: &Capture) {
        if let Some(listener) = &mut *lock(&self.shared.listener)
            && listener
                .told
                .insert((capture.url.clone(), capture.status, capture.date))
        {
            lock(&listener.recorder).captured(capture);
        }
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        lock(&self.ahead)
    }
}

impl AsyncSource for Http {
    async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let begun = self.ahead().take(url);
        if let Some(begun) = begun
            && let Ok(page) = begun.await
        {
            return page;
        }
        self.page(url).await
    }

    async fn addresses(&mut self) -> Option<Vec<Url>> {
        self.listed().await
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.begin_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.ahead().take_rest()
    }
}

/// Opens the cache, if one is wanted. The usual folder may be missing, as where there is no home; one that was named may not.
fn open_cache(options: &HttpOptions) -> Result<Option<Cache>, HttpError> {
    let Some(folder) = &options.cache else {
        return Ok(None);
    };
    match Cache::open(folder, options.max_bytes) {
        Ok(cache) => Ok(Some(cache)),
        Err(_) if HttpOptions::default_cache().as_ref() == Some(folder) => Ok(None),
        Err(cause) => Err(HttpError::Cache {
            folder: folder.clone(),
            cause,
        }),
    }
}

/// What a panic elsewhere left behind is as good as before.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Http {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Http")
            .field("options", &self.shared.options)
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
