//! `husk report`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::OutputArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk report out                                    pages, sites, what was skipped, and whether all files are intact
  husk report out --format json | jq .totals
  husk report out --format html -o report.html       the page of husk bulk --report

Exit status: 0 on success, 1 if the output is unfinished, a file is missing or damaged, or an input was, 2 for wrong usage.")]
pub(crate) struct ReportArgs {
    /// Output folder of husk bulk
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Output formats of `husk report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A summary
    Text,
    /// The manifest
    Json,
    /// The page of husk bulk --report
    Html,
}
