//! Limits for metadata.

/// Longer texts are not dates.
pub(super) const LONGEST_DATE: usize = 48;

/// With more objects than this, JSON-LD does not describe one page.
pub(super) const MOST_OBJECTS: usize = 2000;

/// Longer texts are not names of people.
pub(super) const LONGEST_BYLINE: usize = 80;
