//! How a command ends: what it says and the exit status.

use std::io::{self, Write};
use std::process::ExitCode;

/// A failure with an exit status of its own.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage: 2.
    Usage(String),
    /// There is no sibling page to compare with, or too few pages to learn from: 3.
    NoSibling(String),
    /// The template of a site changed: 4.
    Drift(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Usage(message) | Self::NoSibling(message) | Self::Drift(message)) = self;
        out.write_str(message)
    }
}

impl std::error::Error for Failure {}

/// Prints the error of a command, if any, and returns its exit status.
pub(crate) fn exit_code(done: anyhow::Result<()>) -> ExitCode {
    let Err(cause) = done else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&cause) {
        // Whoever read our output, `head` say, has seen enough.
        return ExitCode::SUCCESS;
    }
    report(&cause);
    match cause.downcast_ref() {
        Some(Failure::Usage(_)) => ExitCode::from(2),
        Some(Failure::NoSibling(_)) => ExitCode::from(3),
        Some(Failure::Drift(_)) => ExitCode::from(4),
        None => ExitCode::FAILURE,
    }
}

/// Prints an error.
pub(crate) fn report(cause: &anyhow::Error) {
    // Nothing can be done if standard error is closed.
    let _ = writeln!(io::stderr(), "husk: {cause:#}");
}

fn is_closed_pipe(cause: &anyhow::Error) -> bool {
    cause
        .downcast_ref::<io::Error>()
        .is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
