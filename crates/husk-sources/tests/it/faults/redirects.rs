use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use husk_sources::{HttpOptions, Reach};

use super::run::{load, options, refusal, run, run_from, says, typed};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

fn to(target: impl Into<String>) -> impl IntoResponse {
    (StatusCode::FOUND, [(LOCATION, target.into())])
}

/// A site in which one page redirects.
fn leading(path: &str, target: impl Into<String>) -> Server {
    let target = target.into();
    let redirect = move || async move { to(target) };
    Server::app(Router::new().route(path, get(redirect)).fallback(site::serve))
}

#[test]
fn a_redirect_within_the_site_is_followed() {
    let app = Router::new()
        .route(FAULTY, get(|| async { to("/club/../moved.html#here") }))
        .route("/moved.html", get(|| async { Html(site::html_of(FAULTY)) }))
        .fallback(site::serve);
    let server = Server::app(app);
    let run = run(&server, options());
    assert_eq!(run.extraction.failures, []);
    assert!(run.extraction.compared.contains(&server.url("/moved.html")));
    assert_eq!(server.times("/moved.html"), 1);
}

#[test]
fn a_circle_is_left() {
    let app = Router::new()
        .route(FAULTY, get(|| async { to("/round.html") }))
        .route("/round.html", get(|| async { to(FAULTY) }))
        .fallback(site::serve);
    let server = Server::app(app);
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "in a loop"]);
    assert!(server.times(FAULTY) <= 3);
}

#[test]
fn a_page_that_leads_to_itself_for_ever_is_left() {
    let server = leading(FAULTY, FAULTY);
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "in a loop"]);
    assert!(server.times(FAULTY) <= 3);
}

#[test]
fn twenty_redirects_are_too_many() {
    let on = |Path(number): Path<u32>| async move { to(format!("/on/{}", number + 1)) };
    let app = Router::new()
        .route(FAULTY, get(|| async { to("/on/1") }))
        .route("/on/{number}", get(on))
        .fallback(site::serve);
    let server = Server::app(app);
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "redirects too often"]);
    let followed = server
        .targets()
        .iter()
        .filter(|target| target.starts_with("/on/"))
        .count();
    assert!(followed <= 20, "{followed}");
}

#[test]
fn a_redirect_to_nowhere_is_an_error() {
    let app = Router::new()
        .route(FAULTY, get(|| async { StatusCode::MOVED_PERMANENTLY }))
        .fallback(site::serve);
    run(&Server::app(app), options()).lost_only_the_faulty(&[FAULTY, "without a Location header"]);
}

#[test]
fn local_files_and_other_schemes_are_never_opened() {
    for target in [
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "data:text/html,<p>Hello",
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
        "about:blank",
        "http://",
        "http://[",
    ] {
        run(&leading(FAULTY, target), options()).lost_only_the_faulty(&[
            FAULTY,
            target,
            "not an http:// or https:// URL",
        ]);
        says(
            &refusal(&leading(KEY_PAGE, target).url(KEY_PAGE), options()),
            &[KEY_PAGE, target, "not an http:// or https:// URL"],
        );
    }
}

#[test]
fn a_sibling_that_leads_to_another_site_is_not_followed() {
    let other = Server::app(Router::new().fallback(site::serve));
    let server = leading(FAULTY, other.url(FAULTY));
    run(&server, options()).lost_only_the_faulty(&[
        FAULTY,
        "leads to another site",
        other.url(FAULTY).as_str(),
    ]);
    assert_eq!(other.connected(), 0, "{:?}", other.targets());
}

#[test]
fn the_key_page_may_lead_to_another_host_and_is_found_there() {
    let other = Server::app(Router::new().fallback(site::serve));
    let server = leading(KEY_PAGE, other.url(KEY_PAGE));
    let run = run_from(&server.url(KEY_PAGE), options());
    assert_eq!(run.extraction.key_page.url, other.url(KEY_PAGE));
    run.lost_nothing();
    assert_eq!(server.times(KEY_PAGE), 1);
    assert_eq!(server.times(FAULTY), 0, "the siblings are where the key page is");
}

#[test]
fn a_location_of_odd_bytes_is_an_error_or_a_page_but_nothing_worse() {
    for location in ["/\u{1}\u{2}", "//", "///", "/%", "?", "", "\\\\127.0.0.2\\", "/ä"] {
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let server = Server::with_fault(FAULTY, move |mut line| {
            let answer = answer.clone();
            async move { line.say(answer).await }
        });
        run(&server, options()).lost_only_the_faulty(&["http://"]);
    }
}

#[test]
fn a_redirect_with_a_body_without_end_is_followed_all_the_same() {
    let server = Server::lines(|asked, mut line| async move {
        match asked.target.as_str() {
            FAULTY => {
                line.say("HTTP/1.1 302 Found\r\nLocation: /moved.html\r\n\r\n")
                    .await?;
                line.repeat(&[b'x'; 0x10000], 4 << 30).await
            }
            "/moved.html" => {
                let html = site::html_of(FAULTY);
                line.answer("200 OK", &["Content-Type: text/html"], html.as_bytes())
                    .await
            }
            other => line.answer_well(other).await,
        }
    });
    let run = run(&server, options());
    assert_eq!(run.extraction.failures, []);
    assert!(server.sent() < 64 << 20, "{}", server.sent());
}

#[test]
fn permanent_and_temporary_redirects_are_alike() {
    for status in [301, 302, 303, 307, 308] {
        let status = StatusCode::from_u16(status).unwrap();
        let app = Router::new()
            .route(
                "/old.html",
                get(move || async move { (status, [(LOCATION, KEY_PAGE)]) }),
            )
            .fallback(site::serve);
        let server = Server::app(app);
        let page = load(&server.url("/old.html"), options()).unwrap();
        assert_eq!(page.url, server.url(KEY_PAGE));
    }
}

#[test]
fn cookies_and_login_are_not_taken_to_another_host() {
    let other = Server::app_at([127, 0, 0, 2].into(), Router::new().fallback(site::serve));
    let target = other.url(KEY_PAGE).to_string();
    let redirect = move || async move {
        (
            StatusCode::FOUND,
            [
                (LOCATION, target),
                (axum::http::header::SET_COOKIE, "secret=1".to_owned()),
            ],
        )
    };
    let server = Server::app(Router::new().route(KEY_PAGE, get(redirect)));
    let options = HttpOptions {
        reach: Reach {
            typed_hosts: vec!["127.0.0.1".to_owned(), "127.0.0.2".to_owned()],
            ..typed("")
        },
        ..options()
    };
    load(&server.url(KEY_PAGE), options).unwrap();
    for asked in other.log() {
        assert_eq!(asked.header("cookie"), None);
        assert_eq!(asked.header("authorization"), None);
        assert_eq!(asked.header("referer"), None);
    }
    assert_eq!(other.times(KEY_PAGE), 1);
}
