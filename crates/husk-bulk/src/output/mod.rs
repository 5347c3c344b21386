//! Rows as files: JSON Lines, Parquet, web archives.

mod jsonl;

use std::fs::File;
use std::io::{self, BufWriter};

use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::settings::Settings;

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
    pub fn refusal(self, _settings: &Settings) -> Option<String> {
        match self {
            Self::Jsonl => None,
            Self::Parquet | Self::Warc => Some(format!(
                "the format {} is not known to this build of Husk: take jsonl",
                self.name()
            )),
        }
    }
}

/// Begins a file of rows.
pub(crate) fn begin(settings: &Settings, file: BufWriter<File>) -> io::Result<Box<dyn RowWriter>> {
    match settings.format {
        Format::Jsonl => jsonl::begin(file, settings.packing),
        Format::Parquet | Format::Warc => Err(io::Error::from(io::ErrorKind::Unsupported)),
    }
}
