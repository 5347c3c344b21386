//! One extraction from beginning to end: its turn, its pages, what was learned before, and what is learned now.

use std::sync::Arc;
use std::time::{Duration, Instant};

use husk::{Method, Options, Page, SiteTemplates, Url};
use husk_sources::{Source, extract};
use serde_json::json;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::forms::Found;
use crate::kept::{KnownSite, site_of};
use crate::pages::{Given, GivenArchive, Web};
use crate::problem::{Kind, Problem};
use crate::progress::Teller;
use crate::request::{Asked, From, UnreadPage};
use crate::state::Server;

/// What came of an extraction.
pub(crate) struct Extracted {
    pub(crate) found: Found,
    /// What was known of the site before, if the template is from there.
    pub(crate) learned: Option<Learned>,
}

/// Where a template is from that was learned before.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Learned {
    /// The site.
    pub(crate) site: String,
    /// The layout that the page has.
    pub(crate) layout: String,
    /// How long ago it was learned.
    pub(crate) age_seconds: u64,
    /// From how many pages.
    pub(crate) pages: u32,
}

/// Waits for a turn, extracts, and makes something of it, all within the time that there is. Ends when it is dropped.
pub(crate) async fn work<T: Send + 'static>(
    server: Arc<Server>,
    asked: Asked,
    teller: Teller,
    make: impl FnOnce(&Server, Extracted) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let turn = server
        .queue
        .turn(|ahead| teller.tell("queued", || json!({"ahead": ahead})))
        .await?;
    let stop = CancellationToken::new();
    let _stop_when_dropped = stop.clone().drop_guard();
    let (began, limit, runtime) = (Instant::now(), server.settings.limits.time, Handle::current());
    let metrics = server.metrics.clone();
    let job = Job {
        server,
        teller,
        stop,
        runtime,
        end: began + limit,
    };
    let made = tokio::task::spawn_blocking(move || {
        // Whoever leaves before the end has had his turn all the same.
        let _turn = turn;
        let extracted = job.extract(asked)?;
        job.teller.tell("writing", || json!({}));
        make(&job.server, extracted)
    });
    let made = match tokio::time::timeout(limit, made).await {
        Ok(Ok(made)) => made,
        Ok(Err(panicked)) => Err(Problem::internal(panicked)),
        Err(_) => Err(timed_out(limit)),
    };
    let outcome = match &made {
        Ok(_) => "found",
        Err(problem) => outcome_of(problem),
    };
    metrics.extracted(outcome, began.elapsed());
    made
}

fn timed_out(limit: Duration) -> Problem {
    let message = format!(
        "not done within {} s: ask for fewer pages (options.max-pages), or try again later",
        limit.as_secs()
    );
    Problem::new(Kind::TimedOut, message)
}

fn outcome_of(problem: &Problem) -> &'static str {
    match problem.status {
        504 => "timed-out",
        502 | 403 => "not-loaded",
        500 => "failed",
        _ => "nothing-found",
    }
}

/// An extraction on a thread that may block.
struct Job {
    server: Arc<Server>,
    teller: Teller,
    stop: CancellationToken,
    runtime: Handle,
    /// When it must be done.
    end: Instant,
}

impl Job {
    fn extract(&self, asked: Asked) -> Result<Extracted, Problem> {
        match asked.from {
            From::Web(ref url) => {
                let url = url.clone();
                self.teller.tell("started", || json!({"page": url.as_str()}));
                self.of_web(&url, asked)
            }
            From::Given { page, siblings } => {
                let page = page.read();
                self.teller.tell("started", || json!({"page": page.url.as_str()}));
                self.teller.loaded(&page.url, &page, asked.options.same_site);
                let mut given = Given::new(siblings.into_iter().map(UnreadPage::read).collect());
                self.compare(page, asked.options, &mut given)
            }
            From::Archive { bytes, page } => {
                let max_bytes = self.server.settings.http.max_bytes;
                let mut archive = GivenArchive::open(&bytes, max_bytes)?;
                drop(bytes);
                let page = archive.key_page(page.as_ref())?;
                archive.stay_on(&page.url, asked.options.same_site);
                self.teller.tell("started", || json!({"page": page.url.as_str()}));
                self.teller.loaded(&page.url, &page, asked.options.same_site);
                self.compare(page, asked.options, &mut archive)
            }
        }
    }

