//! `husk menu`.

use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

/// Print the main menu of a page's site as a tree of labels and links
///
/// The menu is looked for in the template, that is among the links that the page shares with its siblings. If there is none,
/// JSON has null for it, and every other format ends with exit status 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk menu site/about.html                          the menu as a nested Markdown list
  husk menu site/about.html --format json            labels, addresses, which entry is active
  husk menu site/about.html --all                    every block of links, with its kind")]
pub(crate) struct MenuArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Menu), default_value = default_format(Part::Menu))]
    pub(crate) format: &'static Output,

    /// Print every block of links, not only the main menu: submenus, breadcrumbs, pagination, languages, footer
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
