use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use husk_sources::{Http, HttpOptions};

use super::run::{Run, load, options, run, run_from, run_with, says, source};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html};

fn cached(folder: &Path) -> HttpOptions {
    HttpOptions {
        cache: Some(folder.to_owned()),
        ..options()
    }
}

/// Revalidates every cached page.
fn doubting(folder: &Path) -> HttpOptions {
    HttpOptions {
        max_age: Duration::ZERO,
        ..cached(folder)
    }
}

#[track_caller]
fn agree(one: &Run, other: &Run) {
    assert_eq!(one.extraction.loaded, other.extraction.loaded);
    assert_eq!(one.extraction.compared, other.extraction.compared);
    assert_eq!(one.extraction.failures, other.extraction.failures);
}

#[test]
fn a_second_run_asks_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::app(Router::new().fallback(site::serve));
    let first = run(&server, cached(folder.path()));
    first.lost_nothing();
    let asked = server.log().len();
    assert_eq!(first.requests, asked);
    let second = run(&server, cached(folder.path()));
    second.lost_nothing();
    assert_eq!(second.requests, 0);
    assert_eq!(server.log().len(), asked, "{:?}", server.targets());
    agree(&first, &second);
}

#[test]
fn a_second_run_without_the_server_works() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::app(Router::new().fallback(site::serve));
    let key_page = server.url(KEY_PAGE);
    run(&server, cached(folder.path())).lost_nothing();
    drop(server);
    run_from(&key_page, cached(folder.path())).lost_nothing();
}

#[test]
fn what_is_gone_and_where_things_moved_is_remembered_too() {
    let folder = tempfile::tempdir().unwrap();
    let app = Router::new()
        .route(FAULTY, get(|| async { StatusCode::GONE }))
        .route(
            "/start",
            get(|| async { (StatusCode::FOUND, [("location", KEY_PAGE)]) }),
        )
        .fallback(site::serve);
    let server = Server::app(app);
    let first = run_from(&server.url("/start"), cached(folder.path()));
    first.lost_only_the_faulty(&["410"]);
    let second = run_from(&server.url("/start"), cached(folder.path()));
    agree(&first, &second);
    assert_eq!(second.requests, 0);
}

/// A site whose pages have an `ETag`, and answer 304 to it.
fn marked(field: axum::http::HeaderName, mark: &'static str, asked_by: axum::http::HeaderName) -> Server {
    let answer = move |request: Request| async move {
        let Some(html) = html(request.uri().path()) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        if request.headers().get(asked_by).is_some_and(|shown| shown == mark) {
            return (StatusCode::NOT_MODIFIED, [(field, mark)]).into_response();
        }
        ([(field, mark)], Html(html)).into_response()
    };
    Server::app(Router::new().fallback(answer))
}

#[track_caller]
fn is_asked_whether_it_changed(server: &Server, field: &str) {
    let folder = tempfile::tempdir().unwrap();
    let first = run(server, cached(folder.path()));
    first.lost_nothing();
    let asked = server.log().len();
    let second = run(server, doubting(folder.path()));
    second.lost_nothing();
    agree(&first, &second);
    let again = server.log().split_off(asked);
    let pages: Vec<_> = again
        .iter()
        .filter(|asked| asked.target != "/robots.txt")
        .collect();
    assert_eq!(pages.len(), second.extraction.loaded.len());
    for page in pages {
        assert!(page.header(field).is_some(), "{page:?}");
    }
}

#[test]
fn an_old_answer_is_asked_about_by_its_tag() {
    is_asked_whether_it_changed(&marked(ETAG, "\"seven\"", IF_NONE_MATCH), "if-none-match");
}

#[test]
fn an_old_answer_is_asked_about_by_its_date() {
    let server = marked(LAST_MODIFIED, "Mon, 01 Jan 2024 00:00:00 GMT", IF_MODIFIED_SINCE);
    is_asked_whether_it_changed(&server, "if-modified-since");
}

#[test]
fn an_old_answer_that_was_confirmed_is_young_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = marked(ETAG, "\"seven\"", IF_NONE_MATCH);
    run(&server, cached(folder.path()));
    run(&server, doubting(folder.path())).lost_nothing();
    let asked = server.log().len();
    run(&server, cached(folder.path())).lost_nothing();
    assert_eq!(server.log().len(), asked);
}