    fn of_web(&self, url: &Url, asked: Asked) -> Result<Extracted, Problem> {
        let mut web = Web {
            http: self.server.http.for_another().map_err(Problem::internal)?,
            runtime: self.runtime.clone(),
            stop: self.stop.clone(),
        };
        let is_shown = asked.is_shown;
        let mut extracted = self.extract_of(url, asked, &mut web)?;
        if is_shown {
            self.teller.tell("styling", || json!({}));
            let found = &mut extracted.found;
            found.style_sheets = web.style_sheets(&found.extraction.key_page, self.time_for_style());
        }
        Ok(extracted)
    }

    /// As much as style sheets may take, which must not cost the result.
    fn time_for_style(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now());
        LONGEST_FOR_STYLE.min(left / 2)
    }

    fn extract_of(&self, url: &Url, asked: Asked, web: &mut Web) -> Result<Extracted, Problem> {
        let page = web.load(url).map_err(|cause| Problem::of_load(&cause))?;
        self.server.metrics.loaded(1);
        self.teller.loaded(url, &page, asked.options.same_site);
        web.stay_on(&page.url, asked.options.same_site);
        let may_learn = asked.has_own_options && asked.options.method == Method::Husk;
        let known = if may_learn && !asked.fresh {
            self.known(&page)
        } else {
            None
        };
        let (known, page) = match known {
            None => (None, page),
            Some(known) => match by_learned(&known, page) {
                Ok(extracted) => {
                    self.server.metrics.learned(true);
                    return Ok(*extracted);
                }
                Err(page) => (Some(known.templates), *page),
            },
        };
        self.server.metrics.learned(false);
        let extracted = self.compare(page, asked.options, web)?;
        self.server
            .metrics
            .loaded(extracted.found.extraction.loaded.len() - 1);
        if may_learn {
            self.learn(&extracted, known);
        }
        Ok(extracted)
    }

    fn compare(&self, page: Page, options: Options, source: &mut dyn Source) -> Result<Extracted, Problem> {
        let same_site = options.same_site;
        let extraction = extract(page, options, source, |event| {
            self.teller.event(&event, same_site)
        });
        if self.stop.is_cancelled() {
            // Nobody reads this.
            return Err(timed_out(self.server.settings.limits.time));
        }
        Ok(Extracted {
            found: Found::of(extraction),
            learned: None,
        })
    }

    /// What was learned of the site of a page. A store that fails makes things slower, not impossible.
    fn known(&self, page: &Page) -> Option<KnownSite> {
        let known = self.server.store.site(&site_of(&page.url));
        known.unwrap_or_else(|cause| {
            tracing::error!(%cause, "cannot read what was learned");
            None
        })
    }

    /// Learns from the pages that were compared, on top of what is known. Only those that we loaded ourselves: others could
    /// teach anything about anybody.
    fn learn(&self, extracted: &Extracted, known: Option<SiteTemplates>) {
        let extraction = &extracted.found.extraction;
        if extraction.compared.len() < FEWEST_TO_LEARN_FROM {
            return;
        }
        let is_compared = |page: &&Page| extraction.compared.contains(&page.url);
        let others = extraction.pages.iter().filter(is_compared);
        let pages: Vec<Page> = std::iter::once(&extraction.key_page)
            .chain(others)
            .cloned()
            .collect();
        let mut templates = known.unwrap_or_else(|| SiteTemplates::new(site_of(&extraction.key_page.url)));
        templates.learn(&pages);
        if let Err(cause) = self.server.store.keep_site(&templates) {
            tracing::error!(%cause, "cannot keep what was learned");
        }
    }
}

/// Who looks at a page waits for its style no longer than that.
const LONGEST_FOR_STYLE: Duration = Duration::from_secs(5);

/// From fewer other pages a template is not learned for others.
const FEWEST_TO_LEARN_FROM: usize = 2;

/// The page by the templates of its site; the page itself if they do not fit it.
fn by_learned(known: &KnownSite, page: Page) -> Result<Box<Extracted>, Box<Page>> {
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
        age_seconds: known.info.age_seconds,
        pages: layout.pages(),
    };
    Ok(Box::new(Extracted {
        found: Found::of(stripped.into_extraction(page)),
        learned: Some(learned),
    }))
}
