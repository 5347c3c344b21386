//! The parts of a MIME message, as far as saved pages need them (RFC 2045 and 2046).
//!
//! Mail libraries decode text before its encoding can be determined, or drop bytes that should have been encoded. Here a
//! part is bytes until its encoding is known, and a truncated message is used up to its end.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The most header fields of a part.
const MAX_FIELDS: usize = 256;

/// The most parts of a message.
const MAX_PARTS: usize = 10_000;

/// How deep parts are nested.
const MAX_PART_DEPTH: usize = 8;

/// A message, or a part of one.
#[derive(Debug)]
pub(super) struct Part<'a> {
    fields: Vec<(String, String)>,
    body: &'a [u8],
    /// Whether its end is known.
    pub(super) is_whole: bool,
}

impl<'a> Part<'a> {
    /// The length before decoding.
    pub(super) fn raw_len(&self) -> usize {
        self.body.len()
    }

    /// Parses header fields, an empty line, and the rest.
    pub(super) fn parse(bytes: &'a [u8]) -> Self {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (line, behind) = next_line(rest);
            rest = behind;
            let text = String::from_utf8_lossy(line);
            if text.trim().is_empty() {
                break;
            }
            let is_further = text.starts_with([' ', '\t']);
            if let Some((_, value)) = fields.last_mut().filter(|_| is_further) {
                value.push(' ');
                value.push_str(text.trim());
            } else if let Some((name, value)) = text.split_once(':').filter(|_| fields.len() < MAX_FIELDS) {
                fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Self {
            fields,
            body: rest,
            is_whole: true,
        }
    }

    /// The first field of a name, which is in lower case.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(field, _)| field == name);
        found.next().map(|(_, value)| &**value)
    }

    /// Type and subtype in lower case, such as `text/html`.
    pub(super) fn media_type(&self) -> String {
        let value = self.field("content-type").unwrap_or_default();
        value
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    }

    /// A parameter of the media type, such as `charset`.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        parameter(self.field("content-type")?, name)
    }

    /// A URL in a field. Long ones are written on several lines.
    pub(super) fn address(&self, name: &str) -> Option<String> {
        let value = self.field(name)?;
        let value: String = value.split_ascii_whitespace().collect();
        (!value.is_empty()).then_some(value)
    }

    /// The name by which other parts refer to it.
    pub(super) fn id(&self) -> Option<String> {
        let id = self.address("content-id")?;
        Some(id.trim_matches(['<', '>']).to_owned())
    }

    /// The content without transfer encoding.
    pub(super) fn content(&self) -> Cow<'a, [u8]> {
        let packing = self.field("content-transfer-encoding").unwrap_or_default();
        match packing.to_ascii_lowercase().as_str() {
            "base64" => Cow::Owned(from_base64(self.body)),
            "quoted-printable" => Cow::Owned(from_quoted_printable(self.body)),
            _ => Cow::Borrowed(self.body),
        }
    }

    /// The part itself, or all parts in it that contain no others.
    pub(super) fn leaves(self) -> Vec<Part<'a>> {
        let mut leaves = Vec::new();
        // The next one last.
        let mut parts = vec![(self, 0)];
        while let Some((part, depth)) = parts.pop() {
            let boundary = part
                .parameter("boundary")
                .filter(|_| part.media_type().starts_with("multipart/") && depth < MAX_PART_DEPTH);
            match boundary {
                Some(boundary) => {
                    // Only the last delimiter ends the message.
                    let is_bounded = depth > 0 && part.is_whole;
                    let inner = split(part.body, &boundary, is_bounded);
                    parts.extend(inner.into_iter().rev().map(|part| (part, depth + 1)));
                }
                None => leaves.push(part),
            }
            if leaves.len() >= MAX_PARTS {
                break;
            }
        }
        leaves
    }
}

/// A line without its end, and the rest.
fn next_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (line, behind) = match end {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), behind)
}

