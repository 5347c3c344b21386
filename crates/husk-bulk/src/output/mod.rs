//! Rows as files: JSON Lines, Parquet, web archives.

mod jsonl;

mod columns;

mod parquet;

mod warc;

use std::fs::File;
use std::io::{self, BufWriter};

use husk_warc::Compression;
use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::settings::{ContentFormat, Settings};
pub use columns::{record_batch, schema};
pub use parquet::ParquetWriter;
pub use warc::{ContentType, ConversionWriter};

/// Writes the rows of one file, in their order. The same rows give the same bytes.
pub trait RowWriter: Send {
    /// Writes a row.
    fn write(&mut self, row: &Row) -> io::Result<()>;

    /// Ends the file; all that was written is handed on by then.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The form of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// An object of JSON a line.
    #[default]
    Jsonl,
    /// A table of columns.
    Parquet,
    /// A web archive of `conversion` records.
    Warc,
}

/// How files are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Packing {
    /// With gzip, which everything reads.
    Gz,
    /// With Zstandard, smaller and faster.
    #[default]
    Zst,
    /// Not at all.
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

    /// How files of this format end.
    pub fn ending(self, packing: Packing) -> String {
        let packed = match packing {
            Packing::Gz => ".gz",
            Packing::Zst => ".zst",
            Packing::None => "",
        };
        match self {
            // It packs its columns, and the file is read as it is.
            Self::Parquet => "parquet".to_owned(),
            _ => format!("{}{packed}", self.name()),
        }
    }

    /// Why settings cannot be met in this format, if they cannot.
    pub fn refusal(self, settings: &Settings) -> Option<String> {
        match self {
            Self::Warc if !settings.what.content => Some(
                "records of an archive are the contents of pages: --what must have content with --format warc".to_owned(),
            ),
            Self::Jsonl | Self::Parquet | Self::Warc => None,
        }
    }
}

/// Begins a file of rows.
pub(crate) fn begin(settings: &Settings, file: BufWriter<File>) -> io::Result<Box<dyn RowWriter>> {
    match settings.format {
        Format::Jsonl => jsonl::begin(file, settings.packing),
        Format::Parquet => Ok(Box::new(ParquetWriter::new(file)?)),
        Format::Warc => {
            let content_type = match settings.content_format {
                ContentFormat::Text => ContentType::Text,
                ContentFormat::Markdown => ContentType::Markdown,
            };
            Ok(Box::new(ConversionWriter::new(
                file,
                compression(settings.packing),
                content_type,
            )))
        }
    }
}

fn compression(packing: Packing) -> Compression {
    match packing {
        Packing::Gz => Compression::Gzip,
        Packing::Zst => Compression::Zstd,
        Packing::None => Compression::None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::row::MenuEntry;

    /// A row: full if its number is even, with what may be unknown left out if not.
    pub(super) fn row(number: usize) -> Row {
        let entry = |label: &str, children: Vec<MenuEntry>| MenuEntry {
            label: label.to_owned(),
            url: (label != "More").then(|| format!("https://example.org/{label}")),
            children,
        };
        let full = number.is_multiple_of(2);
        Row {
            url: format!("https://example.org/{number}"),
            site: "example.org".to_owned(),
            date: full.then(|| "2026-11-16T06:14:30.123456Z".to_owned()),
            layout: full.then(|| "a1".to_owned()),
            title: full.then(|| format!("Page {number} é")),
            language: full.then(|| "en".to_owned()),
            told_by: "template".to_owned(),
            content: Some(format!("What page {number} says.\n")),
            menu: full.then(|| vec![entry("Home", vec![]), entry("More", vec![entry("Deep", vec![])])]),
            template_id: None,
            template_share: full.then_some(0.25),
            bytes: 5_000_000_000,
            words: 7,
            content_words: 4,
            links: 3,
            warnings: match full {
                true => vec!["unknown-layout".to_owned(), "floor".to_owned()],
                false => vec![],
            },
        }
    }

    /// What was written, to be had after the writer has gone.
    #[derive(Clone, Default)]
    pub(super) struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Kept {
        pub(super) fn bytes(&self) -> Vec<u8> {
            self.0.lock().unwrap().clone()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
