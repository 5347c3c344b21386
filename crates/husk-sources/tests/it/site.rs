//! The pages of the site that tools mirror.

use percent_encoding::percent_decode_str;

/// The URLs of all pages, below the host, as the pages link to them.
pub(crate) const PAGES: [&str; 17] = [
    "/",
    "/about",
    "/docs/",
    "/docs/setup.html",
    "/docs/Guide.HTML",
    "/docs/?page=2",
    "/item.php",
    "/item.php?id=1",
    "/item.php?id=2",
    "/item.php?id=3&x=a/b",
    "/search?q=x%20y",
    "/caf%C3%A9.html",
    "/a%20b.html",
    "/ünï/",
    "/100%25.html",
    "/News/Today",
    "/colon:x.html",
];

/// A response: a type and the bytes.
pub(crate) struct Answer {
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

/// The response for a URL below the host, however it is percent-encoded.
pub(crate) fn answer(target: &str) -> Option<Answer> {
    if target == "/style.css" {
        return Some(Answer {
            content_type: "text/css",
            body: "p { color: red }".to_owned(),
        });
    }
    let page = PAGES.iter().find(|page| decoded(page) == decoded(target))?;
    Some(Answer {
        content_type: "text/html; charset=utf-8",
        body: html(page),
    })
}

/// The text that only this page has.
pub(crate) fn text_of(page: &str) -> String {
    format!("This is the page {}", decoded(page))
}

fn html(page: &str) -> String {
    let links: String = PAGES
        .iter()
        .map(|page| format!("<a href=\"{}\">link</a> ", page.replace('&', "&amp;")))
        .collect();
    let head = "<!doctype html><meta charset=utf-8><title>Site</title><link rel=stylesheet href=/style.css>";
    format!("{head}<nav>{links}</nav><main>{}</main>", text_of(page))
}

fn decoded(address: &str) -> String {
    percent_decode_str(address).decode_utf8_lossy().into_owned()
}
