use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse};
use axum::routing::get;

use super::run::{Run, options, refusal, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html, html_of};

/// Runs over a site in which one page is answered like this.
fn run_with(answer: impl IntoResponse + Clone + Send + Sync + 'static) -> Run {
    let answer = move || async move { answer };
    run(
        &Server::app(Router::new().route(FAULTY, get(answer)).fallback(site::serve)),
        options(),
    )
}

#[test]
fn errors_are_no_pages_even_if_they_look_like_some() {
    for (status, words) in [
        (400, "answers 400 Bad Request"),
        (401, "answers 401 Unauthorized: access is restricted"),
        (403, "answers 403 Forbidden: access is restricted"),
        (404, "answers 404 Not Found: check the URL"),
        (410, "answers 410 Gone: check the URL"),
        (418, "answers 418"),
        (451, "answers 451 Unavailable For Legal Reasons"),
        (500, "answers 500 Internal Server Error: the server failed"),
        (502, "answers 502 Bad Gateway"),
        (599, "answers 599"),
        (999, "answers 999"),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        run_with((status, Html(html_of(FAULTY)))).lost_only_the_faulty(&[FAULTY, words]);
    }
}

#[test]
fn an_error_for_the_key_page_is_an_error() {
    let server = Server::app(Router::new().fallback(|| async { StatusCode::NOT_FOUND }));
    says(
        &refusal(&server.url(KEY_PAGE), options()),
        &[KEY_PAGE, "answers 404 Not Found: check the URL"],
    );
}

#[test]
fn an_empty_page_is_of_no_use() {
    run_with(Html("")).lost_only_the_faulty(&[]);
}

#[test]
fn no_content_is_of_no_use() {
    run_with(StatusCode::NO_CONTENT).lost_only_the_faulty(&[]);
}

#[test]
fn half_an_answer_to_a_request_for_ranges_is_read_as_it_is() {
    run_with((StatusCode::PARTIAL_CONTENT, Html(html_of(FAULTY)))).lost_nothing();
}

#[test]
fn multiple_choices_are_no_page() {
    run_with((StatusCode::MULTIPLE_CHOICES, Html("<a href=x>x</a>"))).lost_only_the_faulty(&["answers 300"]);
}

/// Answers every URL with 200, also missing ones; one page of the menu is among them.
fn never_404(not_found: &'static str) -> Server {
    let answer = move |uri: Uri| async move {
        match html(uri.path()).filter(|_| uri.path() != FAULTY) {
            Some(page) => Html(page).into_response(),
            None => Html(not_found).into_response(),
        }
    };
    Server::app(Router::new().fallback(answer))
}

#[test]
fn a_bare_page_that_says_not_found_has_no_vote() {
    let server = never_404("<html><head><title>404</title></head><body><h1>Not found</h1></body></html>");
    run(&server, options()).lost_only_the_faulty(&[]);
}

#[test]
fn a_page_in_the_layout_that_says_not_found_does_no_harm() {
    let page = html_of("/not-found.html");
    let server = never_404(page.leak());
    run(&server, options()).lost_nothing();
}
