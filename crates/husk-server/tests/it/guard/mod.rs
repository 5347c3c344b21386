/// The tricks, a row for each.
mod tricks;

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use husk_server::{Settings, router_with_lookup};
use husk_sources::{Private, Reach};
use serde_json::json;

use self::tricks::{End, TRICKS};
use crate::app::{Answer, App, EVENTS, JSON, hurried, local};
use crate::listener::{Listener, answer, at_port_of, club, missing, page, redirect};

/// The one host that may be anywhere: it stands for a site of the public internet, so that nothing leaves this machine.
const PUBLIC: &str = "public.test";

/// A server for which names lead to where they should, and to nowhere else.
fn app(settings: Settings, names: BTreeMap<String, Vec<SocketAddr>>) -> App {
    let lookup = move |host: &str| {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        names
            .get(&host)
            .cloned()
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    App(router_with_lookup(settings, Arc::new(lookup)).unwrap())
}

/// As everybody has it, but that one host may be anywhere.
fn with_public() -> Settings {
    let mut settings = hurried();
    settings.http.reach = Reach {
        private: Private::TypedHosts,
        typed_hosts: vec![PUBLIC.to_owned()],
    };
    settings
}

/// The names that a trick needs, and the public one.
fn names(
    url: &str,
    resolves: &[&str],
    hidden: &Listener,
    public: &Listener,
) -> BTreeMap<String, Vec<SocketAddr>> {
    let found = resolves.iter().map(|ip| at_port_of(hidden, ip)).collect();
    let host = husk::Url::parse(url.trim())
        .ok()
        .and_then(|url| url.host_str().map(|host| host.trim_end_matches('.').to_owned()));
    let mut names = BTreeMap::from([(PUBLIC.to_owned(), vec![public.address()])]);
    if !resolves.is_empty() {
        names.insert(host.unwrap_or_default(), found);
    }
    names
}

/// Somebody on this machine whom nobody should ever hear of.
fn hidden() -> Listener {
    Listener::new(|_| page("<p>Secret"))
}

async fn ask(app: &App, url: &str) -> Answer {
    app.post("/v1/content", JSON, &json!({"url": url})).await
}

#[tokio::test]
async fn no_trick_leads_into_the_network() {
    assert!(TRICKS.len() >= 30);
    let hidden = hidden();
    for &(name, url, resolves, end) in TRICKS {
        let url = url.replace("PORT", &hidden.port().to_string());
        let app = app(hurried(), names(&url, resolves, &hidden, &hidden));
        for route in ["content", "results"] {
            let answer = app
                .post(&format!("/v1/{route}"), JSON, &json!({"url": url}))
                .await;
            let told = answer.text();
            let expect = match end {
                End::Private => (403, "/problems/private-address"),
                End::NoAddress => (400, "/problems/bad-request"),
            };
            assert_eq!(answer.status.as_u16(), expect.0, "{name}: {url}: {told}");
            assert_eq!(answer.json()["type"], expect.1, "{name}: {url}: {told}");
        }
        assert_eq!(hidden.connections(), 0, "{name}: {url}");
    }
}

#[tokio::test]
async fn nobody_is_told_where_names_of_the_network_lead() {
    let hidden = hidden();
    let url = format!("http://intranet.test:{}/", hidden.port());
    let app = app(hurried(), names(&url, &["127.0.0.1"], &hidden, &hidden));
    let answer = ask(&app, &url).await;
    assert!(!answer.text().contains("127."), "{}", answer.text());
    answer.is_problem(403, "private-address", &["intranet.test"]);
}

#[tokio::test]
async fn who_listens_would_have_been_found() {
    let hidden = hidden();
    for url in [
        "http://2130706433:PORT/",
        "http://harmless.test:PORT/",
        "http://0:PORT/",
    ] {
        let url = url.replace("PORT", &hidden.port().to_string());
        let before = hidden.connections();
        let app = app(local(), names(&url, &["127.0.0.1"], &hidden, &hidden));
        assert_eq!(ask(&app, &url).await.status.as_u16(), 200, "{url}");
        assert!(hidden.connections() > before, "{url}");
    }
}

#[tokio::test]
async fn no_redirect_leads_into_the_network() {
    let hidden = hidden();
    for &(name, url, resolves, end) in TRICKS {
        let url = url.replace("PORT", &hidden.port().to_string());
        if url.contains(['\n', ' ']) || !url.is_ascii() {
            // No server can say that in a header field.
            continue;
        }
        let target = url.clone();
        let public = Listener::new(move |path| match path {
            "/robots.txt" => missing(),
            "/twice" => redirect("/once"),
            _ => redirect(&target),
        });
        let app = app(with_public(), names(&url, resolves, &hidden, &public));
        for path in ["once", "twice"] {
            let answer = ask(&app, &format!("http://{PUBLIC}/{path}")).await;
            let told = answer.text();
            let status = answer.status.as_u16();
            // A redirect to what is no address is a fault of the site.
            let is_refused =
                status == 403 || (status == 502 && end == End::NoAddress) || is_itself(&url, status);
            assert!(is_refused, "{name}: {url}: {told}");
            assert!(!told.contains("Secret"), "{name}: {told}");
        }
        assert_eq!(hidden.connections(), 0, "{name}: {url}");
        assert!(public.connections() > 0, "{name}: {url}");
    }
}

/// Whether an address without slashes is a path on the public host itself, which leads in circles.
fn is_itself(url: &str, status: u16) -> bool {
    url == "http://" || (url.starts_with("http:") && !url.starts_with("http:/") && status == 502)
}

#[tokio::test]
async fn a_chain_of_redirects_is_checked_at_every_link() {
    let hidden = hidden();
    let target = hidden.url("/");
    let public = Listener::new(move |path| match path {
        "/robots.txt" => missing(),
        "/4" => redirect(&target),
        _ => redirect(&format!("/{}", path[1..].parse::<u8>().unwrap() + 1)),
    });
    let app = app(with_public(), names("", &[], &hidden, &public));
    let answer = ask(&app, &format!("http://{PUBLIC}/0")).await;
    answer.is_problem(403, "private-address", &["no public IP address"]);
    assert_eq!(hidden.connections(), 0);
    assert_eq!(public.log().last().unwrap(), "/4", "that is how far it is public");
}

#[tokio::test]
async fn robots_txt_does_not_lead_into_the_network() {
    let hidden = hidden();
    let target = hidden.url("/robots.txt");
    let public = Listener::new(move |path| match path {
        "/robots.txt" => redirect(&target),
        _ => club(path),
    });
    let app = app(with_public(), names("", &[], &hidden, &public));
    let answer = ask(&app, &format!("http://{PUBLIC}/anna")).await;
    answer.is_problem(502, "page-not-loaded", &["robots.txt"]);
    assert_eq!(hidden.connections(), 0);
}

#[tokio::test]
async fn no_sitemap_is_read_in_the_network() {
    for is_redirected in [false, true] {
        let hidden = hidden();
        let target = hidden.url("/sitemap.xml");
        let public = Listener::new(move |path| match path {
            "/robots.txt" if is_redirected => missing(),
            "/robots.txt" => answer(
                "200 OK",
                "Content-Type: text/plain",
                &format!("Sitemap: {target}\n"),
            ),
            "/sitemap.xml" => redirect(&target),
            "/" => page("<title>Alone</title><p>Nothing leads on from here."),
            _ => missing(),
        });
        let app = app(with_public(), names("", &[], &hidden, &public));
        let answer = app
            .post("/v1/template", JSON, &json!({"url": format!("http://{PUBLIC}/")}))
            .await;
        answer.is_problem(422, "no-sibling", &[PUBLIC]);
        assert_eq!(hidden.connections(), 0, "{is_redirected}");
        assert_eq!(public.log().contains(&"/sitemap.xml".to_owned()), is_redirected);
    }
}

#[tokio::test]
async fn no_page_listed_in_a_sitemap_is_in_the_network() {
    let hidden = hidden();
    let url = hidden.url("/a");
    let sitemap =
        format!("<urlset><url><loc>{url}</loc></url><url><loc>http://{PUBLIC}/led</loc></url></urlset>");
    let target = hidden.url("/b");
    let public = Listener::new(move |path| match path {
        "/sitemap.xml" => answer("200 OK", "Content-Type: application/xml", &sitemap),
        "/" => page("<title>Alone</title><p>Nothing leads on from here."),
        "/led" => redirect(&target),
        _ => missing(),
    });
    let app = app(with_public(), names("", &[], &hidden, &public));
    let answer = app
        .post("/v1/template", JSON, &json!({"url": format!("http://{PUBLIC}/")}))
        .await;
    answer.is_problem(422, "no-sibling", &[PUBLIC]);
    assert!(public.log().contains(&"/led".to_owned()));
    assert_eq!(hidden.connections(), 0);
}

#[tokio::test]
async fn what_a_page_says_in_itself_leads_nowhere() {
    let hidden = hidden();
    let secret = hidden.url("/secret");
    let html = format!(
        "<title>Trap</title><base href=\"{secret}\"><meta http-equiv=refresh content=\"0;url={secret}\">\
         <link rel=canonical href=\"{secret}\"><link rel=stylesheet href=\"{secret}\"><script src=\"{secret}\"></script>\
         <p>Something to read, so that there is a page.<img src=\"{secret}\"><iframe src=\"{secret}\"></iframe>\
         <a href=\"{secret}/a\">A</a> <a href=\"//127.0.0.1:{port}/b\">B</a> <a href=\"/c\">C</a>",
        port = hidden.port()
    );
    let public = Listener::new(move |path| match path {
        "/robots.txt" | "/sitemap.xml" => missing(),
        _ => page(&html),
    });
    let app = app(with_public(), names("", &[], &hidden, &public));
    for same_site in ["host", "domain"] {
        let asked = json!({"url": format!("http://{PUBLIC}/"), "options": {"same_site": same_site}});
        for route in ["content", "inspect", "results"] {
            let answer = app.post(&format!("/v1/{route}"), JSON, &asked).await;
            assert!(answer.status.is_success(), "{}", answer.text());
        }
    }
    assert!(public.connections() > 0);
    assert_eq!(hidden.connections(), 0);
}

#[tokio::test]
async fn no_style_sheet_leads_into_the_network() {
    let hidden = hidden();
    for &(name, url, resolves, _) in TRICKS {
        let url = url.replace("PORT", &hidden.port().to_string());
        let target = url.clone();
        let public = Listener::new(move |path| match path {
            "/" => page(&format!(
                "<title>Trap</title><link rel=stylesheet href=\"{target}\"><link rel=stylesheet href=/led.css>\
                 <link rel=stylesheet href=/imports.css><p>Something to read, so that there is a page."
            )),
            "/led.css" if target.is_ascii() && !target.contains(['\n', ' ']) => redirect(&target),
            "/imports.css" => answer(
                "200 OK",
                "Content-Type: text/css",
                &format!("@import url(\"{target}\");"),
            ),
            _ => missing(),
        });
        let app = app(with_public(), names(&url, resolves, &hidden, &public));
        let asked = json!({"url": format!("http://{PUBLIC}/")});
        let answer = app.post("/v1/results", JSON, &asked).await;
        assert_eq!(answer.status.as_u16(), 201, "{name}: {}", answer.text());
        for path in ["/led.css", "/imports.css"] {
            assert!(
                public.log().iter().any(|asked| asked == path),
                "{name}: {:?}",
                public.log()
            );
        }
        assert_eq!(hidden.connections(), 0, "{name}: {url}");
    }
}

#[tokio::test]
async fn a_sibling_that_leads_into_the_network_is_left_out() {
    let hidden = hidden();
    let target = hidden.url("/");
    let public = Listener::new(move |path| match path {
        "/bert" | "/carl" => redirect(&target),
        _ => club(path),
    });
    let app = app(with_public(), names("", &[], &hidden, &public));
    let answer = app
        .post(
            "/v1/template",
            JSON,
            &json!({"url": format!("http://{PUBLIC}/anna")}),
        )
        .await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    assert!(public.log().contains(&"/bert".to_owned()));
    assert!(!answer.text().contains("Secret"));
    assert_eq!(hidden.connections(), 0);
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let (hidden, public) = (hidden(), Listener::site());
    let (first, then) = (public.address(), hidden.address());
    let lookups = Arc::new(AtomicUsize::new(0));
    let counted = lookups.clone();
    let lookup = move |_: &str| {
        let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        Ok(vec![if is_first { first } else { then }])
    };
    let app = App(router_with_lookup(with_public(), Arc::new(lookup)).unwrap());
    let asked = json!({"url": format!("http://{PUBLIC}/anna")});
    let answer = app.post("/v1/template", JSON, &asked).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    assert!(public.pages() > 2, "{:?}", public.log());
    assert_eq!(hidden.connections(), 0);
    assert_eq!(
        lookups.load(Ordering::SeqCst),
        1,
        "the first answer stays for the request"
    );
}

#[tokio::test]
async fn a_host_that_moved_is_found_by_the_next_request() {
    let (before, after) = (Listener::site(), Listener::site());
    let addresses = [before.address(), after.address()];
    let lookups = AtomicUsize::new(0);
    let lookup = move |_: &str| Ok(vec![addresses[lookups.fetch_add(1, Ordering::SeqCst).min(1)]]);
    let app = App(router_with_lookup(with_public(), Arc::new(lookup)).unwrap());
    for name in ["anna", "fred"] {
        let answer = ask(&app, &format!("http://{PUBLIC}/{name}")).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    }
    assert!(after.log().contains(&"/fred".to_owned()), "{:?}", after.log());
}

#[tokio::test]
async fn a_name_is_checked_whenever_it_is_looked_up() {
    let hidden = hidden();
    let calls = AtomicUsize::new(0);
    let address = hidden.address();
    // It does not exist at first, then it is on this machine.
    let lookup = move |_: &str| match calls.fetch_add(1, Ordering::SeqCst) {
        0 => Err(io::Error::from(io::ErrorKind::NotFound)),
        1 => Ok(Vec::new()),
        _ => Ok(vec![address]),
    };
    // What robots.txt could not say would be remembered for a while.
    let mut settings = hurried();
    settings.http.obey_robots = false;
    let app = App(router_with_lookup(settings, Arc::new(lookup)).unwrap());
    let mut statuses = Vec::new();
    for page in 0..6 {
        let url = format!("http://rebind.test:{}/{page}", hidden.port());
        statuses.push(ask(&app, &url).await.status.as_u16());
    }
    assert!(
        statuses.iter().all(|status| matches!(status, 502 | 403)),
        "{statuses:?}"
    );
    assert_eq!(statuses.last(), Some(&403), "{statuses:?}");
    assert_eq!(hidden.connections(), 0);
}

#[tokio::test]
async fn names_of_the_network_and_names_of_nobody_are_answered_alike() {
    let hidden = hidden();
    let url = "http://intranet.test/";
    let app = app(hurried(), names(url, &["127.0.0.1"], &hidden, &hidden));
    let plain = |answer: Answer, name: &str| (answer.status, answer.text().replace(name, "NAME"));
    for (route, accept) in [("content", JSON), ("content", EVENTS), ("results", JSON)] {
        let mut answers = Vec::new();
        for name in ["intranet", "nobody"] {
            let body = json!({"url": format!("http://{name}.test/")});
            answers.push(plain(
                app.post(&format!("/v1/{route}"), accept, &body).await,
                name,
            ));
        }
        assert_eq!(answers[0], answers[1], "{route}");
    }
}

#[tokio::test]
async fn pages_in_a_request_may_have_any_address_for_nothing_is_loaded() {
    let hidden = hidden();
    let asked = json!({
        "page": {"url": hidden.url("/a"), "html": "<p>Some words of A<a href=/b>B</a><a href=/c>C</a>"},
        "siblings": [{"url": hidden.url("/b"), "html": "<p>Other words of B<a href=/a>A</a>"}],
    });
    let answer = app(hurried(), BTreeMap::new())
        .post("/v1/content", JSON, &asked)
        .await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    assert_eq!(hidden.connections(), 0);
}
