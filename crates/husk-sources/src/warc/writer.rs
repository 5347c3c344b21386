//! Writes archives. The same captures give the same bytes.

use std::io::{self, Write};
use std::time::SystemTime;

use data_encoding::{BASE32, HEXLOWER};
use flate2::write::GzEncoder;
use husk::Url;
use sha1::{Digest, Sha1};

use super::beside::is_html;
use super::cdxj::{self, Line};
use super::date;
use super::found::{FETCH_ERROR, LISTED_PAGE, LISTING, RENDERED, STATUS, escaped};
use crate::capture::Capture;
use crate::content;
use crate::zstandard;

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Each record as a gzip member: `.warc.gz`, which everything reads.
    #[default]
    Gzip,
    /// Each record as a Zstandard frame: `.warc.zst`, smaller and faster. Takes the feature `zstd`.
    Zstd,
    /// Not at all: `.warc`.
    None,
}

/// What was made of an answer, such as its text.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// The address of the page that it was made of.
    pub url: &'a Url,
    /// When that was answered; a record has to have a date, so it is that of the epoch where nobody knows.
    pub date: Option<SystemTime>,
    /// The id of the record that it was made of, if that is known, as `<urn:uuid:…>`.
    pub refers_to: Option<&'a str>,
    /// The type of what was made, such as `text/plain; charset=utf-8`.
    pub media_type: &'a str,
    /// Its language, if that is known.
    pub language: Option<&'a str>,
    /// Further fields of the record.
    pub fields: &'a [(&'a str, &'a str)],
    /// What was made.
    pub bytes: &'a [u8],
}

