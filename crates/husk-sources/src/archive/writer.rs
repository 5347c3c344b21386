//! Writes captures as an archive.

use std::io::{self, Write};
use std::time::SystemTime;

use husk::Url;
use husk_warc::{CdxjIndex, CdxjLine, Compression, NewRecord, RecordType, WarcWriter, payload_digest};

use super::recorded::{FETCH_ERROR, FIELDS_TYPE, LISTED_PAGE, PAGE_LIST, RENDERED, STATUS, escape, is_html};
use crate::capture::Capture;
use crate::mime_type;

/// Writes captures as a WARC file.
///
/// The dates are those of the captures, so that the same captures give the same file.
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
/// writer.set_info(&[("software", "husk")]);
/// writer.write_capture(&capture)?;
/// let index = writer.index("site.warc.gz");
/// let file = writer.finish()?;
/// # assert!(file.len() > 100 && index.starts_with("org,example)/ 19700101000000 {"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    warc: WarcWriter<W>,
    index: CdxjIndex,
    /// The date of the last capture, which failures and page lists get too.
    date: SystemTime,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub fn new(out: W, compression: Compression) -> Self {
        Self {
            warc: WarcWriter::new(out, compression),
            index: CdxjIndex::default(),
            date: SystemTime::UNIX_EPOCH,
        }
    }

    /// Sets fields that describe the archive, such as `software`. They are written before the first record.
    pub fn set_info(&mut self, fields: &[(&str, &str)]) {
        self.warc.set_info(fields);
    }

    /// Writes a capture: as `response` record, or as `resource` record if a browser rendered it.
    pub fn write_capture(&mut self, capture: &Capture) -> io::Result<()> {
        self.date = capture.date;
        // A `resource` has no header fields, but a redirect needs them.
        let is_resource = capture.is_rendered && !capture.is_redirect();
        let digest = payload_digest(&capture.body);
        let media_type = capture.header("content-type").unwrap_or_default();
        let (status, ip) = (capture.status.to_string(), capture.ip.map(|ip| ip.to_string()));
        let mut fields = vec![("WARC-Payload-Digest", digest.as_str())];
        if capture.is_rendered {
            fields.push((RENDERED, "true"));
            if is_resource && capture.status != 200 {
                fields.push((STATUS, &status));
            }
        }
        if !capture.is_whole {
            fields.push(("WARC-Truncated", "unspecified"));
        }
        if let Some(ip) = &ip {
            fields.push(("WARC-IP-Address", ip));
        }
        let (record_type, block_type, head) = match is_resource {
            true if media_type.is_empty() => (RecordType::Resource, "text/html", Vec::new()),
            true => (RecordType::Resource, media_type, Vec::new()),
            false => (
                RecordType::Response,
                "application/http; msgtype=response",
                http_head(capture),
            ),
        };
        fields.push(("Content-Type", block_type));
        let written = self.warc.write_record(&NewRecord {
            record_type,
            url: Some(&capture.url),
            date: capture.date,
            fields: &fields,
            block: &[&head, &capture.body],
        })?;
        self.index.lines.push(CdxjLine {
            url: capture.url.clone(),
            date: capture.date,
            status: Some(capture.status),
            media_type: indexed_type(media_type, &capture.body),
            digest: Some(digest),
            offset: written.offset,
            length: written.len,
            file: None,
        });
        Ok(())
    }

    /// Writes why a URL could not be loaded. Loading it from the archive fails with the same message.
    pub fn write_failure(&mut self, url: &Url, cause: &str) -> io::Result<()> {
        let block = format!("{FETCH_ERROR}: {}\r\n", escape(cause));
        self.write_metadata(url, &block)
    }

    /// Writes which pages the source listed; an empty list if it lists none. An archive without this lists all its
    /// pages, which may be more than the source did, so that an extraction from it might load other pages.
    pub fn write_page_list(&mut self, pages: &[Url]) -> io::Result<()> {
        let block: String = pages
            .iter()
            .map(|page| format!("{LISTED_PAGE}: {page}\r\n"))
            .collect();
        let url = Url::parse(PAGE_LIST).map_err(io::Error::other)?;
        self.write_metadata(&url, &block)
    }

    fn write_metadata(&mut self, url: &Url, block: &str) -> io::Result<()> {
        let written = self.warc.write_record(&NewRecord {
            record_type: RecordType::Metadata,
            url: Some(url),
            date: self.date,
            fields: &[("Content-Type", FIELDS_TYPE)],
            block: &[block.as_bytes()],
        })?;
        self.index.lines.push(CdxjLine {
            url: url.clone(),
            date: self.date,
            status: None,
            media_type: FIELDS_TYPE.to_owned(),
            digest: None,
            offset: written.offset,
            length: written.len,
            file: None,
        });
        Ok(())
    }

    /// The CDXJ index of the records written so far, to be stored next to the archive as `.cdxj`.
    pub fn index(&self, file_name: &str) -> String {
        let mut index = self.index.clone();
        for line in &mut index.lines {
            line.file = Some(file_name.to_owned());
        }
        index.to_string()
    }

    /// Completes the archive.
    pub fn finish(self) -> io::Result<W> {
        self.warc.finish()
    }
}

/// Status line and header fields as HTTP/1.1 writes them.
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

/// The media type without parameters. `text/html` if the header says too little and the body is a page.
fn indexed_type(media_type: &str, body: &[u8]) -> String {
    if is_html(media_type).is_none() && mime_type::begins_as_page(body) {
        return "text/html".to_owned();
    }
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use husk_warc::ZSTD_IS_SUPPORTED;

    use super::super::captures::Captures;
    use super::*;
    use crate::capture::tests::capture;

    fn written(compression: Compression, captures: &[Capture]) -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.set_info(&[("software", "husk\r\nx")]);
        for capture in captures {
            writer.write_capture(capture).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn the_same_captures_give_the_same_bytes_and_round_trip() {
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
            if compression == Compression::Zstd && !ZSTD_IS_SUPPORTED {
                continue;
            }
            let file = written(compression, &captures);
            assert_eq!(file, written(compression, &captures));
            let mut end = 0;
            let read: Vec<Capture> = Captures::from_reader(&file[..])
                .unwrap()
                .map(|item| {
                    let item = item.unwrap();
                    assert!(item.offset >= end, "records follow one another");
                    end = item.offset + item.len;
                    item.capture
                })
                .collect();
            assert_eq!(end, file.len() as u64);
            assert_eq!(read, captures);
        }
    }

    #[test]
    fn a_removed_transfer_coding_is_not_announced() {
        let chunked = capture(
            "https://example.org/",
            200,
            &[("Transfer-Encoding", "chunked")],
            b"5\r\nab",
        );
        let file = written(Compression::None, &[chunked]);
        let item = Captures::from_reader(&file[..]).unwrap().next().unwrap().unwrap();
        assert_eq!(item.capture.body, b"5\r\nab");
    }

    #[test]
    fn a_header_field_cannot_inject_another() {
        let hostile = capture("https://example.org/", 200, &[("X", "y\r\nLocation: /z")], b"");
        let file = String::from_utf8(written(Compression::None, &[hostile])).unwrap();
        assert!(!file.contains("\nLocation"), "{file}");
        assert!(!file.contains("\nx"), "{file}");
    }
}
