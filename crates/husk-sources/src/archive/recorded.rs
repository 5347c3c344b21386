//! What a record says about a URL: a response, a repetition of an earlier response, a failure.

use std::time::SystemTime;

use husk::Url;
use husk_warc::{Block, HttpHead, Record, RecordType};

use crate::capture::Capture;
use crate::mime_type;

/// The media type of blocks that consist of fields.
pub(super) const FIELDS_TYPE: &str = "application/warc-fields";

/// The field of a `metadata` record that says why a page could not be loaded.
pub(super) const FETCH_ERROR: &str = "fetchError";

/// The field that marks pages rendered by a browser.
pub(super) const RENDERED: &str = "Husk-Rendered";

/// The field with the HTTP status of a rendered page, if it is not 200.
pub(super) const STATUS: &str = "Husk-Status";

/// The target URI of the record that lists pages.
pub(super) const PAGE_LIST: &str = "urn:husk:listing";

/// The field of that record with the URL of a page.
pub(super) const LISTED_PAGE: &str = "page";

/// The content of a record.
#[derive(Debug)]
pub(super) enum RecordContent {
    Response(Capture),
    Revisit(Revisit),
    Failure(Failure),
    /// The pages that the original source listed.
    PageList(Vec<Url>),
}

/// A response whose body is stored in an earlier record.
#[derive(Debug, Clone)]
pub(super) struct Revisit {
    pub(super) url: Url,
    pub(super) date: SystemTime,
    pub(super) head: Option<HttpHead>,
    /// The id of the record with the body.
    pub(super) refers_to: Option<String>,
    pub(super) refers_to_url: Option<Url>,
    pub(super) refers_to_date: Option<SystemTime>,
    pub(super) digest: Option<String>,
}

/// Why a page could not be loaded.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) url: Url,
    pub(super) cause: String,
}

/// The records that say something about pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageRecord {
    Response,
    Resource,
    Revisit,
    Metadata,
    PageList,
    /// A part of a record. These are not joined.
    Segment,
}

impl PageRecord {
    /// `None` for records that say nothing about a page, such as requests.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let kind = match record.record_type()? {
            RecordType::Response => Self::Response,
            RecordType::Resource => Self::Resource,
            RecordType::Revisit => Self::Revisit,
            RecordType::Metadata => Self::Metadata,
            RecordType::Continuation => Self::Segment,
            _ => return None,
        };
        let is_segment = record.get("warc-segment-number").is_some() || kind == Self::Segment;
        let target = record.target_uri().to_ascii_lowercase();
        let is_http = target.starts_with("http://") || target.starts_with("https://");
        match kind {
            Self::Metadata if target == PAGE_LIST => Some(Self::PageList),
            _ if !is_http => None,
            _ if is_segment => Some(Self::Segment),
            Self::Metadata if !has_fields(record) => None,
            kind => Some(kind),
        }
    }
}

fn has_fields(record: &Record) -> bool {
    let media_type = record.get("content-type").unwrap_or_default();
    media_type.to_ascii_lowercase().starts_with(FIELDS_TYPE)
}

/// The URL of a record, without fragment.
pub(super) fn url_of(record: &Record) -> Result<Url, String> {
    record
        .url()
        .map_err(|cause| format!("the URL of this record is invalid ({cause}): skipped"))
}

/// Whether a media type is that of a page. `None` if it says too little.
pub(super) fn is_html(media_type: &str) -> Option<bool> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "text/html" | "application/xhtml+xml" => Some(true),
        "" | "-" | "unk" | "application/octet-stream" | "text/plain" | "text/xml" | "application/xml" => None,
        _ => Some(false),
    }
}

impl RecordContent {
    /// Reads the content of a record. `None` if it says nothing about a page.
    pub(super) fn read(kind: PageRecord, record: &Record, block: Block) -> Result<Option<Self>, String> {
        let url = url_of(record)?;
        Ok(match kind {
            PageRecord::Response => Some(Self::Response(response(url, record, block)?)),
            PageRecord::Resource => Some(Self::Response(resource(url, record, block))),
            PageRecord::Revisit => Some(Self::Revisit(revisit(url, record, &block))),
            PageRecord::Metadata => failure(url, &block).map(Self::Failure),
            PageRecord::PageList => Some(Self::PageList(page_list(&block))),
            PageRecord::Segment => None,
        })
    }
}

