//! Pages as a browser makes them of what servers send, menus included that only scripts build.
//!
//! A [`RenderOptions`] in; a source out that loads each page in a tab of a headless Chromium, waits until nothing happens
//! any more, and takes the document as it then is. The rules of the web are those of [`Http`], which is asked before each
//! page; and all that the browser connects to goes through a proxy of ours that knows them too.

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

use crate::capture::{Boundary, Capture, Chase};
use crate::http::{Http, HttpError, HttpOptions, Recorder};
use crate::source::{AsyncSource, LoadError};
use browser::{Browser, Tab};
use visit::{Fault, Visited};

/// How pages are rendered.
#[derive(Debug, Clone)]
pub struct RenderOptions {
    /// The browser: a file, or the name of a command. Otherwise the environment variable `CHROME` says which, or else the
    /// first Chromium, Chrome or Edge that is found is taken.
    pub browser: Option<PathBuf>,
    /// The most time for one page, not counting the delay between pages. A page that shows something by then is taken
    /// as it is.
    pub timeout: Duration,
    /// How long nothing must happen, neither a request nor a change of the document, until a page counts as finished. A
    /// page that never rests is taken as it is 10 seconds after it was loaded.
    pub quiet: Duration,
    /// Whether shadow trees, open or closed, become part of the page, with what stands in their slots. Styles that hold
    /// in a shadow tree only are left out.
    pub flatten_shadow: bool,
    /// Whether the bodies of frames of the same origin are put in their place, as `<div data-husk-frame=ADDRESS>`.
    pub flatten_frames: bool,
    /// The most bytes of a page, as sent and as rendered.
    pub max_bytes: u64,
    /// The rules of the web: robots, delay, user agent, which hosts may be connected to. A name for the user agent that
    /// is not the default one is sent as it is; the default one follows that of the browser. Of the rest, cache, sitemap
    /// and certificates do not concern browsers.
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

/// Why no page can be rendered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// There is no browser.
    #[error(
        "no Chromium found: install chromium (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; \
         macOS: brew install --cask chromium; Windows: winget install Google.Chrome) or name it (--browser FILE)"
    )]
    NoBrowser,
    /// The browser that was named is not there.
    #[error("no browser {}: name a Chromium, Chrome or Edge that can be run (--browser FILE)", .0.display())]
    NoSuchBrowser(PathBuf),
    /// Browsers are told to go through a proxy of ours, which knows no other.
    #[error("pages cannot be rendered through a proxy: leave out the proxy (--proxy none), or the rendering")]
    Proxy,
    /// The web cannot be asked.
    #[error(transparent)]
    Http(#[from] HttpError),
}

/// Pages of the web, rendered.
///
/// The browser is started when the first page is asked for, and ends with this value.
///
/// ```no_run
/// use husk::{Options, Url};
/// use husk_sources::{Blocking, Rendered, RenderOptions, Source, extract};
///
/// let mut site = Blocking::new(Rendered::new(RenderOptions::default())?)?;
/// let key_page = site.load(&Url::parse("https://example.org/")?)?;
/// let extraction = extract(key_page, Options::default(), &mut site, |_event| ());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rendered {
    options: RenderOptions,
    file: PathBuf,
    http: Http,
    browser: Option<Browser>,
}

impl Rendered {
    /// Finds the browser; nothing is started or loaded yet.
    pub fn new(options: RenderOptions) -> Result<Self, RenderError> {
        let http = Http::new(options.http.clone())?;
        Self::with_http(options, http)
    }

    /// The same, with rules of the web that others share.
    #[doc(hidden)]
    pub fn with_http(options: RenderOptions, http: Http) -> Result<Self, RenderError> {
        if !options.http.proxy.hosts().is_empty() {
            return Err(RenderError::Proxy);
        }
        Ok(Self {
            file: find::browser(options.browser.as_deref())?,
            http,
            browser: None,
            options,
        })
    }

    /// From now on redirects do not leave the site of a page: another site is not asked.
    pub fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.http.stay_on(key_page, same_site);
    }

    /// Hands every rendered page over from now on, redirects on the way to it and `robots.txt` included.
    pub fn record(&mut self, recorder: Arc<Mutex<dyn Recorder + Send>>) {
        self.http.record(recorder);
    }

    /// What whoever renders pages on this machine should know.
    pub fn notes(&self) -> Vec<String> {
        // Where not even that can be found out, no browser will start.
        let is_root = process::is_root().unwrap_or_default();
        let note =
            "the browser runs without its sandbox, since this is root: better run husk as an ordinary user";
        is_root.then(|| note.to_owned()).into_iter().collect()
    }

    /// How many pages were asked for so far, each redirect and `robots.txt` counted; not what belongs to pages, such as
    /// their pictures.
    pub fn requests(&self) -> usize {
        self.http.requests()
    }

    /// The page at an address as the browser has it, under the address that redirects led to, be they by the server or by
    /// the page itself. Where the answer is an error or no page, there is only its status and type.
    pub async fn capture(&mut self, url: &Url) -> Result<Capture, LoadError> {
        let mut again = self.http.again(url);
        loop {
            let visited = self.visit(url).await?;
            if self.http.is_busy(&visited.page, &mut again)? {
                continue;
            }
            for capture in visited.redirects.iter().chain([&visited.page]) {
                self.http.tell(capture);
            }
            return Ok(visited.page);
        }
    }

    async fn visit(&mut self, url: &Url) -> Result<Visited, LoadError> {
        let failed = |cause: String| LoadError::Browser {
            object: url.to_string(),
            cause,
        };
        let boundary = Boundary {
            site: self.http.site(),
            max_bytes: self.options.max_bytes,
        };
        let chase = Chase::new(url, boundary)?;
        let (mut browser, tab) = self.tab().await.map_err(failed)?;
        let visited = match visit::visit(&mut browser, tab, &self.http, &self.options, chase).await {
            Ok(visited) => Ok(visited),
            Err(Fault::Page(cause)) => Err(cause),
            Err(Fault::Browser(cause)) => return Err(failed(cause)),
            Err(Fault::Late) => return Err(failed("it does not answer".to_owned())),
        };
        self.browser = Some(browser);
        visited
    }

    /// A fresh tab, in the browser that is there if it is still any good. The browser is taken out, so that one whose work
    /// is broken off does not go on with the next page.
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

    /// The number of the browser's process and the folder of what it keeps, for tests.
    #[doc(hidden)]
    pub fn process(&self) -> Option<(u32, PathBuf)> {
        self.browser.as_ref().map(Browser::process)
    }

    /// Ends the browser, if there is one, and waits until it is gone.
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

    async fn addresses(&mut self) -> Option<Vec<Url>> {
        self.http.addresses().await
    }
}
