//! Serves sites of the corpus on the loopback interface under their original names.
//!
//! An extraction over HTTP must equal that from the folder, with no more requests than reported.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HOST, LOCATION};
use axum::response::{IntoResponse, Response};
use husk::{Extraction, Method, Options, Outcome, Url};
use husk_sources::{Blocking, Folder, Http, HttpOptions, LoadError, Private, Reach, Source, run_session};
use husk_testing::{corpus_sites, sites_in};
use serde_json::Value;
use tempfile::TempDir;

use crate::faults::certificates::Authority;
use crate::faults::server::{LoggedRequest, Server};

/// Sites of the corpus, and the project's own.
fn sites() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites");
    [corpus_sites(), sites_in(&own)].concat()
}

/// A site on disk.
struct Saved {
    folder: Folder,
    key_pages: Vec<PathBuf>,
}

fn read_json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

impl Saved {
    fn open(site: &Path) -> Self {
        let base = read_json(&site.join("site.json"))["base_url"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let gold = read_json(&site.join("gold.json"));
        let labels = gold.as_array().cloned().unwrap_or_else(|| vec![gold]);
        Self {
            folder: Folder::open(&site.join("pages"), Some(base)).unwrap(),
            key_pages: labels
                .iter()
                .map(|label| label["key"].as_str().unwrap().into())
                .collect(),
        }
    }

    fn host(&self) -> &str {
        self.folder.base_url().host_str().unwrap()
    }
}

/// A served site, and what a client needs to reach it.
struct Served {
    server: Server,
    host: String,
    authority: TempDir,
}

impl Served {
    fn start(saved: &Saved) -> Self {
        let names = [saved.host(), &other_name(saved.host())];
        let authority = Authority::new();
        let app = |scheme: &'static str| {
            let folder = saved.folder.clone();
            Router::new().fallback(move |request: Request| async move { answer(folder, scheme, &request) })
        };
        Self {
            server: Server::plain_or_tls(app("http"), app("https"), authority.server(&names)),
            host: saved.host().to_owned(),
            authority: authority.file().0,
        }
    }

    /// The web, in which only this site exists.
    fn web(&self) -> Blocking<Http> {
        let names = vec![self.host.clone(), other_name(&self.host)];
        let options = HttpOptions {
            delay: Duration::ZERO,
            extra_roots: vec![self.authority.path().join("authority.pem")],
            reach: Reach {
                private: Private::TypedHosts,
                typed_hosts: names.clone(),
            },
            ..HttpOptions::default()
        };
        let address = self.server.address();
        let lookup = move |host: &str| -> std::io::Result<Vec<SocketAddr>> {
            assert!(names.iter().any(|name| name == host), "{host} is asked for");
            Ok(vec![address])
        };
        Blocking::new(Http::with_lookup(options, Arc::new(lookup)).unwrap()).unwrap()
    }
}

/// The host with `www.`, or without if it has it.
fn other_name(host: &str) -> String {
    host.strip_prefix("www.")
        .map_or_else(|| format!("www.{host}"), str::to_owned)
}

/// Responds like the server from which the folder was saved.
fn answer(mut folder: Folder, scheme: &str, request: &Request) -> Response {
    // HTTP/2 has the host in the URL of the request.
    let host = request.uri().authority().map(ToString::to_string);
    let host = host.unwrap_or_else(|| request.headers()[HOST].to_str().unwrap().to_owned());
    let target = request.uri().path_and_query().unwrap();
    let url = Url::parse(&format!("{scheme}://{host}{target}")).unwrap();
    let content_type = match folder.load(&url) {
        Ok(page) if page.url != url => {
            return (StatusCode::FOUND, [(LOCATION, page.url.to_string())]).into_response();
        }
        Ok(_) => "text/html",
        Err(LoadError::NotAPage { .. }) => {
            match Path::new(url.path()).extension().and_then(|end| end.to_str()) {
                Some("css") => "text/css",
                Some("js") => "text/javascript",
                Some("json") => "application/json",
                Some("xml") => "application/xml",
                Some("txt") => "text/plain",
                _ => "application/octet-stream",
            }
        }
        Err(_) => return StatusCode::NOT_FOUND.into_response(),
    };
    let bytes = fs::read(folder.file_of(&url).unwrap()).unwrap();
    ([(CONTENT_TYPE, content_type)], bytes).into_response()
}

