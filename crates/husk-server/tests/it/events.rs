use husk_server::Settings;
use serde_json::{Value, json};

use crate::app::{App, EVENTS, JSON, local};
use crate::listener::{Listener, answer, club, missing};
use crate::site::{NAMES, address, given};

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| &**name).collect()
}

fn urls<'a>(events: &'a [(String, Value)], name: &str) -> Vec<&'a str> {
    let of_name = events.iter().filter(|(known, _)| known == name);
    of_name.map(|(_, data)| data["url"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn progress_in_its_order_then_the_result() {
    let app = App::new(Settings::default());
    for part in ["template", "menu", "content", "pagelets", "inspect"] {
        let path = format!("/v1/{part}");
        let answer = app.post(&path, EVENTS, &given()).await;
        assert_eq!(answer.status.as_u16(), 200);
        let events = answer.events();
        assert_eq!(names(&events[..2]), ["started", "loaded"], "{part}");
        assert_eq!(events[0].1, json!({"page": address("anna")}));
        let [.., (writing, _), (last, result)] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!((&**writing, &**last), ("writing", "result"), "{part}");
        assert_eq!(result["content_type"], JSON);
        assert_eq!(
            result["body"],
            app.post(&path, JSON, &given()).await.json(),
            "{part}"
        );
        assert_eq!(names(&events).iter().filter(|name| **name == "result").count(), 1);
    }
}

#[tokio::test]
async fn the_last_event_has_the_form_that_is_wanted_beside_events() {
    let app = App::new(Settings::default());
    let accept = format!("{EVENTS}, text/markdown");
    let events = app.post("/v1/content", &accept, &given()).await.events();
    let (name, result) = events.last().unwrap();
    assert_eq!(name, "result");
    assert_eq!(result["content_type"], "text/markdown; charset=utf-8");
    let text = app.post("/v1/content", "text/markdown", &given()).await.text();
    assert_eq!(result["body"], text);
}

#[tokio::test]
async fn every_page_is_told_of_while_it_is_loaded() {
    let site = Listener::new(|path| match path {
        "/bert" => missing(),
        "/carl" => answer("200 OK", "Content-Type: text/html", "<h1>Another layout</h1>"),
        _ => club(path),
    });
    let app = App::new(local());
    let answer = app
        .post("/v1/results", EVENTS, &json!({"url": site.url("/anna")}))
        .await;
    let events = answer.events();
    assert_eq!(names(&events[..2]), ["started", "loaded"]);
    let links = events[1].1["links"].as_array().unwrap();
    assert_eq!(events[1].1["url"], site.url("/anna"));
    assert!(
        NAMES[1..]
            .iter()
            .all(|name| links.contains(&json!(site.url(&format!("/{name}"))))),
        "{links:?}"
    );
    let (name, result) = events.last().unwrap();
    assert_eq!(name, "result");
    let (loading, accepted) = (urls(&events, "loading"), urls(&events, "accepted"));
    let (loaded, failed, rejected) = (
        urls(&events, "loaded"),
        urls(&events, "failed"),
        urls(&events, "rejected"),
    );
    assert_eq!(failed, [site.url("/bert")]);
    assert_eq!(rejected, [site.url("/carl")]);
    assert_eq!(result["compared"], json!(accepted));
    assert_eq!(result["loaded"], json!(loaded));
    assert_eq!(
        loading.len(),
        loaded.len() - 1 + failed.len(),
        "all but the key page were announced"
    );
    for (name, data) in &events {
        if name == "failed" || name == "rejected" {
            assert!(
                data["cause"].as_str().is_some_and(|cause| !cause.is_empty()),
                "{data}"
            );
        }
    }
    let place = |name: &str, url: &str| {
        let is = |(known, data): &(String, Value)| known == name && data["url"] == url;
        events.iter().position(is).unwrap()
    };
    for url in accepted {
        assert!(place("loading", url) < place("loaded", url));
        assert!(place("loaded", url) < place("accepted", url));
    }
}

#[tokio::test]
async fn a_problem_is_the_last_event() {
    let app = App::new(Settings::default());
    for (part, asked, kind) in [
        (
            "results",
            json!({"url": "http://127.0.0.1:9/"}),
            "private-address",
        ),
        (
            "content",
            json!({"url": "http://none.invalid/"}),
            "private-address",
        ),
        (
            "menu",
            json!({"page": {"url": address("anna"), "html": "<p>Alone"}}),
            "no-sibling",
        ),
    ] {
        let answer = app.post(&format!("/v1/{part}"), EVENTS, &asked).await;
        assert_eq!(answer.status.as_u16(), 200);
        let events = answer.events();
        assert_eq!(events[0].0, "started");
        let (name, problem) = events.last().unwrap();
        assert_eq!(name, "problem");
        assert_eq!(problem["type"], format!("/problems/{kind}"));
        let at_once = app.post(&format!("/v1/{part}"), JSON, &asked).await;
        assert_eq!(problem, &at_once.json());
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_told_before_any_event() {
    let app = App::new(Settings::default());
    let answer = app.post("/v1/results", EVENTS, &json!({"url": "nowhere"})).await;
    answer.is_problem(400, "bad-request", &["nowhere"]);
}
