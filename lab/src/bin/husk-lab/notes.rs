//! Messages on standard error.

use std::io::{self, Write};

use crate::args::OutputArgs;

/// Prints messages to standard error, as far as the flags allow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notes {
    quiet: bool,
    verbose: bool,
}

impl Notes {
    pub(crate) fn new(output: &OutputArgs) -> Self {
        Self {
            quiet: output.quiet,
            verbose: output.verbose,
        }
    }

    /// Prints a message, unless --quiet was given.
    pub(crate) fn note(self, message: &str) {
        if !self.quiet {
            // Nothing can be done if standard error is closed.
            let _ = writeln!(io::stderr(), "husk-lab: {message}");
        }
    }

    /// Prints a message if --verbose was given.
    pub(crate) fn detail(self, message: &str) {
        if self.verbose {
            self.note(message);
        }
    }
}
