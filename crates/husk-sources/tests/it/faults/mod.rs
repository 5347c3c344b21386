//! The web source against servers that misbehave on purpose: one fault per test.
//!
//! Each server holds a good site but for one page, or one thing that all pages need. The pages that are good must all be
//! used, the fault must be named, and nothing may take for ever or fill the memory.

/// The good site.
mod site;

/// A real server, and one that says whatever a test wants; both log what they are asked for.
pub(crate) mod server;

/// Certificates for servers, good and bad.
pub(crate) mod certificates;

/// Runs an extraction over a site and checks that only the fault is lost.
mod run;

/// Connections that are refused, reset or closed.
mod connection;

/// Servers that speak something else than HTTP.
mod speech;

/// Servers that take their time at each stage.
mod slow;

/// Answers without end, floods and bombs.
mod size;

/// Bodies that are not as long as their headers say.
mod framing;

/// Content codings that are broken, wrong or unknown.
mod coding;

/// Redirects that lead nowhere, in circles or elsewhere.
mod redirects;

/// Addresses that are not on the public internet.
mod reach;

/// Names that lead nowhere, elsewhere, or somewhere else each time.
mod lookup;

/// A proxy between us and the site.
mod proxy;

/// Pages that try to lead us elsewhere by what they say.
mod links;

/// Pages that are not what their headers say.
mod content;

/// Errors, and pages that look like errors.
mod status;

/// What `robots.txt` forbids, and what is done where it cannot be had.
mod robots;

/// Servers that have too much to do.
mod busy;

/// HTTP/2 over TLS, and certificates that are not to be trusted.
mod tls;

/// Cookies within one session.
mod cookies;

/// Sitemaps that lie, lead in circles or have no end.
mod sitemap;

/// The cache on disk.
mod cache;

/// How many requests are made, and how fast.
mod pace;
