//! Indexes beside archives: lines of a sortable address, a date, and JSON.

use std::time::SystemTime;

use husk::Url;
use serde_json::{Map, Value, json};

use super::date;

/// What an index says about one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) url: Url,
    pub(super) date: SystemTime,
    /// Records without an answer, such as those of failures, have none.
    pub(super) status: Option<u16>,
    /// The type of what was answered; for repetitions and failures that of the record.
    pub(super) media_type: String,
    pub(super) digest: Option<String>,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The archive; none if there can be only one.
    pub(super) file: Option<String>,
}

/// The type that indexes give to repetitions.
pub(super) const REVISIT: &str = "warc/revisit";

/// The type of the records of failures.
pub(super) const FIELDS: &str = "application/warc-fields";

impl Line {
    /// Reads a line; none if it is no such line, as the first lines of some indexes.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (_, rest) = line.trim().split_once(' ')?;
        let (digits, json) = rest.split_once(' ')?;
        let fields: Map<String, Value> = serde_json::from_str(json).ok()?;
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        // Some write numbers as texts.
        let number = |name: &str| match fields.get(name)? {
            Value::String(digits) => digits.parse().ok(),
            other => other.as_u64(),
        };
        let mut url = Url::parse(text("url")?).ok()?;
        url.set_fragment(None);
        Some(Self {
            url,
            date: date::from_text(digits),
            status: number("status").and_then(|status| u16::try_from(status).ok()),
            media_type: text("mime").unwrap_or_default().to_owned(),
            digest: text("digest").map(str::to_owned),
            offset: number("offset")?,
            length: number("length").unwrap_or_default(),
            file: text("filename").map(str::to_owned),
        })
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

/// An address such that pages of one site stand together: `org,example)/about`.
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

/// A digest as text that is the same for all ways to write it.
pub(super) fn plain_digest(digest: &str) -> String {
    let digest = digest.trim();
    let plain = digest.split_once(':').map_or(digest, |(algorithm, rest)| {
        if algorithm.eq_ignore_ascii_case("sha1") {
            rest
        } else {
            digest
        }
    });
    plain.to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let line = Line {
            url: Url::parse("https://www.example.org:8080/A?b=C").unwrap(),
            date: date::from_text("20261116061430"),
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
        assert_eq!(Line::parse(&text), Some(line.clone()));
        let failed = Line {
            status: None,
            digest: None,
            ..line
        };
        assert_eq!(Line::parse(&failed.to_string()), Some(failed));
    }

    #[test]
    fn reads_what_others_write() {
        let text = r#"org,example)/ 20240101000000 {"url": "http://example.org/", "mime": "text/html", "status": "200",
            "digest": "AAAA", "length": 12, "offset": "0", "filename": "a.warc.gz", "extra": [1]}"#;
        let line = Line::parse(&text.replace('\n', " ")).unwrap();
        assert_eq!((line.offset, line.length, line.status), (0, 12, Some(200)));
        for other in [
            "",
            "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}",
            " CDX N b a m s k r M S V g",
            "x 20240101 {broken",
            "a b c",
        ] {
            assert_eq!(Line::parse(other), None, "{other}");
        }
    }

    #[test]
    fn digests_are_compared_however_they_are_written() {
        assert_eq!(plain_digest("sha1:abc"), plain_digest("ABC"));
        assert_ne!(plain_digest("md5:abc"), plain_digest("ABC"));
    }
}
