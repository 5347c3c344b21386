use std::io::Write;
use std::path::PathBuf;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::Response;
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use husk_sources::{Http, HttpOptions};

use super::certificates::{Authority, self_signed};
use super::run::{load, options, refusal, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE, html_of};

fn good() -> Router {
    Router::new().fallback(site::serve)
}

fn trusting(file: PathBuf) -> HttpOptions {
    HttpOptions {
        extra_roots: vec![file],
        ..options()
    }
}

/// A server that the returned options trust, while the folder exists.
fn trusted(app: Router) -> (Server, HttpOptions, tempfile::TempDir) {
    let authority = Authority::new();
    let (folder, file) = authority.file();
    let server = Server::tls(app, authority.server(&["127.0.0.1", "localhost"]));
    (server, trusting(file), folder)
}

#[test]
fn http_2_over_tls_works() {
    let (server, options, _folder) = trusted(good());
    run(&server, options).lost_nothing();
    assert!(
        server.log().iter().all(|asked| asked.version == "HTTP/2.0"),
        "{:?}",
        server.log()
    );
    assert!(
        server.connected() <= 4,
        "{} connections for one host",
        server.connected()
    );
}

#[test]
fn http_1_1_over_tls_works() {
    let authority = Authority::new();
    let (_folder, file) = authority.file();
    let server = Server::tls_without_h2(good(), authority.server(&["127.0.0.1"]));
    run(&server, trusting(file)).lost_nothing();
    assert!(server.log().iter().all(|asked| asked.version == "HTTP/1.1"));
}

#[test]
fn packed_pages_over_http_2_are_unpacked() {
    let pack = |request: Request| async move {
        let html = html_of(request.uri().path());
        let (coding, body) = match request.uri().path() {
            KEY_PAGE => ("zstd", zstd::encode_all(html.as_bytes(), 3).unwrap()),
            FAULTY => {
                let mut packed = Vec::new();
                brotli::CompressorWriter::new(&mut packed, 4096, 5, 22)
                    .write_all(html.as_bytes())
                    .unwrap();
                ("br", packed)
            }
            _ => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::default());
                packer.write_all(html.as_bytes()).unwrap();
                ("gzip", packer.finish().unwrap())
            }
        };
        ([(CONTENT_TYPE, "text/html"), (CONTENT_ENCODING, coding)], body)
    };
    let app = Router::new()
        .route("/robots.txt", get(|| async { "" }))
        .fallback(pack);
    let (server, options, _folder) = trusted(app);
    run(&server, options).lost_nothing();
}

#[test]
fn a_header_flood_over_http_2_is_left() {
    let flood = || async {
        let mut answer = Response::builder().header(CONTENT_TYPE, "text/html");
        for number in 0..10_000 {
            answer = answer.header(format!("x-field-{number}"), "flood");
        }
        answer.body(Body::from(html_of(FAULTY))).unwrap()
    };
    let (server, options, _folder) = trusted(Router::new().route(FAULTY, get(flood)).fallback(site::serve));
    run(&server, options).lost_only_the_faulty(&[FAULTY, "does not answer in proper HTTP"]);
}

#[test]
fn a_body_without_end_over_http_2_is_left() {
    let endless = || async {
        let stream = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'x'; 0x10000]));
        Response::builder()
            .header(CONTENT_TYPE, "text/html")
            .body(Body::from_stream(stream))
            .unwrap()
    };
    let (server, options, _folder) = trusted(Router::new().route(FAULTY, get(endless)).fallback(site::serve));
    run(&server, options).lost_only_the_faulty(&[FAULTY, "too large"]);
}

#[test]
fn silence_over_http_2_ends() {
    let silent = || std::future::pending::<()>();
    let (server, options, _folder) = trusted(Router::new().route(FAULTY, get(silent)).fallback(site::serve));
    run(&server, options).lost_only_the_faulty(&[FAULTY, "took more than"]);
}

