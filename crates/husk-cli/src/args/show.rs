//! `husk show`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::OutputArgs;

/// Print the templates learned by husk learn
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk show site.husk                                a table of the layouts
  husk show site.husk --layout 1 --format html       the template of the first, with its slots
  husk show site.husk --format json | jq .layouts    for programs")]
pub(crate) struct ShowArgs {
    /// The file that husk learn wrote
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Only this layout: its number in the table, or its id
    #[arg(long, value_name = "ID|NUMBER")]
    pub(crate) layout: Option<String>,

    /// What to print
    #[arg(long, short, value_enum, default_value = "text")]
    pub(crate) format: ShowFormat,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What `husk show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// The site and a table of its layouts
    Text,
    /// The same as one object
    Json,
    /// The template of a layout, with a slot where content was
    Html,
    /// The same as an indented tree, with the support of each node
    Outline,
}
