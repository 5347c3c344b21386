use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::app::{App, EVENTS, JSON, event, local, post};
use crate::listener::{Gate, Listener, club};

/// A site whose pages come when a gate is opened, but for the key page.
fn slow() -> (Listener, Gate) {
    let gate = Gate::default();
    let before = gate.clone();
    let site = Listener::new(move |path| {
        if path != "/anna" && path != "/robots.txt" {
            before.wait();
        }
        club(path)
    });
    (site, gate)
}

/// Waits until something is so. It is, within moments; only a test that fails takes longer.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    for _ in 0..3000 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

async fn has_metric(app: &App, line: &str) -> bool {
    app.get("/metrics")
        .await
        .text()
        .lines()
        .any(|known| known == line)
}

async fn next(body: &mut Body) -> (String, Value) {
    let frame = body.frame().await.unwrap().unwrap();
    event(std::str::from_utf8(frame.data_ref().unwrap()).unwrap())
}

#[tokio::test]
async fn who_comes_too_late_is_told_when_to_come_again() {
    let (site, gate) = slow();
    let mut settings = local();
    (settings.limits.concurrency, settings.limits.queue) = (1, 1);
    let app = App::new(settings);
    let asked = json!({"url": site.url("/anna")});
    let mut first = app.send(post("/v1/results", EVENTS, &asked)).await.into_body();
    assert_eq!(next(&mut first).await.0, "started");
    until("the first loads siblings", async || site.pages() > 1).await;
    assert_eq!(
        app.get("/readyz").await.status.as_u16(),
        200,
        "somebody may still wait"
    );

    let mut second = app.send(post("/v1/results", EVENTS, &asked)).await.into_body();
    assert_eq!(
        next(&mut second).await,
        ("queued".to_owned(), json!({"ahead": 0}))
    );
    assert!(has_metric(&app, "husk_extractions_queued 1").await);
    app.get("/readyz")
        .await
        .is_problem(503, "not-ready", &["queue is full"]);
    assert_eq!(app.get("/healthz").await.status.as_u16(), 200);

    let third = app.post("/v1/results", JSON, &asked).await;
    third.is_problem(
        429,
        "queue-full",
        &["1 extractions are running and 1 requests are waiting"],
    );
    let seconds: u64 = third.header(header::RETRY_AFTER).parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(third.json()["retry_after"], seconds);
    let streamed = app.post("/v1/menu", EVENTS, &asked).await.events();
    assert_eq!(
        (&*streamed[0].0, &streamed[0].1["status"]),
        ("problem", &json!(429))
    );

    gate.open();
    for body in [first, second] {
        let text = body.collect().await.unwrap().to_bytes();
        assert!(
            String::from_utf8_lossy(&text).contains("event: result"),
            "both were done"
        );
    }
    assert_eq!(app.post("/v1/results", JSON, &asked).await.status.as_u16(), 201);
}

#[tokio::test]
async fn who_waits_and_leaves_makes_room() {
    let (site, gate) = slow();
    let mut settings = local();
    (settings.limits.concurrency, settings.limits.queue) = (1, 1);
    let app = App::new(settings);
    let asked = json!({"url": site.url("/anna")});
    let first = app.send(post("/v1/menu", EVENTS, &asked)).await;
    until("the first is under way", async || {
        has_metric(&app, "husk_extractions_running 1").await
    })
    .await;
    let second = app.send(post("/v1/menu", EVENTS, &asked)).await;
    until("the second waits", async || {
        has_metric(&app, "husk_extractions_queued 1").await
    })
    .await;
    drop(second);
    until("nobody waits", async || {
        has_metric(&app, "husk_extractions_queued 0").await
    })
    .await;
    gate.open();
    drop(first);
}

#[tokio::test]
async fn what_takes_too_long_ends() {
    let (site, gate) = slow();
    let mut settings = local();
    settings.limits.time = Duration::from_millis(300);
    let app = App::new(settings);
    let asked = json!({"url": site.url("/anna")});
    let answer = app.post("/v1/content", JSON, &asked).await;
    answer.is_problem(504, "timeout", &["options.max_pages"]);
    let events = app.post("/v1/content", EVENTS, &asked).await.events();
    let (name, problem) = events.last().unwrap();
    assert_eq!((&**name, &problem["status"]), ("problem", &json!(504)));
    until("all has ended", async || {
        has_metric(&app, "husk_extractions_running 0").await
    })
    .await;
    assert!(has_metric(&app, "husk_extractions_total{outcome=\"timeout\"} 2").await);
    gate.open();
}

/// How a client leaves: it has an answer that streams, or waits for one.
async fn leaves(is_streamed: bool) {
    let (site, gate) = slow();
    let mut settings = local();
    // One after the other, and nothing else that would end it.
    settings.http.delay = Duration::from_millis(5);
    settings.http.timeout = Duration::from_secs(600);
    settings.limits.time = Duration::from_secs(600);
    let app = App::new(settings);
    let asked = json!({"url": site.url("/anna")});
    let accept = if is_streamed { EVENTS } else { JSON };
    let request = tokio::spawn({
        let app = app.clone();
        async move {
            let body = app.send(post("/v1/results", accept, &asked)).await.into_body();
            body.collect().await.unwrap()
        }
    });
    until("a sibling is loaded", async || site.pages() == 2).await;
    request.abort();
    assert!(request.await.is_err_and(|cause| cause.is_cancelled()));
    until("the work ends", async || {
        has_metric(&app, "husk_extractions_running 0").await
    })
    .await;
    gate.open();
    // Were there anybody who goes on, he would have time enough.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(site.pages(), 2, "nothing more was loaded: {:?}", site.log());
    assert!(
        has_metric(&app, "husk_results_stored 0").await,
        "nothing was stored"
    );
}

#[tokio::test]
async fn the_work_ends_when_the_reader_of_events_leaves() {
    leaves(true).await;
}

#[tokio::test]
async fn the_work_ends_when_who_waits_for_the_answer_leaves() {
    leaves(false).await;
}
