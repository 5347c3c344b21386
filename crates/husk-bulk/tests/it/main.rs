//! Whole runs over small crawls.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

/// Synthetic crawls, and runs over them.
mod crawl;

/// The fields of rows.
mod rows;

/// The same inputs give the same files.
mod same;

/// Interrupted and conflicting runs.
mod resume;

/// Damaged parts, and inputs added to finished runs.
mod parts;

/// Selection of pages.
mod selection;

/// The template store.
mod templates;

/// The report on the sites.
mod report;

/// Inputs: archives, folders, lists, damage.
mod inputs;
