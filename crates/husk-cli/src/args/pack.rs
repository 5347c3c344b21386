//! `husk pack`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;
use husk::Url;

use super::{LoadingArgs, MethodArgs, parse_base_url};

/// Write pages into a web archive, to have the same result again without the web
///
/// Of a page of the web, what the other commands would load is written: the page, its siblings, redirects, robots.txt and
/// what could not be loaded. Of a folder, every page in it. The name of the file says how the archive is packed: .warc.gz,
/// .warc.zst, or .warc for not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk pack https://example.org/a -o example.warc.gz
  husk template https://example.org/a --warc example.warc.gz
                                                     the same as without the archive, byte for byte
  husk pack site --base-url https://example.org/ -o site.warc.zst --index
                                                     a saved site, with a CDXJ index beside")]
pub(crate) struct PackArgs {
    /// Pages of the web, and folders of saved sites
    #[arg(value_name = "URL|FOLDER", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<OsString>,

    /// Write an index beside it, .cdxj, which spares reading all of a large archive
    #[arg(long)]
    pub(crate) index: bool,

    /// The address that a folder was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// The archive to write
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Say nothing on standard error but errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say on standard error which options apply
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
