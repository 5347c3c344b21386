//! Opens the pages of an extraction: from the web, from the request itself, or from an archive in it.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use husk::output::Resources;
use husk::{Page, SameSite, Url};
use husk_sources::{Admission, ArchiveLocation, AsyncSource, Http, LoadError, OpenPageError, Source};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::problem::{Problem, ProblemType};

/// The web, for work on a thread that may block. Loading ends when the job is cancelled.
#[derive(Clone)]
pub(crate) struct Web {
    pub(crate) http: Http,
    pub(crate) runtime: Handle,
    pub(crate) stop: CancellationToken,
}

impl Web {
    /// Loads the style sheets of a page, as many as the time limit allows.
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

fn cancelled(url: &Url) -> LoadError {
    LoadError::Network {
        object: url.to_string(),
        cause: "the job was cancelled".to_owned(),
    }
}

/// Hides which hosts there are on the internal network: they fail like hosts that do not exist.
fn hide_address(cause: LoadError) -> LoadError {
    match cause {
        LoadError::Private { object, .. } | LoadError::UnknownHost { object, .. } => LoadError::UnknownHost {
            object,
            cause: "its host has no public IP address".to_owned(),
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
                () = stop.cancelled() => Err(cancelled(url)),
                page = http.load(url) => page.map_err(hide_address),
            }
        })
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let (http, stop) = (&mut self.http, &self.stop);
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stop.cancelled() => None,
                urls = http.page_urls() => urls,
            }
        })
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        let _in_runtime = self.runtime.enter();
        self.http.load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.http.unused_pages()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.http.stay_on(key_page, same_site);
    }
}

/// What error messages call pages that came in the request.
pub(crate) const IN_REQUEST: &str = "the request";

/// More pages are not listed to choose from.
const MAX_LISTED: usize = 500;

/// Writes an archive that came in the request to a file, which is removed when it is dropped.
pub(crate) fn store_archive(bytes: &[u8]) -> Result<NamedTempFile, Problem> {
    let is_gzip = bytes.starts_with(&[0x1F, 0x8B]);
    let suffix = if is_gzip { ".warc.gz" } else { ".warc" };
    let file = tempfile::Builder::new().suffix(suffix).tempfile();
    let written = file.and_then(|mut file| {
        file.write_all(bytes)?;
        Ok(file)
    });
    written.map_err(Problem::internal)
}

/// The archive in the request; its file is not named in messages.
pub(crate) fn archive_location(file: &Path, max_bytes: u64, admission: Admission) -> ArchiveLocation {
    ArchiveLocation {
        max_bytes,
        admission,
        name: Some("the archive in the request"),
        ..vec![file.to_owned()].into()
    }
}

/// The problem to answer with if a page could not be opened.
pub(crate) fn open_problem(cause: OpenPageError) -> Problem {
    match cause {
        OpenPageError::Load(cause) => Problem::of_load(&cause),
        OpenPageError::AmbiguousPage { pages } => {
            let message = format!(
                "there are {} pages in the archive: name one (?page=URL)",
                pages.len()
            );
            let mut problem = Problem::new(ProblemType::PageRequired, message);
            problem.pages = pages.iter().take(MAX_LISTED).map(ToString::to_string).collect();
            problem
        }
        OpenPageError::Web(cause) => Problem::internal(cause),
        cause => Problem::bad_request(cause.to_string()),
    }
}
