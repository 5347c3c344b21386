//! `husk learn`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;
use husk::Url;

use super::{LoadingArgs, SameSite, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk learn site -o site.husk                       from a saved site
  husk learn crawl.warc.gz --base-url https://example.org/ -o site.husk
                                                     from one of the sites in an archive
  husk learn https://example.org/ -o site.husk       from 40 pages on the web
  husk learn more.warc.gz -o site.husk --update      add further pages
  husk strip --template site.husk site/a.html        extract the content of a page

Exit status: 0 on success, 1 if something could not be read or written, 2 for wrong usage, 3 if there are too few pages to
learn from.")]
pub(crate) struct LearnArgs {
    /// Folders of saved sites, WARC files, or URLs
    #[arg(value_name = "SITE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) sites: Vec<OsString>,

    /// Templates file to write; replaced only if it holds templates of the same site
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Refine the templates in the file and add new ones
    #[arg(long)]
    pub(crate) update: bool,

    /// Maximum number of pages to learn from [default: 40 on the web, 200 in folders and archives]
    #[arg(long, value_name = "N", value_parser = parse_max_pages)]
    pub(crate) max_pages: Option<usize>,

    /// URL that a folder was saved from; selects one of the sites of an archive
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// Group pages into sites by host or by registrable domain [default: host]
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) same_site: Option<SameSite>,

    /// Print only errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print all messages about unreadable input, not only the first few
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Configuration file [default: husk.toml in this folder or a parent]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,
}

fn parse_max_pages(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0..3) => Err("expected at least 3 pages".to_owned()),
        Ok(count) => Ok(count),
        Err(cause) => Err(format!("{cause}")),
    }
}
