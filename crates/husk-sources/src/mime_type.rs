//! Guesses from its bytes whether a file is a page.
//!
//! A short version of what browsers do (<https://mimesniff.spec.whatwg.org/>). In doubt it is a page: pages are saved under
//! any name, and the parser accepts everything.

/// How many bytes at the beginning of a file are examined.
pub(crate) const HEAD: usize = 1024;

/// What the bytes are, if they are certainly not a page; `extension` is that of the file, in lower case.
pub(crate) fn other_than_page(bytes: &[u8], extension: Option<&str>) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(HEAD)];
    if let Some(kind) = binary_kind(head) {
        return Some(kind);
    }
    let head = text_head(head);
    match first_tag(&head).as_deref() {
        Some(tag) if FEED_TAGS.contains(&tag) => Some("a feed"),
        Some("svg") => Some("an SVG image"),
        Some("urlset" | "sitemapindex") => Some("a sitemap"),
        Some(tag) if HTML_TAGS.contains(&tag) => None,
        None if begins_as_json(&head) => Some("JSON data"),
        _ => extension.and_then(text_kind),
    }
}

/// Whether a text begins with a JSON object, or a list of objects: servers send JSON under any type. A page that begins
/// with a bracket doesn't go on with a quoted name and a colon.
fn begins_as_json(head: &str) -> bool {
    let head = head.trim_start();
    let object = head.strip_prefix('[').map_or(head, str::trim_start);
    let name = object.strip_prefix('{').map(str::trim_start);
    let Some(rest) = name.and_then(|name| name.strip_prefix('"')) else {
        return false;
    };
    let behind = rest.split_once('"').map(|(_, behind)| behind.trim_start());
    behind.is_some_and(|behind| behind.starts_with(':'))
}

/// Whether only a page begins like this.
pub(crate) fn begins_as_page(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    binary_kind(head).is_none()
        && first_tag(&text_head(head)).is_some_and(|tag| HTML_TAGS.contains(&tag.as_str()))
}

/// Whether the bytes end like a complete page. A little may follow the end tag, such as a comment of the server.
pub(crate) fn ends_as_page(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(HEAD)..];
    let tail = String::from_utf8_lossy(tail).to_ascii_lowercase();
    tail.contains("</html") || tail.contains("</body")
}

/// Beginnings of files that are no text.
const MAGIC: [(&[u8], &str); 20] = [
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"RIFF", "an image, sound or film"),
    (b"\0\0\x01\0", "an icon"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1F\x8B", "gzip data (unpack it first)"),
    (b"BZh", "bzip2 data"),
    (b"\xFD7zXZ\0", "xz data"),
    (b"\x28\xB5\x2F\xFD", "zstd data"),
    (b"7z\xBC\xAF", "a 7z archive"),
    (b"Rar!\x1A", "a RAR archive"),
    (b"\x7FELF", "a program"),
    (b"OggS", "sound or film"),
    (b"ID3", "sound"),
    (b"fLaC", "sound"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\xD0\xCF\x11\xE0", "an office document"),
];

/// What kind of binary data this is, if it is binary.
fn binary_kind(head: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(kind);
    }
    if head.get(4..8) == Some(b"ftyp") {
        return Some("an image or film");
    }
    // UTF-16 is full of such bytes too, but a page in it has tags.
    let is_utf16 = has_utf16_mark(head) || head.windows(2).any(|pair| pair == b"<\0" || pair == b"\0<");
    let has_nul = head.contains(&0) && !head.contains(&b'<');
    (!is_utf16 && (has_nul || has_controls(head))).then_some("binary data")
}

/// Whether more than one byte in 64 is a control character that no text has in any encoding.
fn has_controls(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 0x01..=0x08 | 0x0B | 0x10..=0x1A | 0x1C..=0x1F);
    64 * head.iter().filter(is_control).count() > head.len().max(64)
}

fn has_utf16_mark(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF")
}

/// The beginning as ASCII, whatever its encoding: without byte order mark and NUL bytes.
fn text_head(head: &[u8]) -> String {
    let bytes = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let ascii = bytes.iter().filter(|&&byte| byte != 0 && byte.is_ascii());
    ascii.map(|&byte| char::from(byte)).collect()
}

/// The first tag of a document in lower case, behind white space, comments and what introduces XML; for a
/// doctype the name that it declares.
fn first_tag(head: &str) -> Option<String> {
    let mut rest = head.trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            ">"
        } else {
            break;
        };
        let Some((_, behind)) = rest.split_once(end) else {
            break;
        };
        rest = behind.trim_start();
    }
    let tag = rest.strip_prefix('<')?;
    let mut words = tag.split(|letter: char| letter.is_ascii_whitespace() || letter == '>' || letter == '/');
    let first = words.next()?.to_ascii_lowercase();
    if first == "!doctype" {
        Some(words.find(|word| !word.is_empty())?.to_ascii_lowercase())
    } else {
        Some(first)
    }
}

const FEED_TAGS: [&str; 3] = ["rss", "feed", "rdf:rdf"];

