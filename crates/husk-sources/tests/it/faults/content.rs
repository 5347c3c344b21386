use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

use super::run::{Run, load, options, refusal, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html_of};

/// A site in which one page has this type and body.
fn serving(path: &str, content_type: &'static str, body: impl Into<Vec<u8>>) -> Server {
    let body = body.into();
    let answer = move || async move { ([(CONTENT_TYPE, content_type)], body) };
    Server::app(Router::new().route(path, get(answer)).fallback(site::serve))
}

fn run_with(content_type: &'static str, body: impl Into<Vec<u8>>) -> Run {
    run(&serving(FAULTY, content_type, body), options())
}

/// The text of a page that is served so.
fn text(content_type: &'static str, body: &[u8]) -> String {
    let server = serving(KEY_PAGE, content_type, body);
    let page = load(&server.url(KEY_PAGE), options()).unwrap();
    page.dom.text_of(page.dom.root()).to_owned()
}

#[test]
fn a_charset_in_the_header_is_believed() {
    assert_eq!(text("text/html; charset=iso-8859-1", b"<p>Caf\xE9"), "Café");
    assert_eq!(
        text("text/html; charset=shift_jis", b"<p>\x83R\x81[\x83q\x81["),
        "コーヒー"
    );
    assert_eq!(text("text/html;charset=\"UTF-8\"", "<p>Café".as_bytes()), "Café");
}

#[test]
fn utf_8_that_is_said_to_be_latin_is_utf_8() {
    assert_eq!(
        text("text/html; charset=iso-8859-1", "<p>Café".as_bytes()),
        "Café"
    );
}

#[test]
fn latin_that_is_said_to_be_utf_8_is_latin() {
    let page = b"<meta charset=windows-1252><p>Caf\xE9, caf\xE9, caf\xE9";
    assert_eq!(text("text/html; charset=utf-8", page), "Café, café, café");
}

#[test]
fn an_unknown_charset_does_no_harm() {
    run_with("text/html; charset=klingon-7", html_of(FAULTY)).lost_nothing();
}

#[test]
fn a_page_without_a_type_is_a_page() {
    let html = html_of(FAULTY);
    let server = Server::with_fault(FAULTY, move |line| {
        let html = html.clone();
        async move { line.answer("200 OK", &[], html.as_bytes()).await }
    });
    run(&server, options()).lost_nothing();
}

#[test]
fn a_page_of_a_type_that_means_nothing_is_a_page() {
    for content_type in ["application/octet-stream", "text/plain", "html", ";;;"] {
        run_with(content_type, html_of(FAULTY)).lost_nothing();
    }
}

#[test]
fn what_is_said_to_be_an_image_is_none() {
    run_with("image/png", html_of(FAULTY)).lost_only_the_faulty(&[FAULTY, "is an image, not a page"]);
}

#[test]
fn a_pdf_that_is_said_to_be_a_page_is_none() {
    run_with("text/html", "%PDF-1.7\n%\u{e2}\u{e3}")
        .lost_only_the_faulty(&[FAULTY, "is a PDF document, not a page"]);
}

#[test]
fn data_that_is_said_to_be_a_page_is_none() {
    run_with("text/html", [0, 1, 2, 3, 0, 250, 251])
        .lost_only_the_faulty(&[FAULTY, "is binary data, not a page"]);
}

#[test]
fn a_feed_that_is_said_to_be_a_page_is_none() {
    let feed = "<?xml version='1.0'?><rss version='2.0'><channel></channel></rss>";
    run_with("text/html", feed).lost_only_the_faulty(&[FAULTY, "is a feed, not a page"]);
}

#[test]
fn json_is_no_page() {
    run_with("application/json", "{}").lost_only_the_faulty(&[FAULTY, "is JSON data, not a page"]);
}

#[test]
fn a_key_page_that_is_none_is_an_error_that_says_what_it_is() {
    let server = serving(KEY_PAGE, "application/pdf", "%PDF-1.7");
    says(
        &refusal(&server.url(KEY_PAGE), options()),
        &[KEY_PAGE, "is a PDF document", "expected HTML"],
    );
}
