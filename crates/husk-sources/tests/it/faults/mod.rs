//! The web source against servers that misbehave on purpose: one fault per test.
//!
//! Each server has a good site except for one page, or one thing that all pages need. All good pages must be used, the
//! fault must be named, and nothing may hang or fill the memory.

/// The good site.
mod site;

/// A real server, and one that sends whatever a test wants; both log requests.
pub(crate) mod server;

/// Certificates for servers, good and bad.
pub(crate) mod certificates;

/// Runs an extraction over a site and checks that only the faulty page is lost.
mod run;

/// Connections that are refused, reset or closed.
mod connection;

/// Servers that do not speak HTTP.
mod speech;

/// Servers that are slow at each stage.
mod slow;

/// Endless responses, floods and bombs.
mod size;

/// Bodies that are not as long as their headers say.
mod framing;

/// Content encodings that are damaged, wrong or unknown.
mod coding;

/// Redirects that are invalid, loop or lead to other sites.
mod redirects;

/// Private IP addresses.
mod reach;

/// Names that do not resolve, or resolve to something else each time.
mod lookup;

/// A proxy.
mod proxy;

/// Pages that try to lead elsewhere.
mod links;

/// Pages that are not what their headers say.
mod content;

/// Errors, and pages that look like errors.
mod status;

/// What `robots.txt` disallows, and what happens if it cannot be read.
mod robots;

/// Overloaded servers.
mod busy;

/// HTTP/2 over TLS, and invalid certificates.
mod tls;

/// Cookies within one session.
mod cookies;

/// Sitemaps that are wrong, refer to each other or are endless.
mod sitemap;

/// The cache on disk.
mod cache;

/// How many requests are sent, and how fast.
mod pace;
