//! `husk check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use husk::Url;

use super::{OutputArgs, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk check site.husk site                          a saved site, by the dates of its files
  husk check site.husk monday.warc.gz tuesday.warc.gz
  husk check site.husk site --format json | jq .verdict
  husk check templates/ tuesday.warc.gz              each site of a template store

Exit status: 0 if the pages fit, 4 if a site changed, 3 if there are too few pages to decide, 1 if something could not be
read or written, 2 for wrong usage.")]
pub(crate) struct CheckArgs {
    /// Templates file of husk learn, or template store of husk bulk or husk serve
    #[arg(value_name = "TEMPLATE", value_hint = ValueHint::AnyPath)]
    pub(crate) template: PathBuf,

    /// HTML files, folders of saved sites, or WARC files
    #[arg(value_name = "PAGES", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) pages: Vec<OsString>,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    pub(crate) format: DriftFormat,

    /// URL that the site was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Output formats of `husk check` and `husk diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DriftFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}
