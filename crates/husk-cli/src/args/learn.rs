//! `husk learn`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;
use husk::Url;

use super::{LoadingArgs, SameSite, parse_base_url};

/// Learn the templates of a site from some of its pages, to take them off any number of its pages later
///
/// Pages that are built alike are a layout, and each layout has a template. All of them go into one file, which husk strip
/// takes and husk show shows. Of a folder or an archive, pages from all over it are looked at; of the web, those that the
/// page links to, then those that these link to.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk learn site -o site.husk                       from a saved site
  husk learn crawl.warc.gz --base-url https://example.org/ -o site.husk
                                                     from one of the sites in an archive
  husk learn https://example.org/ -o site.husk       from 40 pages of the web
  husk learn more.warc.gz -o site.husk --update      learn on from further pages
  husk strip --template site.husk site/a.html        take its template off a page

Exit status: 0 if something was learned or nothing was new, 1 if something could not be read or written, 2 for a mistake in
the command, 3 if there are too few pages to learn from.")]
pub(crate) struct LearnArgs {
    /// Where pages of the site are: folders of saved sites, WARC files, or addresses of the web
    #[arg(value_name = "SITE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) sites: Vec<OsString>,

    /// The file to write; one that is there is replaced only if it holds templates of the same site
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Learn on: the templates in the file are refined, and new ones are added
    #[arg(long)]
    pub(crate) update: bool,

    /// How many pages are looked at, at most [default: 40 of the web, 200 of folders and archives]
    #[arg(long, value_name = "N", value_parser = parse_max_pages)]
    pub(crate) max_pages: Option<usize>,

    /// The address that a folder was saved from; picks one of the sites of an archive
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// What makes two pages belong to one site: the same host, or the same registrable domain [default: host]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) same_site: Option<SameSite>,

    /// Say nothing on standard error but errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say on standard error all that could not be read, not only the first few
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// The configuration file, instead of the husk.toml found from the working folder upward; same-site and loading count
    /// here
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,
}

fn parse_max_pages(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0..3) => Err("at least 3 pages are needed to learn from".to_owned()),
        Ok(count) => Ok(count),
        Err(cause) => Err(format!("{cause}")),
    }
}
