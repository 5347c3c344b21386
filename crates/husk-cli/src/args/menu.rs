//! `husk menu`.

use clap::ValueEnum;

use super::{MethodArgs, OutputArgs, PageArgs};

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

    /// What to print [default: markdown]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<MenuFormat>,

    /// Print every block of links, not only the main menu: submenus, breadcrumbs, pagination, languages, footer
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}

/// What `husk menu` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MenuFormat {
    /// A nested list with links, the active entry in bold
    Markdown,
    /// One object: pages, and the menu as a tree with labels, addresses and the active entry
    Json,
    /// Nested lists in a nav element, without anything else of the page
    Html,
    /// Labels, indented
    Text,
    /// One absolute XPath a line for each node
    Xpath,
    /// CSS selectors of the elements that hold it, one a line, then a tab and why
    Selectors,
}
