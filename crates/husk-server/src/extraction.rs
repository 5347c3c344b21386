//! Runs one extraction: waits for a slot, loads pages, uses the stored template of the site or learns one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use husk::output::Resources;
use husk::{Analysis, Cancel, Cancelled, Method, Options, Page, SameSite, SiteTemplates, Url};
use husk_sources::{
    Admission, OpenedPage, PageLocation, PageRequest, SiteLocation, Source, open_page, run_session,
};
use husk_store::{LearnedBy, StoredSite};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::time::timeout_at;
use tokio_util::sync::CancellationToken;

use crate::memory::{Reservation, key_page_memory, sibling_memory};
use crate::pages::{IN_REQUEST, Web, archive_location, open_problem, store_archive};
use crate::problem::{Problem, ProblemType};
use crate::progress::ProgressSender;
use crate::request::{PageSource, ParsedRequest, UnparsedPage};
use crate::state::ServerState;
use crate::store::{SiteSummary, site_of};

/// The result of an extraction.
pub(crate) struct Extracted {
    pub(crate) analysis: Analysis,
    /// The style sheets of the page that could be loaded, for outputs that are displayed.
    pub(crate) style_sheets: Resources,
    /// The stored template that was used, if any.
    pub(crate) learned: Option<Learned>,
}

/// The stored template that was used.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
pub(crate) struct Learned {
    /// The site.
    pub(crate) site: String,
    /// The layout of the page.
    pub(crate) layout: String,
    /// Seconds since it was learned.
    pub(crate) age_seconds: u64,
    /// Number of pages it was learned from.
    pub(crate) pages: u32,
}

/// Waits for a slot and for memory, runs the extraction and passes the result to `make`, within the time limit. Dropping it cancels the work.
///
/// Returns the memory that is reserved along, to be held as long as the result is.
pub(crate) async fn run_extraction<T: Send + 'static>(
    server: Arc<ServerState>,
    request: ParsedRequest,
    progress: ProgressSender,
    make: impl FnOnce(&ServerState, Extracted) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Arc<Reservation>), Problem> {
    let (limit, runtime) = (server.settings.limits.time, Handle::current());
    let deadline = tokio::time::Instant::now() + limit;
    let slot = server
        .queue
        .acquire(|ahead| progress.send("queued", || json!({"ahead": ahead})));
    let slot = timeout_at(deadline, slot).await.map_err(|_| timed_out(limit))??;
    let memory = server.memory.reserve(request.source.memory());
    let memory = timeout_at(deadline, memory)
        .await
        .map_err(|_| Problem::no_memory())??;
    let memory = Arc::new(memory);
    let started = Instant::now();
    let job_end = JobEnd::default();
    let metrics = server.metrics.clone();
    let job = Job {
        server,
        progress,
        stop: job_end.stop.clone(),
        runtime,
        deadline: deadline.into_std(),
        memory: memory.clone(),
    };
    let cancel = job_end.cancel.clone();
    let made = tokio::task::spawn_blocking(move || {
        // Held until the thread ends, even if the client disconnects.
        let _slot = slot;
        let made = cancel.run(|| {
            let extracted = job.extract(request)?;
            job.progress.send("writing", || json!({}));
            make(&job.server, extracted)
        });
        made.unwrap_or_else(|Cancelled| Err(timed_out(limit)))
    });
    let made = match timeout_at(deadline, made).await {
        Ok(Ok(made)) => made.map(|made| (made, memory)),
        Ok(Err(panicked)) => Err(Problem::internal(panicked)),
        Err(_) => Err(timed_out(limit)),
    };
    let outcome = match &made {
        Ok(_) => "ok",
        Err(problem) => outcome_of(problem),
    };
    metrics.count_extraction(outcome, started.elapsed());
    made
}

/// Ends the loading and the work of a job when it is dropped.
#[derive(Default)]
struct JobEnd {
    stop: CancellationToken,
    cancel: Cancel,
}

impl Drop for JobEnd {
    fn drop(&mut self) {
        self.stop.cancel();
        self.cancel.cancel();
    }
}

impl PageSource {
    /// The memory that an extraction reserves before it begins. It reserves more for each page that it loads.
    fn memory(&self) -> usize {
        match self {
            Self::Given { page, siblings } => {
                let siblings = siblings.iter().map(|page| sibling_memory(page.html.as_bytes()));
                key_page_memory(page.html.as_bytes()) + siblings.sum::<usize>()
            }
            Self::Web(_) | Self::Archive { .. } => 0,
        }
    }
}

