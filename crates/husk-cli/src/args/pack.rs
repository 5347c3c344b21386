//! `husk pack`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;
use husk::Url;

use super::{LoadingArgs, MethodArgs, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk pack https://example.org/a -o example.warc.gz
  husk template https://example.org/a --warc example.warc.gz
                                                     the same result without the web
  husk pack site --base-url https://example.org/ -o site.warc.zst --index
                                                     a saved site with a CDXJ index")]
pub(crate) struct PackArgs {
    /// URLs, and folders of saved sites
    #[arg(value_name = "URL|FOLDER", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<OsString>,

    /// Also write a CDXJ index, so that large archives are not scanned
    #[arg(long)]
    pub(crate) index: bool,

    /// URL that a folder was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// WARC file to write
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Print only errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print the options in use
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
