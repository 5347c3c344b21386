//! Everything together, with a server on the loopback interface.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;

use super::*;
use crate::blocking::Blocking;
use crate::source::Source;

/// Answers requests, each on its own connection, and remembers them.
struct Server {
    address: SocketAddr,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers with what is made of each request's path, and of the whole request. The answer is sent as it is; an
    /// empty one closes the connection.
    fn new(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (answer, logged) = (Arc::new(answer), log.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, log) = (answer.clone(), logged.clone());
                thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Self { address, log }
    }

    fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// The paths that were asked for.
    fn log(&self) -> Vec<String> {
        lock(&self.log).clone()
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&str, &str) -> String, log: &Mutex<Vec<String>>) {
    let mut request = Vec::new();
    let mut byte = [0];
    // Who speaks TLS waits for an answer to its first words.
    while request != [0x16]
        && !request.ends_with(b"\r\n\r\n")
        && stream.read(&mut byte).is_ok_and(|count| count == 1)
    {
        request.push(byte[0]);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let path = request.split(' ').nth(1).unwrap_or_default();
    lock(log).push(path.to_owned());
    let answer = answer(path, &request);
    let _ = stream.write_all(answer.as_bytes());
}

fn answer(status: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}\r\n{body}")
}

fn page(fields: &str) -> String {
    answer(
        "200 OK",
        &format!("Content-Type: text/html\r\n{fields}"),
        "<p>Hello</p></html>",
    )
}

fn missing() -> String {
    answer("404 Not Found", "", "")
}

/// Quick, and allowed on the loopback interface.
fn options() -> HttpOptions {
    HttpOptions {
        delay: Duration::ZERO,
        timeout: Duration::from_secs(20),
        reach: Reach {
            typed_hosts: vec!["127.0.0.1".to_owned()],
            ..Reach::default()
        },
        ..HttpOptions::default()
    }
}

fn web(options: HttpOptions) -> Blocking<Http> {
    Blocking::new(Http::new(options).unwrap()).unwrap()
}

fn load(options: HttpOptions, url: &Url) -> Result<Page, String> {
    web(options).load(url).map_err(|cause| cause.to_string())
}

#[test]
fn a_page_is_loaded_where_redirects_lead() {
    let server = Server::new(|path, _| match path {
        "/a" => answer("302 Found", "Location: b?x#y\r\n", ""),
        "/b?x" => page(""),
        _ => missing(),
    });
    let mut web = web(options());
    assert_eq!(web.load(&server.url("/a#z")).unwrap().url, server.url("/b?x"));
    assert_eq!(server.log(), ["/robots.txt", "/a", "/b?x"]);
    assert_eq!(web.inner().requests(), 3);
}

#[test]
fn requests_say_who_asks() {
    let server = Server::new(|_, request| {
        let is_polite = request.contains("\r\nuser-agent: husk/")
            && request.contains("\r\naccept-encoding: gzip, br, zstd\r\n");
        if is_polite { page("") } else { missing() }
    });
    load(options(), &server.url("/")).unwrap();
}

#[test]
fn robots_are_obeyed_unless_told_otherwise() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => answer("301 Moved", "Location: /rules\r\n", ""),
        "/rules" => answer("200 OK", "", "User-agent: *\nDisallow: /private"),
        _ => page(""),
    });
    let error = load(options(), &server.url("/private/a")).unwrap_err();
    let expect = format!(
        "{} is not to be loaded, says {}",
        server.url("/private/a"),
        server.url("/rules")
    );
    assert!(error.starts_with(&expect), "{error}");
    assert_eq!(server.log(), ["/robots.txt", "/rules"]);
    load(options(), &server.url("/public")).unwrap();
    let bold = HttpOptions {
        obey_robots: false,
        ..options()
    };
    load(bold, &server.url("/private/a")).unwrap();
    assert_eq!(
        server.log()[2..],
        ["/robots.txt", "/rules", "/public", "/private/a"]
    );
}

