//! WARC files of `conversion` records, like WET files.
//!
//! The block of a record is the content of a page. The fields `Husk-Method` and `Husk-Warnings` hold what the columns
//! `method` and `warnings` hold.

use std::io::{self, Write};
use std::time::SystemTime;

use husk::Url;
use husk_warc::{Compression, NewRecord, RecordType, WarcWriter};
use jiff::Timestamp;

use super::RowWriter;
use crate::row::Row;

/// Format of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentType {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
}

impl ContentType {
    fn media_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
        }
    }
}

/// Writes a WARC file with the contents of rows, after a `warcinfo` record.
pub struct ConversionWriter<W> {
    writer: WarcWriter<W>,
    content_type: ContentType,
}

impl<W: Write + Send> ConversionWriter<W> {
    /// Begins a file.
    pub fn new(out: W, compression: Compression, content_type: ContentType) -> Self {
        let mut writer = WarcWriter::new(out, compression);
        writer.set_info(&[
            ("software", concat!("husk/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC File Format 1.1"),
            (
                "description",
                "the content of pages, without the templates of their sites",
            ),
        ]);
        Self { writer, content_type }
    }
}

impl<W: Write + Send> RowWriter for ConversionWriter<W> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        let url = Url::parse(&row.normalized_url).map_err(|cause| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{} is not a URL: {cause}", row.normalized_url),
            )
        })?;
        let warnings = row.warnings.join(", ");
        let mut fields = vec![];
        if let Some(language) = row.language.as_deref().filter(|language| !language.is_empty()) {
            fields.push(("WARC-Identified-Content-Language", language));
        }
        if let Some(id) = &row.warc_record_id {
            fields.push(("WARC-Refers-To", id.as_str()));
        }
        fields.push(("Husk-Method", row.method.as_str()));
        if !warnings.is_empty() {
            fields.push(("Husk-Warnings", &warnings));
        }
        fields.push(("Content-Type", self.content_type.media_type()));
        self.writer.write_record(&NewRecord {
            record_type: RecordType::Conversion,
            url: Some(&url),
            // A record needs a date: the epoch where it is unknown.
            date: row
                .date
                .as_deref()
                .and_then(date)
                .unwrap_or(SystemTime::UNIX_EPOCH),
            fields: &fields,
            block: &[row.content.as_deref().unwrap_or_default().as_bytes()],
        })?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.writer.finish().map(|_| ())
    }
}

fn date(text: &str) -> Option<SystemTime> {
    text.parse::<Timestamp>().ok().map(SystemTime::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::{MemoryFile, row};

    fn written(compression: Compression) -> Vec<u8> {
        let file = MemoryFile::default();
        let writer = ConversionWriter::new(file.clone(), compression, ContentType::Markdown);
        let mut writer: Box<dyn RowWriter> = Box::new(writer);
        for number in 0..3 {
            writer.write(&row(number)).unwrap();
        }
        writer.finish().unwrap();
        file.bytes()
    }

    #[test]
    fn a_record_holds_the_content_of_a_page() {
        let file = String::from_utf8(written(Compression::None)).unwrap();
        let records: Vec<&str> = file.split("WARC/1.1\r\n").skip(1).collect();
        assert_eq!(records.len(), 4);
        assert!(records[0].contains("WARC-Type: warcinfo\r\n") && records[0].contains("software: husk/"));
        for line in [
            "WARC-Type: conversion",
            "WARC-Target-URI: https://example.org/0",
            "WARC-Date: 2026-11-16T06:14:30.123456Z",
            "WARC-Identified-Content-Language: en",
            "WARC-Refers-To: <urn:uuid:0>",
            "Husk-Method: template",
            "Husk-Warnings: unknown-layout, low-coverage",
            "Content-Type: text/markdown; charset=utf-8",
        ] {
            assert!(
                records[1].contains(&format!("{line}\r\n")),
                "{line} in {}",
                records[1]
            );
        }
        assert!(records[1].ends_with("\r\n\r\nWhat page 0 says.\n\r\n\r\n"));
        assert!(!records[2].contains("Husk-Warnings") && !records[2].contains("Language"));
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            assert!(written(compression) == written(compression));
        }
    }

    #[test]
    fn an_invalid_url_is_named() {
        let mut writer = ConversionWriter::new(Vec::new(), Compression::None, ContentType::Text);
        let bad = Row {
            normalized_url: "nowhere".to_owned(),
            ..row(0)
        };
        assert!(
            writer
                .write(&bad)
                .unwrap_err()
                .to_string()
                .starts_with("nowhere is not a URL")
        );
    }
}
