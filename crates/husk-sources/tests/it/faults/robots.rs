use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_ENCODING, LOCATION};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use husk_sources::HttpOptions;

use super::run::{options, refusal, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

const ROBOTS: &str = "/robots.txt";

/// The good site with this `robots.txt`.
fn with_robots(answer: impl IntoResponse + Clone + Send + Sync + 'static) -> Server {
    let answer = move || async move { answer };
    Server::app(Router::new().route(ROBOTS, get(answer)).fallback(site::serve))
}

#[track_caller]
fn forbids_all(server: &Server, words: &[&str]) {
    let error = refusal(&server.url(KEY_PAGE), options());
    says(&error, &[KEY_PAGE, ROBOTS, "--ignore-robots"]);
    says(&error, words);
    assert_eq!(server.times(KEY_PAGE), 0);
}

fn heedless() -> HttpOptions {
    HttpOptions {
        obey_robots: false,
        ..options()
    }
}

#[test]
fn a_forbidden_sibling_is_never_asked_for() {
    let server = with_robots(format!("User-agent: *\nDisallow: {FAULTY}\n"));
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "is disallowed by", ROBOTS]);
    assert_eq!(server.times(FAULTY), 0);
    assert_eq!(server.times(ROBOTS), 1, "once is enough");
    assert_eq!(server.targets()[0], ROBOTS, "before anything else");
}

#[test]
fn a_forbidden_key_page_is_an_error() {
    forbids_all(
        &with_robots("User-agent: *\nDisallow: /\n"),
        &["is disallowed by"],
    );
    forbids_all(
        &with_robots(format!("User-agent: *\nDisallow: {KEY_PAGE}\n")),
        &[],
    );
}

#[test]
fn what_is_said_to_others_is_not_meant() {
    run(&with_robots("User-agent: OtherBot\nDisallow: /\n"), options()).lost_nothing();
}

#[test]
fn what_is_said_to_husk_counts_more() {
    let robots = format!("User-agent: *\nDisallow: /\n\nUser-Agent: Husk\nDisallow: {FAULTY}\n");
    run(&with_robots(robots), options()).lost_only_the_faulty(&["is disallowed by"]);
}

#[test]
fn the_longest_rule_counts() {
    let robots = format!("User-agent: *\nDisallow: /*.html$\nAllow: /\nAllow: {KEY_PAGE}$\n");
    let server = with_robots(robots);
    let run = run(&server, options());
    assert_eq!(run.extraction.compared, []);
    assert_eq!(server.targets(), [ROBOTS, KEY_PAGE]);
    assert_eq!(run.extraction.failures.len(), 6);
}

#[test]
fn a_redirect_to_a_forbidden_page_is_not_followed() {
    let app = Router::new()
        .route(ROBOTS, get(|| async { "User-agent: *\nDisallow: /secret/\n" }))
        .route(
            FAULTY,
            get(|| async { (StatusCode::FOUND, [(LOCATION, "/secret/page.html")]) }),
        )
        .fallback(site::serve);
    let server = Server::app(app);
    run(&server, options()).lost_only_the_faulty(&["/secret/page.html", "is disallowed by"]);
    assert_eq!(server.times("/secret/page.html"), 0);
}

#[test]
fn who_ignores_robots_txt_does_not_ask_for_it() {
    let server = with_robots("User-agent: *\nDisallow: /\nCrawl-delay: 10000\n");
    run(&server, heedless()).lost_nothing();
    assert_eq!(server.times(ROBOTS), 0);
}

#[test]
fn no_robots_txt_forbids_nothing() {
    for status in [400, 401, 403, 404, 410, 451] {
        let server = with_robots(StatusCode::from_u16(status).unwrap());
        run(&server, options()).lost_nothing();
        assert_eq!(server.times(ROBOTS), 1);
    }
}

#[test]
fn a_page_in_place_of_robots_txt_forbids_nothing() {
    let page = "<html><body>\nUser-agent: nobody\nNot found</body></html>";
    run(&with_robots(Html(page)), options()).lost_nothing();
}

#[test]
fn an_empty_robots_txt_forbids_nothing() {
    run(&with_robots(""), options()).lost_nothing();
    run(&with_robots(StatusCode::NO_CONTENT), options()).lost_nothing();
    run(&with_robots([0xFF, 0xFE, 0, 1, 2, 3].as_slice()), options()).lost_nothing();
}

