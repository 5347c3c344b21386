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

use crate::capture::{Capture, LoadLimits, RedirectChain, Step};
use crate::source::{Admission, AsyncSource, LoadError};
use ahead::Ahead;
use ask::Target;
use cache::Cache;
pub use options::{HttpOptions, Private, ProxyChoice, Reach, SitemapChoice};
use politeness::Hosts;
pub use resolver::Lookup;
use resolver::Resolver;
use robots::Sites;
use transfer::{Clock, ResponseUse, Transport};

/// Pages from the web, loaded politely and within limits.
///
/// What `robots.txt` disallows is not requested, nor are hosts with private IP addresses unless the user named them; requests
/// to a host are sent one after the other, with a delay. See [`HttpOptions`]. Clones share what they know about sites, their
/// cookies and their cache.
///
/// ```no_run
/// use husk::{Options, Url};
/// use husk_sources::{AsyncSource, Http, HttpOptions, run_session_async};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let mut web = Http::new(HttpOptions::default())?;
/// let key_page = web.load(&Url::parse("https://example.org/")?).await?;
/// let options = Options::default();
/// web.stay_on(&key_page.url, options.same_site);
/// let extraction = run_session_async(key_page, options, &mut web, |_| ()).await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    /// The site that redirects must not leave.
    site: Option<(Url, SameSite)>,
    ahead: Arc<Mutex<Ahead>>,
    /// Which pages are parsed.
    admission: Admission,
    /// Counts the requests of this handle alone.
    own_requests: Option<Arc<AtomicUsize>>,
}

/// What clones share.
struct Shared {
    options: HttpOptions,
    transport: Transport,
    cookies: Arc<Jar>,
    cache: Option<Arc<Cache>>,
    hosts: Arc<Hosts>,
    sites: Arc<Sites>,
    requests: AtomicUsize,
    warnings: Mutex<Vec<String>>,
    recorder_state: Mutex<Option<RecorderState>>,
}

/// A recorder, and which responses it has received.
struct RecorderState {
    recorder: Arc<Mutex<dyn Recorder + Send>>,
    received: BTreeSet<(Url, u16, SystemTime)>,
}

/// Receives the responses of servers.
pub trait Recorder {
    /// Takes a response.
    fn captured(&mut self, capture: &Capture);
}

/// Why the client could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The `User-Agent` cannot be sent.
    #[error("invalid User-Agent {0:?}: use ASCII letters")]
    UserAgent(String),
    /// A header field cannot be sent.
    #[error("invalid header {0:?}: expected NAME:VALUE in ASCII")]
    Header(String),
    /// The proxy cannot be used.
    #[error("{0} cannot be used as a proxy: expected an http:// or https:// URL")]
    Proxy(Url),
    /// A file of certificates cannot be used.
    #[error("cannot use the certificates in {}: {cause}", .file.display())]
    Certificates {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The cache folder cannot be used.
    #[error("cannot use the cache folder {}: {cause}; choose another (--cache) or turn caching off (--no-cache)", .folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The HTTP client could not be built.
    #[error("cannot set up the HTTP client: {0}")]
    Client(String),
}

impl Http {
    /// Prepares to load pages; nothing is loaded yet.
    pub fn new(options: HttpOptions) -> Result<Self, HttpError> {
        Self::with_lookup(options, Arc::new(resolver::system_lookup))
    }

    /// The same with another resolver, for tests.
    #[doc(hidden)]
    pub fn with_lookup(options: HttpOptions, lookup: Arc<Lookup>) -> Result<Self, HttpError> {
        let resolver = Resolver::new(options.reach.clone(), lookup, options.proxy.clone());
        let cookies = Arc::new(Jar::default());
        let transport = Transport {
            client: client::client(&options, resolver.clone(), cookies.clone())?,
            resolver,
            stage_limit: options.stage_limit(),
            max_bytes: options.max_bytes,
            user_fields: client::user_fields(&options)?,
        };
        let shared = Shared {
            cache: open_cache(&options)?.map(Arc::new),
            options,
            transport,
            cookies,
            hosts: Arc::default(),
            sites: Arc::default(),
            requests: AtomicUsize::new(0),
            warnings: Mutex::default(),
            recorder_state: Mutex::new(None),
        };
        Ok(Self::of(shared))
    }

    /// A client for another user, with no cookies, which resolves host names anew. Both together send requests to a host no
    /// faster than one; the rules of `robots.txt` and the cache are shared.
    pub fn for_another_user(&self) -> Result<Self, HttpError> {
        let Shared {
            options,
            transport,
            cache,
            hosts,
            sites,
            ..
        } = &*self.shared;
        let (cookies, resolver) = (Arc::new(Jar::default()), transport.resolver.for_another_user());
        let shared = Shared {
            transport: Transport {
                client: client::client(options, resolver.clone(), cookies.clone())?,
                resolver,
                user_fields: transport.user_fields.clone(),
                ..*transport
            },
            options: options.clone(),
            cookies,
            cache: cache.clone(),
            hosts: hosts.clone(),
            sites: sites.clone(),
            requests: AtomicUsize::new(0),
            warnings: Mutex::default(),
            recorder_state: Mutex::new(None),
        };
        Ok(Self::of(shared))
    }

    /// Parses only pages that are admitted.
    pub fn with_admission(self, admission: Admission) -> Self {
        Self { admission, ..self }
    }

    fn of(shared: Shared) -> Self {
        Self {
            admission: Admission::default(),
            shared: Arc::new(shared),
            site: None,
            ahead: Arc::default(),
            own_requests: None,
        }
    }

    /// Passes every response to the recorder from now on, cached ones included, each once.
    pub fn record(&mut self, recorder: Arc<Mutex<dyn Recorder + Send>>) {
        *lock(&self.shared.recorder_state) = Some(RecorderState {
            recorder,
            received: BTreeSet::new(),
        });
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::SeqCst)
    }

    /// The response for one URL; redirects are not followed.
    pub async fn capture(&self, url: &Url) -> Result<Capture, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let chain = RedirectChain::new(url, self.limits())?;
        self.ask_page(&chain, &mut clock).await
    }

    async fn page(&self, url: &Url) -> Result<Page, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chain = RedirectChain::new(url, self.limits())?;
        loop {
            let capture = self.ask_page(&chain, &mut clock).await?;
            if let Step::Arrived(page) = chain.take(&capture)? {
                return Ok(*page);
            }
        }
    }

    async fn ask_page(&self, chain: &RedirectChain, clock: &mut Clock) -> Result<Capture, LoadError> {
        let wanted = Target {
            url: chain.at(),
            response_use: ResponseUse::Page,
            is_return: chain.is_return(),
        };
        self.ask(&wanted, clock).await
    }

    fn limits(&self) -> LoadLimits {
        LoadLimits {
            site: self.site.clone(),
            max_bytes: self.shared.options.max_bytes,
            admission: self.admission.clone(),
        }
    }

    /// Passes a response to the recorder, if there is one.
    fn record_response(&self, capture: &Capture) {
        if let Some(recorder_state) = &mut *lock(&self.shared.recorder_state)
            && recorder_state
                .received
                .insert((capture.url.clone(), capture.status, capture.date))
        {
            lock(&recorder_state.recorder).captured(capture);
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

    async fn page_urls(&mut self) -> Option<Vec<Url>> {
        self.listed().await
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.begin_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.ahead().take_rest()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.site = Some((key_page.clone(), same_site));
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.shared.warnings))
    }
}

/// Opens the cache, if one is wanted. The default folder may be missing, as where there is no home directory; a named one may not.
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

/// A panic of another thread leaves the value usable.
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
