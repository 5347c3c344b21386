//! From a record to what it says about an address: an answer, a repetition of an earlier one, a failure.

use std::time::SystemTime;

use husk::Url;

use super::chunked;
use super::date;
use super::fields;
use super::record::{Block, MOST_HEAD, Record};
use crate::capture::Capture;
use crate::content;

/// The field of a `metadata` record that says why there is no page.
pub(super) const FETCH_ERROR: &str = "fetchError";

/// The field that says a browser brought this.
pub(super) const RENDERED: &str = "Husk-Rendered";

/// The field with the status of what a `resource` was made from, if that was not 200.
pub(super) const STATUS: &str = "Husk-Status";

/// What the record of a listing is about, in place of a page.
pub(super) const LISTING: &str = "urn:husk:listing";

/// The field of that record that names a page.
pub(super) const LISTED_PAGE: &str = "page";

/// What a record says about an address.
#[derive(Debug)]
pub(super) enum Found {
    Answer(Capture),
    Revisit(Revisit),
    Failure(Failure),
    /// Which pages the source listed that all of this was loaded from.
    Listing(Vec<Url>),
}

/// An answer whose body was stored before.
#[derive(Debug, Clone)]
pub(super) struct Revisit {
    pub(super) url: Url,
    pub(super) date: SystemTime,
    /// Status and header fields, if they were stored.
    pub(super) head: Option<Head>,
    /// The id of the record with the body.
    pub(super) refers_to: Option<String>,
    /// The address of that record.
    pub(super) refers_to_url: Option<Url>,
    pub(super) refers_to_date: Option<SystemTime>,
    pub(super) digest: Option<String>,
}

/// What was written down when a page could not be loaded.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) url: Url,
    pub(super) cause: String,
}

/// Status and header fields of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
}

/// What kind of record is of use here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Response,
    Resource,
    Revisit,
    Metadata,
    Listing,
    /// A part of a record: these are not put together.
    Segment,
}

impl Kind {
    /// None for records that say nothing about a page, such as requests.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let kind = record.get("warc-type").unwrap_or_default().to_ascii_lowercase();
        let is_segment = record.get("warc-segment-number").is_some() || kind == "continuation";
        let kind = match kind.as_str() {
            "response" => Self::Response,
            "resource" => Self::Resource,
            "revisit" => Self::Revisit,
            "metadata" => Self::Metadata,
            "continuation" => Self::Segment,
            _ => return None,
        };
        let target = target(record).to_ascii_lowercase();
        let is_of_the_web = target.starts_with("http://") || target.starts_with("https://");
        match kind {
            Self::Metadata if target == LISTING => Some(Self::Listing),
            _ if !is_of_the_web => None,
            _ if is_segment => Some(Self::Segment),
            Self::Metadata if !is_fields(record) => None,
            kind => Some(kind),
        }
    }
}

fn is_fields(record: &Record) -> bool {
    let media_type = record.get("content-type").unwrap_or_default();
    media_type
        .to_ascii_lowercase()
        .starts_with("application/warc-fields")
}

/// Old versions of wget put the address in angle brackets.
fn target(record: &Record) -> &str {
    plain(record.get("warc-target-uri").unwrap_or_default())
}

fn plain(address: &str) -> &str {
    address
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(address)
}

/// The address of a record, without fragment.
pub(super) fn url_of(record: &Record) -> Result<Url, String> {
    let mut url = Url::parse(target(record))
        .map_err(|cause| format!("the address of this record is broken ({cause}): left out"))?;
    url.set_fragment(None);
    Ok(url)
}

/// The date of a record; the oldest, if it has none.
pub(super) fn date_of(record: &Record) -> SystemTime {
    date::from_text(record.get("warc-date").unwrap_or_default())
}

impl Found {
    /// What a record says; none if it is nothing about a page.
    pub(super) fn read(kind: Kind, record: &Record, block: Block) -> Result<Option<Self>, String> {
        let url = url_of(record)?;
        Ok(match kind {
            Kind::Response => Some(Self::Answer(response(url, record, block)?)),
            Kind::Resource => Some(Self::Answer(resource(url, record, block))),
            Kind::Revisit => Some(Self::Revisit(revisit(url, record, &block))),
            Kind::Metadata => failure(url, &block).map(Self::Failure),
            Kind::Listing => Some(Self::Listing(listing(&block))),
            Kind::Segment => None,
        })
    }
}

