//! Numbers that decide which flags a page has. `docs/evaluation.md` has the measurements.

/// With fewer words of content, a page may be an error or a form to log in.
pub(super) const SHORT_CONTENT: u32 = 100;

/// A page with more words or links shows more than a request for consent.
pub(super) const MOST_WALL_WORDS: u32 = 600;
pub(super) const MOST_WALL_LINKS: u32 = 25;

/// Different phrases about consent that such a request has.
pub(super) const LEAST_CONSENT_PHRASES: usize = 2;

/// With more links, a page is no empty shell, so that it is not searched for one.
pub(super) const MOST_SHELL_LINKS: u32 = 2;

/// A list has at least this many links, and this share of its words in them.
pub(super) const LEAST_LINKS_OF_LIST: u32 = 5;
pub(super) const LEAST_LINK_DENSITY: f64 = 0.4;

/// Longer titles are about logging in, but no form to do so.
pub(super) const MOST_TITLE_WORDS: usize = 8;
