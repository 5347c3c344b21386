use axum::http::header;
use husk_server::Settings;
use serde_json::{Value, json};

use crate::app::{App, JSON, request, sent};
use crate::site::{address, given, given_with, html};

const PARTS: [&str; 6] = ["template", "menu", "content", "pagelets", "inspect", "results"];

fn app() -> App {
    App::new(Settings::default())
}

#[tokio::test]
async fn forms_that_there_are_not() {
    for part in PARTS {
        let answer = app().post(&format!("/v1/{part}"), "image/png", &given()).await;
        answer.is_problem(406, "not-acceptable", &["image/png", JSON]);
    }
    for (part, accept) in [
        ("pagelets", "text/html"),
        ("template", "text/csv"),
        ("results", "text/html"),
        ("content", "application/json;q=0"),
    ] {
        let answer = app().post(&format!("/v1/{part}"), accept, &given()).await;
        answer.is_problem(406, "not-acceptable", &[accept]);
    }
}

#[tokio::test]
async fn bodies_of_other_types() {
    for part in PARTS {
        for (media_type, said) in [
            ("", "(none)"),
            ("text/html", "text/html"),
            ("application/x-www-form-urlencoded", "form"),
        ] {
            let answer = app()
                .ask(sent(&format!("/v1/{part}"), "", media_type, b"{}".to_vec()))
                .await;
            answer.is_problem(415, "unsupported-media-type", &[said, JSON, "application/warc"]);
        }
    }
    let answer = app()
        .ask(sent(
            "/v1/menu",
            "",
            "Application/JSON; charset=utf-8",
            given().to_string().into_bytes(),
        ))
        .await;
    assert_eq!(answer.status.as_u16(), 200);
}