fn response(url: Url, record: &Record, block: Block) -> Result<Capture, String> {
    let is_whole = block.is_whole && record.get("warc-truncated").is_none();
    let mut body = block.bytes;
    let head = match Head::parse(&body) {
        Some((head, length)) => {
            body.drain(..length);
            head
        }
        // Somebody lost the head.
        None if content::begins_as_page(&body) => Head {
            status: 200,
            headers: Vec::new(),
        },
        None => return Err("there is no HTTP answer in this record: left out".to_owned()),
    };
    let codings = head
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("transfer-encoding"));
    let is_chunked = codings
        .into_iter()
        .any(|(_, value)| value.to_ascii_lowercase().contains("chunked"));
    let has_all_chunks = !is_chunked || chunked::undo(&mut body);
    Ok(Capture {
        url,
        status: head.status,
        headers: head.headers,
        body,
        is_whole: is_whole && has_all_chunks,
        date: date_of(record),
        ip: record.get("warc-ip-address").and_then(|ip| ip.parse().ok()),
        is_rendered: record.get(RENDERED).is_some(),
    })
}

fn resource(url: Url, record: &Record, block: Block) -> Capture {
    let media_type = record.get("content-type");
    Capture {
        url,
        status: record
            .get(STATUS)
            .and_then(|status| status.parse().ok())
            .unwrap_or(200),
        headers: media_type
            .map(|value| ("Content-Type".to_owned(), value.to_owned()))
            .into_iter()
            .collect(),
        body: block.bytes,
        is_whole: block.is_whole && record.get("warc-truncated").is_none(),
        date: date_of(record),
        ip: record.get("warc-ip-address").and_then(|ip| ip.parse().ok()),
        is_rendered: record.get(RENDERED).is_some(),
    }
}

fn revisit(url: Url, record: &Record, block: &Block) -> Revisit {
    let owned = |name| record.get(name).map(str::to_owned);
    Revisit {
        url,
        date: date_of(record),
        head: Head::parse(&block.bytes).map(|(head, _)| head),
        refers_to: owned("warc-refers-to"),
        refers_to_url: record
            .get("warc-refers-to-target-uri")
            .and_then(|address| Url::parse(plain(address)).ok()),
        refers_to_date: record.get("warc-refers-to-date").map(date::from_text),
        digest: owned("warc-payload-digest"),
    }
}

fn failure(url: Url, block: &Block) -> Option<Failure> {
    let cause = fields::lines(&block.bytes).find_map(|line| {
        let value = std::str::from_utf8(line).ok()?.strip_prefix(FETCH_ERROR)?;
        let value = value.strip_prefix(':')?;
        Some(value.strip_prefix(' ').unwrap_or(value))
    })?;
    Some(Failure {
        url,
        cause: unescaped(cause),
    })
}

fn listing(block: &Block) -> Vec<Url> {
    let fields = fields::parse(&block.bytes);
    let pages = fields.iter().filter(|(name, _)| name == LISTED_PAGE);
    pages.filter_map(|(_, page)| Url::parse(page).ok()).collect()
}

/// A message in one line.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (letter, false) => out.push(letter),
        }
    }
    out
}

