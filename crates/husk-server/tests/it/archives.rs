use std::time::SystemTime;

use husk::output::to_json;
use husk::{Method, Options, Url};
use husk_server::Settings;
use husk_sources::{ArchiveWriter, Capture, Compression};
use serde_json::{Value, json};

use crate::app::{Answer, App, EVENTS, JSON, sent};
use crate::site::{NAMES, address, extraction, html};

/// Some pages of the site in an archive.
fn packed(names: &[&str], compression: Compression) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new(), compression);
    writer.set_info(&[("software", "husk")]);
    for name in names {
        let capture = Capture {
            url: Url::parse(&address(name)).unwrap(),
            status: 200,
            headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
            body: html(name).into_bytes(),
            is_whole: true,
            date: SystemTime::UNIX_EPOCH,
            ip: None,
            is_rendered: false,
        };
        writer.write_capture(&capture).unwrap();
    }
    writer.finish().unwrap()
}

async fn ask(path: &str, accept: &str, bytes: Vec<u8>) -> Answer {
    let app = App::new(Settings::default());
    app.ask(sent(path, accept, "application/warc", bytes)).await
}

/// What was compared with what, and what of it is template.
fn essence(template: &Value) -> Value {
    json!([template["key_page"], template["method"], template["nodes"]])
}

#[tokio::test]
async fn a_page_of_an_archive() {
    for compression in [Compression::Gzip, Compression::None] {
        let path = format!("/v1/template?page={}", address("anna"));
        let answer = ask(&path, JSON, packed(&NAMES, compression)).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
        let expect = json!(to_json(&extraction(Options::default())));
        assert!(expect["nodes"].as_array().is_some_and(|nodes| !nodes.is_empty()));
        assert_eq!(essence(&answer.json()), essence(&expect));
    }
}

#[tokio::test]
async fn the_method_stands_in_the_address() {
    let path = format!("/v1/template?method=paper&page={}", address("anna"));
    let answer = ask(&path, JSON, packed(&NAMES, Compression::Gzip)).await;
    let paper = Options {
        method: Method::Paper,
        ..Options::default()
    };
    assert_eq!(
        essence(&answer.json()),
        essence(&json!(to_json(&extraction(paper))))
    );
}

#[tokio::test]
async fn which_page_has_to_be_said_if_there_are_several() {
    for part in ["template", "results"] {
        let answer = ask(&format!("/v1/{part}"), JSON, packed(&NAMES, Compression::Gzip)).await;
        answer.is_problem(422, "page-required", &["6 pages", "?page=URL"]);
        let expect: Vec<String> = NAMES.iter().map(|name| address(name)).collect();
        assert_eq!(answer.json()["pages"], json!(expect));
    }
    let answer = ask("/v1/results", EVENTS, packed(&NAMES, Compression::Gzip)).await;
    let events = answer.events();
    let (name, problem) = events.last().unwrap();
    assert_eq!((&**name, &problem["status"]), ("problem", &json!(422)));
    assert_eq!(problem["pages"].as_array().map(Vec::len), Some(6));
}

#[tokio::test]
async fn a_list_of_pages_has_an_end() {
    let names: Vec<String> = (0..510).map(|number| format!("p{number}")).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let answer = ask("/v1/results", JSON, packed(&names, Compression::Gzip)).await;
    answer.is_problem(422, "page-required", &["510 pages"]);
    assert_eq!(answer.json()["pages"].as_array().map(Vec::len), Some(500));
}

#[tokio::test]
async fn the_only_page_is_meant() {
    let answer = ask("/v1/results", JSON, packed(&["anna"], Compression::Gzip)).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    assert_eq!(answer.json()["page"], address("anna"));
}

#[tokio::test]
async fn a_page_that_is_not_in_the_archive() {
    let path = format!("/v1/content?page={}", address("zoe"));
    let answer = ask(&path, JSON, packed(&NAMES, Compression::Gzip)).await;
    answer.is_problem(404, "not-found", &[&address("zoe")]);
    assert!(
        !answer.text().contains("/tmp"),
        "where it was put is nobody's business: {}",
        answer.text()
    );
    let answer = ask("/v1/content?page=zoe", JSON, packed(&NAMES, Compression::Gzip)).await;
    answer.is_problem(400, "bad-request", &["page", "zoe"]);
}

#[tokio::test]
async fn no_archive_at_all() {
    for bytes in [
        &b""[..],
        b"Hello",
        b"\x1f\x8b",
        b"\x1f\x8bno gzip at all",
        &[0; 3000],
    ] {
        let answer = ask("/v1/content", JSON, bytes.to_vec()).await;
        answer.is_problem(400, "bad-request", &["archive"]);
        assert!(!answer.text().contains("/tmp"), "{}", answer.text());
    }
    let whole = packed(&NAMES, Compression::Gzip);
    for end in [1, 20, whole.len() / 2, whole.len() - 1] {
        let answer = ask("/v1/results", JSON, whole[..end].to_vec()).await;
        assert!(
            matches!(answer.status.as_u16(), 201 | 400 | 422),
            "{end}: {}",
            answer.text()
        );
    }
}
