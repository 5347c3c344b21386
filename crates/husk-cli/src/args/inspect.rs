//! `husk inspect`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk inspect site/about.html -o report.html        a report to open in a browser
  husk inspect site/about.html --open                show it at once")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Inspect), default_value = default_format(Part::Inspect))]
    pub(crate) format: &'static Output,

    /// Let the report load nothing when it is opened
    #[arg(long)]
    pub(crate) offline: bool,

    /// Show the report in your browser
    #[arg(long, conflicts_with = "format")]
    pub(crate) open: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
