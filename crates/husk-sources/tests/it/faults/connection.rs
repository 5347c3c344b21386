use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::routing::get;
use husk::Url;

use super::run::{load, options, refusal, run, says, source, typed};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

/// A port without a listener: it belongs to a service of 1988.
const CLOSED: &str = "http://127.0.0.1:1/";

#[test]
fn a_refused_connection_is_said_to_be_one() {
    let url = Url::parse(CLOSED).unwrap();
    says(&refusal(&url, options()), &[url.as_str(), "refused"]);
}

#[test]
fn a_page_that_leads_to_a_closed_port_is_refused_there() {
    let app = Router::new()
        .route(
            FAULTY,
            get(|| async { (StatusCode::FOUND, [(LOCATION, CLOSED)]) }),
        )
        .fallback(site::serve);
    let server = Server::app(app);
    says(&refusal(&server.url(FAULTY), options()), &[CLOSED, "refused"]);
}

#[test]
fn a_host_that_does_not_exist_is_said_not_to() {
    let url = Url::parse("http://no-such-host.invalid/").unwrap();
    let error = refusal(&url, options());
    says(
        &error,
        &[
            "cannot load http://no-such-host.invalid/",
            "no such host",
            "no-such-host.invalid",
        ],
    );
}

#[test]
fn a_server_that_accepts_and_says_nothing_is_left() {
    let server = Server::connections(|line| line.hang());
    let error = refusal(&server.url(KEY_PAGE), options());
    says(&error, &[KEY_PAGE, "took more than"]);
}

#[test]
fn a_tls_server_that_accepts_and_says_nothing_is_left() {
    let server = Server::connections(|line| line.hang());
    let url = server.url_with("https", KEY_PAGE);
    says(&refusal(&url, options()), &[url.as_str(), "took more than"]);
}

#[test]
fn a_connection_that_is_reset_once_is_made_again() {
    let times = Arc::new(AtomicUsize::new(0));
    let server = Server::with_fault(FAULTY, move |line| {
        let time = times.fetch_add(1, Ordering::SeqCst);
        async move {
            if time == 0 {
                line.reset()
            } else {
                line.answer_well(FAULTY).await
            }
        }
    });
    run(&server, options()).lost_nothing();
    assert_eq!(server.times(FAULTY), 2);
}

#[test]
fn a_connection_that_is_always_reset_is_given_up() {
    let server = Server::with_fault(FAULTY, |line| async { line.reset() });
    run(&server, options()).lost_only_the_faulty(&["cannot load", "connection"]);
    assert!(server.times(FAULTY) <= 3, "{}", server.times(FAULTY));
}

#[test]
fn a_connection_that_is_closed_without_an_answer_is_given_up() {
    let server = Server::with_fault(FAULTY, |line| async {
        drop(line);
        Ok(())
    });
    run(&server, options()).lost_only_the_faulty(&["cannot load", "connection"]);
}

#[test]
fn a_connection_that_is_closed_behind_the_headers_brings_no_page() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n")
            .await
    });
    run(&server, options()).lost_only_the_faulty(&["cannot load", "ended after 0 bytes"]);
}

#[test]
fn a_server_that_closes_every_connection_between_requests_is_no_matter() {
    let server = Server::lines(|asked, line| async move { line.answer_well(&asked.target).await });
    let mut source = source(options());
    let first = super::run::run_with(&mut source, &server.url(KEY_PAGE));
    first.lost_nothing();
    assert_eq!(first.requests as u64, server.connected());
}

#[test]
fn ipv6_works() {
    if TcpListener::bind("[::1]:0").is_err() {
        println!("SKIPPED: no IPv6 on this machine");
        return;
    }
    let server = Server::app_at("::1".parse().unwrap(), Router::new().fallback(site::serve));
    let options = husk_sources::HttpOptions {
        reach: typed("[::1]"),
        ..options()
    };
    let page = load(&server.url_by("[::1]", KEY_PAGE), options).unwrap();
    assert!(page.dom.text_of(page.dom.root()).contains("All about anna"));
}
