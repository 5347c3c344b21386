use axum::http::header;
use husk_server::{Settings, openapi_json};

use crate::app::{App, JSON, request};
use crate::site::given;

#[tokio::test]
async fn it_lives_and_takes_requests() {
    let app = App::new(Settings::default());
    for (path, expect) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let answer = app.get(path).await;
        assert_eq!((answer.status.as_u16(), &*answer.text()), (200, expect));
        let head = app.ask(request("HEAD", path)).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    }
}

#[tokio::test]
async fn what_happened_is_counted() {
    let app = App::new(Settings::default());
    app.post("/v1/menu", JSON, &given()).await;
    app.post("/v1/results", JSON, &given()).await;
    app.get("/v1/results/none").await;
    app.get("/nowhere/at/all").await;
    let answer = app.get("/metrics").await;
    assert!(
        answer
            .header(header::CONTENT_TYPE)
            .starts_with("application/openmetrics-text")
    );
    let text = answer.text();
    for line in [
        "husk_http_requests_total{route=\"/v1/menu\",method=\"POST\",status=\"200\"} 1",
        "husk_http_requests_total{route=\"/v1/results/{id}\",method=\"GET\",status=\"404\"} 1",
        "husk_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 1",
        "husk_extractions_total{outcome=\"ok\"} 2",
        "husk_extractions_running 0",
        "husk_extractions_queued 0",
        "husk_results_stored 1",
        "husk_sites_stored 0",
        "# EOF",
    ] {
        assert!(
            text.lines().any(|known| known == line),
            "{line} is missing in\n{text}"
        );
    }
}

#[tokio::test]
async fn nobody_can_make_the_counts_grow_without_end() {
    let app = App::new(Settings::default());
    for number in 0..50 {
        app.ask(request(&format!("TRICK{number}"), "/healthz")).await;
        app.get(&format!("/nowhere/{number}")).await;
    }
    let text = app.get("/metrics").await.text();
    assert!(!text.contains("TRICK") && !text.contains("/nowhere"), "{text}");
    assert!(text.contains("method=\"other\",status=\"405\"} 50"), "{text}");
}

#[tokio::test]
async fn the_api_is_described() {
    let app = App::new(Settings::default());
    let answer = app.get("/v1/openapi.json").await;
    assert_eq!(answer.header(header::CONTENT_TYPE), JSON);
    assert_eq!(answer.text(), openapi_json());
    let description = answer.json();
    let paths = description["paths"].as_object().unwrap();
    for path in [
        "/v1/template",
        "/v1/menu",
        "/v1/content",
        "/v1/pagelets",
        "/v1/inspect",
        "/v1/results",
        "/v1/results/{id}",
        "/v1/results/{id}/{output}",
        "/v1/sites",
        "/v1/sites/{site}",
        "/healthz",
        "/readyz",
        "/metrics",
        "/v1/openapi.json",
    ] {
        assert!(paths.contains_key(path), "{path} is missing");
    }
    let reference = app.get("/reference").await;
    assert_eq!(reference.header(header::CONTENT_TYPE), "text/html; charset=utf-8");
    let text = reference.text();
    for path in paths.keys() {
        assert!(text.contains(&**path), "{path} is missing in the reference");
    }
    for loading in ["<script", "<link", "<img", "src=", "url("] {
        assert!(!text.contains(loading), "it loads nothing: {loading}");
    }
}

#[tokio::test]
async fn every_address_that_is_described_is_there() {
    let app = App::new(Settings::default());
    let description: serde_json::Value = serde_json::from_str(&openapi_json()).unwrap();
    for (path, methods) in description["paths"].as_object().unwrap() {
        let path = path.replace(['{', '}'], "");
        for method in methods
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| *name != "parameters")
        {
            let answer = app.ask(request(&method.to_uppercase(), &path)).await;
            // Without a body, or of something that is not there; but not because nobody knows the address.
            let is_known = !answer.text().contains("see /reference for all") && answer.status.as_u16() != 405;
            assert!(
                is_known && !answer.status.is_server_error(),
                "{method} {path}: {}",
                answer.status
            );
        }
    }
}

#[tokio::test]
async fn the_web_page_and_its_files() {
    let app = App::new(Settings::default());
    let page = app.get("/").await;
    assert_eq!(page.header(header::CONTENT_TYPE), "text/html; charset=utf-8");
    assert_eq!(app.get("/r/some").await.text(), page.text());
    for (file, media_type) in [
        ("app.js", "text/javascript"),
        ("app.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let path = format!("/assets/{file}");
        let answer = app.get(&path).await;
        assert_eq!(answer.status.as_u16(), 200, "{file}");
        assert!(
            answer.header(header::CONTENT_TYPE).starts_with(media_type),
            "{file}"
        );
        let mut again = request("GET", &path);
        again
            .headers_mut()
            .insert(header::IF_NONE_MATCH, answer.headers[header::ETAG].clone());
        assert_eq!(app.ask(again).await.status.as_u16(), 304, "{file}");
    }
}

#[tokio::test]
async fn long_answers_are_packed_for_those_who_unpack() {
    let app = App::new(Settings::default());
    let mut asked = request("GET", "/v1/openapi.json");
    asked
        .headers_mut()
        .insert(header::ACCEPT_ENCODING, "gzip".parse().unwrap());
    let packed = app.ask(asked).await;
    assert_eq!(packed.header(header::CONTENT_ENCODING), "gzip");
    assert!(packed.body.starts_with(&[0x1F, 0x8B]));
}