/// The value of a parameter, as in `a/b; name="value"`.
fn parameter(field: &str, name: &str) -> Option<String> {
    let mut rest = field.split_once(';')?.1;
    while !rest.is_empty() {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let (value, next) = match behind.strip_prefix('"') {
            Some(quoted) => from_quotes(quoted),
            None => {
                let (value, next) = behind.split_once(';').unwrap_or((behind, ""));
                (value.trim().to_owned(), next)
            }
        };
        if key.trim_matches([' ', '\t', ';']).eq_ignore_ascii_case(name) {
            return Some(value).filter(|value| !value.is_empty());
        }
        rest = next;
    }
    None
}

/// A text up to its closing quote, and the rest.
fn from_quotes(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => value.push(letter),
        }
    }
    (value, "")
}

/// The parts between lines that begin with two hyphens and the boundary.
fn split<'a>(body: &'a [u8], boundary: &str, is_bounded: bool) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut start = None;
    let mut at = 0;
    while at < body.len() && parts.len() < MAX_PARTS {
        let (line, behind) = next_line(&body[at..]);
        let next = body.len() - behind.len();
        if let Some(mark) = delimiter(line, boundary) {
            if let Some(start) = start {
                parts.push(Part::parse(without_line_end(&body[start..at])));
            }
            if mark == Delimiter::Last {
                return parts;
            }
            start = Some(next);
        }
        at = next;
    }
    if let Some(start) = start {
        parts.push(Part {
            is_whole: is_bounded,
            ..Part::parse(&body[start..])
        });
    }
    parts
}

#[derive(Debug, PartialEq, Eq)]
enum Delimiter {
    Next,
    Last,
}

fn delimiter(line: &[u8], boundary: &str) -> Option<Delimiter> {
    let behind = line.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?;
    match behind.trim_ascii_end() {
        b"" => Some(Delimiter::Next),
        b"--" => Some(Delimiter::Last),
        _ => None,
    }
}

/// The end of the last line belongs to the delimiter after it.
fn without_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Decodes base64, up to where it breaks off.
fn from_base64(body: &[u8]) -> Vec<u8> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, config);
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut letters: Vec<u8> = body
        .iter()
        .take_while(|&&byte| byte != b'=')
        .filter(is_letter)
        .copied()
        .collect();
    if letters.len() % 4 == 1 {
        letters.pop();
    }
    engine.decode(letters).unwrap_or_default()
}

/// Decodes quoted-printable. Invalid sequences are kept.
fn from_quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while !rest.is_empty() {
        let (line, behind) = next_line(rest);
        let end = &rest[line.len()..rest.len() - behind.len()];
        // Spaces at the end of a line were added in transport.
        let line = line.trim_ascii_end();
        let (text, goes_on) = match line.strip_suffix(b"=") {
            Some(text) => (text, true),
            None => (line, false),
        };
        push_unquoted(text, &mut out);
        if !goes_on {
            out.extend(end);
        }
        rest = behind;
    }
    out
}

