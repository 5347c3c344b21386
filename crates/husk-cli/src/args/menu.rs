//! `husk menu`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk menu site/about.html                          as a nested Markdown list
  husk menu site/about.html -f json                  labels, URLs, the active item
  husk menu site/about.html --all                    every block of links, with its kind")]
pub(crate) struct MenuArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Menu), default_value = default_format(Part::Menu))]
    pub(crate) format: &'static Output,

    /// All blocks of links: submenus, breadcrumbs, pagination, languages, footer
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