/// Writes a WARC file, record by record.
///
/// Dates are those of the captures and ids come from what a record says, so packing twice gives the same file.
///
/// ```
/// use husk_sources::{ArchiveWriter, Capture, Compression};
/// # let capture = Capture {
/// #     url: husk::Url::parse("https://example.org/")?,
/// #     status: 200,
/// #     headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
/// #     body: b"<p>Hello".to_vec(),
/// #     is_whole: true,
/// #     date: std::time::SystemTime::UNIX_EPOCH,
/// #     ip: None,
/// #     is_rendered: false,
/// # };
/// let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
/// writer.info(&[("software", "husk")]);
/// writer.write(&capture)?;
/// let index = writer.index("site.warc.gz");
/// let file = writer.finish()?;
/// # assert!(file.len() > 100 && index.starts_with("org,example)/ 19700101000000 {"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    out: W,
    compression: Compression,
    /// How many bytes were written.
    offset: u64,
    /// How many records were written.
    records: u64,
    /// What is said about the whole; it is written with the date of the first capture.
    info: Option<String>,
    lines: Vec<Line>,
    /// The date of the last capture, which that of a failure is taken from.
    date: SystemTime,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub fn new(out: W, compression: Compression) -> Self {
        Self {
            out,
            compression,
            offset: 0,
            records: 0,
            info: None,
            lines: Vec::new(),
            date: SystemTime::UNIX_EPOCH,
        }
    }

    /// Says something about the whole archive, such as `software` or `description`, before anything else.
    pub fn info(&mut self, fields: &[(&str, &str)]) {
        let lines = fields
            .iter()
            .map(|(name, value)| format!("{name}: {}\r\n", one_line(value)));
        self.info = Some(lines.collect());
    }

    /// Writes an answer, or what a browser made of it.
    pub fn write(&mut self, capture: &Capture) -> io::Result<()> {
        self.date = capture.date;
        self.write_info()?;
        // A `resource` has no header fields, and a redirect is nothing without them.
        let is_resource = capture.is_rendered && !capture.is_redirect();
        let payload = &capture.body;
        let head = if is_resource {
            Vec::new()
        } else {
            http_head(capture)
        };
        let digest = digest(&[payload]);
        let media_type = capture.header("content-type").unwrap_or_default();
        let mut fields = vec![("WARC-Payload-Digest", digest.clone())];
        if capture.is_rendered {
            fields.push((RENDERED, "true".to_owned()));
            if is_resource && capture.status != 200 {
                fields.push((STATUS, capture.status.to_string()));
            }
        }
        if !capture.is_whole {
            fields.push(("WARC-Truncated", "unspecified".to_owned()));
        }
        if let Some(ip) = capture.ip {
            fields.push(("WARC-IP-Address", ip.to_string()));
        }
        let (kind, block_type) = match is_resource {
            true if media_type.is_empty() => ("resource", "text/html"),
            true => ("resource", media_type),
            false => ("response", "application/http; msgtype=response"),
        };
        fields.push(("Content-Type", one_line(block_type)));
        let (offset, length) = self.record(kind, Some(&capture.url), fields, &[&head, payload])?;
        self.lines.push(Line {
            url: capture.url.clone(),
            date: capture.date,
            status: Some(capture.status),
            media_type: listed_type(media_type, &capture.body),
            digest: Some(digest),
            offset,
            length,
            file: None,
        });
        Ok(())
    }

    /// Writes what was made of an answer, as a `conversion` record. These stand in no index: nobody loads them as pages.
    pub fn conversion(&mut self, conversion: &Conversion<'_>) -> io::Result<()> {
        self.date = conversion.date.unwrap_or(SystemTime::UNIX_EPOCH);
        self.write_info()?;
        let mut fields = Vec::new();
        if let Some(id) = conversion.refers_to {
            fields.push(("WARC-Refers-To", one_line(id)));
        }
        if let Some(language) = conversion.language {
            fields.push(("WARC-Identified-Content-Language", one_line(language)));
        }
        fields.extend(
            conversion
                .fields
                .iter()
                .map(|&(name, value)| (name, one_line(value))),
        );
        fields.push(("Content-Type", one_line(conversion.media_type)));
        self.record("conversion", Some(conversion.url), fields, &[conversion.bytes])?;
        Ok(())
    }

    /// Writes down why an address could not be loaded, so that it fails with the same words again.
    pub fn failure(&mut self, url: &Url, cause: &str) -> io::Result<()> {
        let block = format!("{FETCH_ERROR}: {}\r\n", escaped(cause));
        self.fields_record(url, &block)
    }

    fn fields_record(&mut self, url: &Url, block: &str) -> io::Result<()> {
        self.write_info()?;
        let fields = vec![("Content-Type", cdxj::FIELDS.to_owned())];
        let (offset, length) = self.record("metadata", Some(url), fields, &[block.as_bytes()])?;
        self.lines.push(Line {
            url: url.clone(),
            date: self.date,
            status: None,
            media_type: cdxj::FIELDS.to_owned(),
            digest: None,
            offset,
            length,
            file: None,
        });
        Ok(())
    }

    /// Writes down which pages the source listed, none if it could not tell. An archive without that lists all its pages,
    /// which is more than the web does, so an extraction might ask for others than it did.
    pub fn listing(&mut self, pages: &[Url]) -> io::Result<()> {
        let block: String = pages
            .iter()
            .map(|page| format!("{LISTED_PAGE}: {page}\r\n"))
            .collect();
        let url = Url::parse(LISTING).map_err(io::Error::other)?;
        self.fields_record(&url, &block)
    }

    /// The index of what was written so far, to be stored beside the archive with the ending `.cdxj`.
    pub fn index(&self, file_name: &str) -> String {
        let mut lines: Vec<String> = self.lines.iter().map(|line| in_file(line, file_name)).collect();
        lines.sort();
        lines.concat()
    }

    /// Ends the archive.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_info()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_info(&mut self) -> io::Result<()> {
        if let Some(info) = self.info.take() {
            let fields = vec![("Content-Type", cdxj::FIELDS.to_owned())];
            self.record("warcinfo", None, fields, &[info.as_bytes()])?;
        }
        Ok(())
    }

    /// Writes a record; says where it begins and how long it is in the file.
    fn record(
        &mut self,
        kind: &str,
        url: Option<&Url>,
        fields: Vec<(&str, String)>,
        block: &[&[u8]],
    ) -> io::Result<(u64, u64)> {
        let date = date::to_text(self.date);
        let length: usize = block.iter().map(|part| part.len()).sum();
        let mut head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\n");
        let mut field = |name: &str, value: &str| {
            head.extend([name, ": ", value, "\r\n"]);
        };
        field("WARC-Record-ID", &self.id(kind, url, &date, block));
        field("WARC-Date", &date);
        if let Some(url) = url {
            let mut url = url.clone();
            url.set_fragment(None);
            field("WARC-Target-URI", url.as_str());
        }
        field("WARC-Block-Digest", &digest(block));
        for (name, value) in &fields {
            field(name, value);
        }
        field("Content-Length", &length.to_string());
        head.push_str("\r\n");
        let offset = self.offset;
        let parts = [&[head.as_bytes()], block, &[b"\r\n\r\n"]].concat();
        self.offset += self.member(&parts)?;
        self.records += 1;
        Ok((offset, self.offset - offset))
    }

    /// An id from what the record says and where it stands.
    fn id(&self, kind: &str, url: Option<&Url>, date: &str, block: &[&[u8]]) -> String {
        let place = format!("{} {kind} {date} {}\n", self.records, url.map_or("", Url::as_str));
        let hash = sha1(&[&[place.as_bytes()], block].concat());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        // Version 8 is for ids that are made in a way of one's own.
        bytes[6] = bytes[6] & 0x0F | 0x80;
        bytes[8] = bytes[8] & 0x3F | 0x80;
        let hex = HEXLOWER.encode(&bytes);
        let (time, rest) = hex.split_at(8);
        let parts = [time, &rest[..4], &rest[4..8], &rest[8..12], &rest[12..]];
        format!("<urn:uuid:{}>", parts.join("-"))
    }

    /// Writes a member; says how long it is.
    fn member(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let counting = Counting {
            out: &mut self.out,
            count: 0,
        };
        match self.compression {
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(counting, flate2::Compression::default());
                parts.iter().try_for_each(|part| encoder.write_all(part))?;
                Ok(encoder.finish()?.count)
            }
            Compression::Zstd => Ok(zstandard::pack(parts, counting)?.count),
            Compression::None => {
                let mut counting = counting;
                parts.iter().try_for_each(|part| counting.write_all(part))?;
                Ok(counting.count)
            }
        }
    }
}

