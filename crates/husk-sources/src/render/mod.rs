//! Pages as a browser renders them, including what scripts add.
//!
//! Each page is loaded in a tab of a headless Chromium, which waits until nothing happens any more. [`Http`] decides which
//! pages may be loaded and when; all connections of the browser go through a proxy that applies the same rules.

mod find;

mod devtools;

mod process;

mod proxy;

mod browser;

mod flat_tree;

mod net_error;

mod visit;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use husk::{Page, SameSite, Url};

use crate::capture::{Capture, LoadLimits, RedirectChain};
use crate::http::{Http, HttpError, HttpOptions, Recorder};
use crate::source::{Admission, AsyncSource, LoadError};
use browser::{Browser, Tab};
use visit::{Fault, Visited};

/// Options for rendering pages.
#[derive(Debug, Clone)]
pub struct RenderOptions {
    /// The browser: a file, or the name of a command. Otherwise that in the environment variable `CHROME`, or else the first
    /// Chromium, Chrome or Edge that is found.
    pub browser: Option<PathBuf>,
    /// The time limit for one page, not counting the delay between pages. A page that shows something by then is used as it
    /// is.
    pub timeout: Duration,
    /// How long neither a request nor a change of the document must happen until a page counts as finished. A page that never
    /// finishes is used as it is 10 seconds after it was loaded.
    pub quiet: Duration,
    /// Whether to include shadow trees, open or closed, with their slots filled. Styles of shadow trees are left out.
    pub flatten_shadow: bool,
    /// Whether to include the bodies of frames of the same origin, as `<div data-husk-frame=URL>`.
    pub flatten_frames: bool,
    /// The size limit for a page, as sent and as rendered.
    pub max_bytes: u64,
    /// The rules for requests: `robots.txt`, delay, `User-Agent`, which hosts may be connected to. The default `User-Agent` is
    /// appended to that of the browser, another one replaces it. Cache, sitemap and certificates do not apply to browsers.
    pub http: HttpOptions,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            browser: None,
            timeout: Duration::from_secs(30),
            quiet: Duration::from_millis(500),
            flatten_shadow: false,
            flatten_frames: false,
            max_bytes: crate::Folder::MAX_BYTES,
            http: HttpOptions::default(),
        }
    }
}

/// Why pages cannot be rendered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No browser was found.
    #[error(
        "no Chromium found: install it (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; \
         macOS: brew install --cask chromium; Windows: winget install Google.Chrome) or set its path (--browser FILE)"
    )]
    NoBrowser,
    /// The named browser does not exist.
    #[error("no browser {}: expected an executable of Chromium, Chrome or Edge (--browser FILE)", .0.display())]
    NoSuchBrowser(PathBuf),
    /// Browsers use a proxy of Husk, which does not support another one.
    #[error("pages cannot be rendered through a proxy: turn off the proxy (--proxy none) or rendering")]
    Proxy,
    /// The HTTP client could not be set up.
    #[error(transparent)]
    Http(#[from] HttpError),
}

/// Pages from the web, rendered by a browser.
///
/// The browser is started when the first page is loaded, and ends when this value is dropped.
///
/// ```no_run
/// use husk::{Options, Url};
/// use husk_sources::{Blocking, Rendered, RenderOptions, Source, run_session};
///
/// let mut site = Blocking::new(Rendered::new(RenderOptions::default())?)?;
/// let key_page = site.load(&Url::parse("https://example.org/")?)?;
/// let extraction = run_session(key_page, Options::default(), &mut site, |_event| ());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rendered {
    options: RenderOptions,
    file: PathBuf,
    http: Http,
    browser: Option<Browser>,
    has_warned_of_root: bool,
}

impl Rendered {
    /// Finds the browser; nothing is started or loaded yet.
    pub fn new(options: RenderOptions) -> Result<Self, RenderError> {
        let http = Http::new(options.http.clone())?;
        Self::with_http(options, http)
    }

