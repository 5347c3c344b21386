//! `husk bulk`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;
use jiff::Timestamp;

use super::{SameSite, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk bulk crawl-*.warc.gz -o out                   the content of every page, in JSON Lines
  husk bulk archives/ -f parquet --fields content,menu -o out
                                                     all WARC files below a folder, with menus
  husk bulk tuesday.warc.gz --templates templates --append -o out
                                                     more pages, with templates learned before
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

    /// Output folder: new, empty, of a run to resume, or with --append of finished ones
    #[arg(long, short, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,

    /// Delete an earlier run in the output folder, and start over
    #[arg(long, hide_short_help = true)]
    pub(crate) restart: bool,

    /// Add the inputs to a finished output: write further files, and leave those that are there
    #[arg(long)]
    pub(crate) append: bool,

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

    /// Write a report on each site's template, layouts and menu: _report/report.html and _report/sites.jsonl
    #[arg(long)]
    pub(crate) report: bool,

    /// Template store: use its templates for known sites, and add those of other sites
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::AnyPath)]
    pub(crate) templates: Option<PathBuf>,

    /// Group pages into sites by host or by registrable domain [default: host]
    #[arg(long, value_enum, value_name = "SCOPE", hide_short_help = true)]
    pub(crate) same_site: Option<SameSite>,

    /// Learn templates only for sites with at least so many pages
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true)]
    pub(crate) min_pages: u32,

    /// URL that the input folder was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url, hide_short_help = true)]
    pub(crate) base_url: Option<Url>,

    /// Only pages whose URL matches a pattern; can be repeated
    #[arg(long, value_name = "PATTERN", hide_short_help = true, help_heading = SELECTION)]
    pub(crate) include: Vec<String>,

    /// No pages whose URL matches a pattern; can be repeated
    #[arg(long, value_name = "PATTERN", hide_short_help = true, help_heading = SELECTION)]
    pub(crate) exclude: Vec<String>,

    /// Only pages that declare one of these languages, such as en,pt-BR; und for pages that declare none
    #[arg(
        long,
        value_name = "TAGS",
        value_delimiter = ',',
        hide_short_help = true,
        help_heading = SELECTION
    )]
    pub(crate) language: Vec<String>,

    /// Only responses with these statuses, such as 200,400-499 [default: 200-299]
    #[arg(
        long,
        value_name = "STATUSES",
        value_delimiter = ',',
        value_parser = parse_statuses,
        hide_short_help = true,
        help_heading = SELECTION
    )]
    pub(crate) status: Vec<(u16, u16)>,

    /// Only pages captured on this day or later: 2026-11-16, or a time such as 2026-11-16T08:00:00Z
    #[arg(long, value_name = "DATE", value_parser = parse_since, hide_short_help = true, help_heading = SELECTION)]
    pub(crate) since: Option<Timestamp>,

    /// Only pages captured on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = parse_until, hide_short_help = true, help_heading = SELECTION)]
    pub(crate) until: Option<Timestamp>,

    /// Only pages of the sites in a list, one name or URL per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = SELECTION)]
    pub(crate) sites: Option<PathBuf>,

    /// Stop after so many pages
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true, help_heading = SELECTION)]
    pub(crate) limit: Option<u64>,

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

/// The options that select pages are listed together.
const SELECTION: &str = "Selection of pages";

/// A status, or the first and last of a range.
fn parse_statuses(text: &str) -> Result<(u16, u16), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let status = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|status| (100..=999).contains(status))
    };
    match (status(first), status(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err("expected a status such as 200, or a range such as 200-299".to_owned()),
    }
}

fn parse_since(text: &str) -> Result<Timestamp, String> {
    parse_date(text, 0)
}

/// A date stands for the whole day.
fn parse_until(text: &str) -> Result<Timestamp, String> {
    parse_date(text, 1)
}

/// A time, or the beginning of a day in UTC, or with `days` the last moment before a later one.
fn parse_date(text: &str, days: i64) -> Result<Timestamp, String> {
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let begin = || {
        let date: jiff::civil::Date = text.parse().ok()?;
        let date = date.checked_add(jiff::Span::new().days(days)).ok()?;
        let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        midnight.checked_sub(jiff::Span::new().nanoseconds(days)).ok()
    };
    begin().ok_or_else(|| {
        "expected a date such as 2026-11-16, or a time such as 2026-11-16T08:00:00Z".to_owned()
    })
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
    /// HTML without scripts, styles and forms
    Html,
}

impl From<BulkContentFormat> for husk_bulk::ContentFormat {
    fn from(format: BulkContentFormat) -> Self {
        match format {
            BulkContentFormat::Text => Self::Text,
            BulkContentFormat::Markdown => Self::Markdown,
            BulkContentFormat::Html => Self::Html,
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
