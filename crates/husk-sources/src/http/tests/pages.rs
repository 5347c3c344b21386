//! Which pages are loaded, and which are not.

use super::*;

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
fn header_fields_go_to_typed_hosts_only() {
    let server = Server::new(|_, request| match request.contains("\r\nx-key: secret\r\n") {
        true => page(""),
        false => missing(),
    });
    let is_sent_to = |typed_hosts: Vec<String>| {
        let reach = Reach {
            private: Private::Everywhere,
            typed_hosts,
        };
        let headers = vec![("X-Key".to_owned(), "secret".to_owned())];
        let options = HttpOptions {
            headers,
            reach,
            ..options()
        };
        load(options, &server.url("/")).is_ok()
    };
    assert!(is_sent_to(vec!["127.0.0.1".to_owned()]));
    assert!(!is_sent_to(vec!["example.org".to_owned()]));
    let wrong = HttpOptions {
        headers: vec![("a b".to_owned(), String::new())],
        ..options()
    };
    assert!(matches!(Http::new(wrong), Err(HttpError::Header(_))));
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
        "{} is disallowed by {}",
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
fn five_redirects_lead_to_robots() {
    let admits = |redirects: usize| {
        let server = Server::new(move |path, _| match path {
            "/robots.txt" => answer("302 Found", "Location: /1\r\n", ""),
            "/page" => page(""),
            path => match path[1..].parse::<usize>() {
                Ok(number) if number < redirects => {
                    answer("302 Found", &format!("Location: /{}\r\n", number + 1), "")
                }
                _ => answer("200 OK", "", "User-agent: *\nDisallow: /"),
            },
        });
        load(options(), &server.url("/page")).is_ok()
    };
    assert!(!admits(5));
    assert!(admits(6), "as if there were none");
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
    web.stay_on(&key_page.url, SameSite::Host);
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
fn pages_are_loaded_ahead_where_there_is_no_delay() {
    let gate = Arc::new(std::sync::Barrier::new(2));
    let server = Server::new(move |path, _| match path {
        "/robots.txt" => missing(),
        "/" | "/extra" => page(""),
        _ => {
            // Both requests are answered only when both have arrived.
            gate.wait();
            page("")
        }
    });
    let mut web = web(options());
    let urls = ["/a", "/b", "/extra"].map(|path| server.url(path));
    web.load_ahead(&urls);
    assert_eq!(web.unused_pages(), [], "the rules of the site are not known yet");
    web.load(&server.url("/")).unwrap();
    web.load_ahead(&urls);
    web.load_ahead(&urls);
    web.load(&urls[0]).unwrap();
    web.load(&urls[1]).unwrap();
    assert_eq!(web.unused_pages(), [server.url("/extra")]);
    assert_eq!(web.unused_pages(), []);
    assert_eq!(web.inner().requests(), 5);
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
    for path in ["/c", "/d", "/e"] {
        web.load(&server.url(path)).unwrap();
    }
    assert_eq!(web.unused_pages(), []);
    assert_eq!(server.log(), ["/robots.txt", "/", "/c", "/d", "/e"]);
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
    assert_eq!(web.page_urls(), None, "of which site?");
    web.stay_on(&server.url("/"), SameSite::Host);
    assert_eq!(web.page_urls().unwrap(), [server.url("/a"), server.url("/b?x&y")]);
    assert_eq!(
        server.log(),
        ["/robots.txt", "/index.xml", "/one.xml", "/gone.xml"]
    );
}

#[test]
fn nothing_is_listed_unless_wanted() {
    let server = Server::new(|_, _| missing());
    let mut web = web(options());
    web.stay_on(&server.url("/"), SameSite::Host);
    assert_eq!(web.page_urls(), None);
    assert!(server.log().is_empty());
}

#[test]
fn a_proxy_is_asked_instead() {
    let proxy = Server::new(|path, _| match path {
        "http://example.org/a" => page(""),
        _ => missing(),
    });
    let through = HttpOptions {
        proxy: ProxyChoice::Url(proxy.url("/")),
        reach: Reach::default(),
        ..options()
    };
    let lookup = |host: &str| match host {
        "inside.example.org" => Ok(vec!["10.0.0.1:0".parse().unwrap()]),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let mut web = Blocking::new(Http::with_lookup(through, Arc::new(lookup)).unwrap()).unwrap();
    let mut load = |url| {
        web.load(&Url::parse(url).unwrap())
            .map_err(|cause| cause.to_string())
    };
    load("http://example.org/a").unwrap();
    assert_eq!(
        proxy.log(),
        ["http://example.org/robots.txt", "http://example.org/a"]
    );
    let error = load("http://127.0.0.1/").unwrap_err();
    assert!(error.contains("leads to 127.0.0.1, which is not"), "{error}");
    assert_eq!(proxy.log().len(), 2);
}

#[test]
fn an_address_longer_than_any_is_an_error() {
    let server = Server::new(|path, _| {
        if path == "/robots.txt" {
            missing()
        } else {
            page("")
        }
    });
    let long = server.url(&format!("/{}", "a".repeat(100_000)));
    let error = load(options(), &long).unwrap_err();
    assert!(
        error.contains("aaa: the URL is too long"),
        "{}",
        &error[error.len() - 100..]
    );
    load(options(), &server.url("/a|b\\c^d[e]{f}?g'h|i%j\u{e4}")).unwrap();
}