    /// The same with an existing client.
    #[doc(hidden)]
    pub fn with_http(options: RenderOptions, http: Http) -> Result<Self, RenderError> {
        if !options.http.proxy.hosts().is_empty() {
            return Err(RenderError::Proxy);
        }
        Ok(Self {
            file: find::browser(options.browser.as_deref())?,
            http,
            browser: None,
            has_warned_of_root: false,
            options,
        })
    }

    /// Passes every rendered page to the recorder from now on, including redirects and `robots.txt`.
    pub fn record(&mut self, recorder: Arc<Mutex<dyn Recorder + Send>>) {
        self.http.record(recorder);
    }

    /// How many pages were requested so far, including redirects and `robots.txt`, but not the resources of pages.
    pub fn requests(&self) -> usize {
        self.http.requests()
    }

    /// The page at a URL as the browser has it, at the end of all redirects, by the server or by the page itself. If the response
    /// is an error or not a page, only its status and type.
    pub async fn capture(&mut self, url: &Url) -> Result<Capture, LoadError> {
        let mut again = self.http.retry_budget(url);
        loop {
            let visited = self.visit(url).await?;
            if self.http.is_busy(&visited.page, &mut again)? {
                continue;
            }
            for capture in visited.redirects.iter().chain([&visited.page]) {
                self.http.record_rendered(capture);
            }
            return Ok(visited.page);
        }
    }

    async fn visit(&mut self, url: &Url) -> Result<Visited, LoadError> {
        let failed = |cause: String| LoadError::Browser {
            object: url.to_string(),
            cause,
        };
        let limits = LoadLimits {
            site: self.http.site(),
            max_bytes: self.options.max_bytes,
            admission: Admission::default(),
        };
        let chain = RedirectChain::new(url, limits)?;
        let (mut browser, tab) = self.tab().await.map_err(failed)?;
        let visited = match visit::visit(&mut browser, tab, &self.http, &self.options, chain).await {
            Ok(visited) => Ok(visited),
            Err(Fault::Page(cause)) => Err(cause),
            Err(Fault::Browser(cause)) => return Err(failed(cause)),
            Err(Fault::Late) => return Err(failed("it does not respond".to_owned())),
        };
        self.browser = Some(browser);
        visited
    }

    /// A new tab, in the running browser if it still works. The browser is taken out of `self`, so that it is not reused if this
    /// is cancelled.
    async fn tab(&mut self) -> Result<(Browser, Tab), String> {
        if let Some(mut browser) = self.browser.take()
            && !browser.is_gone()
            && let Ok(tab) = browser.open_tab().await
        {
            return Ok((browser, tab));
        }
        let mut browser = Browser::start(&self.file, &self.http, &self.options).await?;
        let tab = browser.open_tab().await.map_err(|cause| cause.to_string())?;
        Ok((browser, tab))
    }

    /// The process ID and the data folder of the browser, for tests.
    #[doc(hidden)]
    pub fn process(&self) -> Option<(u32, PathBuf)> {
        self.browser.as_ref().map(Browser::process)
    }

    /// Closes the browser, if there is one, and waits until it has ended.
    pub async fn close(&mut self) {
        if let Some(browser) = self.browser.take() {
            browser.close().await;
        }
    }
}

impl AsyncSource for Rendered {
    async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.capture(url).await?.page(self.options.max_bytes)
    }

    async fn page_urls(&mut self) -> Option<Vec<Url>> {
        self.http.page_urls().await
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.http.stay_on(key_page, same_site);
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = self.http.take_warnings();
        // If even this cannot be found out, no browser will start.
        let is_root = process::is_root().unwrap_or_default();
        if is_root && !std::mem::replace(&mut self.has_warned_of_root, true) {
            warnings.push(
                "running as root, so the browser runs without its sandbox: run husk as an ordinary user"
                    .to_owned(),
            );
        }
        warnings
    }
}
