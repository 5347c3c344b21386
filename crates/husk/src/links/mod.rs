//! The links of a page to other pages of its site, each page once.
//!
//! A [`Page`] in, [`Link`]s in document order out.

mod address;

mod same_site;

use husk_dom::{Dom, NodeId, name};
use indexmap::IndexMap;
use url::Url;

pub use address::Address;
pub(crate) use address::PlainReferences;
use address::{site_key, without_www};
pub use same_site::SameSite;

use crate::page::Page;

/// A link of a page to another page of its site.
#[derive(Debug, Clone)]
pub struct Link {
    /// The target without fragment.
    pub url: Url,
    /// The normalised target.
    pub address: Address,
    /// The first element with this target.
    pub node: NodeId,
}

/// The links of a page to other pages of its site, in document order, each page once.
///
/// The paper's `getLinks`: without links to the page itself, to other sites and to what is not a page (`mailto:`,
/// downloads).
pub fn links(page: &Page, same_site: SameSite) -> Vec<Link> {
    let found = LinkPlaces::of(page, same_site);
    let link = |&(ref address, node): &(Address, NodeId)| {
        Some(Link {
            url: found.url(&page.dom, node)?,
            address: address.clone(),
            node,
        })
    };
    found.links.iter().filter_map(link).collect()
}

/// The links of a page with all elements that have them.
#[derive(Debug)]
pub(crate) struct LinkPlaces {
    base: Url,
    /// The linked pages of the site, each once, with the first element that links there.
    pub(crate) links: Vec<(Address, NodeId)>,
    /// The elements that link to another page of the site, in document order, with the index of the link.
    pub(crate) places: Vec<(NodeId, usize)>,
    /// The elements that link to the page itself, without a fragment, in document order.
    pub(crate) own: Vec<NodeId>,
}

impl LinkPlaces {
    pub(crate) fn of(page: &Page, same_site: SameSite) -> Self {
        let base = base_url(page);
        let plain = PlainReferences::of(&base).filter(|_| same_site.holds(&page.url, &base));
        let mut room = String::new();
        let own_site = (same_site == SameSite::Host).then(|| site_key(&page.url));
        let own_address = Address::of(&page.url);
        let mut seen: IndexMap<Address, NodeId> = IndexMap::new();
        let (mut places, mut own) = (Vec::new(), Vec::new());
        for node in page.dom.nodes().filter(|&node| is_link(&page.dom, node)) {
            let Some(href) = href(&page.dom, node) else {
                continue;
            };
            let (reference, place) = href
                .split_once('#')
                .map_or((href, None), |(reference, place)| (reference, Some(place)));
            let known = plain
                .as_ref()
                .and_then(|plain| plain.resolve(reference, &mut room));
            let address = match known {
                Some(address) if is_file(&page.dom, node, address) || !page.dom.is_in_page(node) => continue,
                Some(address) => match seen.get_index_of(address) {
                    Some(number) => {
                        places.push((node, number));
                        continue;
                    }
                    None => Address::from_text(address),
                },
                None if own_site
                    .as_deref()
                    .is_some_and(|site| names_other_host(reference, site)) =>
                {
                    continue;
                }
                None => match address_of_other(page, node, &base, same_site) {
                    Some(address) => address,
                    None => continue,
                },
            };
            if address == own_address {
                if place.is_none() {
                    own.push(node);
                }
                continue;
            }
            if seen.len() >= MAX_LINKS && !seen.contains_key(&address) {
                continue;
            }
            let entry = seen.entry(address);
            places.push((node, entry.index()));
            entry.or_insert(node);
        }
        Self {
            base,
            links: seen.into_iter().collect(),
            places,
            own,
        }
    }

    /// The target of an element, without fragment.
    pub(crate) fn url(&self, dom: &Dom, node: NodeId) -> Option<Url> {
        target(dom, node, &self.base)
    }
}

/// The address of a link that is not plain, if it is a page of the site.
fn address_of_other(page: &Page, node: NodeId, base: &Url, same_site: SameSite) -> Option<Address> {
    let url = target(&page.dom, node, base)?;
    let is_page = same_site.holds(&page.url, &url) && !is_file(&page.dom, node, url.path());
    is_page.then(|| Address::of(&url))
}

/// Whether a page is another one with a query: to print, sort or answer it.
pub(crate) fn is_view(of: &Url, url: &Url) -> bool {
    of.query().is_none() && url.query().is_some() && of.path() == url.path()
}