fn in_file(line: &Line, file_name: &str) -> String {
    let line = Line {
        file: Some(file_name.to_owned()),
        ..line.clone()
    };
    format!("{line}\n")
}

/// Counts what is written through it.
struct Counting<'a, W> {
    out: &'a mut W,
    count: u64,
}

impl<W: Write> Write for Counting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Status and header fields as HTTP/1.1 writes them.
fn http_head(capture: &Capture) -> Vec<u8> {
    let reason = if capture.status == 200 { "OK" } else { "" };
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", capture.status);
    for (name, value) in &capture.headers {
        // The body is stored without its transfer coding.
        if !name.eq_ignore_ascii_case("transfer-encoding") {
            head.push_str(&format!("{}: {}\r\n", one_line(name), one_line(value)));
        }
    }
    head.push_str("\r\n");
    head.into_bytes()
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// The type without its parameters; where it says too little, a page has that of pages.
fn listed_type(media_type: &str, body: &[u8]) -> String {
    if is_html(media_type).is_none() && content::begins_as_page(body) {
        return "text/html".to_owned();
    }
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.to_ascii_lowercase()
}

fn digest(parts: &[&[u8]]) -> String {
    format!("sha1:{}", BASE32.encode(&sha1(parts)))
}

fn sha1(parts: &[&[u8]]) -> [u8; 20] {
    let mut hasher = Sha1::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::super::captures::Captures;
    use super::*;
    use crate::capture::tests::capture;

    fn written(compression: Compression, captures: &[Capture]) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.info(&[("software", "husk\r\nx")]);
        for capture in captures {
            writer.write(capture).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn the_same_captures_give_the_same_bytes_and_come_back() {
        let mut captures = vec![
            capture(
                "https://example.org/",
                200,
                &[("Content-Type", "text/html")],
                b"<p>\r\n\r\n",
            ),
            capture(
                "https://example.org/a",
                301,
                &[("Location", "/b"), ("Empty", "")],
                b"",
            ),
            capture(
                "https://example.org/b",
                404,
                &[("Content-Type", "text/html; charset=x")],
                b"<p>No",
            ),
        ];
        captures[2].is_rendered = true;
        captures[1].is_whole = false;
        captures[1].ip = Some("2001:db8::1".parse().unwrap());
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            if compression == Compression::Zstd && !zstandard::IS_KNOWN {
                continue;
            }
            let file = written(compression, &captures);
            assert_eq!(file, written(compression, &captures));
            let mut at = 0;
            let read: Vec<Capture> = Captures::from_reader(&file[..])
                .unwrap()
                .map(|entry| {
                    let entry = entry.unwrap();
                    assert!(entry.offset >= at, "they stand one behind the other");
                    at = entry.offset + entry.len;
                    entry.capture
                })
                .collect();
            assert_eq!(at, file.len() as u64);
            assert_eq!(read, captures);
        }
    }

    #[test]
    fn conversions_say_what_they_were_made_of() {
        let url = Url::parse("https://example.org/a#part").unwrap();
        let mut writer = ArchiveWriter::new(Vec::new(), Compression::None);
        writer.info(&[("software", "husk")]);
        let conversion = Conversion {
            url: &url,
            date: Some(date::from_text("2026-11-16T06:14:30Z")),
            refers_to: Some("<urn:uuid:1>"),
            media_type: "text/plain",
            language: Some("en\r\nX: y"),
            fields: &[("Husk-Told-By", "template")],
            bytes: "Grüße\n".as_bytes(),
        };
        writer.conversion(&conversion).unwrap();
        let undated = Conversion {
            date: None,
            language: None,
            refers_to: None,
            ..conversion
        };
        writer.conversion(&undated).unwrap();
        let file = String::from_utf8(writer.finish().unwrap()).unwrap();
        let mut records = file.split("WARC/1.1\r\n").skip(1);
        assert!(records.next().unwrap().starts_with("WARC-Type: warcinfo\r\n"));
        let record = records.next().unwrap();
        for line in [
            "WARC-Type: conversion",
            "WARC-Date: 2026-11-16T06:14:30Z",
            "WARC-Target-URI: https://example.org/a",
            "WARC-Refers-To: <urn:uuid:1>",
            "WARC-Identified-Content-Language: en  X: y",
            "Husk-Told-By: template",
            "Content-Type: text/plain",
            "Content-Length: 8",
        ] {
            assert!(record.contains(&format!("{line}\r\n")), "{line} in {record}");
        }
        assert!(record.contains("WARC-Block-Digest: sha1:") && record.ends_with("\r\n\r\nGrüße\n\r\n\r\n"));
        assert!(
            records
                .next()
                .unwrap()
                .contains("WARC-Date: 1970-01-01T00:00:00Z\r\n")
        );
        let read = Captures::from_reader(file.as_bytes()).unwrap();
        assert_eq!(read.count(), 0, "what was made of pages is no page");
    }

    #[test]
    fn what_is_undone_is_not_claimed() {
        let chunked = capture(
            "https://example.org/",
            200,
            &[("Transfer-Encoding", "chunked")],
            b"5\r\nab",
        );
        let file = written(Compression::None, &[chunked]);
        let entry = Captures::from_reader(&file[..]).unwrap().next().unwrap().unwrap();
        assert_eq!(entry.capture.body, b"5\r\nab");
    }

    #[test]
    fn a_field_cannot_bring_another() {
        let sly = capture("https://example.org/", 200, &[("X", "y\r\nLocation: /z")], b"");
        let file = String::from_utf8(written(Compression::None, &[sly])).unwrap();
        assert!(!file.contains("\nLocation"), "{file}");
        assert!(!file.contains("\nx"), "{file}");
    }
}
