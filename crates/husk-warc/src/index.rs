//! CDXJ indexes: one line per record with a sort key, a date, and JSON.

use std::fmt::{self, Write};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Map, Value, json};
use url::Url;

use crate::date;
use crate::error::WarcError;

/// The longest line that is read.
const MAX_LINE: u64 = 64 * 1024;

/// One line of an index: a record, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CdxjLine {
    /// The URL of the record.
    pub url: Url,
    /// When it was captured.
    pub date: SystemTime,
    /// The HTTP status. `None` for records without one, such as `metadata`.
    pub status: Option<u16>,
    /// The media type of the payload, such as `text/html`.
    pub media_type: String,
    /// The digest of the payload.
    pub digest: Option<String>,
    /// The offset of the record in the WARC file.
    pub offset: u64,
    /// How many bytes of the file the record takes. 0 if unknown.
    pub length: u64,
    /// The name of the WARC file.
    pub file: Option<String>,
}

impl CdxjLine {
    /// The media type that indexes give to `revisit` records.
    pub const REVISIT: &str = "warc/revisit";

    /// Parses a line. `None` for other lines, such as the header of some indexes.
    pub fn parse(line: &str) -> Option<Self> {
        let (_, rest) = line.trim().split_once(' ')?;
        let (digits, json) = rest.split_once(' ')?;
        let fields: Map<String, Value> = serde_json::from_str(json).ok()?;
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        // Some writers put numbers in quotes, others do not.
        let number = |name: &str| match fields.get(name)? {
            Value::String(digits) => digits.parse().ok(),
            other => other.as_u64(),
        };
        let mut url = Url::parse(text("url")?).ok()?;
        url.set_fragment(None);
        Some(Self {
            url,
            date: date::parse(digits),
            status: number("status").and_then(|status| u16::try_from(status).ok()),
            media_type: text("mime").unwrap_or_default().to_owned(),
            digest: text("digest").map(str::to_owned),
            offset: number("offset")?,
            length: number("length").unwrap_or_default(),
            file: text("filename").map(str::to_owned),
        })
    }
}

impl fmt::Display for CdxjLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = json!({
            "url": self.url.as_str(),
            "mime": self.media_type,
            "length": self.length.to_string(),
            "offset": self.offset.to_string(),
        });
        if let Some(status) = self.status {
            fields["status"] = json!(status.to_string());
        }
        if let Some(digest) = &self.digest {
            fields["digest"] = json!(digest);
        }
        if let Some(file) = &self.file {
            fields["filename"] = json!(file);
        }
        write!(
            out,
            "{} {} {fields}",
            sort_key(&self.url),
            date::to_digits(self.date)
        )
    }
}

/// The URL with its host reversed, so that the pages of a site sort together: `org,example)/about`.
fn sort_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels: Vec<&str> = host.split('.').collect();
    let mut key = if host.parse::<std::net::Ipv4Addr>().is_ok() {
        host.to_owned()
    } else {
        labels.into_iter().rev().collect::<Vec<_>>().join(",")
    };
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    key.push_str(&url.path().to_ascii_lowercase());
    if let Some(query) = url.query() {
        key.push('?');
        key.push_str(&query.to_ascii_lowercase());
    }
    key
}

/// The index of one WARC file.
///
/// [`to_string`](ToString::to_string) gives the text of the index file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CdxjIndex {
    /// The lines in the order of their offsets.
    pub lines: Vec<CdxjLine>,
}

impl CdxjIndex {
    /// The index file next to a WARC file, if there is one: for `site.warc.gz`, `site.cdxj` or `site.warc.gz.cdxj`.
    pub fn find(warc: &Path) -> Option<PathBuf> {
        let name = warc.file_name()?.to_str()?;
        let stem = name.split_once(".warc").map_or(name, |(stem, _)| stem);
        let candidates = [format!("{stem}.cdxj"), format!("{name}.cdxj")];
        candidates
            .iter()
            .map(|name| warc.with_file_name(name))
            .find(|index| index.is_file())
    }

    /// Reads an index file. Fails if it does not fit the WARC file: if it is older, names another file, or points past the
    /// end.
    pub fn read(index: &Path, warc: &Path) -> Result<Self, WarcError> {
        read_lines(index, warc)
            .map(|lines| Self { lines })
            .map_err(|problem| WarcError::Index {
                path: index.to_owned(),
                problem,
            })
    }
}

impl fmt::Display for CdxjIndex {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self.lines.iter().map(CdxjLine::to_string).collect();
        lines.sort();
        lines.into_iter().try_for_each(|line| {
            out.write_str(&line)?;
            out.write_char('\n')
        })
    }
}

fn read_lines(index: &Path, warc: &Path) -> Result<Vec<CdxjLine>, String> {
    let text_of = |cause: io::Error| cause.to_string();
    let warc_metadata = warc.metadata().map_err(text_of)?;
    let index_metadata = index.metadata().map_err(text_of)?;
    if index_metadata.modified().map_err(text_of)? < warc_metadata.modified().map_err(text_of)? {
        return Err("it is older than the WARC file".to_owned());
    }
    let mut reader = BufReader::new(File::open(index).map_err(text_of)?);
    let mut lines = Vec::new();
    let mut text = String::new();
    loop {
        text.clear();
        let read = reader.by_ref().take(MAX_LINE).read_line(&mut text);
        if read.map_err(text_of)? == 0 {
            break;
        }
        let Some(line) = CdxjLine::parse(&text) else {
            continue;
        };
        if let Some(file) = &line.file
            && Path::new(file).file_name() != warc.file_name()
        {
            return Err(format!("it belongs to another file, {file}"));
        }
        let len = warc_metadata.len();
        if line.offset >= len || line.offset.saturating_add(line.length) > len {
            return Err(format!("offset {} is past the end of the WARC file", line.offset));
        }
        lines.push(line);
    }
    lines.sort_by_key(|line| line.offset);
    match lines.is_empty() {
        true => Err("it is empty".to_owned()),
        false => Ok(lines),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        let line = CdxjLine {
            url: Url::parse("https://www.example.org:8080/A?b=C").unwrap(),
            date: date::parse("20261116061430"),
            status: Some(200),
            media_type: "text/html".to_owned(),
            digest: Some("sha1:ABC".to_owned()),
            offset: 17,
            length: 34,
            file: Some("site.warc.gz".to_owned()),
        };
        let text = line.to_string();
        assert!(
            text.starts_with("org,example:8080)/a?b=c 20261116061430 {"),
            "{text}"
        );
        assert_eq!(CdxjLine::parse(&text), Some(line.clone()));
        let without_status = CdxjLine {
            status: None,
            digest: None,
            ..line
        };
        let text = without_status.to_string();
        assert_eq!(CdxjLine::parse(&text), Some(without_status));
    }

    #[test]
    fn parses_lines_of_other_writers() {
        let text = r#"org,example)/ 20240101000000 {"url": "http://example.org/", "mime": "text/html", "status": "200",
            "digest": "AAAA", "length": 12, "offset": "0", "filename": "a.warc.gz", "extra": [1]}"#;
        let line = CdxjLine::parse(&text.replace('\n', " ")).unwrap();
        assert_eq!((line.offset, line.length, line.status), (0, 12, Some(200)));
        for other in [
            "",
            "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}",
            " CDX N b a m s k r M S V g",
            "x 20240101 {broken",
            "a b c",
        ] {
            assert_eq!(CdxjLine::parse(other), None, "{other}");
        }
    }
}
