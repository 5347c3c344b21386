//! `husk bulk`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;

use super::{SameSite, parse_base_url};

/// Tell what is on every page of whole crawls: templates are learned site by site and taken off all pages
///
/// Pages come from WARC files and folders, are grouped by site on disk, and become rows in the folder that is given. A run
/// that was interrupted in any way goes on when the same command is given again. The result does not depend on the number
/// of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk bulk crawl-*.warc.gz -o out                   what is on every page, as text, in JSON Lines
  husk bulk archives/ --content-format markdown --what content,menu -o out
                                                     all WARC files below a folder; menus too
  husk bulk crawl.warc.gz --report -o out            out/report.html says how much of each site is template
  husk bulk @crawls.txt -o out                       the inputs that a list names, one a line
  find . -name '*.warc.gz' | husk bulk --list - -o out
  zstdcat out/part-*.jsonl.zst | jq -r .title        all parts in order are all rows

Exit status: 0 if all pages were told of, 1 if something could not be read or written, 2 for a mistake in the command.")]
pub(crate) struct BulkArgs {
    /// WARC files (.warc, .warc.gz, .warc.zst), folders that hold such files or saved sites, and @FILE for a list
    #[arg(value_name = "INPUT", required_unless_present = "list", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<OsString>,

    /// A file that names one input a line, - for standard input; may be given several times
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) list: Vec<PathBuf>,

    /// The folder to write to, a new or empty one, or that of a run to go on with
    #[arg(long, short, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,

    /// Throw away what an earlier run left in the folder, and begin anew
    #[arg(long)]
    pub(crate) restart: bool,

    /// What is told of each page, beside what every row has
    #[arg(long, value_enum, value_delimiter = ',', default_value = "content")]
    pub(crate) what: Vec<What>,

    /// The form of the content
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) content_format: BulkContentFormat,

    /// The form of the rows
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: BulkFormat,

    /// How the files are packed
    #[arg(long, value_enum, value_name = "HOW", default_value = "zst")]
    pub(crate) compress: Compress,

    /// How many rows a file has at most; a run that was killed goes on behind the last whole file
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) part_rows: u64,

    /// Report how much of each site is template, with its layouts and menu: report.html and report/sites.jsonl in the folder
    #[arg(long)]
    pub(crate) report: bool,

    /// What makes two pages belong to one site: the same host, or the same registrable domain [default: host]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) same_site: Option<SameSite>,

    /// Sites with fewer pages are not learned from: their contents are told by each page alone
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) min_pages: u32,

    /// The address that a folder was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// How many threads work [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// How many packed bytes of pages are held in memory before they are written, sorted, to the disk
    #[arg(long, value_name = "BYTES", hide = true)]
    pub(crate) run_bytes: Option<usize>,

    /// Say nothing on standard error but errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say on standard error all that is broken in the inputs, not only the first few
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// The configuration file, instead of the husk.toml found from the working folder upward; same-site counts here
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// What is told of a page that not everybody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// What a reader came for
    Content,
    /// The main menu
    Menu,
    /// A name for the template, the same on all pages that have it
    TemplateId,
}

impl What {
    /// What is told if these are wanted.
    pub(crate) fn all_of(wanted: &[Self]) -> husk_bulk::What {
        husk_bulk::What {
            content: wanted.contains(&Self::Content),
            menu: wanted.contains(&Self::Menu),
            template_id: wanted.contains(&Self::TemplateId),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BulkContentFormat {
    /// Words and lines
    Text,
    /// Headings, links, tables and so on
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
    /// An object of JSON a line
    Jsonl,
    /// A table of columns, as Arrow and databases read it
    Parquet,
    /// A web archive of conversion records, like WET files
    Warc,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Compress {
    /// gzip
    Gz,
    /// Zstandard
    Zst,
    /// Not at all
    None,
}
