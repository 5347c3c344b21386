//! `husk strip`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;

use super::{BulkContentFormat, OutputArgs, What, parse_base_url};

/// Take the templates of a site off its pages: what is left is content
///
/// No other page is loaded: husk learn has written down what the pages share. A page of a layout that was not learned loses
/// nothing; its content is told by the page alone, and it is said to be so.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk strip --template site.husk site/a.html        the content of a page, as Markdown
  curl URL | husk strip --template site.husk - --base-url URL
  husk strip --template site.husk site               of all pages of a folder, an object of JSON a line
  husk strip --template site.husk crawl.warc.gz -o pages.jsonl
  husk strip --template site.husk site --format markdown -o contents
                                                     a file for each page

Exit status: 0 if all went well, 1 if something could not be read or written or, with --strict, if a page has an unknown
layout, 2 for a mistake in the command.")]
pub(crate) struct StripArgs {
    /// HTML files, folders of saved sites, WARC files, or - for a page on standard input
    #[arg(value_name = "PAGE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) pages: Vec<OsString>,

    /// The file that husk learn wrote
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) template: PathBuf,

    /// What to print [default: markdown for one HTML file, else jsonl]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<StripFormat>,

    /// What JSON tells of each page, beside what every row has [default: content]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) what: Vec<What>,

    /// The form of the content in JSON [default: text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) content_format: Option<BulkContentFormat>,

    /// Fail, with exit status 1, if a page has an unknown layout; all pages are written nevertheless
    #[arg(long)]
    pub(crate) strict: bool,

    /// The root of the saved site; found from the place of each file if not given
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,

    /// The address that the site or the page was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// With one file for each page, -o names the folder for them
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What `husk strip` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StripFormat {
    /// GitHub's Markdown
    Markdown,
    /// Paragraphs, with an empty line between them
    Text,
    /// Clean HTML: an article without scripts, styles and forms
    Html,
    /// One object: title, layout, warnings and so on, and the content
    Json,
    /// Such an object a line, as husk bulk writes them
    Jsonl,
}
