//! Writes WARC files. The same records give the same bytes.

use std::io::{self, Write};
use std::time::SystemTime;

use data_encoding::{BASE32, HEXLOWER};
use flate2::write::GzEncoder;
use sha1::{Digest, Sha1};
use url::Url;

use crate::date;
use crate::record::RecordType;
use crate::zstandard;

/// How a WARC file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Each record as a gzip member: `.warc.gz`, which every reader supports.
    #[default]
    Gzip,
    /// Each record as a Zstandard frame: `.warc.zst`, smaller and faster. Requires the feature `zstd`.
    Zstd,
    /// Not compressed: `.warc`.
    None,
}

/// A record to write.
#[derive(Debug, Clone, Copy)]
pub struct NewRecord<'a> {
    /// The type.
    pub record_type: RecordType,
    /// The URL that the record is about. A fragment is left out.
    pub url: Option<&'a Url>,
    /// When the content was captured.
    pub date: SystemTime,
    /// Further fields. Type, id, date, URL, block digest and length are added.
    pub fields: &'a [(&'a str, &'a str)],
    /// The parts of the block, such as HTTP header and body.
    pub block: &'a [&'a [u8]],
}

/// Where in the file a record was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenRecord {
    /// The offset of its first byte.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub len: u64,
}

/// Writes a WARC 1.1 file, record by record.
///
/// Record ids are derived from the records, so that writing the same records twice gives the same file.
///
/// ```
/// use std::time::SystemTime;
///
/// use husk_warc::{Compression, NewRecord, RecordType, WarcWriter};
///
/// let url = "https://example.org/".parse()?;
/// let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip);
/// writer.set_info(&[("software", "example")]);
/// writer.write_record(&NewRecord {
///     record_type: RecordType::Response,
///     url: Some(&url),
///     date: SystemTime::UNIX_EPOCH,
///     fields: &[("Content-Type", "application/http; msgtype=response")],
///     block: &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<p>Hello"],
/// })?;
/// let file: Vec<u8> = writer.finish()?;
/// # assert!(file.len() > 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WarcWriter<W> {
    out: W,
    compression: Compression,
    /// How many bytes were written.
    offset: u64,
    /// How many records were written.
    records: u64,
    /// The block of the `warcinfo` record until it is written.
    info: Option<String>,
}

impl<W: Write> WarcWriter<W> {
    /// Starts a file.
    pub fn new(out: W, compression: Compression) -> Self {
        Self {
            out,
            compression,
            offset: 0,
            records: 0,
            info: None,
        }
    }

    /// Sets the fields of the `warcinfo` record, such as `software`. It is written before the first record and gets its
    /// date.
    pub fn set_info(&mut self, fields: &[(&str, &str)]) {
        let lines = fields
            .iter()
            .map(|(name, value)| format!("{name}: {}\r\n", one_line(value)));
        self.info = Some(lines.collect());
    }

    /// Writes a record. Line breaks in its fields become spaces.
    pub fn write_record(&mut self, record: &NewRecord<'_>) -> io::Result<WrittenRecord> {
        self.write_info(record.date)?;
        self.write(record)
    }

    /// Completes the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_info(SystemTime::UNIX_EPOCH)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_info(&mut self, date: SystemTime) -> io::Result<()> {
        if let Some(info) = self.info.take() {
            self.write(&NewRecord {
                record_type: RecordType::Warcinfo,
                url: None,
                date,
                fields: &[("Content-Type", "application/warc-fields")],
                block: &[info.as_bytes()],
            })?;
        }
        Ok(())
    }

    fn write(&mut self, record: &NewRecord<'_>) -> io::Result<WrittenRecord> {
        let date = date::to_text(record.date);
        let length: usize = record.block.iter().map(|part| part.len()).sum();
        let mut header = format!("WARC/1.1\r\nWARC-Type: {}\r\n", record.record_type.as_str());
        let mut field = |name: &str, value: &str| {
            header.extend([name, ": ", value, "\r\n"]);
        };
        field("WARC-Record-ID", &self.id(record, &date));
        field("WARC-Date", &date);
        if let Some(url) = record.url {
            let mut url = url.clone();
            url.set_fragment(None);
            field("WARC-Target-URI", url.as_str());
        }
        field("WARC-Block-Digest", &digest(record.block));
        for (name, value) in record.fields {
            field(&one_line(name), &one_line(value));
        }
        field("Content-Length", &length.to_string());
        header.push_str("\r\n");
        let offset = self.offset;
        let parts = [&[header.as_bytes()], record.block, &[b"\r\n\r\n"]].concat();
        let len = self.write_member(&parts)?;
        self.offset += len;
        self.records += 1;
        Ok(WrittenRecord { offset, len })
    }

    /// An id derived from the content of a record and its number.
    fn id(&self, record: &NewRecord<'_>, date: &str) -> String {
        let url = record.url.map_or("", Url::as_str);
        let number_and_header = format!("{} {} {date} {url}\n", self.records, record.record_type.as_str());
        let hash = sha1(&[&[number_and_header.as_bytes()], record.block].concat());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        // A UUID of version 8, the version for ids of one's own making.
        bytes[6] = bytes[6] & 0x0F | 0x80;
        bytes[8] = bytes[8] & 0x3F | 0x80;
        let hex = HEXLOWER.encode(&bytes);
        let (time, rest) = hex.split_at(8);
        let parts = [time, &rest[..4], &rest[4..8], &rest[8..12], &rest[12..]];
        format!("<urn:uuid:{}>", parts.join("-"))
    }

    /// Writes a compressed member, and returns its length.
    fn write_member(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let mut counting = CountingWriter {
            out: &mut self.out,
            count: 0,
        };
        match self.compression {
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(counting, flate2::Compression::default());
                parts.iter().try_for_each(|part| encoder.write_all(part))?;
                Ok(encoder.finish()?.count)
            }
            Compression::Zstd => Ok(zstandard::compress(parts, counting)?.count),
            Compression::None => {
                parts.iter().try_for_each(|part| counting.write_all(part))?;
                Ok(counting.count)
            }
        }
    }
}

