//! `husk show`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::OutputArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk show site.husk                                a table of the layouts
  husk show site.husk --layout 1 --format html       the template of the first, with its slots
  husk show site.husk --format json | jq .layouts    for programs
  husk show templates/                               the sites of a template store
  husk show templates/ --site example.org            the layouts of one of them")]
pub(crate) struct ShowArgs {
    /// Templates file of husk learn, or template store of husk bulk or husk serve
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,

    /// Print the layouts of this site of a template store
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,

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