#[test]
fn cookies_are_kept() {
    let server = Server::new(|path, request| match path {
        "/robots.txt" => missing(),
        _ if request.contains("\r\ncookie: in=1\r\n") => page(""),
        _ => answer("302 Found", "Location: /\r\nSet-Cookie: in=1\r\n", ""),
    });
    let folder = tempfile::tempdir().unwrap();
    load(cached(folder.path()), &server.url("/")).unwrap();
    load(cached(folder.path()), &server.url("/")).unwrap();
    assert_eq!(server.log(), ["/robots.txt", "/", "/"]);
}

fn cached(folder: &Path) -> HttpOptions {
    HttpOptions {
        cache: Some(folder.to_owned()),
        ..options()
    }
}

#[test]
fn a_second_run_asks_for_nothing() {
    let server = Server::new(|path, _| match path {
        "/a" => answer("301 Moved", "Location: /b\r\n", ""),
        "/b" => page("Set-Cookie: seen=b\r\n"),
        "/c" => answer("200 OK", "Content-Type: video/mp4\r\n", "a film"),
        _ => missing(),
    });
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let mut web = web(cached(folder.path()));
        assert_eq!(web.load(&server.url("/a")).unwrap().url, server.url("/b"));
        assert!(matches!(
            web.load(&server.url("/c")),
            Err(LoadError::NotAPage { .. })
        ));
        assert!(matches!(
            web.load(&server.url("/d")),
            Err(LoadError::Status { status: 404, .. })
        ));
    }
    assert_eq!(server.log(), ["/robots.txt", "/a", "/b", "/c", "/d"]);
    let never = HttpOptions {
        reach: Reach {
            private: Private::Never,
            ..Reach::default()
        },
        ..cached(folder.path())
    };
    let error = load(never, &server.url("/b")).unwrap_err();
    assert!(
        error.contains("127.0.0.1, which is not on the public internet"),
        "{error}"
    );
}

#[test]
fn an_old_answer_is_asked_about() {
    let server = Server::new(|path, request| match path {
        "/robots.txt" => missing(),
        _ if request.contains("\r\nif-none-match: \"1\"\r\n") => {
            assert!(request.contains("\r\nif-modified-since: sun, 06 nov 1994 08:49:37 gmt\r\n"));
            answer("304 Not Modified", "ETag: \"1\"\r\n", "")
        }
        _ => page("ETag: \"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"),
    });
    let folder = tempfile::tempdir().unwrap();
    let old = || HttpOptions {
        max_age: Duration::ZERO,
        ..cached(folder.path())
    };
    for _ in 0..3 {
        let page = load(old(), &server.url("/")).unwrap();
        assert_eq!(page.dom.text_of(page.dom.root()), "Hello");
    }
    assert_eq!(server.log(), ["/robots.txt", "/"].repeat(3));
    load(cached(folder.path()), &server.url("/")).unwrap();
    assert_eq!(server.log().len(), 6, "it was confirmed just now");
}

#[test]
fn a_cache_that_was_named_must_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = Http::new(cached(&file)).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("cannot keep answers in {}: ", file.display())),
        "{error}"
    );
}

#[derive(Default)]
struct Notes(Vec<String>);

impl Recorder for Notes {
    fn captured(&mut self, capture: &Capture) {
        self.0.push(format!("{} {}", capture.status, capture.url.path()));
    }
}

#[test]
fn every_answer_is_recorded_once() {
    let server = Server::new(|path, _| match path {
        "/a" => answer("301 Moved", "Location: /b\r\n", ""),
        "/b" => page(""),
        _ => missing(),
    });
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let notes = Arc::new(Mutex::new(Notes::default()));
        let mut web = web(cached(folder.path()));
        web.inner().record(notes.clone());
        web.load(&server.url("/a")).unwrap();
        web.load(&server.url("/b")).unwrap();
        web.load(&server.url("/c")).unwrap_err();
        assert_eq!(lock(&notes).0, ["404 /robots.txt", "301 /a", "200 /b", "404 /c"]);
    }
}

