//! `husk inspect`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

/// Write one HTML file to look into a page with: template, menu and content tinted, pages compared, blocks
///
/// The file needs no other and none of the page's scripts runs in it. The page's own pictures and style sheets are
/// loaded when it is opened, unless --offline forbids that.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk inspect site/about.html -o report.html        a report to open in a browser
  husk inspect site/about.html --open                look at it at once
  husk inspect site/about.html --offline -o report.html
                                                     opening it loads nothing at all")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to write
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Inspect), default_value = default_format(Part::Inspect))]
    pub(crate) format: &'static Output,

    /// Let the report load nothing when it is opened, not even the page's pictures and style sheets
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
