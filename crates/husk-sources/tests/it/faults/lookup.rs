use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use husk::Url;
use husk_sources::{Blocking, Http, HttpOptions, LoadError, Private, Reach, Source};

use super::run::{options, run_with, says, typed};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

/// The web with this resolver.
fn web(
    options: HttpOptions,
    lookup: impl Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
) -> Blocking<Http> {
    Blocking::new(Http::with_lookup(options, Arc::new(lookup)).unwrap()).unwrap()
}

fn url(path: &str) -> Url {
    Url::parse("http://club.example/").unwrap().join(path).unwrap()
}

fn by_name() -> HttpOptions {
    HttpOptions {
        reach: typed("club.example"),
        ..options()
    }
}

fn good_at(ip: [u8; 4]) -> Server {
    Server::app_at(ip.into(), Router::new().fallback(site::serve))
}

#[test]
fn a_name_that_leads_elsewhere_the_second_time_still_leads_to_the_first() {
    let (first, second) = (good_at([127, 0, 0, 1]), good_at([127, 0, 0, 2]));
    let addresses = [first.address(), second.address()];
    let times = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&times);
    let mut web = web(by_name(), move |_| {
        Ok(vec![addresses[asked.fetch_add(1, Ordering::SeqCst).min(1)]])
    });
    run_with(&mut web, &url(KEY_PAGE)).lost_nothing();
    assert_eq!(second.connected(), 0);
    assert_eq!(times.load(Ordering::SeqCst), 1, "one answer is enough");
    assert!(first.times(FAULTY) == 1);
}

#[test]
fn a_name_that_leads_into_a_private_network_is_not_followed() {
    let hidden = good_at([127, 0, 0, 2]);
    let address = hidden.address();
    for private in [Private::TypedHosts, Private::Never] {
        let reach = Reach {
            private,
            typed_hosts: vec!["other.example".to_owned()],
        };
        let mut web = web(HttpOptions { reach, ..options() }, move |_| Ok(vec![address]));
        let error = web.load(&url(KEY_PAGE)).unwrap_err();
        assert!(matches!(error, LoadError::Private { .. }), "{error}");
        says(&error.to_string(), &["http://club.example/", "127.0.0.2"]);
    }
    assert_eq!(hidden.connected(), 0);
}

#[test]
fn of_several_addresses_the_one_that_answers_is_taken() {
    let server = good_at([127, 0, 0, 1]);
    let nobody: SocketAddr = ([127, 0, 0, 3], server.address().port()).into();
    let addresses = vec![nobody, server.address()];
    let mut web = web(by_name(), move |_| Ok(addresses.clone()));
    run_with(&mut web, &url(KEY_PAGE)).lost_nothing();
}

#[test]
fn a_name_that_leads_nowhere_is_said_to() {
    let mut web = web(by_name(), |_| Ok(Vec::new()));
    let error = web.load(&url(KEY_PAGE)).unwrap_err().to_string();
    says(
        &error,
        &["cannot load http://club.example/", "no such host club.example"],
    );
}

#[test]
fn a_name_server_that_does_not_answer_is_not_waited_for() {
    let begin = Instant::now();
    let mut web = web(by_name(), |_| {
        thread::sleep(Duration::from_secs(120));
        Ok(Vec::new())
    });
    let error = web.load(&url(KEY_PAGE)).unwrap_err().to_string();
    says(
        &error,
        &["http://club.example/", "resolving the host", "took more than"],
    );
    drop(web);
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_dot_at_the_end_of_a_name_makes_no_other_host() {
    let server = good_at([127, 0, 0, 1]);
    let address = server.address();
    let mut web = web(by_name(), move |_| Ok(vec![address]));
    let url = Url::parse(&format!("http://CLUB.example.{KEY_PAGE}")).unwrap();
    web.load(&url).unwrap();
}