/// Most links of a page to read: no menu has more.
const MAX_LINKS: usize = 10_000;

/// Longer URLs are skipped: resolving each link against a base of a megabyte would cost more than the page is worth.
pub(crate) const MAX_ADDRESS: usize = 8 * 1024;

/// The base is part of every resolved link, so its length is limited as well.
const MAX_BASE: usize = 512;

/// Deepest base path.
const MAX_BASE_STEPS: usize = 64;

/// The URL that relative links of a page are resolved against: its own, or that of the first `<base href>`.
pub fn base_url(page: &Page) -> Url {
    let dom = &page.dom;
    let declared = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("base")) && dom.is_in_page(node))
        .find_map(|node| dom.attribute(node, &name!("href")))
        .filter(|href| href.len() <= MAX_BASE);
    declared
        .and_then(|href| page.url.join(href.trim()).ok())
        // A URL that nothing can be relative to, such as `javascript:`, is ignored.
        .filter(|base| !base.cannot_be_a_base() && base.path().split('/').count() <= MAX_BASE_STEPS)
        .unwrap_or_else(|| page.url.clone())
}

fn is_link(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("a")) || dom.is_element(node, &name!("area"))
}

/// The target of a link as written.
fn href(dom: &Dom, node: NodeId) -> Option<&str> {
    dom.attribute(node, &name!("href"))
        .filter(|href| href.len() <= MAX_ADDRESS)
        .map(str::trim)
}

/// The target of an element, if it is a link to a page.
fn target(dom: &Dom, node: NodeId, base: &Url) -> Option<Url> {
    let href = href(dom, node).filter(|href| !is_of_no_page(href))?;
    let mut url = base.join(href).ok()?;
    if !matches!(url.scheme(), "http" | "https" | "file") || !dom.is_in_page(node) {
        return None;
    }
    url.set_fragment(None);
    Some(url)
}

/// Whether a reference plainly has another host, so that it need not be resolved.
fn names_other_host(reference: &str, site: &str) -> bool {
    let behind = |scheme| reference.strip_prefix(scheme);
    let Some(rest) = behind("https://").or_else(|| behind("http://")) else {
        return false;
    };
    let end = rest.bytes().position(|letter| matches!(letter, b'/' | b'?'));
    let host = &rest[..end.unwrap_or(rest.len())];
    let is_plain = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
    // The parts of an IP address may be written in several ways.
    let last = host.rsplit('.').next().unwrap_or(host);
    let is_name = last.starts_with(|letter: char| letter.is_ascii_lowercase());
    is_name && host.bytes().all(is_plain) && without_www(host) != site
}

/// Whether a reference has one of the common schemes that no page has, so that it need not be resolved.
fn is_of_no_page(reference: &str) -> bool {
    ["javascript:", "mailto:", "tel:"]
        .iter()
        .any(|scheme| reference.starts_with(scheme))
}

/// Whether a link leads to something that is not a page.
fn is_file(dom: &Dom, node: NodeId, path: &str) -> bool {
    dom.attribute(node, &name!("download")).is_some() || names_a_file(path)
}

/// Whether the last segment of a path has the extension of something that is not a page.
fn names_a_file(path: &str) -> bool {
    let end = path.bytes().rposition(|letter| matches!(letter, b'/' | b'.'));
    let Some(extension) = end.and_then(|end| path[end..].strip_prefix('.')) else {
        return false;
    };
    // Most links need no further look.
    if extension.len() > LONGEST_EXTENSION || extension.eq_ignore_ascii_case("html") {
        return false;
    }
    let extension = extension.to_ascii_lowercase();
    NO_PAGES.binary_search(&extension.as_str()).is_ok()
}

/// The length of the longest of them.
const LONGEST_EXTENSION: usize = "torrent".len();

