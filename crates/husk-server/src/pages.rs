//! Where the pages of an extraction come from: the web, the request itself, or an archive in it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use husk::output::Resources;
use husk::{Address, Page, SameSite, Url};
use husk_sources::{Archive, AsyncSource, Http, LoadError, Source};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::problem::{Problem, ProblemType};

/// The web, for work on a thread that may block; loading ends when nobody wants the result any more.
pub(crate) struct Web {
    pub(crate) http: Http,
    pub(crate) runtime: Handle,
    pub(crate) stop: CancellationToken,
}

impl Web {
    /// From now on redirects must not leave the site.
    pub(crate) fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.http.stay_on(key_page, same_site);
    }

    /// The style sheets of a page, as far as they can be had in so much time.
    pub(crate) fn style_sheets(&self, page: &Page, within: Duration) -> Resources {
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => Resources::default(),
                found = self.http.style_sheets(page, within) => found,
            }
        })
    }
}

/// Why a page is not loaded when nobody wants it any more.
fn stopped(url: &Url) -> LoadError {
    LoadError::Network {
        object: url.to_string(),
        cause: "nobody waits for it any more".to_owned(),
    }
}

/// A cause without what only those inside may know: names of the inner network lead to addresses there.
fn discreet(cause: LoadError) -> LoadError {
    match cause {
        LoadError::Private { object, .. } => LoadError::Private {
            object,
            address: "an address".to_owned(),
        },
        other => other,
    }
}

impl Source for Web {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let (http, stop) = (&mut self.http, &self.stop);
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stop.cancelled() => Err(stopped(url)),
                page = http.load(url) => page.map_err(discreet),
            }
        })
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        let (http, stop) = (&mut self.http, &self.stop);
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stop.cancelled() => None,
                addresses = http.addresses() => addresses,
            }
        })
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        let _in_runtime = self.runtime.enter();
        self.http.load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.http.loaded_in_vain()
    }
}

/// Pages that came in the request.
pub(crate) struct Given(BTreeMap<String, Page>);

impl Given {
    pub(crate) fn new(pages: Vec<Page>) -> Self {
        let name = |page: &Page| Address::of(&page.url).as_str().to_owned();
        Self(pages.into_iter().map(|page| (name(&page), page)).collect())
    }
}

impl Source for Given {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let page = self.0.get(Address::of(url).as_str());
        page.cloned().ok_or_else(|| LoadError::NotFound {
            object: url.to_string(),
            root: PathBuf::from("the request"),
        })
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        Some(self.0.values().map(|page| page.url.clone()).collect())
    }
}

/// An archive that came in the request.
pub(crate) struct GivenArchive {
    archive: Archive,
    /// The archive is read as long as the file is there.
    _file: NamedTempFile,
}

/// What the archive is called: the file that it was put in is nobody's business.
const IN_REQUEST: &str = "the archive in the request";

/// More pages are not listed to choose from.
const MOST_LISTED: usize = 500;

impl GivenArchive {
    pub(crate) fn open(bytes: &[u8], max_bytes: u64) -> Result<Self, Problem> {
        let ending = if bytes.starts_with(&[0x1F, 0x8B]) {
            ".warc.gz"
        } else {
            ".warc"
        };
        let written = tempfile::Builder::new()
            .suffix(ending)
            .tempfile()
            .and_then(|mut file| {
                file.write_all(bytes)?;
                Ok(file)
            });
        let file = written.map_err(Problem::internal)?;
        let archive = Archive::open(&[file.path().to_owned()]).map_err(|cause| {
            let cause = cause
                .to_string()
                .replace(&*file.path().to_string_lossy(), IN_REQUEST);
            Problem::bad_request(cause)
        })?;
        Ok(Self {
            archive: archive.with_max_bytes(max_bytes),
            _file: file,
        })
    }

    /// The page that is meant: the one that was named, or the only one.
    pub(crate) fn key_page(&mut self, named: Option<&Url>) -> Result<Page, Problem> {
        if let Some(named) = named {
            return self.load(named).map_err(|cause| Problem::of_load(&cause));
        }
        let pages = self.addresses().unwrap_or_default();
        match &pages[..] {
            [] => Err(Problem::bad_request("there is no page in the archive")),
            [page] => self.load(page).map_err(|cause| Problem::of_load(&cause)),
            _ => {
                let message = format!(
                    "there are {} pages in the archive: name one (?page=URL)",
                    pages.len()
                );
                let mut problem = Problem::new(ProblemType::PageRequired, message);
                problem.pages = pages.iter().take(MOST_LISTED).map(ToString::to_string).collect();
                Err(problem)
            }
        }
    }

    pub(crate) fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.archive.stay_on(key_page, same_site);
    }
}

impl Source for GivenArchive {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.archive.load(url).map_err(|cause| match cause {
            LoadError::NotInArchive { object, .. } => LoadError::NotInArchive {
                object,
                archive: IN_REQUEST.into(),
            },
            LoadError::Archive { object, cause, .. } => LoadError::Archive {
                object,
                archive: IN_REQUEST.into(),
                cause,
            },
            other => other,
        })
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        self.archive.addresses()
    }
}
