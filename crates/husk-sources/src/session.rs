//! Runs a session of the engine with pages from a source, blocking or asynchronous.

use std::ops::ControlFlow;

use husk::{Extraction, Options, Outcome, Page, SelectionReason, Session, Url, Visit};

use crate::source::{AsyncSource, LoadError, Source};

/// What happens while pages are loaded, for progress messages.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A page is about to be loaded.
    Loading {
        /// The page.
        url: &'a Url,
        /// Why it was chosen.
        why: SelectionReason,
        /// How many more pages may follow at most.
        more_at_most: usize,
    },
    /// A page was loaded.
    Loaded {
        /// The requested URL.
        url: &'a Url,
        /// The page, which may have another URL.
        page: &'a Page,
    },
    /// A page could not be loaded.
    Failed {
        /// The requested URL.
        url: &'a Url,
        /// Why.
        cause: &'a LoadError,
    },
    /// A loaded page is compared with the key page.
    Accepted {
        /// The requested URL.
        url: &'a Url,
    },
    /// A loaded page was rejected.
    Refused {
        /// The requested URL.
        url: &'a Url,
        /// Why.
        cause: &'a str,
    },
    /// Too few links lead to pages like the key page: the source is asked for a list of all pages.
    Listing,
}

/// Extracts the template of a page by comparing it with siblings from a source.
///
/// ```
/// use husk::{Options, Url};
/// use husk_sources::{Folder, Source, run_session};
///
/// # let root = tempfile::tempdir().unwrap();
/// # for name in ["a", "b", "c", "d"] {
/// #     let nav = "<nav><a href=a>A</a> <a href=b>B</a> <a href=c>C</a> <a href=d>D</a></nav>";
/// #     let html = format!("<title>{name}</title>{nav}<main><h1>Page {name}</h1><p>Only on {name}</main>");
/// #     std::fs::write(root.path().join(format!("{name}.html")), html).unwrap();
/// # }
/// let mut site = Folder::open(root.path(), Some(Url::parse("https://example.org/").unwrap()))?;
/// let key_page = site.load(&Url::parse("https://example.org/a").unwrap())?;
/// let extraction = run_session(key_page, Options::default(), &mut site, |_event| ());
/// assert_eq!(extraction.compared.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_session(
    key_page: Page,
    options: Options,
    source: &mut dyn Source,
    mut watch: impl FnMut(Event<'_>),
) -> Extraction {
    let mut session = Session::new(key_page, options);
    loop {
        while let ControlFlow::Continue(url) = next(&session, &mut watch) {
            source.load_ahead(&session.wanted_ahead());
            let loaded = source.load(&url);
            take(&mut session, &url, loaded, &mut watch);
        }
        if !session.wants_addresses() {
            return finish(session, source.unused_pages());
        }
        watch(Event::Listing);
        session.offer(source.page_urls().unwrap_or_default());
    }
}

