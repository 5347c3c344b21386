//! `husk completions`: a completion script for a shell.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    // Into memory first: the generator panics when its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "husk", &mut script);
    Ok(io::stdout().write_all(&script)?)
}
