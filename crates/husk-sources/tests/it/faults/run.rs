//! Runs an extraction over the web and checks the result.

use std::time::{Duration, Instant};

use husk::{Extraction, Options, Page, SameSite, Url};
use husk_sources::{Blocking, Http, HttpOptions, LoadError, Private, Reach, Source, run_session};

use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

/// The time limit for every test, on however slow a machine.
const AT_MOST: Duration = Duration::from_secs(60);

/// The options of a user on this machine, with short timeouts and no cache.
pub(super) fn options() -> HttpOptions {
    HttpOptions {
        delay: Duration::ZERO,
        timeout: Duration::from_secs(4),
        max_bytes: 1 << 20,
        retries: 1,
        reach: typed("127.0.0.1"),
        ..HttpOptions::default()
    }
}

/// The user typed this host.
pub(super) fn typed(host: &str) -> Reach {
    Reach {
        private: Private::TypedHosts,
        typed_hosts: vec![host.to_owned()],
    }
}

/// A source with these options.
pub(super) fn source(options: HttpOptions) -> Blocking<Http> {
    Blocking::new(Http::new(options).unwrap()).unwrap()
}

pub(super) fn load(url: &Url, options: HttpOptions) -> Result<Page, LoadError> {
    let begin = Instant::now();
    let loaded = source(options).load(url);
    assert!(begin.elapsed() < AT_MOST, "{url} took {:?}", begin.elapsed());
    loaded
}

/// Why a page cannot be loaded.
pub(super) fn refusal(url: &Url, options: HttpOptions) -> String {
    load(url, options).unwrap_err().to_string()
}

/// Checks that a text contains all of this.
#[track_caller]
pub(super) fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text:?}");
    }
}

/// The extraction, and the source used.
pub(super) struct Run {
    pub(super) extraction: Extraction,
    pub(super) requests: usize,
}

/// Extracts the template of a server's key page.
pub(super) fn run(server: &Server, options: HttpOptions) -> Run {
    run_from(&server.url(KEY_PAGE), options)
}

/// Extracts the template of a key page.
pub(super) fn run_from(key_page: &Url, options: HttpOptions) -> Run {
    run_with(&mut source(options), key_page)
}

/// The same with a source that may have been used before.
pub(super) fn run_with(source: &mut Blocking<Http>, key_page: &Url) -> Run {
    let begin = Instant::now();
    let page = source.load(key_page).unwrap();
    source.stay_on(&page.url, SameSite::Host);
    let extraction = run_session(page, Options::default(), source, |_| ());
    assert!(begin.elapsed() < AT_MOST, "took {:?}", begin.elapsed());
    Run {
        extraction,
        requests: source.inner().requests(),
    }
}

impl Run {
    /// Checks that all pages were used.
    #[track_caller]
    pub(super) fn lost_nothing(&self) {
        assert_eq!(self.extraction.failures, []);
        assert_eq!(self.template(), self.template_without(""));
    }

    /// Checks that all pages but the faulty one were used, and that the error says why.
    #[track_caller]
    pub(super) fn lost_only_the_faulty(&self, words: &[&str]) {
        let failures = &self.extraction.failures;
        assert!(failures.len() == 1, "{failures:?}");
        assert_eq!(failures[0].url.path(), FAULTY);
        says(&failures[0].cause, words);
        assert_eq!(self.template(), self.template_without(FAULTY));
    }

    fn template(&self) -> Vec<String> {
        template(&self.extraction)
    }

    /// The expected template with all pages of the site but one.
    fn template_without(&self, missing: &'static str) -> Vec<String> {
        let page = Page::parse(self.extraction.key_page.url.clone(), &site::html_of(KEY_PAGE));
        let mut source = Good { missing };
        let expected = run_session(page, Options::default(), &mut source, |_| ());
        assert_eq!(self.extraction.compared, expected.compared);
        assert!(expected.compared.len() > 2, "{:?}", expected.compared);
        template(&expected)
    }
}

fn template(extraction: &Extraction) -> Vec<String> {
    let dom = &extraction.key_page.dom;
    extraction.template.nodes().map(|node| dom.xpath(node)).collect()
}

/// The site in memory, without one page.
struct Good {
    missing: &'static str,
}

impl Source for Good {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        match site::html(url.path()).filter(|_| url.path() != self.missing) {
            Some(html) => Ok(Page::parse(url.clone(), &html)),
            None => Err(LoadError::Status {
                object: url.to_string(),
                status: 404,
            }),
        }
    }
}