/// Extensions of files that are not HTML, sorted.
const NO_PAGES: [&str; 115] = [
    "7z", "aac", "ai", "aiff", "apk", "asc", "atom", "avi", "avif", "azw3", "bin", "bmp", "bz2", "cab",
    "cer", "class", "crt", "crx", "css", "csv", "deb", "djvu", "dll", "dmg", "doc", "docm", "docx", "dot",
    "dvi", "eot", "eps", "epub", "exe", "flac", "flv", "gif", "gpg", "gz", "hqx", "ical", "ico", "ics",
    "img", "iso", "jar", "jpeg", "jpg", "js", "json", "jsonld", "key", "kml", "kmz", "log", "lz", "m3u",
    "m4a", "m4v", "md5", "mid", "mjs", "mkv", "mobi", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "odp",
    "ods", "odt", "oga", "ogg", "ogv", "otf", "pdf", "pkg", "png", "pps", "ppsx", "ppt", "pptx", "ps", "psd",
    "rar", "rdf", "rpm", "rss", "rtf", "sig", "svg", "swf", "tar", "tex", "tgz", "tif", "tiff", "torrent",
    "ttf", "txt", "wav", "webm", "webp", "whl", "wma", "wmv", "woff", "woff2", "xls", "xlsx", "xml", "xz",
    "zip", "zst",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &[&str]) {
        let page = Page::parse(Url::parse("https://example.org/docs/page.html").unwrap(), html);
        let found: Vec<_> = links(&page, SameSite::Host)
            .iter()
            .map(|link| link.url.to_string())
            .collect();
        assert_eq!(found, expect, "{html}");
    }

    #[test]
    fn other_hosts_are_known_by_their_names() {
        let check = |reference: &str, expect: bool| {
            assert_eq!(names_other_host(reference, "example.org"), expect, "{reference}");
            let url = Url::parse("https://example.org/a").unwrap().join(reference);
            let is_own = url.is_ok_and(|url| site_key(&url) == "example.org");
            assert!(!(expect && is_own), "{reference}");
        };
        check("https://www.example.org/b", false);
        check("http://example.org", false);
        check("https://example.com?b", true);
        check("https://shop.example.org/b", true);
        for unknown in [
            "https://EXAMPLE.org/",
            "https://example.com:443/",
            "https://me@example.com/",
            "https://127.0.0.0x1/",
            "/b",
            "//example.com/",
        ] {
            check(unknown, false);
        }
    }

    #[test]
    fn relative_forms() {
        check("<a href=other.html>", &["https://example.org/docs/other.html"]);
        check("<a href=../up>", &["https://example.org/up"]);
        check("<a href=/root>", &["https://example.org/root"]);
        check("<a href=//example.org/x>", &["https://example.org/x"]);
        check("<a href='?q=1'>", &["https://example.org/docs/page.html?q=1"]);
        check(
            "<a href=' spaced.html\n'>",
            &["https://example.org/docs/spaced.html"],
        );
        check(
            "<map><area href=map.html></map>",
            &["https://example.org/docs/map.html"],
        );
    }

    #[test]
    fn base_href_counts_once_and_first() {
        check(
            "<base href=/other/><base href=/third/><a href=x>",
            &["https://example.org/other/x"],
        );
        check(
            "<base><base href=/second/><a href=x>",
            &["https://example.org/second/x"],
        );
        check(
            "<template><base href=/hidden/></template><a href=x>",
            &["https://example.org/docs/x"],
        );
        check(
            "<base href='javascript:go()'><a href=x>",
            &["https://example.org/docs/x"],
        );
        check(
            "<base href='http://['><a href=x>",
            &["https://example.org/docs/x"],
        );
    }

    #[test]
    fn each_page_once() {
        check(
            "<a href=a.html#one><a href=a.html><a href=A.html><a href=HTTPS://EXAMPLE.ORG:443/docs/a.html>",
            &[
                "https://example.org/docs/a.html",
                "https://example.org/docs/A.html",
            ],
        );
        check(
            "<a href=/x/><a href=/x><a href=/x/index.html>",
            &["https://example.org/x/"],
        );
    }

    #[test]
    fn not_to_itself_nor_elsewhere() {
        check(
            "<a href=#top><a href=''><a href=page.html><a href=http://www.example.org/docs/page.html>",
            &[],
        );
        check(
            "<a href=https://example.com/><a href=https://sub.example.org/><a href=https://example.org:8080/>",
            &[],
        );
        check(
            "<a href=mailto:a@example.org><a href=javascript:go()><a href=tel:1><a href=data:,x><a>",
            &[],
        );
        check(
            "<a href=file.PDF><a href=x.tar.gz><a href=page2 download><a href='http://['>",
            &[],
        );
        check("<template><a href=hidden.html></a></template>", &[]);
    }

    #[test]
    fn extensions_are_sorted() {
        assert!(NO_PAGES.is_sorted());
    }
}
