//! Limits for metadata.

/// Longer texts are not dates.
pub(super) const LONGEST_DATE: usize = 48;

/// With more objects than this, JSON-LD does not describe one page.
pub(super) const MOST_OBJECTS: usize = 2000;

/// Longer texts are not names of people.
pub(super) const LONGEST_BYLINE: usize = 80;

/// A title that at least this share of the pages has is none of a page. Pages of one archive share theirs, too, and may be
/// two of three siblings.
pub(super) const TITLE_OF_ALL: f64 = 0.75;

/// A title that at least so many pages have names none of them, if they have headings of their own: that of a section.
pub(super) const TITLE_OF_SEVERAL: u32 = 3;

/// A text with more words is no title.
pub(super) const LONGEST_TITLE: u32 = 16;

/// A block with more words belongs to the body.
pub(super) const SHORTEST_BODY: u32 = 25;

/// Most texts of each kind that are kept of the titles of a site: the name of the site, and those of its sections.
pub(super) const MOST_TITLE_PARTS: usize = 8;
