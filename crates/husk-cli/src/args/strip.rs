//! `husk strip`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;

use super::{BulkContentFormat, OutputArgs, RowField, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk strip --template site.husk site/a.html        the content of a page as Markdown
  curl URL | husk strip --template site.husk - --base-url URL
  husk strip --template site.husk site               all pages of a folder, as JSON Lines
  husk strip --template site.husk crawl.warc.gz -o pages.jsonl
  husk strip --template templates/ crawl.warc.gz     pages of all sites in a template store
  husk strip --template site.husk site --format markdown -o contents
                                                     one file per page

Exit status: 0 on success, 1 if something could not be read or written or, with --strict, if a page has an unknown layout,
2 for wrong usage.")]
pub(crate) struct StripArgs {
    /// HTML files, folders of saved sites, WARC files, or - for a page on standard input
    #[arg(value_name = "PAGE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) pages: Vec<OsString>,

    /// Templates file of husk learn, or template store of husk bulk or husk serve
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) template: PathBuf,

    /// Output format [default: markdown for one HTML file, else jsonl]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<StripFormat>,

    /// Optional fields to include in JSON rows [default: content]
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    pub(crate) fields: Vec<RowField>,

    /// Format of the content in JSON [default: text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) content_format: Option<BulkContentFormat>,

    /// Exit with status 1 if a page has an unknown layout, after writing all pages
    #[arg(long)]
    pub(crate) strict: bool,

    /// Root of the saved site [default: guessed from the path of each file]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,

    /// URL that the site or page was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Output formats of `husk strip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StripFormat {
    /// GitHub-flavoured Markdown
    Markdown,
    /// Paragraphs separated by empty lines
    Text,
    /// Clean HTML: an article without scripts, styles and forms
    Html,
    /// One object per page: title, layout, warnings, content and more
    Json,
    /// One object per line, as in husk bulk
    Jsonl,
}
