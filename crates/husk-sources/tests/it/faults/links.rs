use axum::Router;
use axum::response::Html;
use axum::routing::get;

use super::run::{options, run, run_from};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html_of};

/// A server that must never get a request.
fn hidden() -> Server {
    Server::app_at([127, 0, 0, 2].into(), Router::new().fallback(site::serve))
}

/// The good site with one other page.
fn with_page(path: &str, html: String) -> Server {
    let page = move || async move { Html(html) };
    Server::app(Router::new().route(path, get(page)).fallback(site::serve))
}

#[test]
fn a_page_that_leads_on_to_another_site_is_not_followed() {
    let hidden = hidden();
    let other = Server::app(Router::new().fallback(site::serve));
    for target in [
        hidden.url(FAULTY).as_str(),
        other.url(FAULTY).as_str(),
        "file:///etc/passwd",
        "http://169.254.169.254/",
    ] {
        let refresh =
            format!("<html><head><meta http-equiv=refresh content=\"0; url={target}\"></head></html>");
        run(&with_page(FAULTY, refresh), options()).lost_only_the_faulty(&[]);
    }
    assert_eq!(hidden.connected() + other.connected(), 0);
}

#[test]
fn links_of_the_key_page_to_elsewhere_are_not_followed() {
    let hidden = hidden();
    let (elsewhere, port) = (hidden.url(FAULTY), hidden.address().port());
    let links = format!(
        "<ul><li><a href=\"{elsewhere}\">1</a><li><a href=\"//127.0.0.2:{port}/\">2</a>\
         <li><a href=\"file:///etc/passwd\">3</a><li><a href=\"http://127.0.0.1@127.0.0.2:{port}/\">4</a>\
         <li><a href=\"\\\\127.0.0.2:{port}\\x.html\">5</a><li><a href=\"data:text/html,x\">6</a></ul>"
    );
    let html = html_of(KEY_PAGE).replace("<main>", &format!("{links}<main>"));
    let run = run(&with_page(KEY_PAGE, html), options());
    assert_eq!(run.extraction.failures, []);
    assert!(run.extraction.compared.len() > 2);
    assert_eq!(hidden.connected(), 0);
}

#[test]
fn a_base_elsewhere_makes_all_links_lead_elsewhere() {
    let hidden = hidden();
    for base in [hidden.url("/").as_str(), "file:///etc/", "data:text/html,x"] {
        let html = html_of(KEY_PAGE).replace("<head>", &format!("<head><base href=\"{base}\">"));
        let server = with_page(KEY_PAGE, html);
        run_from(&server.url(KEY_PAGE), options());
    }
    assert_eq!(hidden.connected(), 0);
}