struct CountingWriter<'a, W> {
    out: &'a mut W,
    count: u64,
}

impl<W: Write> Write for CountingWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// The SHA-1 digest of a payload in the form of the field `WARC-Payload-Digest`, such as `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
pub fn payload_digest(payload: &[u8]) -> String {
    digest(&[payload])
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
    use super::*;
    use crate::reader::RecordReader;

    fn record<'a>(url: &'a Url, fields: &'a [(&'a str, &'a str)], block: &'a [&'a [u8]]) -> NewRecord<'a> {
        NewRecord {
            record_type: RecordType::Conversion,
            url: Some(url),
            date: date::parse("2026-11-16T06:14:30Z"),
            fields,
            block,
        }
    }

    #[test]
    fn the_same_records_give_the_same_bytes_and_round_trip() {
        let url = Url::parse("https://example.org/a#part").unwrap();
        let blocks: [&[&[u8]]; 3] = [&[b"one\r\n\r\n"], &[b""], &[b"thr", b"ee"]];
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            if compression == Compression::Zstd && !zstandard::IS_SUPPORTED {
                continue;
            }
            let written = || {
                let mut writer = WarcWriter::new(Vec::new(), compression);
                writer.set_info(&[("software", "example")]);
                let places = blocks.map(|block| writer.write_record(&record(&url, &[], block)).unwrap());
                (places, writer.finish().unwrap())
            };
            let (places, file) = written();
            assert_eq!(written().1, file);
            let mut reader = RecordReader::new(&file[..]).unwrap();
            let info = reader.next_record().unwrap().unwrap();
            assert_eq!(info.record_type(), Some(RecordType::Warcinfo));
            for (block, place) in blocks.iter().zip(places) {
                let record = reader.next_record().unwrap().unwrap();
                assert_eq!(record.position.offset, place.offset);
                assert_eq!(record.url().unwrap().as_str(), "https://example.org/a");
                let read = reader.read_block(100).unwrap().unwrap();
                assert_eq!((read.bytes, read.is_complete), (block.concat(), true));
                assert_eq!(reader.stored_len(&record), Some(place.len));
            }
            assert!(reader.next_record().is_none());
        }
    }

    #[test]
    fn records_have_their_fields() {
        let url = Url::parse("https://example.org/a#part").unwrap();
        let mut writer = WarcWriter::new(Vec::new(), Compression::None);
        let fields = [("WARC-Refers-To", "<urn:uuid:1>"), ("Content-Type", "text/plain")];
        writer
            .write_record(&record(&url, &fields, &["Grüße\n".as_bytes()]))
            .unwrap();
        let file = String::from_utf8(writer.finish().unwrap()).unwrap();
        for line in [
            "WARC/1.1",
            "WARC-Type: conversion",
            "WARC-Date: 2026-11-16T06:14:30Z",
            "WARC-Target-URI: https://example.org/a",
            "WARC-Refers-To: <urn:uuid:1>",
            "Content-Type: text/plain",
            "Content-Length: 8",
        ] {
            assert!(file.contains(&format!("{line}\r\n")), "{line} in {file}");
        }
        assert!(file.contains("WARC-Block-Digest: sha1:") && file.ends_with("\r\n\r\nGrüße\n\r\n\r\n"));
    }

    #[test]
    fn a_field_cannot_inject_another() {
        let url = Url::parse("https://example.org/").unwrap();
        let mut writer = WarcWriter::new(Vec::new(), Compression::None);
        writer.set_info(&[("software", "husk\r\nx: y")]);
        writer
            .write_record(&record(&url, &[("X", "y\r\nLocation: /z")], &[]))
            .unwrap();
        let file = String::from_utf8(writer.finish().unwrap()).unwrap();
        assert!(!file.contains("\nLocation") && !file.contains("\nx"), "{file}");
    }
}