fn template(extraction: &Extraction) -> Vec<String> {
    let dom = &extraction.key_page.dom;
    extraction.template.nodes().map(|node| dom.xpath(node)).collect()
}

/// The outcome of every requested page.
fn visits(extraction: &Extraction) -> Vec<(&Url, Option<&Url>, bool)> {
    let visits = extraction.visits.iter();
    visits
        .map(|visit| {
            (
                &visit.url,
                visit.found_at.as_ref(),
                visit.outcome == Outcome::Compared,
            )
        })
        .collect()
}

/// Checks that no more was requested than is reported: every loaded page, every missing page, and `robots.txt` of each
/// origin, each once. Redirects are steps on the way to a page.
fn check_requests(log: &[LoggedRequest], extraction: &Extraction, name: &str) {
    let (robots, others): (Vec<_>, Vec<_>) = log.iter().partition(|asked| asked.target == "/robots.txt");
    // Each origin has its own rules: pages may link to the site by http and https, with and without `www.`.
    let visited = extraction.visits.iter().map(|visit| &visit.url);
    let origins: BTreeSet<_> = visited
        .chain([&extraction.key_page.url])
        .map(|url| url.origin().ascii_serialization())
        .collect();
    assert!((1..=origins.len()).contains(&robots.len()), "{name}: {origins:?}");
    let pages = others
        .iter()
        .filter(|asked| !(300..400).contains(&asked.answered()));
    let found = pages.clone().filter(|asked| asked.answered() == 200);
    assert_eq!(pages.count(), 1 + extraction.visits.len(), "{name}");
    let not_pages = extraction
        .failures
        .iter()
        .filter(|failure| failure.cause.contains("not a page"));
    assert_eq!(
        found.count(),
        extraction.loaded.len() + not_pages.count(),
        "{name}"
    );
}

fn check(site: &Path, options: &Options) -> usize {
    let saved = Saved::open(site);
    let served = Served::start(&saved);
    for key_page in &saved.key_pages {
        let name = format!(
            "{} of {}, {}",
            key_page.display(),
            site.display(),
            options.method.name()
        );
        let page = saved.folder.page(&saved.folder.root().join(key_page)).unwrap();
        let key_url = page.url.clone();
        let from_folder = run_session(page, options.clone(), &mut saved.folder.clone(), |_| ());

        let asked_before = served.server.log().len();
        let mut web = served.web();
        let page = web
            .load(&key_url)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        web.stay_on(&page.url, options.same_site);
        let from_web = run_session(page, options.clone(), &mut web, |_| ());

        assert_eq!(from_web.key_page.url, key_url, "{name}");
        assert_eq!(template(&from_web), template(&from_folder), "{name}");
        assert_eq!(from_web.compared, from_folder.compared, "{name}");
        let expected = visits(&from_folder);
        assert_eq!(visits(&from_web)[..expected.len()], expected, "{name}");

        let log = served.server.log().split_off(asked_before);
        assert_eq!(log.len(), web.inner().requests(), "{name}");
        check_requests(&log, &from_web, &name);
    }
    saved.key_pages.len()
}

fn check_all(method: Method) {
    let options = Options {
        method,
        ..Options::default()
    };
    let key_pages: usize = sites().iter().map(|site| check(site, &options)).sum();
    println!(
        "{key_pages} key pages are the same from the web, {}",
        method.name()
    );
    assert!(key_pages > 0);
}

#[test]
#[ignore = "needs a corpus"]
fn served_sites_give_what_their_folders_give() {
    check_all(Method::Husk);
}

#[test]
#[ignore = "needs a corpus"]
fn served_sites_give_what_their_folders_give_by_the_method_of_the_paper() {
    check_all(Method::Paper);
}