fn timed_out(limit: Duration) -> Problem {
    let message = format!(
        "not finished within {} s: load fewer pages (options.max_pages) or retry later",
        limit.as_secs()
    );
    Problem::new(ProblemType::Timeout, message)
}

fn outcome_of(problem: &Problem) -> &'static str {
    match problem.status {
        504 => "timeout",
        502 | 403 => "page-not-loaded",
        500 => "internal-error",
        _ => "no-result",
    }
}

/// An extraction on a blocking thread.
struct Job {
    server: Arc<ServerState>,
    progress: ProgressSender,
    stop: CancellationToken,
    runtime: Handle,
    deadline: Instant,
    memory: Arc<Reservation>,
}

impl Job {
    fn extract(&self, request: ParsedRequest) -> Result<Extracted, Problem> {
        match request.source {
            PageSource::Web(ref url) => {
                let url = url.clone();
                self.progress.send("started", || json!({"page": url.as_str()}));
                self.extract_from_web(&url, request)
            }
            PageSource::Given { page, siblings } => {
                let site = SiteLocation::Given {
                    pages: siblings.into_iter().map(UnparsedPage::parse).collect(),
                    name: IN_REQUEST,
                };
                let page = PageLocation::Parsed(Box::new(page.parse()));
                self.extract_from_request(page, site, request.options)
            }
            PageSource::Archive { bytes, page } => {
                let file = store_archive(&bytes)?;
                drop(bytes);
                let max_bytes = self.server.settings.http.max_bytes;
                let site = SiteLocation::Archive(archive_location(file.path(), max_bytes, self.admission()));
                let page = page.map_or(PageLocation::OnlyPage, PageLocation::Url);
                self.extract_from_request(page, site, request.options)
            }
        }
    }

    fn extract_from_request(
        &self,
        page: PageLocation,
        site: SiteLocation,
        options: Options,
    ) -> Result<Extracted, Problem> {
        let OpenedPage {
            key_page, mut source, ..
        } = self.open(page, site, options.same_site, None)?;
        self.progress
            .send("started", || json!({"page": key_page.url.as_str()}));
        self.progress
            .send_loaded(&key_page.url, &key_page, options.same_site);
        self.compare(key_page, options, &mut *source)
    }

    /// Admits pages as long as there is memory. The first is the key page.
    fn admission(&self) -> Admission {
        let (memory, is_first) = (self.memory.clone(), AtomicBool::new(true));
        Admission::new(move |html| {
            let is_key_page = is_first.swap(false, Ordering::SeqCst);
            memory.grow(if is_key_page {
                key_page_memory(html)
            } else {
                sibling_memory(html)
            })
        })
    }

    /// Opens a page; without `web`, nothing is loaded from the web.
    fn open(
        &self,
        page: PageLocation,
        site: SiteLocation,
        same_site: SameSite,
        web: Option<Web>,
    ) -> Result<OpenedPage, Problem> {
        let request = PageRequest {
            page,
            site,
            base_url: None,
            same_site,
            page_list: None,
        };
        let connect = |_: Option<&Url>| match web {
            Some(web) => Ok(Box::new(web) as Box<dyn Source>),
            None => Err("the request contains its pages".into()),
        };
        open_page(request, Box::new(connect), &mut |_| ()).map_err(open_problem)
    }

    fn extract_from_web(&self, url: &Url, request: ParsedRequest) -> Result<Extracted, Problem> {
        let web = Web {
            http: self
                .server
                .http
                .for_another_user()
                .map_err(Problem::internal)?
                .with_admission(self.admission()),
            runtime: self.runtime.clone(),
            stop: self.stop.clone(),
        };
        let with_stylesheets = request.with_stylesheets;
        let mut extracted = self.load_and_extract(url, request, web.clone())?;
        if with_stylesheets {
            self.progress.send("stylesheets", || json!({}));
            extracted.style_sheets = web.style_sheets(extracted.analysis.page(), self.stylesheet_time());
        }
        Ok(extracted)
    }

    /// Time for style sheets: at most half of what is left, so that the result is still written.
    fn stylesheet_time(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        MAX_STYLESHEET_TIME.min(left / 2)
    }

