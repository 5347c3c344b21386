//! Servers that have too much to do, break off, or cannot be trusted.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;

use super::*;

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
        let expect = "was not requested: its server answers 429 Too Many Requests and asks to wait 99999 s; try again later";
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
        error.ends_with(": 127.0.0.1 closed the connection without a response"),
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
    assert!(error.starts_with("unsupported URL scheme `file`"), "{error}");

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
        error.ends_with("TLS: 127.0.0.1 does not use it there, try http:// instead of https://"),
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
        "its issuer is not trusted (unknown issuer)",
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
    assert_eq!(
        error(),
        format!("{begin}it contains no certificate in PEM format")
    );
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
    let expect = "the beginning of the response took more than 0.5 s";
    assert!(error.contains(expect), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_stalled_answer_is_used_if_nothing_is_missing() {
    let stall =
        |words: &str, length: usize| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{words}");
    let server = Server::holding(move |path, _| match path {
        "/robots.txt" => missing(),
        "/whole" => stall("<p>Hello</p></html>", 100),
        _ => stall("<p>Hello", 100),
    });
    let quick = || HttpOptions {
        timeout: Duration::from_millis(500),
        ..options()
    };
    load(quick(), &server.url("/whole")).unwrap();
    let error = load(quick(), &server.url("/half")).unwrap_err();
    assert!(error.contains("the response took more than 0.5 s"), "{error}");
}

#[test]
fn words_around_a_redirect_need_no_end() {
    let server = Server::holding(|path, _| match path {
        "/robots.txt" => missing(),
        "/a" => {
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 99999999999\r\n\r\nbla".to_owned()
                + &"bla".repeat(200_000)
        }
        _ => page(""),
    });
    load(options(), &server.url("/a")).unwrap();
}
