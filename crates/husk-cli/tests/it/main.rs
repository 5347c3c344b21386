//! The `husk` command, run as a program on folders.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

/// How the command is started and what it left.
mod run;

/// A web server on this machine.
mod web;

/// `husk template`: formats, options, exit status, messages.
mod template;

/// `husk content`: formats, metadata, a page alone.
mod content;

/// `husk menu`: formats, blocks, pages without a menu.
mod menu;

/// `husk pagelets`.
mod pagelets;

/// `husk inspect`.
mod inspect;

/// `husk template --format jinja` and the like.
mod engines;

/// `--format selectors`.
mod selectors;

/// Pages from the web.
mod live;

/// `husk pack` and `--warc`.
mod pack;

/// `husk learn` and `husk show`.
mod learn;

/// `husk strip`.
mod strip;

/// `husk check` and `husk diff`.
mod drift;

/// `husk bulk`.
mod bulk;

/// docs/crawls.md.
mod crawls;

/// Pages that are no pages, or have nothing on them.
mod odd_pages;

/// `husk.toml`.
mod config;

/// `husk completions`, `husk man`, `husk help`.
mod help;

/// Every command of the README does what it says.
mod readme;

/// What must hold on every page of every site.
mod corpus;

/// What must hold on pages that were broken on purpose.
mod broken;

/// Pages that would cost far more than they are worth.
mod hostile;
