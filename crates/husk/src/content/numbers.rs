//! Numbers that decide what is content on a page with a template.

/// A block with a larger share of the page's own words is not judged by its names.
pub(super) const LARGE_BLOCK: f64 = 0.4;

/// Bylines, dates and links to other pages have at most this many words.
pub(super) const SHORT_BLOCK: u32 = 30;

/// A block that is only a heading has it among its first nodes.
pub(super) const NODES_BEFORE_HEADING: usize = 12;

/// The search descends into a child with at least this share of the text.
pub(super) const CORE_SHARE: f64 = 0.9;

/// With less text than this outside of what looks like boilerplate, names are ignored.
pub(super) const LEAST_TEXT: f64 = 12.0;

/// Weight of a linked word: lists of links are content only if there is nothing else.
pub(super) const LINKED_WORD: f64 = 0.25;

/// Elements with captions have at most this many words.
pub(super) const LONGEST_CAPTION: u32 = 30;

/// A hint at this many parts is one at every item of a list.
pub(super) const TIMES_IN_A_LIST: usize = 3;

/// Fewest words of a short text, without numbers.
pub(super) const FEWEST_WORDS: usize = 3;

/// Most words of a short text.
pub(super) const MOST_WORDS: usize = 24;

/// Near-duplicates have at least this share of their words in common.
pub(super) const NEAR_DUPLICATE: f64 = 0.6;

/// What a page has more often is a list.
pub(super) const MOST_TIMES: usize = 2;

/// Most texts with the same first words to compare.
pub(super) const MOST_TEXTS: usize = 16;
