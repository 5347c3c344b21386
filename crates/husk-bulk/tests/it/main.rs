//! Whole runs over small crawls.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

/// Crawls that are made up, and runs over them.
mod crawl;

/// What is in the rows.
mod rows;

/// The same inputs give the same files.
mod same;

/// Runs that were interrupted, and others that get in their way.
mod resume;

/// The report on the sites.
mod report;

/// Inputs: archives, folders, lists, and what is broken in them.
mod inputs;
