//! The `husk-lab` command: measures methods on labelled sites. Flags and glue; the work is in the library.

/// The allocator of the `husk` command, so that times compare.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod args;

mod notes;

mod options;

mod floors_file;

mod eval;

mod tune;

mod fit;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Eval(args) => eval::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Fit(args) => fit::run(&args),
    };
    let Err(cause) = result else {
        return ExitCode::SUCCESS;
    };
    // Nothing can be done if standard error is closed.
    let _ = writeln!(io::stderr(), "husk-lab: {cause:#}");
    match cause.downcast_ref() {
        Some(args::UsageError(_)) => ExitCode::from(2),
        None => ExitCode::FAILURE,
    }
}
