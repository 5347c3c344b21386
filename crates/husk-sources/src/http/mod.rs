//! Pages from the web.

mod options;

mod reach;

mod resolver;

mod cause;

mod client;

mod transfer;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use husk::{Page, SameSite, Url};
use reqwest::cookie::Jar;

use crate::capture::{Boundary, Capture, Chase, Step};
use crate::source::{AsyncSource, LoadError};
pub use options::{HttpOptions, Private, ProxyChoice, Reach, SitemapChoice};
pub use resolver::Lookup;
use resolver::Resolver;
use transfer::{Clock, Line, Request, Use};

/// Pages from the web, loaded politely and within limits.
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    /// The site that redirects must not leave.
    site: Option<(Url, SameSite)>,
}

/// What all handles have in common.
struct Shared {
    options: HttpOptions,
    line: Line,
    requests: AtomicUsize,
    recorder: Mutex<Option<Arc<Mutex<dyn Recorder + Send>>>>,
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
        let is_proxied = options.proxy != ProxyChoice::None;
        let resolver = Resolver::new(options.reach.clone(), lookup, is_proxied);
        let cookies = Arc::new(Jar::default());
        let line = Line {
            client: client::client(&options, resolver.clone(), cookies)?,
            resolver,
            stage_limit: options.stage_limit(),
            max_bytes: options.max_bytes,
        };
        let shared = Shared {
            options,
            line,
            requests: AtomicUsize::new(0),
            recorder: Mutex::new(None),
        };
        Ok(Self {
            shared: Arc::new(shared),
            site: None,
        })
    }

    /// From now on redirects do not leave the site of a page: another site is not asked.
    pub fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.site = Some((key_page.clone(), same_site));
    }

    /// Hands every answer over from now on, also those that were kept, each once.
    pub fn record(&mut self, recorder: Arc<Mutex<dyn Recorder + Send>>) {
        *self
            .shared
            .recorder
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(recorder);
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::SeqCst)
    }

    /// The answer to a request for one address; redirects are not followed.
    pub async fn capture(&self, url: &Url) -> Result<Capture, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut url = url.clone();
        url.set_fragment(None);
        self.shared.capture(&url, Use::Page, &mut clock).await
    }

    async fn page(&self, url: &Url) -> Result<Page, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let boundary = Boundary {
            site: self.site.clone(),
            max_bytes: self.shared.options.max_bytes,
        };
        let mut chase = Chase::new(url, boundary)?;
        loop {
            let capture = self.shared.capture(chase.at(), Use::Page, &mut clock).await?;
            if let Step::Arrived(page) = chase.take(&capture)? {
                return Ok(*page);
            }
        }
    }
}

impl AsyncSource for Http {
    async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.page(url).await
    }
}

impl Shared {
    async fn capture(&self, url: &Url, answer_use: Use, clock: &mut Clock) -> Result<Capture, LoadError> {
        self.line.admit(url, clock).await?;
        self.requests.fetch_add(1, Ordering::SeqCst);
        let request = Request {
            url,
            answer_use,
            fields: Vec::new(),
        };
        self.line
            .ask(&request, clock)
            .await
            .map_err(|failure| failure.cause)
    }
}

impl std::fmt::Debug for Http {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Http")
            .field("options", &self.shared.options)
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}
