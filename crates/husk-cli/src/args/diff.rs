//! `husk diff`.

use std::ffi::OsString;

use clap::ValueHint;
use husk::Url;

use super::{DriftFormat, OutputArgs, parse_base_url};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk diff site-before site-after --base-url https://example.org/
  husk diff monday.warc.gz tuesday.warc.gz
  husk diff old new --format json | jq '.pages[] | select(.change == \"content\").url'

Exit status: 0 if the template is the same, 4 if it changed or the server answered with errors, 3 if too few pages are in both captures to decide, 1 if something could not be read or written, 2 for wrong usage.")]
pub(crate) struct DiffArgs {
    /// Earlier capture: a folder with a saved site, or a WARC file
    #[arg(value_name = "OLD", value_hint = ValueHint::AnyPath)]
    pub(crate) old: OsString,

    /// Later capture
    #[arg(value_name = "NEW", value_hint = ValueHint::AnyPath)]
    pub(crate) new: OsString,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    pub(crate) format: DriftFormat,

    /// URL that the site was saved from [default: for two folders, the same for both]
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