#[test]
fn redirects_do_not_leave_the_site() {
    let other = Server::new(|_, _| page(""));
    let elsewhere = other.url("/");
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        "/away" => answer("302 Found", &format!("Location: {elsewhere}\r\n"), ""),
        _ => page(""),
    });
    let mut web = web(options());
    let key_page = web.load(&server.url("/")).unwrap();
    web.inner().stay_on(&key_page.url, SameSite::Host);
    let error = web.load(&server.url("/away")).unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("leads to another site, {}", other.url("/"))),
        "{error}"
    );
    assert!(other.log().is_empty());
}

#[test]
fn redirects_do_not_lead_inside() {
    let inside = Server::new(|_, _| page(""));
    let port = inside.address.port();
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        host => answer("302 Found", &format!("Location: http:/{host}:{port}/\r\n"), ""),
    });
    let hosts = [
        ("/localhost", "127.0.0.1"),
        ("/127.0.0.2", "127.0.0.2"),
        ("/0x7f.2", "127.0.0.2"),
        ("/2130706434", "127.0.0.2"),
        ("/[::1]", "::1"),
        ("/[::ffff:127.0.0.1]", "::ffff:127.0.0.1"),
        ("/0", "0.0.0.0"),
        ("/169.254.169.254", "169.254.169.254"),
    ];
    let lookup = |_: &str| Ok(vec!["127.0.0.1:0".parse().unwrap()]);
    let http = Http::with_lookup(options(), Arc::new(lookup)).unwrap();
    let mut web = Blocking::new(http).unwrap();
    for (path, ip) in hosts {
        let error = web.load(&server.url(path)).unwrap_err().to_string();
        assert!(
            error.contains(&format!("leads to {ip}, which is not on the public internet")),
            "{error}"
        );
    }
    assert!(inside.log().is_empty());
}

#[test]
fn a_busy_server_is_given_its_time() {
    let is_first = AtomicBool::new(true);
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        _ if is_first.swap(false, Ordering::SeqCst) => answer("503 Busy", "Retry-After: 1\r\n", ""),
        _ => page(""),
    });
    let begun = Instant::now();
    load(options(), &server.url("/")).unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.log(), ["/robots.txt", "/", "/"]);
}

#[test]
fn a_server_that_had_enough_is_left_alone() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => missing(),
        "/503" => answer("503 Busy", "Retry-After: 0\r\n", ""),
        "/late" => answer("429 Enough", "Retry-After: 99999\r\n", ""),
        _ => page(""),
    });
    let mut web = web(HttpOptions {
        retries: 1,
        ..options()
    });
    for _ in 0..2 {
        let error = web.load(&server.url("/503")).unwrap_err();
        assert!(matches!(error, LoadError::Busy { status: 503, .. }), "{error}");
    }
    web.load(&server.url("/good")).unwrap();
    for path in ["/late", "/good", "/other"] {
        let error = web.load(&server.url(path)).unwrap_err().to_string();
        let expect = "answers 429 Too Many Requests and asks to wait 99999 s: try again later";
        assert_eq!(error, format!("{} {expect}", server.url(path)));
    }
    assert_eq!(
        server.log(),
        ["/robots.txt", "/503", "/503", "/503", "/good", "/late"]
    );
}

#[test]
fn a_lost_connection_is_tried_once_more() {
    let is_first = AtomicBool::new(true);
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        "/once" if !is_first.swap(false, Ordering::SeqCst) => page(""),
        _ => String::new(),
    });
    let mut web = web(options());
    web.load(&server.url("/once")).unwrap();
    let error = web.load(&server.url("/never")).unwrap_err().to_string();
    assert!(
        error.ends_with(": 127.0.0.1 closed the connection without an answer"),
        "{error}"
    );
    assert_eq!(
        server.log(),
        ["/robots.txt", "/once", "/once", "/never", "/never"]
    );
}