#[test]
fn an_old_answer_that_has_changed_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let times = Arc::new(AtomicUsize::new(0));
    let answer = move || async move { Html(format!("<p>Edition {}", times.fetch_add(1, Ordering::SeqCst))) };
    let server = Server::app(Router::new().route(FAULTY, get(answer)));
    let text = |options| {
        let page = load(&server.url(FAULTY), options).unwrap();
        page.dom.text_of(page.dom.root()).to_owned()
    };
    assert_eq!(text(cached(folder.path())), "Edition 0");
    assert_eq!(text(cached(folder.path())), "Edition 0");
    assert_eq!(text(doubting(folder.path())), "Edition 1");
    assert_eq!(text(cached(folder.path())), "Edition 1");
}

#[test]
fn what_must_not_be_stored_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |request: Request| async move {
        match html(request.uri().path()) {
            Some(html) => ([(CACHE_CONTROL, "private, no-store")], Html(html)).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        }
    };
    let server = Server::app(Router::new().fallback(answer));
    run(&server, cached(folder.path())).lost_nothing();
    run(&server, cached(folder.path())).lost_nothing();
    assert_eq!(server.times(KEY_PAGE), 2);
    assert_eq!(server.times(FAULTY), 2);
    for file in files(folder.path()) {
        let bytes = fs::read(&file).unwrap();
        let secret = b"All about";
        assert!(
            !bytes.windows(secret.len()).any(|window| window == secret),
            "{}",
            file.display()
        );
    }
}

#[test]
fn what_failed_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let broken = Router::new().route(FAULTY, get(|| async { StatusCode::INTERNAL_SERVER_ERROR }));
    let server = Server::app(broken.fallback(site::serve));
    run(&server, cached(folder.path())).lost_only_the_faulty(&["500"]);
    run(&server, cached(folder.path())).lost_only_the_faulty(&["500"]);
    assert_eq!(server.times(FAULTY), 2);
    assert_eq!(server.times(KEY_PAGE), 1);
}

#[test]
fn a_page_that_was_cut_off_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<html><p>And")
            .await
    });
    run(&server, cached(folder.path())).lost_only_the_faulty(&["ended after"]);
    let asked = server.times(FAULTY);
    run(&server, cached(folder.path())).lost_only_the_faulty(&["ended after"]);
    assert!(server.times(FAULTY) > asked);
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[track_caller]
fn survives(damage: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::app(Router::new().fallback(site::serve));
    run(&server, cached(folder.path())).lost_nothing();
    let stored = files(folder.path());
    assert!(stored.len() > 3, "{stored:?}");
    stored.iter().for_each(|file| damage(file));
    let asked = server.log().len();
    run(&server, cached(folder.path())).lost_nothing();
    assert!(server.log().len() > asked);
    let asked = server.log().len();
    run(&server, cached(folder.path())).lost_nothing();
    assert_eq!(server.log().len(), asked, "the damage was mended");
}

#[test]
fn garbage_in_the_cache_is_replaced() {
    survives(|file| fs::write(file, b"\xFF\0 garbage {}").unwrap());
}

#[test]
fn empty_files_in_the_cache_are_replaced() {
    survives(|file| fs::write(file, b"").unwrap());
}

#[test]
fn files_that_are_cut_off_in_the_cache_are_replaced() {
    survives(|file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() - 20]).unwrap();
    });
}

#[test]
fn files_that_belong_to_other_addresses_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::app(Router::new().fallback(site::serve));
    run(&server, cached(folder.path())).lost_nothing();
    let stored = files(folder.path());
    let first = fs::read(&stored[0]).unwrap();
    for file in &stored {
        fs::write(file, &first).unwrap();
    }
    run(&server, cached(folder.path())).lost_nothing();
}

#[test]
fn a_cache_that_cannot_be_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("taken");
    fs::write(&file, "by a file").unwrap();
    let error = Http::new(cached(&file)).unwrap_err().to_string();
    says(&error, &["taken", "--cache", "--no-cache"]);
}

#[test]
fn a_cache_that_goes_away_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::app(Router::new().fallback(site::serve));
    let mut source = source(cached(folder.path()));
    drop(folder);
    run_with(&mut source, &server.url(KEY_PAGE)).lost_nothing();
}
