//! Numbers that decide which selectors are tried and chosen.

/// Most classes of an element to try.
pub(super) const MOST_CLASSES: usize = 5;

/// Most named ancestors to try.
pub(super) const MOST_SURROUNDINGS: usize = 5;

/// Longer labels are sentences.
pub(super) const LONGEST_LABEL: usize = 40;

/// Longer paths break with the first change.
pub(super) const LONGEST_PATH: usize = 6;

/// Parts of two pages are the same if they share at least this part of the larger one's words.
pub(super) const SAME_PART: f64 = 0.5;

/// Number of elements around the content to try for a selector that works on more pages.
pub(super) const ANCESTORS_TO_TRY: usize = 2;

/// These may have this many times its words.
pub(super) const MOST_EXTRA_WORDS: f64 = 1.2;

/// Most selectors to return.
pub(super) const MOST_SELECTORS: usize = 40;

/// On a page in more pieces, only the largest get selectors, since each try goes through all pages.
pub(super) const MOST_TARGETS: usize = 200;

/// Least share of template words in what is excluded as template.
pub(super) const MOSTLY_TEMPLATE: f64 = 0.8;

/// An element must contain this share of the content to stand for all of it.
pub(super) const NEARLY_ALL_CONTENT: f64 = 0.97;

/// Content in more parts than this is selected by an element around it.
pub(super) const MOST_CONTENT_PARTS: usize = 4;