#[test]
fn troubles_are_named() {
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap();
    let error = load(options(), &Url::parse(&format!("http://{closed}/a")).unwrap()).unwrap_err();
    let expect = "connection refused by 127.0.0.1, is a server running there?";
    assert_eq!(error, format!("cannot load http://{closed}/a: {expect}"));

    let error = load(options(), &Url::parse("http://nowhere.invalid/a").unwrap()).unwrap_err();
    assert_eq!(
        error,
        "cannot load http://nowhere.invalid/a: no such host nowhere.invalid"
    );

    let error = load(options(), &Url::parse("file:///etc/passwd").unwrap()).unwrap_err();
    assert!(error.starts_with("file:///etc/passwd is not loaded"), "{error}");

    let garbage = Server::new(|path, _| {
        if path == "/robots.txt" {
            missing()
        } else {
            "what?\r\n\r\n".to_owned()
        }
    });
    let error = load(options(), &garbage.url("/")).unwrap_err();
    assert!(
        error.contains("127.0.0.1 does not answer in proper HTTP ("),
        "{error}"
    );

    let mut https = garbage.url("/");
    https.set_scheme("https").unwrap();
    let error = load(options(), &https).unwrap_err();
    assert!(
        error.ends_with("TLS: 127.0.0.1 does not speak it there, try http: instead of https:"),
        "{error}"
    );
}

/// Speaks TLS with a certificate, and answers nothing.
fn tls_server(params: &CertificateParams) -> (SocketAddr, String) {
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let private = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = config.clone();
            thread::spawn(move || talk(config, stream));
        }
    });
    (address, certificate.pem())
}

fn talk(config: Arc<ServerConfig>, mut stream: TcpStream) {
    let mut tls = rustls::ServerConnection::new(config).unwrap();
    let mut stream = rustls::Stream::new(&mut tls, &mut stream);
    let mut request = [0; 4096];
    if stream.read(&mut request).is_ok_and(|count| count > 0) {
        let _ = stream.write_all(page("").as_bytes());
        stream.conn.send_close_notify();
        let _ = stream.flush();
    }
}

#[test]
fn certificates_are_checked() {
    let error = |params: CertificateParams, is_trusted: bool| {
        let (address, pem) = tls_server(&params);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("root.pem");
        std::fs::write(&file, pem).unwrap();
        let options = HttpOptions {
            extra_roots: if is_trusted { vec![file] } else { Vec::new() },
            ..options()
        };
        load(options, &Url::parse(&format!("https://{address}/")).unwrap()).map(drop)
    };
    let ours = || CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let mut expired = ours();
    expired.not_after = rcgen::date_time_ymd(2001, 1, 1);
    let other = CertificateParams::new(vec!["example.org".to_owned()]).unwrap();
    let mut errors = Vec::new();
    for (params, is_trusted) in [(ours(), false), (expired, true), (other, true)] {
        let error = error(params, is_trusted).unwrap_err();
        let (_, words) = error
            .split_once("TLS: the certificate of 127.0.0.1 is not valid: ")
            .unwrap();
        errors.push(words.to_owned());
    }
    let expect = [
        "nobody we trust has issued it (unknown issuer)",
        "it has expired",
        "it is for another name",
    ];
    assert_eq!(errors, expect);
    error(ours(), true).unwrap();
}

#[test]
fn certificates_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("root.pem");
    let error = || {
        let options = HttpOptions {
            extra_roots: vec![file.clone()],
            ..options()
        };
        Http::new(options).unwrap_err().to_string()
    };
    let begin = format!("cannot use the certificates in {}: ", file.display());
    assert!(error().starts_with(&begin));
    std::fs::write(&file, "nothing").unwrap();
    assert_eq!(error(), format!("{begin}it holds no certificate in PEM format"));
}

#[test]
fn films_are_not_downloaded() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => missing(),
        "/film" => {
            "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99999999999\r\n\r\n".to_owned()
        }
        _ => "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999\r\n\r\n".to_owned(),
    });
    let mut web = web(options());
    let error = web.load(&server.url("/film")).unwrap_err();
    assert!(
        matches!(error, LoadError::NotAPage { kind: "a film", .. }),
        "{error}"
    );
    let error = web.load(&server.url("/page")).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
}

