//! Decodes bytes as browsers do: byte order mark, HTTP charset, `<meta>` prescan, detection.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How many bytes are searched for a declaration.
///
/// The standard requires at least 1024; saved pages often have long comments before the declaration.
const PRESCAN_BYTES: usize = 4096;

/// The text of a page, and how its encoding was determined.
#[derive(Debug, Clone)]
pub struct Decoded<'a> {
    /// The text without byte order mark. Malformed sequences are U+FFFD.
    pub text: Cow<'a, str>,
    /// The standard name of the encoding, such as `windows-1252`.
    pub encoding: &'static str,
    /// Where the encoding comes from.
    pub source: EncodingSource,
    /// Whether some bytes are invalid in this encoding.
    pub malformed: bool,
}

/// Where the encoding of a page comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// A byte order mark at the start of the page.
    ByteOrderMark,
    /// The charset given by the caller, such as that of the HTTP header.
    Transport,
    /// A declaration in the page.
    Declaration,
    /// Guessed from the bytes.
    Guess,
}

/// Decodes a page. `charset` is that of the HTTP header, if it has one.
pub fn decode<'a>(bytes: &'a [u8], charset: Option<&str>) -> Decoded<'a> {
    let (encoding, source) = find_encoding(bytes, charset);
    let (text, encoding, malformed) = encoding.decode(bytes);
    Decoded {
        text,
        encoding: encoding.name(),
        source,
        malformed,
    }
}

/// The standard name of the encoding that the HTTP header or the page itself declares, for callers with a decoder of their
/// own.
pub fn declared_encoding(bytes: &[u8], charset: Option<&str>) -> Option<&'static str> {
    find_declared(bytes, charset).map(|(encoding, _)| encoding.name())
}

fn find_encoding(bytes: &[u8], charset: Option<&str>) -> (&'static Encoding, EncodingSource) {
    find_declared(bytes, charset).unwrap_or_else(|| (guess(bytes), EncodingSource::Guess))
}

fn find_declared(bytes: &[u8], charset: Option<&str>) -> Option<(&'static Encoding, EncodingSource)> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Some((encoding, EncodingSource::ByteOrderMark));
    }
    // "replacement" would turn the whole page into one U+FFFD.
    let label = |label: &[u8]| Encoding::for_label(label).filter(|&found| found != REPLACEMENT);
    if let Some(encoding) = charset.and_then(|charset| label(charset.as_bytes())) {
        return Some((encoding, EncodingSource::Transport));
    }
    let encoding = declared(&bytes[..bytes.len().min(PRESCAN_BYTES)])?;
    Some((encoding, EncodingSource::Declaration))
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The encoding that the start of a page declares: the standard's "prescan a byte stream".
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = xml_declaration(head) {
        return Some(encoding);
    }
    let mut scan = Prescan { bytes: head, at: 0 };
    while scan.at < head.len() {
        let rest = scan.rest();
        if rest.starts_with(b"<!--") {
            // The dashes of `<!-->` open and close the comment.
            scan.at += 2;
            scan.skip_past(b"-->");
        } else if starts_with_tag(rest, b"<meta") {
            scan.at += b"<meta".len();
            if let Some(encoding) = meta_encoding(&mut scan) {
                return Some(encoding);
            }
        } else if is_tag_open(rest) {
            scan.skip_tag_name();
            while scan.attribute().is_some() {}
        } else if rest.starts_with(b"<!") || rest.starts_with(b"</") || rest.starts_with(b"<?") {
            scan.skip_past(b">");
        } else {
            scan.at += 1;
        }
    }
    None
}

fn starts_with_tag(rest: &[u8], tag: &[u8]) -> bool {
    rest.len() > tag.len()
        && rest[..tag.len()].eq_ignore_ascii_case(tag)
        && (is_space(rest[tag.len()]) || rest[tag.len()] == b'/')
}

fn is_tag_open(rest: &[u8]) -> bool {
    match rest {
        [b'<', b'/', letter, ..] | [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// The encoding in `<?xml version="1.0" encoding="…"?>`, which counts in HTML too.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let body = head.strip_prefix(b"<?xml")?;
    let body = &body[..body.iter().position(|&byte| byte == b'>')?];
    let at = find(body, b"encoding")? + b"encoding".len();
    let value = skip_spaces(&body[at..]).strip_prefix(b"=")?;
    let (&quote, value) = skip_spaces(value).split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let end = value.iter().position(|&byte| byte == quote)?;
    as_declared(&value[..end])
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle))
}

fn skip_spaces(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|&byte| !is_space(byte))
        .unwrap_or(bytes.len());
    &bytes[start..]
}

/// A page whose declaration can be read as ASCII is not in UTF-16, whatever it declares.
fn as_declared(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        Some(UTF_8)
    } else if encoding == X_USER_DEFINED {
        Some(WINDOWS_1252)
    } else if encoding == REPLACEMENT {
        None
    } else {
        Some(encoding)
    }
}