impl Head {
    /// The head that an answer begins with, and its length; none if there is no status.
    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let start = &bytes[..bytes.len().min(MOST_HEAD)];
        let first = fields::lines(start).next()?;
        // Bytes, for what stands behind the status may be in any encoding.
        let mut words = first[..first.len().min(20)]
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let protocol = words.next()?.to_ascii_uppercase();
        let is_answer = protocol.starts_with(b"HTTP") || protocol.starts_with(b"ICY");
        let digits = std::str::from_utf8(words.next()?).ok()?;
        let status = digits.parse().ok().filter(|_| is_answer)?;
        // An answer may be nothing but its head, even without the line behind.
        let end = match fields::empty_line(start) {
            Some(line) => line,
            None if bytes.len() <= MOST_HEAD => bytes.len()..bytes.len(),
            None => return None,
        };
        let headers = fields::parse(bytes.get(first.len()..end.start).unwrap_or_default());
        Some((Self { status, headers }, end.end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::unpack::Position;
    use super::*;

    #[test]
    fn what_stands_behind_a_status_may_be_anything() {
        for line in [
            &b"HTTP/1.1 404 Refus\xE9"[..],
            "HTTP/1.1 404 aaaaaaé".as_bytes(),
            b"HTTP/1.1 404",
        ] {
            let (head, _) = Head::parse(&[line, b"\r\nA: b\r\n\r\n"].concat()).unwrap();
            assert_eq!((head.status, head.headers.len()), (404, 1));
        }
    }

    fn found(kind: &str, fields: &[(&str, &str)], block: &[u8]) -> Result<Option<Found>, String> {
        let mut all = vec![
            ("WARC-Type", kind),
            ("WARC-Target-URI", "https://example.org/a#b"),
        ];
        all.extend(fields);
        let record = Record {
            fields: all
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            position: Position::default(),
        };
        let block = Block {
            bytes: block.to_vec(),
            is_whole: true,
        };
        Kind::of(&record).map_or(Ok(None), |kind| Found::read(kind, &record, block))
    }

    fn answer(fields: &[(&str, &str)], block: &[u8]) -> Capture {
        match found("response", fields, block) {
            Ok(Some(Found::Answer(capture))) => capture,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reads_an_answer() {
        let fields = [
            ("WARC-Date", "2026-11-16T06:14:30Z"),
            ("WARC-IP-Address", "192.0.2.1"),
        ];
        let block = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nX: y\r\n\r\n<p>\r\n\r\nNo";
        let capture = answer(&fields, block);
        assert_eq!(capture.url.as_str(), "https://example.org/a");
        assert_eq!((capture.status, capture.header("x")), (404, Some("y")));
        assert_eq!(capture.body, b"<p>\r\n\r\nNo");
        assert!(capture.is_whole);
        assert_eq!(date::to_text(capture.date), "2026-11-16T06:14:30Z");
        assert_eq!(capture.ip, Some("192.0.2.1".parse().unwrap()));
        let cut = answer(&[("WARC-Truncated", "length")], block);
        assert!(!cut.is_whole);
        let chunked = b"HTTP/1.1 200 OK\nTransfer-Encoding: Chunked\n\n3\r\n<p>\r\n2\r\nHi\r\n0\r\n\r\n";
        assert_eq!(answer(&[], chunked).body, b"<p>Hi");
    }

    #[test]
    fn broken_answers_are_read_as_far_as_can_be() {
        for (block, status, body) in [
            (&b"HTTP/1.1 200\r\n\r\nx"[..], 200, &b"x"[..]),
            (b"HTTP/2 204 \n\nx", 204, b"x"),
            (b"http/1.0 301 Moved\r\nLocation: /b", 301, b""),
            (b"ICY 200 OK\r\nbroken\r\n\xFF\xFE: x\r\n\r\nx", 200, b"x"),
            (b"\r\n<!doctype html><p>x", 200, b"\r\n<!doctype html><p>x"),
        ] {
            let capture = answer(&[], block);
            assert_eq!(
                (capture.status, &capture.body[..]),
                (status, body),
                "{}",
                block.escape_ascii()
            );
        }
        for block in [
            &b""[..],
            b"HTTP/1.1",
            b"HTTP/1.1 OK",
            b"GET / HTTP/1.1\r\n\r\n",
            b"\xFF\xFF",
        ] {
            let error = found("response", &[], block).unwrap_err();
            assert!(error.contains("no HTTP answer"), "{error}");
        }
    }

    #[test]
    fn other_records_say_nothing() {
        for kind in ["request", "warcinfo", "conversion", "", "dns"] {
            assert!(found(kind, &[], b"x").unwrap().is_none(), "{kind}");
        }
        assert!(
            found(
                "metadata",
                &[("Content-Type", "application/warc-fields")],
                b"via: x"
            )
            .unwrap()
            .is_none()
        );
        assert!(
            found("response", &[("WARC-Segment-Number", "1")], b"x")
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn messages_come_back_word_by_word() {
        for text in [
            "cannot load x: no",
            "a\nb\r\n c\\n\\",
            " blanks ",
            "",
            "ä: \u{2028}\t",
            "\\",
        ] {
            let block = format!("via: x\r\n{FETCH_ERROR}: {}\r\n", escaped(text));
            let found = found(
                "metadata",
                &[("Content-Type", "application/warc-fields")],
                block.as_bytes(),
            );
            match found {
                Ok(Some(Found::Failure(failure))) => assert_eq!(failure.cause, text),
                other => panic!("{other:?}"),
            }
        }
    }
}
