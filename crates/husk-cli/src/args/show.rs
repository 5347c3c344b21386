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
    /// Templates file of husk learn
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Print only this layout, by number or id
    #[arg(long, value_name = "ID|NUMBER")]
    pub(crate) layout: Option<String>,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    pub(crate) format: ShowFormat,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Output formats of `husk show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// A table of the layouts
    Text,
    /// One JSON object
    Json,
    /// The template of a layout, with slots
    Html,
    /// The template as an indented tree, with the support of each node
    Outline,
}