#[test]
fn a_server_in_trouble_forbids_all() {
    forbids_all(&with_robots(StatusCode::INTERNAL_SERVER_ERROR), &["500"]);
    forbids_all(&with_robots(StatusCode::BAD_GATEWAY), &["502"]);
    run(&with_robots(StatusCode::INTERNAL_SERVER_ERROR), heedless()).lost_nothing();
}

#[test]
fn a_robots_txt_that_does_not_come_forbids_all() {
    forbids_all(
        &Server::with_fault(ROBOTS, |line| line.hang()),
        &["took more than"],
    );
    forbids_all(
        &Server::with_fault(ROBOTS, |line| async { line.reset() }),
        &["connection"],
    );
}

#[test]
fn a_robots_txt_elsewhere_is_found_there() {
    let app = Router::new()
        .route(
            ROBOTS,
            get(|| async { (StatusCode::FOUND, [(LOCATION, "/well-hidden/robots")]) }),
        )
        .route(
            "/well-hidden/robots",
            get(|| async { format!("User-agent: *\nDisallow: {FAULTY}\n") }),
        )
        .fallback(site::serve);
    let server = Server::app(app);
    run(&server, options()).lost_only_the_faulty(&["is disallowed by"]);
    assert_eq!(server.times("/well-hidden/robots"), 1);
}

#[test]
fn a_robots_txt_that_leads_in_circles_forbids_nothing() {
    // RFC 9309, 2.3.1.2: more than five redirects may count as a missing file.
    let server = with_robots((StatusCode::FOUND, [(LOCATION, ROBOTS)]));
    run(&server, options()).lost_nothing();
    assert!(server.times(ROBOTS) <= 6, "{}", server.times(ROBOTS));
}

#[test]
fn of_a_huge_robots_txt_the_beginning_counts() {
    let server = Server::with_fault(ROBOTS, |mut line| async move {
        line.say("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
            .await?;
        line.say(format!("User-agent: *\nDisallow: {FAULTY}\n")).await?;
        line.repeat(
            b"# and so on, and so on, and so on, and so on, and so on, and so on\n",
            4 << 30,
        )
        .await
    });
    run(&server, options()).lost_only_the_faulty(&["is disallowed by"]);
    assert!(server.sent() < 32 << 20, "{} bytes were sent", server.sent());
}

#[test]
fn a_packed_robots_txt_is_unpacked() {
    let robots = format!("User-agent: *\nDisallow: {FAULTY}\n");
    let packed = zstd::encode_all(robots.as_bytes(), 3).unwrap();
    let server = with_robots(([(CONTENT_ENCODING, "zstd")], packed.clone()));
    run(&server, options()).lost_only_the_faulty(&["is disallowed by"]);
    let broken = with_robots(([(CONTENT_ENCODING, "zstd")], packed[..9].to_vec()));
    forbids_all(&broken, &["Content-Encoding is zstd"]);
}

#[test]
fn a_crawl_delay_is_kept() {
    let server = with_robots("User-agent: *\nCrawl-delay: 1\n");
    run(&server, options()).lost_nothing();
    let pages: Vec<Instant> = server
        .log()
        .iter()
        .filter(|asked| asked.target != ROBOTS)
        .map(|asked| asked.at)
        .collect();
    assert!(pages.len() > 2);
    // Requests may be logged a little late.
    for pair in pages.windows(2) {
        let gap = pair[1] - pair[0];
        assert!(gap > Duration::from_millis(300), "{gap:?}");
    }
    let all = pages[pages.len() - 1] - pages[0];
    assert!(
        all > Duration::from_millis(1000 * (pages.len() as u64 - 1) - 700),
        "{all:?}"
    );
}

#[test]
fn an_absurd_crawl_delay_is_said_instead_of_kept() {
    let server = with_robots("User-agent: *\nCrawl-delay: 86400\n");
    let begin = Instant::now();
    let source = &mut super::run::source(options());
    let first = husk_sources::Source::load(source, &server.url(KEY_PAGE));
    let second = husk_sources::Source::load(source, &server.url(FAULTY));
    assert!(begin.elapsed() < Duration::from_secs(20));
    let error = first.and(second).unwrap_err().to_string();
    says(&error, &["86400", "--ignore-robots"]);
}

#[test]
fn crawl_delays_that_are_no_numbers_do_no_harm() {
    for delay in ["soon", "-1", "NaN", "1e400", "", "0"] {
        run(
            &with_robots(format!("User-agent: *\nCrawl-delay: {delay}\n")),
            options(),
        )
        .lost_nothing();
    }
}