/// Reads the attributes of a `<meta>` tag and returns the encoding that it declares.
fn meta_encoding(scan: &mut Prescan<'_>) -> Option<&'static Encoding> {
    let mut is_content_type = false;
    let mut in_content = None;
    let mut in_charset = None;
    while let Some((name, value)) = scan.attribute() {
        if name.eq_ignore_ascii_case(b"http-equiv") {
            is_content_type |= value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") {
            in_content = in_content.or_else(|| charset_in(value));
        } else if name.eq_ignore_ascii_case(b"charset") {
            in_charset = in_charset.or(Some(value));
        }
    }
    let label = in_charset.or(in_content.filter(|_| is_content_type))?;
    as_declared(label)
}

/// The label in `text/html; charset=…`.
fn charset_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        rest = &rest[find(rest, b"charset")? + b"charset".len()..];
        let Some(value) = skip_spaces(rest).strip_prefix(b"=") else {
            continue;
        };
        let value = skip_spaces(value);
        let (&first, quoted) = value.split_first()?;
        return if first == b'"' || first == b'\'' {
            Some(&quoted[..quoted.iter().position(|&byte| byte == first)?])
        } else {
            let end = value.iter().position(|&byte| is_space(byte) || byte == b';');
            Some(&value[..end.unwrap_or(value.len())])
        };
    }
}

/// A position in the first bytes of a page.
struct Prescan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Prescan<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn skip_past(&mut self, mark: &[u8]) {
        self.at = find(self.rest(), mark).map_or(self.bytes.len(), |found| self.at + found + mark.len());
    }

    fn skip_tag_name(&mut self) {
        self.take_while(|byte| !is_space(byte) && byte != b'>');
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The next attribute of the current tag. `None` after its end.
    fn attribute(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.take_while(|byte| is_space(byte) || byte == b'/');
        if self.rest().first().is_none_or(|&byte| byte == b'>') {
            self.at = (self.at + 1).min(self.bytes.len());
            return None;
        }
        let start = self.at;
        // A name may start with `=`.
        self.at += 1;
        self.take_while(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let name = &self.bytes[start..self.at];
        self.take_while(is_space);
        if self.rest().first() != Some(&b'=') {
            return Some((name, b""));
        }
        self.at += 1;
        self.take_while(is_space);
        Some((name, self.value()))
    }

    fn value(&mut self) -> &'a [u8] {
        match self.rest().first() {
            Some(&quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.take_while(|byte| byte != quote);
                self.at = (self.at + 1).min(self.bytes.len());
                value
            }
            _ => self.take_while(|byte| !is_space(byte) && byte != b'>'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], charset: Option<&str>, encoding: &str, source: EncodingSource) {
        let decoded = decode(bytes, charset);
        assert_eq!(
            (decoded.encoding, decoded.source),
            (encoding, source),
            "{}",
            bytes.escape_ascii()
        );
    }

    #[test]
    fn byte_order_mark_wins_over_all() {
        check(
            b"\xEF\xBB\xBF<meta charset=latin1>",
            Some("koi8-r"),
            "UTF-8",
            EncodingSource::ByteOrderMark,
        );
        check(b"\xFF\xFEa\0", None, "UTF-16LE", EncodingSource::ByteOrderMark);
        assert_eq!(decode(b"\xEF\xBB\xBFabc", None).text, "abc");
    }

    #[test]
    fn transport_wins_over_declaration() {
        check(
            b"<meta charset=utf-8>",
            Some("koi8-r"),
            "KOI8-R",
            EncodingSource::Transport,
        );
        check(
            b"<meta charset=utf-8>",
            Some("nonsense"),
            "UTF-8",
            EncodingSource::Declaration,
        );
    }

    #[test]
    fn declarations_are_found() {
        use EncodingSource::{Declaration, Guess};
        check(b"<meta charset='iso-8859-1'>", None, "windows-1252", Declaration);
        check(b"<META CHARSET = gb2312 >", None, "GBK", Declaration);
        check(
            b"<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>",
            None,
            "Shift_JIS",
            Declaration,
        );
        check(
            b"<meta content='a; charset x charset=big5' http-equiv=content-type>",
            None,
            "Big5",
            Declaration,
        );
        check(b"<meta content='text/html; charset=big5'>", None, "UTF-8", Guess);
        check(
            b"<meta name=x content='charset=big5'><meta charset=euc-kr>",
            None,
            "EUC-KR",
            Declaration,
        );
        check(b"<!-- <meta charset=big5> --><p>x", None, "UTF-8", Guess);
        check(b"<!--><meta charset=big5>", None, "Big5", Declaration);
        check(b"<p title='<meta charset=big5>'>", None, "UTF-8", Guess);
        check(
            b"<?xml version='1.0' encoding='koi8-r'?><html>",
            None,
            "KOI8-R",
            Declaration,
        );
        check(b"<meta charset=utf-16>", None, "UTF-8", Declaration);
        check(
            b"<meta charset=x-user-defined>",
            None,
            "windows-1252",
            Declaration,
        );
        check(b"<meta charset=iso-2022-kr>ok", None, "UTF-8", Guess);
    }

    #[test]
    fn guesses_without_declaration() {
        check(
            "Übergrößenträger".as_bytes(),
            None,
            "UTF-8",
            EncodingSource::Guess,
        );
        let (russian, _, _) = encoding_rs::WINDOWS_1251.encode("Привет, мир. Это обычный русский текст.");
        check(&russian, None, "windows-1251", EncodingSource::Guess);
    }

    #[test]
    fn broken_declarations_end() {
        for broken in [
            "<meta",
            "<meta ",
            "<meta charset",
            "<meta charset=",
            "<meta charset='",
            "<!--",
            "<a b='",
            "<",
        ] {
            check(broken.as_bytes(), None, "UTF-8", EncodingSource::Guess);
        }
    }
}
