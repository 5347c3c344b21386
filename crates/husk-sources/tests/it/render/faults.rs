//! Pages and servers that misbehave: limited time, and a clear error or what there is.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use husk::Url;
use husk_sources::RenderOptions;

use super::server::{Web, answer, endless, page};
use super::{browser, options};

#[test]
fn a_page_that_never_rests_is_taken_as_it_is() {
    let site = Web::start([(
        "/",
        page(
            "<p id=p>0</p><script>setInterval(() => { p.textContent++; fetch('/poll') }, 50); new EventSource('/events')</script>",
        ),
    )]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let begun = Instant::now();
    let html = browser.html(&site.url("/"));
    assert!(html.contains("<p id=\"p\">"), "{html}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn animations_and_open_connections_do_not_count() {
    let site = Web::start([
        (
            "/",
            page(
                "<p id=p>Still</p><script>setInterval(() => { p.style.left = Math.random() + 'px' }, 20); new EventSource('/events')</script>",
            ),
        ),
        ("/events", endless("data: x\n\n")),
    ]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    browser.html(&site.url("/"));
    // The browser runs already: this is the time of the page alone.
    let begun = Instant::now();
    assert!(browser.html(&site.url("/")).contains("Still"));
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

#[test]
fn nobody_answers_dialogs_and_nothing_waits_for_an_answer() {
    let site = Web::start([(
        "/",
        page(
            "<p>Before<script>
                onbeforeunload = event => { event.preventDefault(); return 'stay' };
                alert('Hello'); const answer = confirm('Sure?') + '/' + prompt('Who?');
                print(); window.close(); open('/popup'); open('/popup', 'x', 'width=10');
                document.body.append(' answered ' + answer);
            </script>",
        ),
    )]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    for _ in 0..2 {
        let html = browser.html(&site.url("/"));
        assert!(html.contains("answered false/null"), "{html}");
    }
    assert!(!site.was_asked("/popup"));
}

#[test]
fn a_script_without_end_is_ended() {
    let site = Web::start([
        (
            "/while-loading",
            page("<p>Before</p><script>while (true) {}</script><p>Behind</p>"),
        ),
        (
            "/later",
            page("<p>Before</p><script>setTimeout(() => { while (true) {} }, 100)</script><p>Behind</p>"),
        ),
        ("/good", page("<p>Good</p>")),
    ]);
    let patient = RenderOptions {
        timeout: Duration::from_secs(6),
        ..options()
    };
    let Some(mut browser) = browser(patient) else {
        return;
    };
    let begun = Instant::now();
    for path in ["/while-loading", "/later"] {
        let html = browser.html(&site.url(path));
        assert!(html.contains("Before"), "{html}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert!(browser.html(&site.url("/good")).contains("Good"));
}

#[test]
fn a_page_that_wants_to_leave_while_it_is_taken_stays() {
    let slow = "User-agent: *\nCrawl-delay: 50";
    let site = Web::start([
        ("/robots.txt", answer("200 OK", "Content-Type: text/plain", slow)),
        (
            "/",
            page("<p>Here</p><script>setTimeout(() => { location = '/next' }); while (true) {}</script>"),
        ),
        ("/next", page("<p>Next</p>")),
    ]);
    let patient = RenderOptions {
        timeout: Duration::from_secs(2),
        ..options()
    };
    let Some(mut browser) = browser(patient) else {
        return;
    };
    let html = browser.html(&site.url("/"));
    assert!(html.contains("Here"), "{html}");
    assert!(!site.was_asked("/next"));
}

#[test]
fn the_time_that_a_site_asks_for_is_not_that_of_a_page() {
    let slow = "User-agent: *\nCrawl-delay: 12";
    let site = Web::start([
        ("/robots.txt", answer("200 OK", "Content-Type: text/plain", slow)),
        (
            "/",
            page("<p>Here</p><script>setTimeout(() => { location = '/next' }, 100)</script>"),
        ),
        ("/next", page("<p>Next</p>")),
    ]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let html = browser.html(&site.url("/"));
    assert!(html.contains("Next"), "{html}");
}

#[test]
fn time_without_end_is_some_time() {
    let site = Web::start([("/", page("<p>Hello"))]);
    let Some(mut browser) = browser(RenderOptions {
        timeout: Duration::MAX,
        quiet: Duration::MAX,
        ..options()
    }) else {
        return;
    };
    assert!(browser.html(&site.url("/")).contains("Hello"));
}

#[test]
fn what_is_no_page_says_so() {
    let html = "Content-Type: text/html";
    let site = Web::start([
        ("/gone", answer("410 Gone", html, "<p>Gone")),
        (
            "/pdf",
            answer("200 OK", "Content-Type: application/pdf", "%PDF-1.4"),
        ),
        ("/image", answer("200 OK", "Content-Type: image/png", "\u{89}PNG")),
        ("/json", answer("200 OK", "Content-Type: application/json", "{}")),
        ("/text", answer("200 OK", "Content-Type: text/plain", "words")),
        ("/xml", answer("200 OK", "Content-Type: text/xml", "<a><b/></a>")),
        (
            "/saved",
            answer(
                "200 OK",
                "Content-Type: text/html\r\nContent-Disposition: attachment; filename=a.html",
                "<p>A",
            ),
        ),
        (
            "/bytes",
            answer(
                "200 OK",
                "Content-Type: application/octet-stream",
                [0u8, 1, 2, 3].to_vec(),
            ),
        ),
        (
            "/locked",
            answer("401 Unauthorized", "WWW-Authenticate: Basic realm=x", "<p>Who?"),
        ),
        ("/nothing", answer("204 No Content", "X-Y: z", "")),
        ("/saves", page("<p>Shown<script>location = '/saved'</script>")),
        ("/shows", page("<p>Shown<script>location = '/pdf'</script>")),
        ("/moves", page("<p>Moved<script>location = '/missing'</script>")),
    ]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let mut check = |path: &str, expect: &str| {
        let error = browser.error(&site.url(path));
        assert!(error.contains(expect), "{path}: {error}");
    };
    check("/missing", "/missing answers 404 Not Found: check the URL");
    check("/gone", "/gone answers 410 Gone");
    check("/locked", "/locked answers 401 Unauthorized");
    check("/pdf", "/pdf is a PDF document, not a page");
    check("/image", "/image is an image, not a page");
    check("/json", "/json is JSON data, not a page");
    check("/text", "/text is plain text, not a page");
    check("/xml", "/xml is XML data, not a page");
    check("/saved", "/saved is a file to save, not a page");
    check("/bytes", "/bytes is a file to save, not a page");
    check("/nothing", "/nothing is an answer without content, not a page");
    check("/moves", "/missing answers 404 Not Found");
    for path in ["/saves", "/shows"] {
        assert!(browser.html(&site.url(path)).contains("Shown"));
    }
}

/// A server with an unknown certificate, for as long as the test runs.
fn secure_server() -> SocketAddr {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = rustls_pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
            while let Ok((stream, _)) = listener.accept().await {
                // Browsers close the connection as soon as they see the certificate.
                let _ = acceptor.accept(stream).await;
            }
        });
    });
    address
}

#[test]
fn servers_that_cannot_be_reached_are_named() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = Web::start([
        ("/empty", answer("", "", "")),
        (
            "/",
            page(&format!("<p>Here<script>location = 'http://{free}/'</script>")),
        ),
    ]);
    let mut open = options();
    open.http.obey_robots = false;
    let Some(mut browser) = browser(open) else { return };
    let mut check = |url: &str, expect: &str| {
        let error = browser.error(&Url::parse(url).unwrap());
        assert!(error.contains(expect), "{url}: {error}");
    };
    check(
        &format!("http://{free}/"),
        &format!("cannot load http://{free}/: connection refused"),
    );
    check(
        &format!("https://{free}/"),
        &format!("cannot load https://{free}/: connection refused"),
    );
    check(
        "http://nowhere.invalid/",
        "cannot load http://nowhere.invalid/: no such host",
    );
    check(site.url("/empty").as_str(), "not HTTP");
    check(
        site.url("/").as_str(),
        &format!("cannot load http://{free}/: connection refused"),
    );
    let secure = site.url("/").as_str().replace("http:", "https:");
    check(&secure, "cannot load https:");
    let self_signed = secure_server();
    check(
        &format!("https://{self_signed}/"),
        "TLS: the certificate is not valid (unknown issuer)",
    );
    check("file:///etc/passwd", "unsupported URL scheme `file`");
    check("chrome://version/", "unsupported URL scheme `chrome`");
}

#[test]
fn pages_without_end_are_too_large() {
    let site = Web::start([
        ("/endless", endless("<p>And so on</p>\n")),
        (
            "/grows",
            page("<p>x</p><script>document.body.append('y'.repeat(3000000))</script>"),
        ),
        ("/good", page("<p>Good</p>")),
    ]);
    for flatten_shadow in [false, true] {
        let small = RenderOptions {
            max_bytes: 2_000_000,
            flatten_shadow,
            ..options()
        };
        let Some(mut browser) = browser(small) else { return };
        for path in ["/endless", "/grows"] {
            let error = browser.error(&site.url(path));
            assert!(error.contains("is too large"), "{path}: {error}");
        }
        assert!(browser.html(&site.url("/good")).contains("Good"));
    }
}

#[test]
fn a_server_that_says_nothing_takes_no_longer_than_allowed() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/", silent.local_addr().unwrap())).unwrap();
    let mut short = RenderOptions {
        timeout: Duration::from_secs(2),
        ..options()
    };
    short.http.obey_robots = false;
    let Some(mut browser) = browser(short) else { return };
    for _ in 0..4 {
        let error = browser.error(&url);
        assert!(error.contains("the page took more than 2 s"), "{error}");
    }
    let error = browser.error(&url);
    assert!(error.contains("timed out 4 times in a row"), "{error}");
}