fn push_unquoted(mut text: &[u8], out: &mut Vec<u8>) {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    while let Some(at) = text.iter().position(|&byte| byte == b'=') {
        out.extend(&text[..at]);
        let digits = text.get(at + 1..at + 3);
        match digits.and_then(|pair| Some((digit(pair[0])?, digit(pair[1])?))) {
            Some((high, low)) => {
                out.push(high << 4 | low);
                text = &text[at + 3..];
            }
            None => {
                out.push(b'=');
                text = &text[at + 1..];
            }
        }
    }
    out.extend(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_folded_and_of_any_case() {
        let part = Part::parse(
            b"CONTENT-type: Text/HTML;\r\n\tcharset=\"utf-8\"\r\nContent-Location: http://a/\r\n b\r\n\r\nx",
        );
        assert_eq!(part.media_type(), "text/html");
        assert_eq!(part.parameter("charset").as_deref(), Some("utf-8"));
        assert_eq!(part.address("content-location").as_deref(), Some("http://a/b"));
        assert_eq!(&*part.content(), b"x");
        assert_eq!(part.field("subject"), None);
    }

    #[test]
    fn parameters() {
        let check =
            |field, expect: Option<&str>| assert_eq!(parameter(field, "b").as_deref(), expect, "{field}");
        check("x/y; b=1", Some("1"));
        check("x/y; a=\"c;b=2\"; B = \"1\\\"\"", Some("1\""));
        check("x/y;a=0;b=1;c=2", Some("1"));
        check("x/y; b=", None);
        check("x/y; b=\"1", Some("1"));
        check("x/y; ;;", None);
        check("b=1", None);
    }

    /// The texts of the leaves of a message.
    fn leaves(message: &str) -> Vec<(String, bool)> {
        let parts = Part::parse(message.as_bytes()).leaves();
        let text = |part: &Part| String::from_utf8(part.content().into_owned()).unwrap();
        parts.iter().map(|part| (text(part), part.is_whole)).collect()
    }

    #[test]
    fn parts_lie_between_delimiters() {
        let message = "Content-Type: multipart/related; boundary=x\r\n\r\nto be ignored\r\n--x\r\n\r\none\r\n--xy\r\n\
            --x \r\n\r\ntwo\r\n\r\n--x--\r\n--x\r\n\r\nthree";
        let expect = [("one\r\n--xy".to_owned(), true), ("two\r\n".to_owned(), true)];
        assert_eq!(leaves(message), expect);
    }

    #[test]
    fn parts_in_parts() {
        let inner = "Content-Type: multipart/alternative; boundary=y\n\n--y\n\none\n--y\n\ntwo\n";
        let message =
            format!("Content-Type: multipart/related; boundary=x\n\n--x\n{inner}\n--x\n\nthree\n--x--");
        let found = leaves(&message);
        let expect = ["one", "two\n", "three"].map(|text| (text.to_owned(), true));
        assert_eq!(found, expect);
    }

    #[test]
    fn what_breaks_off_is_what_came_before() {
        let message = "Content-Type: multipart/related; boundary=x\n\n--x\n\none\n--x\n\ntw";
        assert_eq!(
            leaves(message),
            [("one".to_owned(), true), ("tw".to_owned(), false)]
        );
    }

    #[test]
    fn parts_without_end_are_an_end() {
        let mut message = String::new();
        for _ in 0..100 {
            message.push_str("Content-Type: multipart/mixed; boundary=x\n\n--x\n");
        }
        assert_eq!(leaves(&message).len(), 1);
        let many = format!(
            "Content-Type: multipart/mixed; boundary=x\n\n{}",
            "--x\n\n".repeat(50_000)
        );
        assert!(leaves(&many).len() <= MAX_PARTS);
    }

    #[test]
    fn base64_as_it_is_found() {
        let check = |packed: &str, expect: &str| {
            assert_eq!(from_base64(packed.as_bytes()), expect.as_bytes(), "{packed}");
        };
        check("aGVs\r\nbG8=\r\n", "hello");
        check("aGVsbG8", "hello");
        check("aGVsbG8=\n--junk", "hello");
        check("aGVsb", "hel");
        check("a", "");
        check("", "");
    }

    #[test]
    fn quoted_printable_as_it_is_found() {
        let check = |packed: &[u8], expect: &[u8]| {
            assert_eq!(from_quoted_printable(packed), expect, "{}", packed.escape_ascii());
        };
        check(b"a=3Db =C3=a9", "a=b é".as_bytes());
        check(b"one=\r\ntwo\r\nthree", b"onetwo\r\nthree");
        check(b"one=  \ntwo  \nthree", b"onetwo\nthree");
        check(b"a=b =4", b"a=b =4");
        check(b"caf\xE9", b"caf\xE9");
        check(b"end=", b"end");
    }
}
