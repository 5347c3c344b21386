//! What a page is shown with.

use husk::output::{OutputOptions, Resources, to_html};
use husk::{Options, Session};

use super::*;

const LONG: Duration = Duration::from_secs(20);

fn css(text: &str) -> String {
    answer("200 OK", "Content-Type: text/css; charset=utf-8\r\n", text)
}

fn style_sheets(options: HttpOptions, page: &Page, within: Duration) -> Resources {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(Http::new(options).unwrap().style_sheets(page, within))
}

/// A page with some style sheets, as it is written with those that were had.
fn written(options: HttpOptions, page: Page, within: Duration) -> String {
    let resources = style_sheets(options, &page, within);
    let html = OutputOptions {
        resources: Some(resources),
        ..OutputOptions::default()
    };
    to_html(&Session::new(page, Options::default()).finish(), &html)
}

#[test]
fn style_sheets_are_had_with_what_they_import() {
    let server = Server::new(|path, _| match path {
        "/s.css" => css("@import 'in/t.css';p{color:red}"),
        "/in/t.css" => answer("302 Found", "Location: u.css\r\n", ""),
        "/in/u.css" => css("i{color:blue}"),
        "/page.css" => answer("200 OK", "Content-Type: text/html\r\n", "b{color:green}"),
        _ => missing(),
    });
    let html = "<link rel=stylesheet href=s.css><link rel=stylesheet href=page.css><link rel=stylesheet href=gone.css><p>x";
    let written = written(options(), Page::parse(server.url("/"), html), LONG);
    assert!(
        written.contains("p{color:red}") && written.contains("i{color:blue}"),
        "{written}"
    );
    assert!(!written.contains("green"), "{written}");
    assert!(written.contains("/gone.css\""), "{written}");
    let mut log = server.log();
    log.sort();
    assert_eq!(
        log,
        [
            "/gone.css",
            "/in/t.css",
            "/in/u.css",
            "/page.css",
            "/robots.txt",
            "/s.css"
        ]
    );
}

#[test]
fn style_sheets_are_asked_for_without_pauses_but_only_where_that_is_allowed() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => answer("200 OK", "", "User-agent: *\nDisallow: /private"),
        _ => css("p{}"),
    });
    let html = "<link rel=stylesheet href=a.css><link rel=stylesheet href=/private/b.css><link rel=stylesheet href=c.css>\
        <link rel=stylesheet href=http://127.0.0.2:9/d.css>";
    let slow = HttpOptions {
        delay: Duration::from_secs(3600),
        ..options()
    };
    // That of robots.txt is waited for as ever.
    let web = HttpOptions {
        obey_robots: false,
        ..slow
    };
    let page = || Page::parse(server.url("/"), html);
    style_sheets(web, &page(), LONG);
    let mut log = server.log();
    log.sort();
    assert_eq!(log, ["/a.css", "/c.css", "/private/b.css"]);
    style_sheets(options(), &page(), LONG);
    assert_eq!(
        server
            .log()
            .iter()
            .filter(|path| *path == "/private/b.css")
            .count(),
        1
    );
    assert_eq!(server.log().iter().filter(|path| *path == "/a.css").count(), 2);
}

#[test]
fn a_style_sheet_that_takes_too_long_is_done_without() {
    let server = Server::new(|path, _| match path {
        "/slow.css" => {
            thread::sleep(Duration::from_secs(10));
            css("p{color:red}")
        }
        "/quick.css" => css("i{color:blue}"),
        _ => missing(),
    });
    let html = "<link rel=stylesheet href=slow.css><link rel=stylesheet href=quick.css><p>x";
    let written = written(
        options(),
        Page::parse(server.url("/"), html),
        Duration::from_secs(3),
    );
    assert!(
        written.contains("i{color:blue}") && !written.contains("p{color:red}"),
        "{written}"
    );
}

#[test]
fn no_page_has_style_sheets_without_end() {
    let server = Server::new(|path, _| match path {
        "/robots.txt" => missing(),
        _ => css("@import 'x1.css';@import 'x2.css';@import 'x3.css';"),
    });
    let links: String = (0..100)
        .map(|number| format!("<link rel=stylesheet href={number}.css>"))
        .collect();
    style_sheets(options(), &Page::parse(server.url("/"), &links), LONG);
    assert_eq!(server.log().len(), 25, "robots.txt and 24 style sheets");
}
