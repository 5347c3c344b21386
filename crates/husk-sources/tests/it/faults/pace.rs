use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use husk_sources::HttpOptions;
use tokio::time::sleep;

use super::run::{options, run};
use super::server::Server;
use super::site;

const ROBOTS: &str = "/robots.txt";

/// The good site with slow pages, and the most requests at once.
fn slow_site(pause: Duration) -> (Server, Arc<AtomicUsize>) {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let told = Arc::clone(&most);
    let answer = move |request: Request| async move {
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        sleep(pause).await;
        let answer = site::serve(request.uri().clone()).await;
        now.fetch_sub(1, Ordering::SeqCst);
        answer
    };
    (Server::app(Router::new().fallback(answer)), told)
}

#[test]
fn one_page_at_a_time_with_a_pause_between() {
    let delay = Duration::from_millis(700);
    let (server, most_at_once) = slow_site(Duration::from_millis(50));
    let slowly = HttpOptions { delay, ..options() };
    run(&server, slowly).lost_nothing();
    let log = server.log();
    assert!(log.len() > 3);
    for pair in log.windows(2).filter(|pair| pair[0].target != ROBOTS) {
        let gap = pair[1].at - pair[0].at;
        assert!(
            gap > delay / 3,
            "{gap:?} between {} and {}",
            pair[0].target,
            pair[1].target
        );
    }
    let all = log[log.len() - 1].at - log[1].at;
    assert!(all > delay * (log.len() as u32 - 2) - delay / 2, "{all:?}");
    assert_eq!(most_at_once.load(Ordering::SeqCst), 1);
}

#[test]
fn without_a_pause_several_pages_are_under_way_at_once() {
    let (server, most_at_once) = slow_site(Duration::from_millis(800));
    let run = run(&server, options());
    run.lost_nothing();
    let most = most_at_once.load(Ordering::SeqCst);
    assert!((2..=4).contains(&most), "{most}");
}

#[test]
fn no_more_is_asked_for_than_is_reported() {
    for delay in [Duration::ZERO, Duration::from_millis(50)] {
        let server = Server::app(Router::new().fallback(site::serve));
        let run = run(&server, HttpOptions { delay, ..options() });
        assert_eq!(server.times(ROBOTS), 1);
        let pages = server.log().len() - 1;
        assert_eq!(pages, run.extraction.loaded.len(), "{:?}", server.targets());
        assert_eq!(run.requests, pages + 1);
    }
}

#[test]
fn everybody_can_see_who_asks() {
    let server = Server::app(Router::new().fallback(site::serve));
    run(&server, options());
    let mine = HttpOptions {
        user_agent: "tester/7 (someone@example.org)".to_owned(),
        ..options()
    };
    let asked = server.log().len();
    run(&server, mine);
    for (number, request) in server.log().iter().enumerate() {
        let agent = request.header("user-agent").unwrap();
        let expected = if number < asked {
            "husk/"
        } else {
            "tester/7 (someone@example.org)"
        };
        assert!(agent.starts_with(expected), "{agent}");
    }
}
