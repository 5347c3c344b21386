use axum::http::header;
use husk::output::{Output, OutputOptions, Part, Scripts};
use husk::{Analysis, Method, Options};
use husk_server::Settings;
use serde_json::{Value, json};

use crate::app::{App, JSON};
use crate::site::{FOOTER, KEY_WORDS, extraction, given, given_with};

/// The answer for the small site.
#[track_caller]
fn ask(part: &str, accept: &str, asked: &Value) -> (String, String) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let app = App::new(Settings::default());
        let answer = app.post(&format!("/v1/{part}"), accept, asked).await;
        assert_eq!(answer.status.as_u16(), 200, "{part} {accept}: {}", answer.text());
        (answer.header(header::CONTENT_TYPE).to_owned(), answer.text())
    })
}

#[track_caller]
fn check(part: &str, accept: &str, media_type: &str, expect: &str) {
    let (said, text) = ask(part, accept, &given());
    assert_eq!(said, media_type);
    assert_eq!(text, expect, "{part} {accept}");
}

#[track_caller]
fn check_json(part: &str, asked: &Value, expect: &Value) {
    for accept in ["", "*/*", JSON] {
        let (said, text) = ask(part, accept, asked);
        assert_eq!(said, JSON);
        assert_eq!(
            &serde_json::from_str::<Value>(&text).unwrap(),
            expect,
            "{part} {accept}"
        );
    }
}

/// The small site's page, written by the engine.
fn written(part: &str, format: &str, analysis: &Analysis, options: &OutputOptions) -> String {
    let output = Output::find(part, format).unwrap();
    output.write(analysis, options).unwrap().text
}

fn written_json(part: &str, analysis: &Analysis, options: &OutputOptions) -> Value {
    let format = if part == "inspect" { "marks" } else { "json" };
    serde_json::from_str(&written(part, format, analysis, options)).unwrap()
}

#[test]
fn the_media_type_chooses_the_format() {
    let analysis = Analysis::from(extraction(Options::default()));
    assert!(analysis.support() > 1, "a site to compare with");
    let options = OutputOptions::default();
    for (part, formats) in [
        ("template", ["html", "outline", "markdown"].as_slice()),
        ("menu", &["html", "text", "markdown"]),
        ("content", &["html", "text", "markdown"]),
        ("pagelets", &["text"]),
        ("inspect", &["html", "outline"]),
    ] {
        check_json(part, &given(), &written_json(part, &analysis, &options));
        for format in formats {
            let media_type = Output::find(part, format).unwrap().media_type;
            let accept = media_type.split(';').next().unwrap();
            check(
                part,
                accept,
                media_type,
                &written(part, format, &analysis, &options),
            );
        }
    }
    let html = written("template", "html", &analysis, &options);
    assert!(html.contains(FOOTER) && !html.contains(KEY_WORDS) && !html.contains("alert(1)"));
    let markdown = written("content", "markdown", &analysis, &options);
    assert!(markdown.contains(KEY_WORDS) && !markdown.contains(FOOTER));
}

#[test]
fn every_format_can_be_named() {
    let analysis = Analysis::from(extraction(Options::default()));
    for output in Part::ALL.into_iter().flat_map(Part::outputs) {
        let (part, format) = (output.part.name(), output.name);
        let (media_type, text) = ask(part, "image/png", &given_with("format", json!(format)));
        assert_eq!(media_type, output.media_type, "{part} {format}");
        assert_eq!(
            text,
            written(part, format, &analysis, &OutputOptions::default()),
            "{part} {format}"
        );
    }
}

#[test]
fn options_of_writing() {
    let analysis = Analysis::from(extraction(Options::default()));
    let with_scripts = OutputOptions {
        scripts: Scripts::Keep,
        ..OutputOptions::default()
    };
    let (_, text) = ask(
        "template",
        "text/html",
        &given_with("write", json!({"scripts": "keep"})),
    );
    assert_eq!(text, written("template", "html", &analysis, &with_scripts));
    assert!(text.contains("alert(1)"));
    for (part, options) in [
        ("menu", json!({"all": true})),
        ("content", json!({"content_format": "html"})),
        ("content", json!({"content_format": "text", "comments": true})),
    ] {
        let expect = serde_json::from_value(options.clone()).unwrap();
        check_json(
            part,
            &given_with("write", options),
            &written_json(part, &analysis, &expect),
        );
    }
}

#[test]
fn the_method_is_that_of_the_request() {
    let paper = extraction(Options {
        method: Method::Paper,
        max_pages: Some(Settings::default().limits.pages),
        ..Options::default()
    });
    let asked = given_with("options", json!({"method": "paper"}));
    let expect = written_json("template", &paper.into(), &OutputOptions::default());
    check_json("template", &asked, &expect);
    assert_eq!(expect["method"], "paper");
}

#[test]
fn as_many_pages_are_compared_as_the_request_says() {
    let one = extraction(Options {
        pages_to_compare: 1,
        ..Options::default()
    });
    assert_eq!(one.compared.len(), 1);
    let asked = given_with("options", json!({"pages_to_compare": 1}));
    let expect = written_json("template", &one.into(), &OutputOptions::default());
    check_json("template", &asked, &expect);
}

#[test]
fn the_preferred_media_type_wins() {
    let accept = "text/markdown;q=0.5, text/html;q=0.9, image/png";
    assert_eq!(ask("menu", accept, &given()).0, "text/html; charset=utf-8");
    assert_eq!(ask("pagelets", "text/*", &given()).0, "text/plain; charset=utf-8");
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let app = App::new(Settings::default());
    let alone = json!({"page": {"url": "https://alone.example/", "html": "<p>Nobody else"}});
    for part in ["template", "menu"] {
        let answer = app.post(&format!("/v1/{part}"), JSON, &alone).await;
        answer.is_problem(422, "no-sibling", &["https://alone.example/", "siblings"]);
    }
    let empty = json!({"page": {"url": "https://empty.example/", "html": ""}});
    let answer = app.post("/v1/content", "text/markdown", &empty).await;
    answer.is_problem(422, "no-content", &["https://empty.example/"]);
    let flat = |name: &str| {
        let words: String = (0..9)
            .map(|number| format!("<p>Word {number} of {name}{number}</p>"))
            .collect();
        json!({"url": format!("https://flat.example/{name}"), "html": format!("<h1>Us</h1>{words}<p>The end")})
    };
    let flat = json!({"page": flat("a"), "siblings": [flat("b"), flat("c")]});
    let answer = app.post("/v1/menu", "text/plain", &flat).await;
    answer.is_problem(422, "no-menu", &["https://flat.example/a"]);
}

#[tokio::test]
async fn an_unknown_format_is_a_bad_request() {
    let app = App::new(Settings::default());
    let asked = given_with("format", json!("pdf"));
    let answer = app.post("/v1/content", JSON, &asked).await;
    answer.is_problem(400, "bad-request", &["pdf", "markdown"]);
}
