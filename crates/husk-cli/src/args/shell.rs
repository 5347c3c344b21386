//! `husk completions` and `husk man`.

use std::path::PathBuf;

use clap::ValueHint;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  husk completions bash > ~/.local/share/bash-completion/completions/husk")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk man | man -l -
  husk man --folder ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write husk.1, husk-template.1 and so on into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}