fn response(url: Url, record: &Record, block: Block) -> Result<Capture, String> {
    let is_complete = block.is_complete && record.get("warc-truncated").is_none();
    let mut body = block.bytes;
    let head = match HttpHead::parse(&body) {
        Some((head, length)) => {
            body.drain(..length);
            head
        }
        // Some archives lack the HTTP header.
        None if mime_type::begins_as_page(&body) => HttpHead {
            status: 200,
            headers: Vec::new(),
        },
        None => return Err("this record has no HTTP response: skipped".to_owned()),
    };
    let has_all_chunks = head.join_chunks(&mut body);
    Ok(Capture {
        url,
        status: head.status,
        headers: head.headers,
        body,
        is_whole: is_complete && has_all_chunks,
        date: record.date(),
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
        is_whole: block.is_complete && record.get("warc-truncated").is_none(),
        date: record.date(),
        ip: record.get("warc-ip-address").and_then(|ip| ip.parse().ok()),
        is_rendered: record.get(RENDERED).is_some(),
    }
}

fn revisit(url: Url, record: &Record, block: &Block) -> Revisit {
    let owned = |name| record.get(name).map(str::to_owned);
    Revisit {
        url,
        date: record.date(),
        head: HttpHead::parse(&block.bytes).map(|(head, _)| head),
        refers_to: owned("warc-refers-to"),
        refers_to_url: record.refers_to_url(),
        refers_to_date: record.refers_to_date(),
        digest: owned("warc-payload-digest"),
    }
}

fn failure(url: Url, block: &Block) -> Option<Failure> {
    let cause = values(&block.bytes, FETCH_ERROR).next().map(unescape)?;
    Some(Failure { url, cause })
}

fn page_list(block: &Block) -> Vec<Url> {
    values(&block.bytes, LISTED_PAGE)
        .filter_map(|page| Url::parse(page).ok())
        .collect()
}

/// The values of the fields called `name`. Unlike those of a header they may start or end with white space.
fn values<'a>(block: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = block.split(|&byte| byte == b'\n');
    lines.filter_map(move |line| {
        let line = std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)).ok()?;
        let value = line.strip_prefix(name)?.strip_prefix(':')?;
        Some(value.strip_prefix(' ').unwrap_or(value))
    })
}

/// Writes a message in one line.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn unescape(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use husk_warc::Position;

    use super::*;

    fn read(kind: &str, fields: &[(&str, &str)], block: &[u8]) -> Result<Option<RecordContent>, String> {
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
            is_complete: true,
        };
        PageRecord::of(&record).map_or(Ok(None), |kind| RecordContent::read(kind, &record, block))
    }

    fn response(fields: &[(&str, &str)], block: &[u8]) -> Capture {
        match read("response", fields, block) {
            Ok(Some(RecordContent::Response(capture))) => capture,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reads_a_response() {
        let fields = [
            ("WARC-Date", "2026-11-16T06:14:30Z"),
            ("WARC-IP-Address", "192.0.2.1"),
        ];
        let block = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nX: y\r\n\r\n<p>\r\n\r\nNo";
        let capture = response(&fields, block);
        assert_eq!(capture.url.as_str(), "https://example.org/a");
        assert_eq!((capture.status, capture.header("x")), (404, Some("y")));
        assert_eq!(capture.body, b"<p>\r\n\r\nNo");
        assert!(capture.is_whole);
        assert_eq!(
            capture.date,
            SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_794_809_670)
        );
        assert_eq!(capture.ip, Some("192.0.2.1".parse().unwrap()));
        let cut = response(&[("WARC-Truncated", "length")], block);
        assert!(!cut.is_whole);
        let chunked = b"HTTP/1.1 200 OK\nTransfer-Encoding: Chunked\n\n3\r\n<p>\r\n2\r\nHi\r\n0\r\n\r\n";
        assert_eq!(response(&[], chunked).body, b"<p>Hi");
    }

    #[test]
    fn a_page_without_http_header_is_a_response() {
        let page = b"\r\n<!doctype html><p>x";
        let capture = response(&[], page);
        assert_eq!((capture.status, &capture.body[..]), (200, &page[..]));
        for block in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", b"\xFF\xFF"] {
            let error = read("response", &[], block).unwrap_err();
            assert!(error.contains("no HTTP response"), "{error}");
        }
    }

    #[test]
    fn other_records_are_ignored() {
        for kind in ["request", "warcinfo", "conversion", "", "dns"] {
            assert!(read(kind, &[], b"x").unwrap().is_none(), "{kind}");
        }
        assert!(
            read(
                "metadata",
                &[("Content-Type", "application/warc-fields")],
                b"via: x"
            )
            .unwrap()
            .is_none()
        );
        assert!(
            read("response", &[("WARC-Segment-Number", "1")], b"x")
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn failure_messages_round_trip() {
        for text in [
            "cannot load x: no",
            "a\nb\r\n c\\n\\",
            " blanks ",
            "",
            "ä: \u{2028}\t",
            "\\",
        ] {
            let block = format!("via: x\r\n{FETCH_ERROR}: {}\r\n", escape(text));
            let content = read(
                "metadata",
                &[("Content-Type", "application/warc-fields")],
                block.as_bytes(),
            );
            match content {
                Ok(Some(RecordContent::Failure(failure))) => assert_eq!(failure.cause, text),
                other => panic!("{other:?}"),
            }
        }
    }
}
