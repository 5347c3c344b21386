//! The `husk-lab` command run as a program, and what needs more than one crate.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

/// Starts the command.
mod run;

/// The extractions of the key pages of sites.
mod corpus;

/// `husk-lab eval`.
mod eval;

/// The engine's CSS selectors against another implementation.
mod selectors;

/// Which crates may use which.
mod dependencies;