    fn load_and_extract(&self, url: &Url, request: ParsedRequest, web: Web) -> Result<Extracted, Problem> {
        let same_site = request.options.same_site;
        let location = PageLocation::Url(url.clone());
        let OpenedPage {
            key_page: page,
            mut source,
            ..
        } = self.open(location, SiteLocation::Web, same_site, Some(web))?;
        self.server.metrics.count_loaded_pages(1);
        self.progress.send_loaded(url, &page, same_site);
        let may_learn = request.has_default_options && request.options.method == Method::Husk;
        let known = if may_learn && !request.fresh {
            self.stored_site(&page)
        } else {
            None
        };
        let (known, page) = match known {
            None => (None, page),
            Some(known) => match apply_stored_template(&known, page) {
                Ok(extracted) => {
                    self.server.metrics.count_template_lookup(true);
                    return Ok(*extracted);
                }
                Err(page) => (Some(known), *page),
            },
        };
        self.server.metrics.count_template_lookup(false);
        let extracted = self.compare(page, request.options, &mut *source)?;
        self.server
            .metrics
            .count_loaded_pages(extracted.analysis.extraction().loaded.len() - 1);
        if may_learn {
            self.learn(&extracted, known);
        }
        Ok(extracted)
    }

    fn compare(&self, page: Page, options: Options, source: &mut dyn Source) -> Result<Extracted, Problem> {
        let same_site = options.same_site;
        let extraction = run_session(page, options, source, |event| {
            self.progress.send_source_event(&event, same_site)
        });
        if self.stop.is_cancelled() {
            // The client is gone; nobody reads this.
            return Err(timed_out(self.server.settings.limits.time));
        }
        Ok(Extracted {
            analysis: extraction.into(),
            style_sheets: Resources::default(),
            learned: None,
        })
    }

    /// The stored templates of a page's site. A store that fails only costs time.
    fn stored_site(&self, page: &Page) -> Option<StoredSite> {
        let known = self.server.store.site(&site_of(&page.url));
        known.unwrap_or_else(|cause| {
            tracing::error!(%cause, "cannot read the learned template");
            None
        })
    }

    /// Learns from the compared pages, on top of the known templates. Only from pages that the server loaded itself: sent pages
    /// could claim to be of any site.
    fn learn(&self, extracted: &Extracted, known: Option<StoredSite>) {
        let extraction = extracted.analysis.extraction();
        if extraction.compared.len() < MIN_COMPARED_TO_LEARN {
            return;
        }
        let is_compared = |page: &&Page| extraction.compared.contains(&page.url);
        let others = extraction.pages.iter().filter(is_compared);
        let pages: Vec<Page> = std::iter::once(&extraction.key_page)
            .chain(others)
            .cloned()
            .collect();
        let (mut templates, learned_by) = match known {
            Some(known) => (known.templates, known.info.learned_by),
            None => (
                SiteTemplates::new(site_of(&extraction.key_page.url)),
                LearnedBy::Serve,
            ),
        };
        templates.learn(&pages);
        if let Err(cause) = self.server.store.put_site(&templates, learned_by) {
            tracing::error!(%cause, "cannot store the learned template");
        }
    }
}

/// Style sheets that take longer are left out.
const MAX_STYLESHEET_TIME: Duration = Duration::from_secs(5);

/// Fewer compared pages make no reliable template.
const MIN_COMPARED_TO_LEARN: usize = 2;

/// Applies the stored template of the site; gives the page back if no layout fits.
fn apply_stored_template(known: &StoredSite, page: Page) -> Result<Box<Extracted>, Box<Page>> {
    let stripped = known.templates.stripper().strip(&page);
    let layout = stripped
        .layout
        .and_then(|layout| known.templates.layouts().get(layout));
    let Some(layout) = layout.filter(|_| stripped.warnings.is_empty()) else {
        return Err(Box::new(page));
    };
    let learned = Learned {
        site: known.info.site.clone(),
        layout: layout.id().to_owned(),
        age_seconds: SiteSummary::from(known.info.clone()).age_seconds,
        pages: layout.pages(),
    };
    Ok(Box::new(Extracted {
        analysis: Analysis::of_stripped(page, stripped),
        style_sheets: Resources::default(),
        learned: Some(learned),
    }))
}