/// Tags that begin pages: those of the standard, and the common ones of pages that leave out `<html>`.
const HTML_TAGS: [&str; 30] = [
    "html", "head", "body", "title", "meta", "link", "base", "script", "style", "noscript", "iframe",
    "frameset", "div", "p", "h1", "h2", "table", "font", "a", "b", "br", "center", "nav", "header", "main",
    "article", "section", "ul", "img", "span",
];

/// What a text file is by its extension, unless it is a page after all.
fn text_kind(extension: &str) -> Option<&'static str> {
    match extension {
        "css" => Some("a style sheet"),
        "js" | "mjs" => Some("a script"),
        "json" | "jsonld" | "webmanifest" | "map" => Some("JSON data"),
        "csv" | "tsv" => Some("a table of data"),
        "txt" | "md" | "log" => Some("plain text"),
        "xml" | "rss" | "atom" | "xsl" => Some("XML data"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], extension: Option<&str>, expect: Option<&str>) {
        assert_eq!(
            other_than_page(bytes, extension),
            expect,
            "{}",
            bytes.escape_ascii()
        );
    }

    #[test]
    fn json_is_no_page_whatever_it_is_called() {
        check(
            b"{\"version\": \"1.0\", \"html\": \"<p>\"}",
            None,
            Some("JSON data"),
        );
        check(
            b"\xEF\xBB\xBF [\n { \"a\" : 1 } ]",
            Some("html"),
            Some("JSON data"),
        );
        check(b"{ \"Stay\" }, she said, and <b>left</b>", None, None);
        check(b"{{ title }} <p>a template", None, None);
        check(b"[1] a note", None, None);
    }

    #[test]
    fn binary_data_is_no_page() {
        check(b"%PDF-1.7\n", None, Some("a PDF document"));
        check(b"\x89PNG\r\n\x1a\n\0\0", Some("html"), Some("a PNG image"));
        check(b"GIF89a", None, Some("a GIF image"));
        check(b"\xFF\xD8\xFF\xE0", None, Some("a JPEG image"));
        check(b"PK\x03\x04", None, Some("a ZIP archive"));
        check(b"\x1f\x8b\x08", Some("html"), Some("gzip data (unpack it first)"));
        check(b"\0\0\0\x20ftypavif", None, Some("an image or film"));
        check(b"\x01\x02\0\x03", None, Some("binary data"));
        let any: Vec<u8> = (0..1024u64)
            .map(|at| ((at * at * 2_654_435) >> 7) as u8)
            .collect();
        check(&any, Some("html"), Some("binary data"));
        check(b"One stray \x03 in a page", Some("html"), None);
        check(b"\x1b$B4A;z\x1b(B in ISO-2022-JP", Some("html"), None);
        let utf16: Vec<u8> = "<p>\u{410}\u{411}\u{412}"
            .repeat(40)
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&utf16, Some("html"), None);
    }

    #[test]
    fn other_text_is_no_page() {
        check(
            b"<?xml version='1.0'?>\n<!-- x -->\n<rss version='2.0'>",
            Some("html"),
            Some("a feed"),
        );
        check(
            b"<feed xmlns='http://www.w3.org/2005/Atom'>",
            None,
            Some("a feed"),
        );
        check(
            b"<svg xmlns='http://www.w3.org/2000/svg'>",
            None,
            Some("an SVG image"),
        );
        check(
            b"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'><svg>",
            None,
            Some("an SVG image"),
        );
        check(b"<?xml version='1.0'?><urlset>", Some("xml"), Some("a sitemap"));
        check(b"body { color: red }", Some("css"), Some("a style sheet"));
        check(b"User-agent: *", Some("txt"), Some("plain text"));
    }

    #[test]
    fn in_doubt_it_is_a_page() {
        check(b"", None, None);
        check(b"Just some words", None, None);
        check(b"words \0 and <b>tags", Some("html"), None);
        check(b"\xFF\xFE<\0p\0>\0", None, None);
        check("\u{feff}<!DOCTYPE html>".as_bytes(), Some("txt"), None);
        check(
            b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html>",
            Some("xml"),
            None,
        );
        check(b"<my-app></my-app>", Some("html"), None);
        check(b"<", None, None);
        check(b"<!-- never closed", None, None);
    }

    #[test]
    fn whole_pages_end_as_pages() {
        assert!(ends_as_page(b"<p>x</BODY></HTML>\n<!-- 12 ms -->"));
        assert!(!ends_as_page(b"<p>x"));
        assert!(!ends_as_page(b""));
    }

    #[test]
    fn only_pages_begin_as_pages() {
        assert!(begins_as_page(b"\n <!-- saved --><!DocType HTML>"));
        assert!(begins_as_page(b"<P>old"));
        assert!(begins_as_page(b"\xFE\xFF\0<\0p\0>"));
        assert!(!begins_as_page(b"Just some words"));
        assert!(!begins_as_page(b"<config>"));
        assert!(!begins_as_page(b"GIF89a<html>"));
    }
}