#[test]
fn a_stream_that_is_broken_off_over_http_2_brings_no_page() {
    let broken = || async {
        let parts = [Ok("<html><p>And then"), Err(std::io::Error::other("no more"))];
        let stream = futures_util::stream::iter(parts);
        Response::builder()
            .header(CONTENT_TYPE, "text/html")
            .body(Body::from_stream(stream))
            .unwrap()
    };
    let (server, options, _folder) = trusted(Router::new().route(FAULTY, get(broken)).fallback(site::serve));
    run(&server, options).lost_only_the_faulty(&[FAULTY, "does not answer in proper HTTP"]);
}

#[test]
fn an_unknown_authority_is_not_trusted() {
    let server = Server::tls(good(), Authority::new().server(&["127.0.0.1"]));
    let error = refusal(&server.url(KEY_PAGE), options());
    says(&error, &[KEY_PAGE, "TLS", "certificate", "unknown issuer"]);
    assert_eq!(server.log().len(), 0);
}

#[test]
fn who_vouches_for_himself_is_not_trusted() {
    let server = Server::tls(good(), self_signed(&["127.0.0.1"]));
    says(
        &refusal(&server.url(KEY_PAGE), options()),
        &[KEY_PAGE, "TLS", "certificate"],
    );
    let authority = Authority::new();
    let (_folder, file) = authority.file();
    says(
        &refusal(&server.url(KEY_PAGE), trusting(file)),
        &[KEY_PAGE, "TLS", "certificate"],
    );
}

#[test]
fn an_expired_certificate_is_not_trusted() {
    let authority = Authority::new();
    let (_folder, file) = authority.file();
    let server = Server::tls(good(), authority.expired_server(&["127.0.0.1"]));
    says(
        &refusal(&server.url(KEY_PAGE), trusting(file)),
        &[KEY_PAGE, "TLS", "certificate", "expired"],
    );
}

#[test]
fn the_certificate_of_another_host_is_not_trusted() {
    let authority = Authority::new();
    let (_folder, file) = authority.file();
    let server = Server::tls(good(), authority.server(&["example.org"]));
    says(
        &refusal(&server.url(KEY_PAGE), trusting(file)),
        &[KEY_PAGE, "TLS", "certificate", "name"],
    );
}

#[test]
fn a_plain_server_where_tls_is_expected_is_an_error() {
    let server = Server::app(good());
    let url = server.url_with("https", KEY_PAGE);
    says(&refusal(&url, options()), &[url.as_str(), "TLS"]);
}

#[test]
fn a_tls_server_where_none_is_expected_is_an_error() {
    let (server, options, _folder) = trusted(good());
    let url = server.url_with("http", KEY_PAGE);
    says(&refusal(&url, options), &[url.as_str(), "HTTP"]);
}

#[test]
fn a_handshake_that_is_broken_off_is_an_error() {
    let server =
        Server::connections(|mut line| async move { line.say(b"\x15\x03\x03\x00\x02\x02\x28").await });
    let url = server.url_with("https", KEY_PAGE);
    says(&refusal(&url, options()), &[url.as_str(), "TLS"]);
}

#[test]
fn a_site_that_leads_from_http_to_https_is_one_site() {
    let (secure, options, _folder) = trusted(good());
    let target = secure.url(KEY_PAGE).to_string();
    let redirect = move || async move {
        (
            axum::http::StatusCode::MOVED_PERMANENTLY,
            [(axum::http::header::LOCATION, target)],
        )
    };
    let plain = Server::app(Router::new().fallback(redirect));
    let page = load(&plain.url(KEY_PAGE), options).unwrap();
    assert_eq!(page.url, secure.url(KEY_PAGE));
}

#[test]
fn authorities_that_cannot_be_read_are_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.pem");
    says(
        &Http::new(trusting(missing)).unwrap_err().to_string(),
        &["none.pem"],
    );
    let garbage = folder.path().join("garbage.pem");
    std::fs::write(&garbage, "no certificate at all").unwrap();
    says(
        &Http::new(trusting(garbage)).unwrap_err().to_string(),
        &["garbage.pem"],
    );
}
