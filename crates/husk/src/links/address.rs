//! When two URLs are the same page.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

/// The identity of a page: what is left of a URL when the ways to write the same one are put aside.
///
/// Scheme, `www.`, default port, fragment, `index.html`, the last slash and needless percent-encoding do not
/// matter; the case of the path and the query do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(String);

impl Address {
    /// The identity of the page at a URL.
    pub fn of(url: &Url) -> Self {
        let mut address = site_key(url);
        address.push_str(plain_path(&decoded(url.path(), "/?#%")));
        if let Some(query) = url.query().filter(|query| !query.is_empty()) {
            address.push('?');
            address.push_str(&decoded(query, "&=+#%"));
        }
        Self(address)
    }

    /// The identity as text, e.g. `example.org/about`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Host without `www.`, and port unless it is the scheme's own.
pub(super) fn site_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let mut key = without_www(host).to_ascii_lowercase();
    // A URL leaves out its scheme's own port; the other scheme's own is no different site either.
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        key.push(':');
        key.push_str(&port.to_string());
    }
    key
}

/// `www.example.org` is `example.org`, but `www.org` is itself.
fn without_www(host: &str) -> &str {
    match host.get(..4) {
        Some(start) if start.eq_ignore_ascii_case("www.") && host[4..].contains('.') => &host[4..],
        _ => host,
    }
}

/// Decodes what needs no percent-encoding; `reserved` letters keep theirs, since they would mean something else.
fn decoded<'a>(text: &'a str, reserved: &str) -> Cow<'a, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.extend(&rest.as_bytes()[..at]);
        let code = rest.get(at..at + 3).unwrap_or("");
        match percent_decode_str(code).next() {
            Some(byte) if code.len() == 3 && percent_decode_str(code).count() == 1 => {
                if byte.is_ascii_control() || reserved.as_bytes().contains(&byte) {
                    out.extend(code.to_ascii_uppercase().as_bytes());
                } else {
                    out.push(byte);
                }
                rest = &rest[at + 3..];
            }
            _ => {
                out.push(b'%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.extend(rest.as_bytes());
    // Bytes that are no UTF-8 stay as they were written.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The path without the name of a directory's index page and without the last slash.
fn plain_path(path: &str) -> &str {
    let folder = match path.rsplit_once('/') {
        Some((folder, last)) if is_index(last) => folder,
        _ => path,
    };
    folder.strip_suffix('/').unwrap_or(folder)
}

/// Names under which servers keep the page of a directory.
fn is_index(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_stem = stem.eq_ignore_ascii_case("index") || stem.eq_ignore_ascii_case("default");
    let extensions = ["html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp"];
    is_stem
        && extensions
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expect: &str) {
        assert_eq!(Address::of(&Url::parse(url).unwrap()).as_str(), expect, "{url}");
    }

    #[test]
    fn same_page_same_address() {
        check("https://example.org", "example.org");
        check("http://WWW.Example.org:80/", "example.org");
        check("https://example.org:80/#top", "example.org");
        check("https://example.org/index.html", "example.org");
        check("https://example.org/Default.aspx", "example.org");
        check("https://example.org/a/", "example.org/a");
        check("https://example.org/a/index.htm?", "example.org/a");
        check("https://example.org/a/./b/../c", "example.org/a/c");
        check("https://example.org/%7Euser/caf%c3%a9", "example.org/~user/café");
        check("https://example.org/café", "example.org/café");
        check("https://www.org/", "www.org");
    }

    #[test]
    fn other_page_other_address() {
        check("https://example.org:8080/", "example.org:8080");
        check("https://sub.example.org/", "sub.example.org");
        check("https://example.org/A", "example.org/A");
        check("https://example.org/a.html", "example.org/a.html");
        check("https://example.org/a%2fb", "example.org/a%2Fb");
        check(
            "https://example.org/page.html%3Fid=3",
            "example.org/page.html%3Fid=3",
        );
        check("https://example.org/page.html?id=3", "example.org/page.html?id=3");
        check("https://example.org/100%", "example.org/100%");
        check("https://example.org/%E4", "example.org/%E4");
        check("file:///tmp/site/index.html", "/tmp/site");
    }
}
