//! The URLs that pages declare as their own, and what they say about the URL of the site.

use std::path::Path;

use husk::Url;
use husk::dom::{Dom, Name, NodeId, name};
use percent_encoding::percent_decode_str;

use super::names::INDEX;

/// The page's own URL, if an element declares it.
pub(crate) fn declared_url(dom: &Dom, node: NodeId) -> Option<&str> {
    let says = |key: Name, value| {
        dom.attribute(node, &key)
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    if dom.is_element(node, &name!("link")) && says(name!("rel"), "canonical") {
        return dom.attribute(node, &name!("href"));
    }
    if dom.is_element(node, &name!("meta")) && says(name!("property"), "og:url") {
        return dom.attribute(node, &name!("content"));
    }
    None
}

/// The web addresses that a page declares as its own, in document order.
pub(crate) fn declared_urls(dom: &Dom) -> Vec<Url> {
    dom.nodes()
        .filter_map(|node| declared_url(dom, node))
        .filter_map(|text| Url::parse(text.trim()).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .collect()
}

/// The URL of the root, if the page at `place` below it has the URL `url`.
///
/// `docs/a.html` is at `docs/a.html`, `docs/a` or `docs/a/`, and `docs/index.html` at `docs/` too.
pub(super) fn without_path(mut url: Url, place: &Path) -> Option<Url> {
    let path = decoded(url.path().trim_end_matches('/'))?;
    let is_index = INDEX.iter().any(|index| place.ends_with(index));
    let short = if is_index {
        place.parent()?.to_owned()
    } else {
        place.with_extension("")
    };
    let front = [place, &short]
        .into_iter()
        .find_map(|end| path_before(&path, end))?;
    url.set_path(&format!("{front}/"));
    url.set_query(None);
    url.set_fragment(None);
    Some(url)
}

/// What precedes the segments of `end` in a path, without the slash. Names of files may be percent-encoded, as URLs are.
fn path_before<'a>(path: &'a str, end: &Path) -> Option<&'a str> {
    let mut front = path;
    for step in end.iter().rev() {
        let step = decoded(step.to_str()?)?;
        front = front.strip_suffix(step.as_str())?.strip_suffix('/')?;
    }
    Some(front)
}

fn decoded(text: &str) -> Option<String> {
    let text = percent_decode_str(text).decode_utf8().ok()?;
    Some(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_at_the_end_of_an_address() {
        let check = |url: &str, place: &str, expect: Option<&str>| {
            let found = without_path(Url::parse(url).unwrap(), Path::new(place));
            assert_eq!(found.as_ref().map(Url::as_str), expect, "{url} {place}");
        };
        check("https://e.org", "index.html", Some("https://e.org/"));
        check("https://e.org/index.html", "index.html", Some("https://e.org/"));
        check(
            "https://e.org/x/docs/",
            "docs/index.html",
            Some("https://e.org/x/"),
        );
        check("https://e.org/x/docs/a", "docs/a.html", Some("https://e.org/x/"));
        check(
            "https://e.org/caf%C3%A9.html#top",
            "café.html",
            Some("https://e.org/"),
        );
        check(
            "https://e.org/caf%C3%A9/",
            "caf%c3%a9/index.html",
            Some("https://e.org/"),
        );
        check("https://e.org/xdocs/", "docs/index.html", None);
        check("https://e.org/b.html", "a.html", None);
    }

    #[test]
    fn only_web_addresses_are_declared() {
        let declared = |html: &str| {
            let urls = declared_urls(&Dom::parse(html));
            urls.iter().map(Url::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            declared(
                "<link rel=canonical href=' https://e.org/a'><meta property=og:url content=http://e.org/b>"
            ),
            ["https://e.org/a", "http://e.org/b"]
        );
        let none: [&str; 0] = [];
        assert_eq!(
            declared(
                "<link rel=canonical href=index.html><link rel=canonical href><meta property=og:url content=file:///a>"
            ),
            none
        );
    }
}