/// [`run_session`] for an asynchronous source.
pub async fn run_session_async<S: AsyncSource>(
    key_page: Page,
    options: Options,
    source: &mut S,
    mut watch: impl FnMut(Event<'_>) + Send,
) -> Extraction {
    let mut session = Session::new(key_page, options);
    loop {
        while let ControlFlow::Continue(url) = next(&session, &mut watch) {
            source.load_ahead(&session.wanted_ahead());
            let loaded = source.load(&url).await;
            take(&mut session, &url, loaded, &mut watch);
        }
        if !session.wants_addresses() {
            return finish(session, source.unused_pages());
        }
        watch(Event::Listing);
        session.offer(source.page_urls().await.unwrap_or_default());
    }
}

/// The page to load next; breaks if there is none.
fn next(session: &Session, watch: &mut impl FnMut(Event<'_>)) -> ControlFlow<(), Url> {
    let (Some(url), Some(why)) = (session.next_wanted(), session.why_wanted()) else {
        return ControlFlow::Break(());
    };
    let more_at_most = session.wanted_at_most() - 1;
    watch(Event::Loading {
        url,
        why,
        more_at_most,
    });
    ControlFlow::Continue(url.clone())
}

fn take(
    session: &mut Session,
    url: &Url,
    loaded: Result<Page, LoadError>,
    watch: &mut impl FnMut(Event<'_>),
) {
    match loaded {
        Ok(page) => {
            watch(Event::Loaded { url, page: &page });
            session.give(page);
            if let Some(visit) = session.visits().last() {
                watch(match visit.outcome.cause() {
                    None => Event::Accepted { url },
                    Some(cause) => Event::Refused { url, cause },
                });
            }
        }
        Err(cause) => {
            watch(Event::Failed { url, cause: &cause });
            session.give_up(cause.to_string());
        }
    }
}

/// Why a page that was loaded ahead was rejected.
const UNUSED: &str = "loaded ahead and not needed";

fn finish(session: Session, unused_pages: Vec<Url>) -> Extraction {
    let mut extraction = session.finish();
    for url in unused_pages {
        extraction.loaded.push(url.clone());
        extraction.visits.push(Visit {
            found_at: Some(url.clone()),
            url,
            why: SelectionReason::Linked,
            outcome: Outcome::Refused(UNUSED.to_owned()),
        });
    }
    extraction
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A site of pages that all link to each other, and one that is missing.
    #[derive(Default)]
    struct TestSource {
        ahead: BTreeSet<Url>,
        asked: BTreeSet<Url>,
    }

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn page(url: &Url) -> Page {
        let menu: String = ["/", "/gone", "/b", "/c", "/d", "/e"]
            .iter()
            .map(|path| format!("<li><a href={path}>Menu {path}</a>"))
            .collect();
        let path = url.path();
        Page::parse(
            url.clone(),
            &format!("<ul>{menu}</ul><main><h1>On {path}</h1><p>About {path}</main>"),
        )
    }

    impl TestSource {
        fn answer(&mut self, url: &Url) -> Result<Page, LoadError> {
            self.asked.insert(url.clone());
            if url.path() == "/gone" {
                let object = url.to_string();
                return Err(LoadError::Status { object, status: 404 });
            }
            Ok(page(url))
        }
    }

    impl Source for TestSource {
        fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
            self.answer(url)
        }

        fn load_ahead(&mut self, urls: &[Url]) {
            self.ahead.extend(urls.iter().cloned());
        }

        fn unused_pages(&mut self) -> Vec<Url> {
            self.ahead.difference(&self.asked).cloned().collect()
        }
    }

    struct AsyncTestSource(TestSource);

    impl AsyncSource for AsyncTestSource {
        async fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
            self.0.answer(url)
        }
    }

    fn line(event: &Event<'_>) -> String {
        match event {
            Event::Loading {
                url, more_at_most, ..
            } => format!("loading {} {more_at_most}", url.path()),
            Event::Loaded { url, .. } => format!("loaded {}", url.path()),
            Event::Failed { url, .. } => format!("failed {}", url.path()),
            Event::Accepted { url } => format!("accepted {}", url.path()),
            Event::Refused { url, cause } => format!("refused {}: {cause}", url.path()),
            Event::Listing => "listing".to_owned(),
        }
    }

    #[test]
    fn blocking_and_async_sessions_agree() {
        let (mut events, mut async_events) = (Vec::new(), Vec::new());
        let blocking = run_session(
            page(&url("/")),
            Options::default(),
            &mut TestSource::default(),
            |event| events.push(line(&event)),
        );
        let mut source = AsyncTestSource(TestSource::default());
        let waiting = pollster::block_on(run_session_async(
            page(&url("/")),
            Options::default(),
            &mut source,
            |event| async_events.push(line(&event)),
        ));
        assert_eq!(blocking.compared, waiting.compared);
        assert_eq!(blocking.loaded, waiting.loaded);
        assert_eq!(events, async_events);
        assert_eq!(events[..2], ["loading /gone 6", "failed /gone"]);
        assert_eq!(events[3..5], ["loaded /b", "accepted /b"], "{events:?}");
    }

    #[test]
    fn unused_pages_count_as_loaded() {
        let mut source = TestSource::default();
        source.ahead.insert(url("/elsewhere"));
        let extraction = run_session(page(&url("/")), Options::default(), &mut source, |_| ());
        assert_eq!(extraction.loaded.last(), Some(&url("/elsewhere")));
        let visit = extraction.visits.last().unwrap();
        assert_eq!(visit.outcome.cause(), Some(UNUSED));
        assert_eq!(source.unused_pages().len(), 1, "nothing else is unused");
    }
}
