//! Whatever a page tries, it cannot reach the internal network.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use husk::Url;
use husk_sources::{Http, RenderOptions, Rendered, Source};

use super::server::{Web, answer, page};
use super::{TestBrowser, options};
use crate::mirror::is_installed;

/// A browser for which every name resolves to the loopback interface, but only `site.test` was typed.
fn browser(lookups: Arc<AtomicUsize>) -> Option<TestBrowser> {
    let mut options: RenderOptions = options();
    options.http.reach.typed_hosts = vec!["site.test".to_owned()];
    let lookup = move |host: &str| -> io::Result<Vec<SocketAddr>> {
        if host == "site.test" {
            lookups.fetch_add(1, Ordering::SeqCst);
        }
        Ok(vec![SocketAddr::from(([127, 0, 0, 1], 0))])
    };
    let http = Http::with_lookup(options.http.clone(), Arc::new(lookup)).unwrap();
    is_installed("chromium").then(|| TestBrowser::new(Rendered::with_http(options, http).unwrap()))
}

/// Every known way for a page to reach the network, to a server and to a UDP socket.
fn attempts(target: SocketAddr, datagrams: u16) -> String {
    let port = target.port();
    format!(
        r#"<p>Hello</p><img src="http://{target}/img"><img src="http://inside.test:{port}/img">
        <link rel=stylesheet href="http://{target}/css"><link rel=prefetch href="http://{target}/prefetch">
        <link rel=preconnect href="http://{target}"><link rel=dns-prefetch href="http://inside.test:{port}">
        <iframe src="http://{target}/frame"></iframe><video src="http://localhost:{port}/video"></video>
        <img src="/away"><object data="http://[::ffff:127.0.0.1]:{port}/object"></object>
        <script>
            const noted = [];
            const attempt = action => {{ try {{ const made = action(); made?.catch?.(() => 0) }} catch (error) {{ noted.push(error.name) }} }};
            attempt(() => fetch("http://{target}/fetch", {{ mode: "no-cors" }}));
            attempt(() => fetch("http://0x7f.1:{port}/fetch", {{ mode: "no-cors" }}));
            attempt(() => fetch("http://inside.test:{port}/fetch", {{ method: "POST", body: "x", mode: "no-cors" }}));
            attempt(() => fetch("/away", {{ mode: "no-cors" }}));
            attempt(() => new WebSocket("ws://{target}/socket"));
            attempt(() => new WebSocket("ws://inside.test:{port}/socket"));
            attempt(() => new EventSource("http://{target}/events"));
            attempt(() => navigator.sendBeacon("http://{target}/beacon", "x"));
            attempt(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://{target}/worker')"]))));
            attempt(() => navigator.serviceWorker.register("/worker.js"));
            attempt(() => new WebTransport("https://127.0.0.1:{datagrams}/transport").ready);
            attempt(() => {{
                const connection = new RTCPeerConnection({{ iceServers: [
                    {{ urls: "stun:127.0.0.1:{datagrams}" }},
                    {{ urls: "turn:127.0.0.1:{port}?transport=tcp", username: "a", credential: "b" }},
                ] }});
                connection.createDataChannel("x");
                return connection.createOffer().then(offer => connection.setLocalDescription(offer));
            }});
            attempt(() => open("http://{target}/popup"));
            setTimeout(() => {{ location = "http://{target}/location" }}, 300);
        </script>"#
    )
}

#[test]
fn a_page_reaches_nothing_inside() {
    let inside = Web::start([("/", page("<p>Secret"))]);
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let html = attempts(inside.address, datagrams.local_addr().unwrap().port());
    let away = answer(
        "302 Found",
        &format!("Location: http://{}/redirected", inside.address),
        "",
    );
    let site = Web::start([
        ("/", page(&html)),
        ("/away", away),
        (
            "/worker.js",
            answer("200 OK", "Content-Type: text/javascript", "fetch('/from-worker')"),
        ),
    ]);
    let lookups = Arc::new(AtomicUsize::new(0));
    let Some(mut browser) = browser(lookups.clone()) else {
        return;
    };
    let page = browser.load(&site.url_on("site.test", "/")).unwrap();
    assert!(page.dom.text_of(page.dom.root()).contains("Hello"));
    assert_eq!(page.url, site.url_on("site.test", "/"));
    assert_eq!(inside.log(), Vec::<String>::new(), "nothing came through");
    let mut buffer = [0; 100];
    let datagram = datagrams.recv(&mut buffer).map_err(|error| error.kind());
    assert_eq!(datagram, Err(io::ErrorKind::WouldBlock), "{buffer:?}");
    assert!(site.was_asked("/away"), "{:?}", site.log());
    assert_eq!(
        lookups.load(Ordering::SeqCst),
        1,
        "a name is looked up once, so that it cannot change its mind"
    );
}

#[test]
fn a_redirect_to_the_inside_is_an_error() {
    let inside = Web::start([("/", page("<p>Secret"))]);
    let away = answer("302 Found", &format!("Location: http://{}/", inside.address), "");
    let site = Web::start([("/away", away)]);
    let Some(mut browser) = browser(Arc::default()) else {
        return;
    };
    let error = browser.error(&site.url_on("site.test", "/away"));
    assert!(
        error.contains("leads to 127.0.0.1, which is not on the public internet"),
        "{error}"
    );
    assert!(!error.contains("cannot load"), "{error}");
    for url in [
        inside.url("/"),
        inside.url_on("inside.test", "/"),
        inside.url_on("localhost", "/"),
    ] {
        let error = browser.error(&url);
        assert!(error.contains("which is not on the public internet"), "{error}");
        assert!(error.starts_with(url.as_str()), "{error}");
    }
    assert_eq!(inside.log(), Vec::<String>::new());
}

#[test]
fn a_page_reads_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.html");
    std::fs::write(&secret, "<p>Secret").unwrap();
    let address = Url::from_file_path(&secret).unwrap();
    let html = format!(
        "<p>Hello</p><iframe src='{address}'></iframe><script>
            fetch('{address}').then(answer => answer.text()).then(text => document.body.append(text));
            location = '{address}';
        </script>"
    );
    let site = Web::start([
        ("/", page(&html)),
        ("/away", answer("302 Found", &format!("Location: {address}"), "")),
    ]);
    let Some(mut browser) = super::browser(RenderOptions {
        flatten_frames: true,
        ..options()
    }) else {
        return;
    };
    let html = browser.html(&site.url("/"));
    assert!(html.contains("Hello") && !html.contains("<p>Secret"), "{html}");
    let error = browser.error(&site.url("/away"));
    assert!(
        error.contains("which is not an http:// or https:// URL"),
        "{error}"
    );
}
