use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{COOKIE, LOCATION, SET_COOKIE};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use husk_sources::HttpOptions;

use super::run::{options, run};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html_of};

fn has_cookie(request: &Request) -> bool {
    let sent = request.headers().get(COOKIE);
    sent.is_some_and(|sent| sent.to_str().unwrap().contains("member=yes"))
}

#[test]
fn a_cookie_that_the_key_page_sets_is_shown_to_its_siblings() {
    let answer = |request: Request| async move {
        let path = request.uri().path().to_owned();
        if path == KEY_PAGE {
            (
                [(SET_COOKIE, "member=yes; Path=/; HttpOnly")],
                Html(html_of(KEY_PAGE)),
            )
                .into_response()
        } else if has_cookie(&request) {
            Html(html_of(&path)).into_response()
        } else {
            StatusCode::FORBIDDEN.into_response()
        }
    };
    let app = Router::new()
        .route("/robots.txt", get(|| async { "" }))
        .fallback(answer);
    run(&Server::app(app), options()).lost_nothing();
}

/// A site in which one page redirects to itself until it gets a cookie.
fn with_wall() -> Server {
    let wall = |request: Request| async move {
        if has_cookie(&request) {
            Html(html_of(FAULTY)).into_response()
        } else {
            let headers = [(LOCATION, FAULTY), (SET_COOKIE, "member=yes; Path=/")];
            (StatusCode::FOUND, headers).into_response()
        }
    };
    Server::app(Router::new().route(FAULTY, get(wall)).fallback(site::serve))
}

#[test]
fn a_page_that_leads_to_itself_to_set_a_cookie_is_had() {
    let server = with_wall();
    run(&server, options()).lost_nothing();
    assert_eq!(server.times(FAULTY), 2);
}

#[test]
fn a_page_behind_a_wall_of_cookies_is_kept_too() {
    let cache = tempfile::tempdir().unwrap();
    let with_cache = || HttpOptions {
        cache: Some(cache.path().to_owned()),
        ..options()
    };
    let server = with_wall();
    run(&server, with_cache()).lost_nothing();
    let asked = server.log().len();
    run(&server, with_cache()).lost_nothing();
    assert_eq!(server.log().len(), asked);
}

#[test]
fn a_wall_of_cookies_that_never_opens_is_left() {
    let wall = || async {
        let headers = [(LOCATION, FAULTY), (SET_COOKIE, "member=never; Path=/")];
        (StatusCode::FOUND, headers)
    };
    let server = Server::app(Router::new().route(FAULTY, get(wall)).fallback(site::serve));
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "in a loop"]);
}

#[test]
fn a_flood_of_cookies_does_no_harm() {
    let flood = || async {
        let mut answer = Response::builder();
        for number in 0..60 {
            answer = answer.header(SET_COOKIE, format!("c{number}={}", "x".repeat(3000)));
        }
        answer
            .header("content-type", "text/html")
            .body(html_of(FAULTY))
            .unwrap()
    };
    let server = Server::app(Router::new().route(FAULTY, get(flood)).fallback(site::serve));
    let run = run(&server, options());
    assert!(run.extraction.compared.len() > 2, "{:?}", run.extraction.failures);
}
