//! Lists of a site's pages: sitemaps (<https://www.sitemaps.org/protocol.html>), feeds, one URL per line.

mod xml;

mod listing;

mod file;

mod with_list;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read;

use flate2::bufread::MultiGzDecoder;
use husk::Url;

pub use file::read_sitemap;
pub use listing::Listing;
pub use with_list::WithList;

/// The protocol's limit for one sitemap; also used for several together.
pub(crate) const MAX_URLS: usize = 50_000;

/// The limit for a decompressed sitemap; the protocol allows 50 MB.
const MAX_BYTES: u64 = 64 << 20;

/// A file that grows by more when it is decompressed is no sitemap; URLs that only differ in a number grow by 30.
const MAX_RATIO: u64 = 100;

/// A decompressed file may have so many bytes in any case.
const LEAST_BYTES: u64 = 1 << 20;

/// What a sitemap lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sitemap {
    /// Pages, each once, in order.
    pub(crate) pages: Vec<Url>,
    /// Further sitemaps.
    pub(crate) sitemaps: Vec<Url>,
}

/// Reads a sitemap, a feed or a list of URLs, compressed or not; `base` is its own URL.
///
/// A truncated or damaged file is read up to there. Only http: and https: URLs count.
pub(crate) fn parse(bytes: &[u8], base: &Url) -> Sitemap {
    let unpacked = unpacked(bytes);
    let bytes = unpacked.as_deref().unwrap_or(bytes);
    let text = text(bytes);
    let mut found = SitemapBuilder::new(base);
    if text.trim_start().starts_with('<') {
        xml::read(&text, &mut found);
    } else {
        // Not joined to the base: a word is not a URL.
        let addresses = text.lines().filter_map(|line| Url::parse(line.trim()).ok());
        for url in addresses.take(MAX_URLS) {
            found.add(ListedAs::Page, url);
        }
    }
    found.sitemap
}

