use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use husk_sources::HttpOptions;

use super::run::{options, run};
use super::server::Server;
use super::site::{FAULTY, KEY_PAGE, html_of};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

#[test]
fn silence_behind_the_request_ends() {
    let server = Server::with_fault(FAULTY, |line| line.hang());
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn a_server_that_falls_silent_is_not_waited_for_at_every_page() {
    let app = Router::new()
        .route(KEY_PAGE, get(|| async { Html(html_of(KEY_PAGE)) }))
        .route("/robots.txt", get(|| async { StatusCode::NOT_FOUND }))
        .fallback(|| async { std::future::pending::<()>().await });
    let server = Server::app(app);
    // One page after the other.
    let delay = Duration::from_millis(1);
    let run = run(&server, HttpOptions { delay, ..options() });
    assert!(run.extraction.compared.is_empty());
    assert_eq!(run.extraction.failures.len(), 6);
    assert_eq!(run.requests, 2 + 4, "robots.txt, the key page, four in vain");
    let last = &run.extraction.failures[5].cause;
    assert!(last.contains("timed out 4 times in a row"), "{last}");
}

#[test]
fn headers_that_drip_do_not_drip_for_ever() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(HEAD).await?;
        let field = "X-Slow: loris\r\n".repeat(1000);
        line.drip(field.as_bytes(), Duration::from_millis(50)).await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn a_body_that_drips_does_not_drip_for_ever() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Content-Length: 100000\r\n\r\n")).await?;
        let body = "<p>loris</p>".repeat(10_000);
        line.drip(body.as_bytes(), Duration::from_millis(50)).await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn a_body_that_stops_in_the_middle_is_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Content-Length: 100000\r\n\r\n<html><p>And then"))
            .await?;
        line.hang().await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn chunks_that_stop_in_the_middle_are_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!(
            "{HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n<html><p>And"
        ))
        .await?;
        line.hang().await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn a_slow_page_within_the_time_is_a_page() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        let html = html_of(FAULTY);
        line.say(format!("{HEAD}Content-Length: {}\r\n\r\n", html.len()))
            .await?;
        for part in html.as_bytes().chunks(html.len() / 4) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            line.say(part).await?;
        }
        Ok(())
    });
    let patient = HttpOptions {
        timeout: Duration::from_secs(30),
        ..options()
    };
    run(&server, patient).lost_nothing();
}

#[test]
fn a_server_that_falls_silent_behind_the_key_page_takes_no_longer_than_its_pages() {
    let server = Server::lines(|asked, line| async move {
        match asked.target.as_str() {
            KEY_PAGE | "/robots.txt" => line.answer_well(&asked.target).await,
            _ => line.hang().await,
        }
    });
    let run = run(&server, options());
    assert_eq!(run.extraction.compared, []);
    assert_eq!(run.extraction.failures.len(), 6);
    for failure in &run.extraction.failures {
        assert!(failure.cause.contains("took more than"), "{}", failure.cause);
    }
}

#[test]
fn a_whole_page_behind_which_nothing_more_comes_is_a_page() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Content-Length: 100000\r\n\r\n{}", html_of(FAULTY)))
            .await?;
        line.hang().await
    });
    run(&server, options()).lost_nothing();
}
