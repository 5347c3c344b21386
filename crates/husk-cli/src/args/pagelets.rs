//! `husk pagelets`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk pagelets site/about.html                      a table to read
  husk pagelets site/about.html -f json              with XPaths, shares of text and links, support
  husk pagelets page.html --alone                    a page without its site")]
pub(crate) struct PageletsArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Pagelets), default_value = default_format(Part::Pagelets))]
    pub(crate) format: &'static Output,

    /// Use only the page itself, and load no other page: the template stays unknown
    #[arg(long)]
    pub(crate) alone: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
