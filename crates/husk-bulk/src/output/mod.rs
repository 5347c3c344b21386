//! Writes rows to files: JSON Lines, Parquet, WARC.

mod jsonl;

mod parquet;

mod warc;

use std::io::{self, Write};

use husk_warc::Compression;
use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::settings::{ContentFormat, Settings};
pub use parquet::{ParquetWriter, to_parquet};
pub use warc::{ContentType, ConversionWriter};

/// Writes the rows of one file in order. The same rows give the same bytes.
pub trait RowWriter: Send {
    /// Writes a row.
    fn write(&mut self, row: &Row) -> io::Result<()>;

    /// Ends and flushes the file.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Format of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// JSON Lines.
    #[default]
    Jsonl,
    /// Parquet.
    Parquet,
    /// WARC `conversion` records.
    Warc,
}

/// Compression of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileCompression {
    /// gzip.
    Gz,
    /// Zstandard.
    #[default]
    Zst,
    /// Uncompressed.
    None,
}

impl Format {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
            Self::Warc => "warc",
        }
    }

    /// File extension.
    pub fn extension(self, compress: FileCompression) -> String {
        let suffix = match compress {
            FileCompression::Gz => ".gz",
            FileCompression::Zst => ".zst",
            FileCompression::None => "",
        };
        match self {
            // Its columns are compressed, not the file.
            Self::Parquet => "parquet".to_owned(),
            _ => format!("{}{suffix}", self.name()),
        }
    }

    /// The conflict between this format and the settings, if there is one.
    pub fn conflict(self, settings: &Settings) -> Option<String> {
        match self {
            Self::Warc if !settings.fields.content => {
                Some("--format warc needs --fields content: the records hold the content".to_owned())
            }
            Self::Jsonl | Self::Parquet | Self::Warc => None,
        }
    }
}

pub(crate) fn begin(
    settings: &Settings,
    file: impl Write + Send + 'static,
) -> io::Result<Box<dyn RowWriter>> {
    match settings.format {
        Format::Jsonl => jsonl::begin(file, settings.compress),
        Format::Parquet => Ok(Box::new(ParquetWriter::new(file)?)),
        Format::Warc => {
            let content_type = match settings.content_format {
                ContentFormat::Text => ContentType::Text,
                ContentFormat::Markdown => ContentType::Markdown,
                ContentFormat::Html => ContentType::Html,
            };
            Ok(Box::new(ConversionWriter::new(
                file,
                compression(settings.compress),
                content_type,
            )))
        }
    }
}

fn compression(compress: FileCompression) -> Compression {
    match compress {
        FileCompression::Gz => Compression::Gzip,
        FileCompression::Zst => Compression::Zstd,
        FileCompression::None => Compression::None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::row::RowMenuItem;

    /// A row with all fields if its number is even, else without the optional ones.
    pub(super) fn row(number: usize) -> Row {
        let item = |label: &str, children: Vec<RowMenuItem>| RowMenuItem {
            label: label.to_owned(),
            url: (label != "More").then(|| format!("https://example.org/{label}")),
            children,
        };
        let full = number.is_multiple_of(2);
        Row {
            url: format!("https://example.org/{number}"),
            normalized_url: format!("https://example.org/{number}"),
            id: full.then(|| format!("page {number}")),
            site: "example.org".to_owned(),
            date: full.then(|| "2026-11-16T06:14:30.123456Z".to_owned()),
            warc_file: full.then(|| "a.warc.gz".to_owned()),
            warc_offset: full.then_some(5_000_000_000),
            warc_record_id: full.then(|| format!("<urn:uuid:{number}>")),
            warc_digest: full.then(|| "sha1:AAAA".to_owned()),
            layout: full.then(|| "a1".to_owned()),
            layout_fit: full.then_some(0.875),
            title: full.then(|| format!("Page {number} é")),
            author: full.then(|| "Ann".to_owned()),
            published: full.then(|| "2026-11-15".to_owned()),
            modified: None,
            description: full.then(|| "On pages".to_owned()),
            language: full.then(|| "en".to_owned()),
            canonical: full.then(|| "https://example.org/".to_owned()),
            method: "template".to_owned(),
            content: Some(format!("What page {number} says.\n")),
            confidence: full.then_some(0.96),
            content_hash: full.then(|| format!("{number:032x}")),
            near_duplicate_id: full.then(|| format!("{number:016x}")),
            menu: full.then(|| vec![item("Home", vec![]), item("More", vec![item("Deep", vec![])])]),
            template_id: None,
            template_source: full.then(|| "stored".to_owned()),
            template_share: full.then_some(0.25),
            bytes: 5_000_000_000,
            words: 7,
            content_words: 4,
            links: 3,
            flags: match full {
                true => vec!["listing".to_owned()],
                false => vec![],
            },
            warnings: match full {
                true => vec!["unknown-layout".to_owned(), "low-coverage".to_owned()],
                false => vec![],
            },
        }
    }

    /// A file in memory, readable after its writer is gone.
    #[derive(Clone, Default)]
    pub(super) struct MemoryFile(Arc<Mutex<Vec<u8>>>);

    impl MemoryFile {
        pub(super) fn bytes(&self) -> Vec<u8> {
            self.0.lock().unwrap().clone()
        }
    }

    impl Write for MemoryFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
