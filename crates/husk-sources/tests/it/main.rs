//! Sources on real folders, among them mirrors that the real tools make of a small site.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "all of this is test code, helpers included"
)]

/// A small site with every kind of URL that tools save under another name.
mod site;

/// Serves that site on the loopback interface.
mod server;

/// Runs mirroring tools, compares a mirror with what was served.
mod mirror;

/// Mirrors made with wget.
mod wget;

/// Mirrors made with HTTrack.
mod httrack;

/// Writes a folder of pages for one test.
mod pages;

/// Which page is found at a URL.
mod addresses;

/// Key pages given as files, and the URLs of files.
mod files;

/// A key page given as a file, and the site found around it.
mod around;

/// What is rejected, and the error messages.
mod refusals;

/// The project's own example sites.
mod fixtures;

/// WARC files as sources of pages.
mod archives;
/// Pages that were saved each as one file.
mod snapshots;

/// The web source against servers that misbehave on purpose.
#[cfg(feature = "http")]
mod faults;
/// Lists of URLs, as sites and people write them.
mod lists;

/// Sites of the corpus over HTTP: the same as from their folders.
#[cfg(feature = "http")]
mod live_corpus;
/// Which pages need a browser.
mod scripted;

/// Pages in a real browser.
#[cfg(feature = "render")]
mod render;
