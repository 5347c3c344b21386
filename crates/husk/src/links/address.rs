//! When two URLs are the same page.

use std::borrow::{Borrow, Cow};

use percent_encoding::percent_decode_str;
use url::Url;

/// The identity of a page: a normalised URL.
///
/// Scheme, `www.`, default port, fragment, `index.html`, the last slash and needless percent-encoding do not matter;
/// the case of the path and the query do.
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

    pub(super) fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The identity as text, e.g. `example.org/about`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Allows lookups by text.
impl Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Finds the addresses of the plain references of a page without making a URL for each.
///
/// Most links of a page are paths of letters, digits and a few signs. For those this gives the same as
/// [`Address::of`] for the resolved URL, at a fraction of the cost.
#[derive(Debug)]
pub(crate) struct PlainReferences {
    /// The length of the site in `folder`.
    site: usize,
    /// The base URL without its path.
    origin: String,
    /// Site and folders of the base URL, without the last slash.
    folder: String,
    is_file: bool,
}

impl PlainReferences {
    /// From the URL that relative links are resolved against.
    pub(crate) fn of(base: &Url) -> Option<Self> {
        let path = base.path();
        let is_file = base.scheme() == "file" && base.host().is_none();
        if !is_plain(path) || !(is_file || matches!(base.scheme(), "http" | "https")) {
            return None;
        }
        let mut folder = site_key(base);
        let site = folder.len();
        folder.push_str(path.rsplit_once('/').map_or("", |(folders, _)| folders));
        Some(Self {
            site,
            origin: match is_file {
                true => "file://".to_owned(),
                false => base.origin().ascii_serialization(),
            },
            folder,
            is_file,
        })
    }

    /// The address of a reference, as in [`Address::as_str`], written to `address`; none if it is not plain.
    pub(crate) fn resolve<'a>(&self, reference: &str, address: &'a mut String) -> Option<&'a str> {
        let reference = reference
            .strip_prefix(&*self.origin)
            .filter(|path| path.starts_with('/'))
            .unwrap_or(reference);
        if reference.is_empty() || reference.starts_with("//") || !is_plain(reference) {
            return None;
        }
        // A path of a file does not begin with two slashes.
        if self.is_file && reference.contains("//") {
            return None;
        }
        address.clear();
        let path = match reference.strip_prefix('/') {
            Some(path) => {
                address.push_str(&self.folder[..self.site]);
                path
            }
            None => {
                address.push_str(&self.folder);
                reference
            }
        };
        let has_steps = path.starts_with('.') || path.as_bytes().windows(2).any(|pair| pair == b"/.");
        if has_steps {
            self.add_steps(path, address);
        } else {
            address.push('/');
            address.push_str(path);
        }
        let plain = plain_path(&address[self.site..]).len();
        address.truncate(self.site + plain);
        Some(address)
    }

    /// Adds a path with steps up, or on the same level.
    fn add_steps(&self, path: &str, address: &mut String) {
        let mut last = "";
        for step in path.split('/') {
            last = step;
            match step {
                "." => {}
                ".." => {
                    let above = address[self.site..].rfind('/').unwrap_or_default();
                    address.truncate(self.site + above);
                }
                step => {
                    address.push('/');
                    address.push_str(step);
                }
            }
        }
        if matches!(last, "." | "..") {
            address.push('/');
        }
    }
}

/// Whether a reference consists of characters that stand for themselves in a path.
fn is_plain(reference: &str) -> bool {
    reference.bytes().all(|byte| PLAIN[usize::from(byte)])
}

/// The characters that stand for themselves in a path.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let signs = b"/.-_~+,()=&";
    let mut sign = 0;
    while sign < signs.len() {
        plain[signs[sign] as usize] = true;
        sign += 1;
    }
    plain
};

/// Host without `www.`, and port unless it is the default.
pub(super) fn site_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let mut key = without_www(host).to_ascii_lowercase();
    // A URL omits the default port of its scheme; that of the other scheme makes no difference either.
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        key.push(':');
        key.push_str(&port.to_string());
    }
    key
}

/// `www.example.org` is `example.org`, but `www.org` stays.
pub(super) fn without_www(host: &str) -> &str {
    match host.get(..4) {
        Some(start) if start.eq_ignore_ascii_case("www.") && host[4..].contains('.') => &host[4..],
        _ => host,
    }
}

/// Decodes what needs no percent-encoding; `reserved` characters keep theirs, since they would change the meaning.
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
    // Bytes that are not UTF-8 stay encoded.
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The path without the name of an index page and without the last slash.
fn plain_path(path: &str) -> &str {
    let folder = match path.bytes().rposition(|letter| letter == b'/') {
        Some(end) if is_index(&path[end + 1..]) => &path[..end],
        _ => path,
    };
    folder.strip_suffix('/').unwrap_or(folder)
}

/// Names of index pages.
fn is_index(name: &str) -> bool {
    if !name.starts_with(['i', 'I', 'd', 'D']) {
        return false;
    }
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
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn plain_references_lead_where_urls_do(
            base in "(https?://(www\\.)?example\\.org(:81)?|file://)(/[a-z.]{0,3}){0,3}",
            reference in "[/a-z.~_+,()=&-]{1,12}(index\\.html)?",
        ) {
            let base = Url::parse(&base).unwrap();
            let url = base.join(&reference);
            let references = PlainReferences::of(&base).unwrap();
            if let (Ok(url), Some(address)) = (url, references.resolve(&reference, &mut String::new())) {
                let expected = Address::of(&url);
                prop_assert_eq!(address, expected.as_str());
            }
        }
    }

    #[test]
    fn plain_references_are_found() {
        let base = Url::parse("https://www.example.org/a/b/page.html").unwrap();
        let references = PlainReferences::of(&base).unwrap();
        let mut room = String::new();
        for (reference, address) in [
            ("c.html", "example.org/a/b/c.html"),
            ("../c/", "example.org/a/c"),
            ("/", "example.org"),
            ("/index.html", "example.org"),
            ("./..", "example.org/a"),
            ("../../../../x", "example.org/x"),
            ("https://www.example.org/a", "example.org/a"),
        ] {
            assert_eq!(
                references.resolve(reference, &mut room),
                Some(address),
                "{reference}"
            );
        }
        for reference in [
            "",
            "//other.org/x",
            "https://www.example.org.uk/a",
            "x?y",
            "x#y",
            "mailto:a",
            "%41",
            "a b",
            "\\x",
        ] {
            assert_eq!(references.resolve(reference, &mut room), None, "{reference}");
        }
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
