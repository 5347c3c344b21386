//! `husk pagelets`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

/// Print the blocks of a page, each with what it is for
///
/// Functions are main-content, main-menu, submenu, header, footer, sidebar, search, login, advertisement, related,
/// breadcrumb, pagination, social, comments, language, consent and other. Header, footer, sidebar and main-content may
/// hold other blocks.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk pagelets site/about.html                      a table to read
  husk pagelets site/about.html --format json        with XPaths, shares of text and links, support
  husk pagelets site/about.html --format json | jq '.pagelets[] | select(.function == \"footer\").xpaths'
  husk pagelets page.html --alone                    a page without its site")]
pub(crate) struct PageletsArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Pagelets), default_value = default_format(Part::Pagelets))]
    pub(crate) format: &'static Output,

    /// Tell the blocks by the page alone, and load no other page: what is template stays unknown, and menus are told by their looks
    #[arg(long)]
    pub(crate) alone: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