#[test]
fn silence_is_not_waited_for() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => missing(),
        "/silent" => {
            thread::sleep(Duration::from_secs(20));
            page("")
        }
        _ => page(""),
    });
    let options = HttpOptions {
        timeout: Duration::from_millis(500),
        ..options()
    };
    let begun = Instant::now();
    let error = load(options, &server.url("/silent")).unwrap_err();
    let expect = "the beginning of the answer took more than 0.5 s";
    assert!(error.contains(expect), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn pages_are_loaded_ahead_where_there_is_no_delay() {
    let gate = Arc::new(std::sync::Barrier::new(2));
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        "/" | "/extra" => page(""),
        _ => {
            // Nobody gets an answer before both have asked.
            gate.wait();
            page("")
        }
    });
    let mut web = web(options());
    let urls = ["/a", "/b", "/extra"].map(|path| server.url(path));
    web.load_ahead(&urls);
    assert_eq!(
        web.loaded_in_vain(),
        [],
        "nobody knows yet whether the site minds"
    );
    web.load(&server.url("/")).unwrap();
    web.load_ahead(&urls);
    web.load_ahead(&urls);
    web.load(&urls[0]).unwrap();
    web.load(&urls[1]).unwrap();
    assert_eq!(web.loaded_in_vain(), [server.url("/extra")]);
    assert_eq!(web.loaded_in_vain(), []);
    assert_eq!(server.log().len(), 5);
}

#[test]
fn pages_are_not_loaded_ahead_where_the_site_minds() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => answer("200 OK", "", "User-agent: *\nCrawl-delay: 0.1\nAllow: /"),
        _ => page(""),
    });
    let mut web = web(options());
    web.load(&server.url("/")).unwrap();
    web.load_ahead(&[server.url("/a"), server.url("/b")]);
    web.load(&server.url("/c")).unwrap();
    assert_eq!(web.loaded_in_vain(), []);
    assert_eq!(server.log(), ["/robots.txt", "/", "/c"]);
}

#[test]
fn the_pages_of_a_site_are_listed() {
    let server = Server::new(|path, request| {
        let host = request
            .split("\r\nhost: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next())
            .unwrap();
        let (open, close) = (format!("<loc>http://{host}/"), "</loc>");
        let xml = |body: String| answer("200 OK", "Content-Type: application/xml\r\n", &body);
        match path {
            "/robots.txt" => answer("200 OK", "", &format!("Sitemap: http://{host}/index.xml")),
            "/index.xml" => xml(format!(
                "<sitemapindex><sitemap>{open}one.xml{close}</sitemap><sitemap>{open}index.xml{close}</sitemap>\
                 <sitemap>{open}gone.xml{close}</sitemap></sitemapindex>"
            )),
            "/one.xml" => xml(format!(
                "<urlset><url>{open}a{close}</url><url>{open}b?x&amp;y{close}</url><url>{open}a{close}</url>\
                 <url><loc>https://example.org/{close}</url></urlset>"
            )),
            "/" => page(""),
            _ => missing(),
        }
    });
    let mut web = web(HttpOptions {
        use_sitemap: Some(SitemapChoice::FromRobots),
        ..options()
    });
    assert_eq!(web.addresses(), None, "of which site?");
    web.inner().stay_on(&server.url("/"), SameSite::Host);
    assert_eq!(web.addresses().unwrap(), [server.url("/a"), server.url("/b?x&y")]);
    assert_eq!(
        server.log(),
        ["/robots.txt", "/index.xml", "/one.xml", "/gone.xml"]
    );
}

#[test]
fn nothing_is_listed_unless_wanted() {
    let server = Server::new(|_, _| missing());
    let mut web = web(options());
    web.inner().stay_on(&server.url("/"), SameSite::Host);
    assert_eq!(web.addresses(), None);
    assert!(server.log().is_empty());
}
