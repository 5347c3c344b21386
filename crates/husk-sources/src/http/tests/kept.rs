//! What is kept for the next run, and for those who want to know.

use super::*;

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

#[test]
fn cookies_are_for_one_only() {
    let server = Server::new(|path, request| match path {
        "/robots.txt" => missing(),
        _ if request.contains("\r\ncookie:") => page(""),
        _ => answer("404 Not Found", "Set-Cookie: in=1\r\n", ""),
    });
    let http = Http::new(options()).unwrap();
    let mut one = Blocking::new(http.for_another_user().unwrap()).unwrap();
    let mut other = Blocking::new(http.for_another_user().unwrap()).unwrap();
    assert!(one.load(&server.url("/")).is_err());
    assert!(one.load(&server.url("/")).is_ok(), "its own cookie");
    assert!(other.load(&server.url("/")).is_err(), "that of somebody else");
    // What the site wants of programs is asked for once.
    assert_eq!(server.log(), ["/robots.txt", "/", "/", "/"]);
}

#[test]
fn kept_answers_set_their_cookies_again() {
    let server = Server::new(|path, request| match path {
        "/login" => page("Set-Cookie: in=1\r\n"),
        "/new" if request.contains("\r\ncookie: in=1\r\n") => page(""),
        _ => missing(),
    });
    let folder = tempfile::tempdir().unwrap();
    load(cached(folder.path()), &server.url("/login")).unwrap();
    let mut web = web(cached(folder.path()));
    web.load(&server.url("/login")).unwrap();
    web.load(&server.url("/new")).unwrap();
    assert_eq!(server.log(), ["/robots.txt", "/login", "/new"]);
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
        error.starts_with(&format!("cannot use the cache folder {}: ", file.display())),
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
