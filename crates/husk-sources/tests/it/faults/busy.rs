use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use husk_sources::{HttpOptions, LoadError};

use super::run::{load, options, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html_of};

/// A site in which one page only loads the second time.
fn busy_once(status: StatusCode, wait: impl Fn() -> String + Clone + Send + Sync + 'static) -> Server {
    let times = Arc::new(AtomicUsize::new(0));
    let answer = move || async move {
        if times.fetch_add(1, Ordering::SeqCst) == 0 {
            (status, [(RETRY_AFTER, wait())]).into_response()
        } else {
            Html(html_of(FAULTY)).into_response()
        }
    };
    Server::app(Router::new().route(FAULTY, get(answer)).fallback(site::serve))
}

/// A site in which one page never loads.
fn always_busy(path: &str, status: StatusCode, wait: Option<&'static str>) -> Server {
    let answer = move || async move {
        match wait {
            Some(wait) => (status, [(RETRY_AFTER, wait)]).into_response(),
            None => status.into_response(),
        }
    };
    Server::app(Router::new().route(path, get(answer)).fallback(site::serve))
}

/// The time from the first request for the faulty page to the second.
#[track_caller]
fn waited(server: &Server) -> Duration {
    let log = server.log();
    let times: Vec<_> = log.iter().filter(|asked| asked.target == FAULTY).collect();
    assert_eq!(times.len(), 2);
    times[1].at - times[0].at
}

fn patient() -> HttpOptions {
    HttpOptions {
        timeout: Duration::from_secs(30),
        ..options()
    }
}

#[test]
fn who_asks_to_wait_a_second_is_asked_again_after_a_second() {
    let server = busy_once(StatusCode::TOO_MANY_REQUESTS, || "1".to_owned());
    run(&server, patient()).lost_nothing();
    let gap = waited(&server);
    assert!(gap > Duration::from_millis(900), "{gap:?}");
}

#[test]
fn who_asks_to_wait_for_an_hour_of_the_day_is_asked_again_then() {
    let server = busy_once(StatusCode::SERVICE_UNAVAILABLE, || {
        httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3))
    });
    run(&server, patient()).lost_nothing();
    let gap = waited(&server);
    assert!(gap > Duration::from_millis(1500), "{gap:?}");
}

#[test]
fn who_asks_for_an_hour_that_is_past_is_asked_again() {
    let server = busy_once(StatusCode::SERVICE_UNAVAILABLE, || {
        "Mon, 01 Jan 2001 00:00:00 GMT".to_owned()
    });
    run(&server, patient()).lost_nothing();
}

#[test]
fn who_asks_to_wait_in_words_that_mean_nothing_is_asked_again() {
    for wait in ["soon", "-5", ""] {
        let server = busy_once(StatusCode::SERVICE_UNAVAILABLE, move || wait.to_owned());
        run(&server, patient()).lost_nothing();
    }
}

#[test]
fn who_asks_to_wait_for_a_day_is_not_waited_for() {
    for wait in ["99999", "Fri, 01 Jan 2100 00:00:00 GMT"] {
        let server = always_busy(FAULTY, StatusCode::SERVICE_UNAVAILABLE, Some(wait));
        let begin = Instant::now();
        run(&server, patient()).lost_only_the_faulty(&[FAULTY, "answers 503", "try again later"]);
        assert!(begin.elapsed() < Duration::from_secs(30));
        assert_eq!(server.times(FAULTY), 1);
    }
}

#[test]
fn who_stays_busy_is_given_up_and_the_wait_is_said() {
    let server = always_busy(FAULTY, StatusCode::SERVICE_UNAVAILABLE, Some("1"));
    run(&server, patient()).lost_only_the_faulty(&[
        FAULTY,
        "answers 503 Service Unavailable",
        "asks to wait 1 s",
    ]);
    assert_eq!(server.times(FAULTY), 2, "asked once more, as the options say");
}

#[test]
fn a_busy_key_page_is_an_error() {
    let server = always_busy(KEY_PAGE, StatusCode::TOO_MANY_REQUESTS, Some("3600"));
    let error = load(&server.url(KEY_PAGE), options()).unwrap_err();
    assert!(matches!(error, LoadError::Busy { status: 429, .. }), "{error}");
    says(
        &error.to_string(),
        &[KEY_PAGE, "answers 429 Too Many Requests", "3600 s"],
    );
}

#[test]
fn a_storm_of_refusals_is_not_answered_by_a_storm_of_requests() {
    let app = Router::new()
        .route(KEY_PAGE, get(|| async { Html(html_of(KEY_PAGE)) }))
        .route("/robots.txt", get(|| async { StatusCode::NOT_FOUND }))
        .fallback(|| async { StatusCode::TOO_MANY_REQUESTS });
    let server = Server::app(app);
    let run = run(&server, patient());
    assert_eq!(run.extraction.compared, []);
    assert_eq!(run.extraction.failures.len(), 6, "{:?}", run.extraction.failures);
    for failure in &run.extraction.failures {
        says(&failure.cause, &["429"]);
    }
    // `robots.txt` and key page, and the concurrent requests, each repeated once.
    assert!(server.log().len() <= 2 + 2 * 4, "{:?}", server.targets());
}

#[test]
fn a_busy_server_says_so_for_robots_txt_too() {
    let server = always_busy("/robots.txt", StatusCode::SERVICE_UNAVAILABLE, None);
    let error = load(&server.url(KEY_PAGE), options()).unwrap_err().to_string();
    says(&error, &["503"]);
    assert_eq!(server.times(KEY_PAGE), 0);
}