/// Sitemaps are in UTF-8; in feeds of other encodings, the URLs are ASCII nevertheless.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    let units = |of: fn([u8; 2]) -> u16| {
        bytes
            .chunks_exact(2)
            .map(move |pair| of([pair[0], pair[1]]))
            .skip(1)
    };
    match bytes {
        [0xFF, 0xFE, ..] => from_utf_16(units(u16::from_le_bytes)).into(),
        [0xFE, 0xFF, ..] => from_utf_16(units(u16::from_be_bytes)).into(),
        [0xEF, 0xBB, 0xBF, bytes @ ..] => String::from_utf8_lossy(bytes),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn from_utf_16(units: impl Iterator<Item = u16>) -> String {
    let letters = char::decode_utf16(units);
    letters
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Decompresses gzip, up to where it breaks off.
fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(b"\x1F\x8B") {
        return None;
    }
    let mut out = Vec::new();
    let most = MAX_BYTES.min(bytes.len() as u64 * MAX_RATIO + LEAST_BYTES);
    // What precedes an error is used.
    let _ = MultiGzDecoder::new(bytes).take(most).read_to_end(&mut out);
    Some(out)
}

fn is_web_url(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListedAs {
    Page,
    Sitemap,
}

/// The contents of a sitemap that is being read.
struct SitemapBuilder<'a> {
    base: &'a Url,
    sitemap: Sitemap,
    seen: BTreeSet<Url>,
}

impl<'a> SitemapBuilder<'a> {
    fn new(base: &'a Url) -> Self {
        Self {
            base,
            sitemap: Sitemap::default(),
            seen: BTreeSet::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.seen.len() >= MAX_URLS
    }

    fn add_text(&mut self, kind: ListedAs, text: &str) {
        if let Ok(url) = self.base.join(text.trim()) {
            self.add(kind, url);
        }
    }

    fn add(&mut self, kind: ListedAs, mut url: Url) {
        url.set_fragment(None);
        if !is_web_url(&url) || self.is_full() || !self.seen.insert(url.clone()) {
            return;
        }
        match kind {
            ListedAs::Page => self.sitemap.pages.push(url),
            ListedAs::Sitemap => self.sitemap.sitemaps.push(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn parsed(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
        let base = Url::parse("https://example.org/maps/sitemap.xml").unwrap();
        let found = parse(bytes, &base);
        let texts = |urls: Vec<Url>| {
            urls.iter()
                .map(|url| url.as_str().replace("https://example.org", ""))
                .collect()
        };
        (texts(found.pages), texts(found.sitemaps))
    }

    fn check(text: &str, pages: &[&str]) {
        assert_eq!(parsed(text.as_bytes()).0, pages, "{text}");
    }

    #[test]
    fn sitemaps() {
        check(
            "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>\n https://example.org/a?b=1&amp;c=2 </loc>\
             <lastmod>2026-01-01</lastmod><image:image><image:loc>https://example.org/a.png</image:loc></image:image></url>\
             <url><loc><![CDATA[https://example.org/b?x&y]]></loc></url><url><loc>/caf&#233;</loc></url>\
             <url><loc>https://example.org/a?b=1&#38;c=2#top</loc></url><url/><url><loc/></url></urlset>",
            &["/a?b=1&c=2", "/b?x&y", "/caf%C3%A9"],
        );
        check(
            "<s:urlset xmlns:s='x'><s:url><s:loc>https://example.org/a</s:loc></s:url></s:urlset>",
            &["/a"],
        );
    }

    #[test]
    fn lists_of_sitemaps() {
        let index = "<sitemapindex><sitemap><loc>https://example.org/1.xml.gz</loc></sitemap>\
            <sitemap><loc>2.xml</loc></sitemap></sitemapindex>";
        let expect = vec!["/1.xml.gz".to_owned(), "/maps/2.xml".to_owned()];
        assert_eq!(parsed(index.as_bytes()), (Vec::new(), expect));
    }

    #[test]
    fn feeds() {
        check(
            "<rss version='2.0'><channel><link>https://example.org/</link><item><title>A</title>\
             <link>https://example.org/a</link></item><item><link> /b </link></item></channel></rss>",
            &["/a", "/b"],
        );
        check(
            "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://example.org/'/><entry>\
             <link rel='self' href='/self'/><link href='/a?x=1&amp;y=2'/></entry>\
             <entry><link rel=\"alternate\" href=\"https://example.org/b\"></link></entry></feed>",
            &["/a?x=1&y=2", "/b"],
        );
    }

    #[test]
    fn one_address_a_line() {
        check(
            "https://example.org/a\r\n\r\n  https://example.org/b  \nnot an address\nfile:///etc/passwd\nhttps://example.org/a#x",
            &["/a", "/b"],
        );
    }

    #[test]
    fn broken_ones_up_to_the_break() {
        let front = "<urlset><url><loc>https://example.org/a</loc></url>";
        check(front, &["/a"]);
        check(&format!("{front}<url><loc>https://example.org/half"), &["/a"]);
        check(&format!("{front}</oops><url><loc>/b</loc></url>"), &["/a", "/b"]);
        check(&format!("{front}<url><loc>/x?a&b</loc></url>"), &["/a", "/x?a&b"]);
        check(&format!("{front}<<<"), &["/a"]);
        check("<!DOCTYPE html><html><p>Not found", &[]);
        check("", &[]);
    }

    #[test]
    fn no_entity_is_followed() {
        check(
            "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y 'https://example.org/y'>]>\
             <urlset><url><loc>https://example.org/&x;</loc></url><url><loc>&y;</loc></url><url><loc>https://example.org/a</loc></url></urlset>",
            &["/a"],
        );
    }

    #[test]
    fn only_addresses_of_the_web() {
        check(
            "<urlset><url><loc>file:///etc/passwd</loc></url><url><loc>javascript:x</loc></url><url><loc>ftp://example.org/</loc></url></urlset>",
            &[],
        );
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn packed_ones() {
        let packed = gzip(b"<urlset><url><loc>https://example.org/a</loc></url></urlset>");
        assert_eq!(parsed(&packed).0, ["/a"]);
        assert_eq!(parsed(&packed[..packed.len() - 8]).0, ["/a"], "without its end");
        assert_eq!(parsed(b"\x1F\x8Bjunk").0.len(), 0);
        let bomb = gzip(&vec![b' '; 100 << 20]);
        let most = MAX_BYTES.min(LEAST_BYTES + MAX_RATIO * bomb.len() as u64);
        assert_eq!(unpacked(&bomb).unwrap().len() as u64, most);
    }

    #[test]
    fn utf_16() {
        let text = "\u{feff}<urlset><url><loc>https://example.org/a</loc></url></urlset>";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parsed(&bytes).0, ["/a"]);
    }

    #[test]
    fn long_ones_are_cut() {
        let mut text = "<urlset>".to_owned();
        for number in 0..MAX_URLS + 10 {
            text.push_str(&format!("<url><loc>https://example.org/{number}</loc></url>"));
        }
        assert_eq!(parsed(text.as_bytes()).0.len(), MAX_URLS);
        let deep = "<url>".repeat(1_000_000);
        assert_eq!(parsed(deep.as_bytes()).0.len(), 0);
    }

    #[test]
    fn any_beginning_of_a_sitemap_is_one() {
        let text = "<?xml version='1.0'?><urlset><url><loc>https://example.org/a?b&amp;c</loc></url><!-- x --><url><loc>\
            <![CDATA[/b]]></loc></url></urlset>";
        for end in 0..text.len() {
            assert!(parsed(&text.as_bytes()[..end]).0.len() <= 2);
        }
    }
}
