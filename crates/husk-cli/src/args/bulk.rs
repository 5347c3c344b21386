//! `husk bulk`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;

use super::{SameSite, parse_base_url};

/// Extract the content of every page in a crawl
///
/// Reads WARC files and folders, groups pages by site on disk, learns the templates of each site, and writes one row per page
/// to the output folder. Run the same command again to resume an interrupted run. The result does not depend on the number
/// of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk bulk crawl-*.warc.gz -o out                   the content of every page, in JSON Lines
  husk bulk archives/ -f parquet --fields content,menu -o out
                                                     all WARC files below a folder, with menus
  find . -name '*.warc.gz' | husk bulk - -o out      inputs from a list
  zstdcat out/part-*.jsonl.zst | jq -r .title        all rows in order

Exit status: 0 on success, 1 if something could not be read or written (a damaged archive is processed as far as possible
first), 2 for wrong usage.")]
pub(crate) struct BulkArgs {
    /// WARC files, folders of WARC files or saved sites, @FILE for a list of inputs, - for a WARC stream or a list
    #[arg(value_name = "INPUT", required_unless_present = "list", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<OsString>,

    /// Read inputs from a list, one per line (- for standard input); can be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) list: Vec<PathBuf>,

    /// Output folder: new, empty, or of a run to resume
    #[arg(long, short, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,

    /// Delete an earlier run in the output folder, and start over
    #[arg(long)]
    pub(crate) restart: bool,

    /// Optional fields to include in each row
    #[arg(
        long,
        value_enum,
        value_name = "FIELDS",
        value_delimiter = ',',
        default_value = "content"
    )]
    pub(crate) fields: Vec<RowField>,

    /// Format of the content
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) content_format: BulkContentFormat,

    /// Format of the files
    #[arg(long, short, value_enum, default_value = "jsonl")]
    pub(crate) format: BulkFormat,

    /// Compression of the files
    #[arg(
        long,
        value_enum,
        value_name = "METHOD",
        default_value = "zst",
        hide_short_help = true
    )]
    pub(crate) compress: Compress,

    /// Rows per file; a resumed run continues after the last complete file
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub(crate) part_rows: u64,

    /// Write a report on each site's template, layouts and menu: report.html and report/sites.jsonl
    #[arg(long)]
    pub(crate) report: bool,

    /// Group pages into sites by host or by registrable domain [default: host]
    #[arg(long, value_enum, value_name = "SCOPE", hide_short_help = true)]
    pub(crate) same_site: Option<SameSite>,

    /// Learn templates only for sites with at least so many pages
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true)]
    pub(crate) min_pages: u32,

    /// URL that the input folder was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url, hide_short_help = true)]
    pub(crate) base_url: Option<Url>,

    /// Number of threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Compressed bytes of pages buffered in memory
    #[arg(long, value_name = "BYTES", hide = true)]
    pub(crate) run_bytes: Option<usize>,

    /// Print only errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print all messages about damaged input, not only the first few
    #[arg(long, short, hide_short_help = true)]
    pub(crate) verbose: bool,

    /// Configuration file [default: husk.toml in this folder or a parent]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,
}

/// Optional fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowField {
    /// Main content
    Content,
    /// Main menu
    Menu,
    /// Name of the template, the same on all pages that have it
    TemplateId,
}

impl RowField {
    pub(crate) fn all_of(wanted: &[Self]) -> husk_bulk::RowFields {
        husk_bulk::RowFields {
            content: wanted.contains(&Self::Content),
            menu: wanted.contains(&Self::Menu),
            template_id: wanted.contains(&Self::TemplateId),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BulkContentFormat {
    /// Plain text
    Text,
    /// Markdown with headings, links and tables
    Markdown,
}

impl From<BulkContentFormat> for husk_bulk::ContentFormat {
    fn from(format: BulkContentFormat) -> Self {
        match format {
            BulkContentFormat::Text => Self::Text,
            BulkContentFormat::Markdown => Self::Markdown,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BulkFormat {
    /// JSON Lines
    Jsonl,
    /// Parquet
    Parquet,
    /// WARC conversion records, like WET files
    Warc,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Compress {
    /// gzip
    Gz,
    /// Zstandard
    Zst,
    /// Uncompressed
    None,
}
