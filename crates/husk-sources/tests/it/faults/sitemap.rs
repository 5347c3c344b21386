use std::io::Write;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use husk::{SameSite, Url};
use husk_sources::{HttpOptions, SitemapChoice, Source};

use super::run::{options, source};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

const SITEMAP: &str = "/sitemap.xml";

fn urlset(pages: &[Url]) -> String {
    let pages: String = pages
        .iter()
        .map(|page| format!("<url><loc>{page}</loc></url>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{pages}</urlset>"
    )
}

fn index(sitemaps: &[String]) -> String {
    let sitemaps: String = sitemaps
        .iter()
        .map(|sitemap| format!("<sitemap><loc>{sitemap}</loc></sitemap>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{sitemaps}</sitemapindex>"
    )
}

/// The pages that a site lists, once its key page is known.
fn listed(server: &Server, choice: SitemapChoice) -> Vec<Url> {
    let mut web = source(HttpOptions {
        use_sitemap: Some(choice),
        ..options()
    });
    let key_page = web.load(&server.url(KEY_PAGE)).unwrap();
    web.stay_on(&key_page.url, SameSite::Host);
    web.page_urls().unwrap_or_default()
}

#[test]
fn pages_of_other_sites_are_not_believed() {
    let other = Server::app(Router::new().fallback(site::serve));
    let (elsewhere, hidden) = (other.url(FAULTY), Url::parse("http://10.0.0.1/").unwrap());
    let answer = move |request: axum::extract::Request| async move {
        let host = request.headers()["host"].to_str().unwrap();
        let own = Url::parse(&format!("http://{host}{FAULTY}")).unwrap();
        urlset(&[elsewhere, own, hidden])
    };
    let server = Server::app(Router::new().route(SITEMAP, get(answer)).fallback(site::serve));
    assert_eq!(listed(&server, SitemapChoice::FromRobots), [server.url(FAULTY)]);
    assert_eq!(other.connected(), 0);
}

#[test]
fn no_sitemap_lists_nothing() {
    let server = Server::app(Router::new().fallback(site::serve));
    assert_eq!(listed(&server, SitemapChoice::FromRobots), []);
    let silent = Server::with_fault(SITEMAP, |line| line.hang());
    assert_eq!(listed(&silent, SitemapChoice::FromRobots), []);
}

#[test]
fn indexes_that_lead_to_themselves_and_on_and_on_end() {
    let answer = |request: axum::extract::Request| async move {
        let host = request.headers()["host"].to_str().unwrap().to_owned();
        let further = (0..50).map(|number| format!("http://{host}/maps/{number}"));
        index(
            &further
                .chain([format!("http://{host}{SITEMAP}")])
                .collect::<Vec<_>>(),
        )
    };
    let on = |Path(number): Path<u64>, request: axum::extract::Request| async move {
        let host = request.headers()["host"].to_str().unwrap().to_owned();
        index(&[format!("http://{host}/maps/{}", number + 1000)])
    };
    let app = Router::new()
        .route(SITEMAP, get(answer))
        .route("/maps/{number}", get(on))
        .fallback(site::serve);
    let server = Server::app(app);
    assert_eq!(listed(&server, SitemapChoice::FromRobots), []);
    assert!(server.log().len() < 30, "{} requests", server.log().len());
    assert_eq!(server.times(SITEMAP), 1);
}

#[test]
fn a_sitemap_does_not_lead_into_private_networks() {
    let hidden = Server::app_at([127, 0, 0, 2].into(), Router::new().fallback(site::serve));
    let robots = format!("User-agent: *\nSitemap: {}\n", hidden.url(SITEMAP));
    let server = Server::app(
        Router::new()
            .route("/robots.txt", get(move || async move { robots }))
            .fallback(site::serve),
    );
    assert_eq!(listed(&server, SitemapChoice::FromRobots), []);
    assert_eq!(listed(&server, SitemapChoice::At(hidden.url(SITEMAP))), []);
    assert_eq!(hidden.connected(), 0);
}

#[test]
fn a_bomb_in_place_of_a_sitemap_does_not_go_off() {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    let piece = vec![b' '; 1 << 20];
    for _ in 0..64 {
        bomb.write_all(&piece).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    let packed = bomb.clone();
    let app = Router::new()
        .route(
            SITEMAP,
            get(move || async move { ([(CONTENT_TYPE, "application/gzip")], bomb) }),
        )
        .route(
            "/coded.xml",
            get(move || async move { ([(CONTENT_ENCODING, "gzip")], packed) }),
        )
        .fallback(site::serve);
    let server = Server::app(app);
    assert_eq!(listed(&server, SitemapChoice::FromRobots), []);
    assert_eq!(listed(&server, SitemapChoice::At(server.url("/coded.xml"))), []);
}

#[test]
fn a_sitemap_that_is_none_lists_nothing() {
    for body in [
        "",
        "<html><body>Not found</body></html>",
        "<urlset><url><loc>",
        "\0\0\0",
    ] {
        let app = Router::new()
            .route(SITEMAP, get(move || async move { body }))
            .fallback(site::serve);
        assert_eq!(listed(&Server::app(app), SitemapChoice::FromRobots), []);
    }
}