async fn is_bad(asked: Value, words: &[&str]) {
    for part in ["content", "results"] {
        let answer = app().post(&format!("/v1/{part}"), "", &asked).await;
        answer.is_problem(400, "bad-request", words);
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_named() {
    is_bad(json!({}), &["url", "page"]).await;
    is_bad(json!([]), &["JSON", "object"]).await;
    is_bad(json!(["https://example.org/"]), &["JSON", "object"]).await;
    is_bad(
        json!({"page": [address("anna"), html("anna")]}),
        &["JSON", "object"],
    )
    .await;
    is_bad(
        given_with("siblings", json!([[address("bert"), ""]])),
        &["object"],
    )
    .await;
    is_bad(given_with("options", json!(["paper"])), &["object"]).await;
    is_bad(given_with("write", json!([])), &["object"]).await;
    is_bad(json!({"ulr": "https://example.org/"}), &["ulr", "url"]).await;
    is_bad(given_with("options", json!({"speed": 9})), &["speed"]).await;
    is_bad(
        given_with("options", json!({"method": "magic"})),
        &["magic", "paper"],
    )
    .await;
    is_bad(given_with("options", json!({"same_site": "planet"})), &["planet"]).await;
    is_bad(
        given_with("options", json!({"max_pages": 0})),
        &["options.max_pages"],
    )
    .await;
    is_bad(given_with("options", json!({"max_pages": -1})), &["-1"]).await;
    is_bad(
        given_with("options", json!({"pages_to_compare": 51})),
        &["options.pages_to_compare", "50"],
    )
    .await;
    is_bad(given_with("write", json!({"colour": "red"})), &["colour"]).await;
    is_bad(given_with("fresh", json!("yes")), &["yes"]).await;
    is_bad(
        given_with("url", json!("https://example.org/")),
        &["url and page cannot be combined"],
    )
    .await;
    is_bad(json!({"page": {"url": address("anna")}}), &["html"]).await;
    is_bad(
        json!({"page": {"url": address("anna"), "html": "", "css": ""}}),
        &["css"],
    )
    .await;
    is_bad(
        json!({"page": {"url": "anna", "html": ""}}),
        &["page.url", "anna"],
    )
    .await;
    is_bad(
        json!({"url": "https://example.org/", "siblings": [{"url": address("b"), "html": ""}]}),
        &["siblings"],
    )
    .await;
    let mut second_is_wrong = given();
    second_is_wrong["siblings"][1]["url"] = json!("ftp://club.example/");
    is_bad(second_is_wrong, &["siblings[1].url", "ftp://club.example/"]).await;
}

#[tokio::test]
async fn broken_json() {
    for body in [
        "",
        "{",
        "{\"url\": \"https://example.org/\"",
        "\u{0}",
        "null",
        "{\"url\": \"\\ud800\"}",
    ] {
        let answer = app()
            .ask(sent("/v1/menu", "", JSON, body.as_bytes().to_vec()))
            .await;
        answer.is_problem(400, "bad-request", &[]);
    }
    let answer = app()
        .ask(sent("/v1/menu", "", JSON, b"{\"url\": \"\xff\"}".to_vec()))
        .await;
    answer.is_problem(400, "bad-request", &["JSON"]);
    let deep = "[".repeat(100_000);
    let answer = app()
        .ask(sent(
            "/v1/menu",
            "",
            JSON,
            format!("{{\"page\": {deep}").into_bytes(),
        ))
        .await;
    answer.is_problem(400, "bad-request", &["JSON"]);
}

#[tokio::test]
async fn parameters_of_the_address() {
    let answer = app()
        .post("/v1/menu?page=https://example.org/", "", &given())
        .await;
    answer.is_problem(400, "bad-request", &["archives only"]);
    let answer = app().post("/v1/menu?pgae=x", "", &given()).await;
    answer.is_problem(400, "bad-request", &["pgae"]);
    let answer = app().post("/v1/menu?method=magic", "", &given()).await;
    answer.is_problem(400, "bad-request", &["magic"]);
}

#[tokio::test]
async fn too_much_is_not_read() {
    let mut settings = Settings::default();
    settings.limits.body_bytes = 2000;
    let app = App::new(settings);
    for part in PARTS {
        for media_type in [JSON, "application/warc"] {
            let answer = app
                .ask(sent(&format!("/v1/{part}"), "", media_type, vec![b' '; 2001]))
                .await;
            answer.is_problem(413, "body-too-large", &["fewer or smaller"]);
        }
    }
    let small = json!({"page": {"url": address("anna"), "html": "<p>Some words"}});
    assert_eq!(app.post("/v1/content", "", &small).await.status.as_u16(), 200);
}

#[tokio::test]
async fn too_many_siblings() {
    let sibling = json!({"url": address("bert"), "html": html("bert")});
    let mut settings = Settings::default();
    settings.limits.pages = 3;
    let app = App::new(settings);
    for (count, status) in [(3, 200), (4, 400)] {
        let asked = given_with("siblings", json!(vec![&sibling; count]));
        let answer = app.post("/v1/content", "", &asked).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
        if status == 400 {
            answer.is_problem(400, "bad-request", &["4 siblings", "limit of this server is 3"]);
        }
    }
}

#[tokio::test]
async fn addresses_that_there_are_not() {
    for path in [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v2/template",
        "/v1/results",
        "/robots.txt",
        "/assets/none.js",
        "/assets/..%2fCargo.toml",
        "/v1/results/none",
        "/v1/results/none/inspect-page",
        "/v1/results/none/husk.zip",
        "/v1/results/none/nonsense",
        "/v1/sites/none.example",
    ] {
        let answer = app().get(path).await;
        match path {
            "/v1/results" => answer.is_problem(405, "method-not-allowed", &["/reference"]),
            _ => answer.is_problem(404, "not-found", &[]),
        }
    }
    for path in ["/v1/results/none", "/v1/sites/none.example"] {
        app().delete(path).await.is_problem(404, "not-found", &["none"]);
    }
    app()
        .get("/v1/results/%ff")
        .await
        .is_problem(400, "bad-request", &["invalid URL"]);
}

#[tokio::test]
async fn methods_that_there_are_not() {
    for (method, path, allowed) in [
        ("GET", "/v1/template", "POST"),
        ("PUT", "/v1/content", "POST"),
        ("DELETE", "/v1/results", "POST"),
        ("POST", "/v1/results/some", "DELETE"),
        ("POST", "/healthz", "GET"),
        ("PATCH", "/v1/sites/some", "GET"),
        ("POST", "/", "GET"),
    ] {
        let answer = app().ask(request(method, path)).await;
        answer.is_problem(405, "method-not-allowed", &["/reference"]);
        let allow = answer.header(header::ALLOW);
        assert!(
            allow.split(',').any(|known| known.trim() == allowed),
            "{method} {path}: {allow:?}"
        );
    }
}
