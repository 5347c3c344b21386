//! Numbers that decide what is a block of links, and which one is the main menu.

/// With more unlinked words per link than this, a block is text with links.
pub(super) const MOST_OTHER_WORDS: u32 = 3;

/// Siblings are items of one list if at least this share of them looks the same.
pub(super) const SAME_LOOK: f64 = 0.8;

/// More nodes than this are no line of links.
pub(super) const LARGEST_ROW: usize = 200;

/// With a larger share of the links in one group, the group is the menu.
pub(super) const LARGEST_GROUP: f64 = 0.67;

/// This many blocks of links side by side that look the same are the columns of one.
pub(super) const LEAST_COLUMNS: usize = 4;

/// This many links, each deeper than the one before, are the path to a page.
pub(super) const LEAST_PATH: usize = 3;

/// Groups of one menu are on about as many pages: the rarest on at least this share of those with the commonest.
pub(super) const AS_COMMON: f64 = 0.25;

/// Longer paths, in segments, count as this long.
pub(super) const DEEPEST_TARGET: usize = 3;

/// Larger menus, in powers of two, count as this large: eleven pages. Otherwise a section's list of a hundred pages
/// would win over any menu.
pub(super) const LARGEST_MENU: f64 = 3.6;

/// Least score of a main menu: a stray pair of links has less.
pub(super) const LEAST_SCORE: f64 = 3.0;

/// Fewer links in a footer are no main menu.
pub(super) const LEAST_OF_FOOTER: usize = 4;

/// After this share of the content, nothing is next to it any more.
pub(super) const AFTER_CONTENT: f64 = 0.99;

/// Half of the links.
pub(super) const MOST_LINKS_SHARE: f64 = 0.5;

/// Most links and nodes of a breadcrumb.
pub(super) const LONGEST_TRAIL: usize = 10;
pub(super) const LARGEST_TRAIL: usize = 100;

/// Most links of a pager: back, up, home and forward.
pub(super) const LONGEST_PAGER: usize = 4;

/// Longer numbers are years.
pub(super) const LONGEST_NUMBER: usize = 3;

/// Most numbered links of a pager.
pub(super) const MOST_NUMBERS: usize = 40;

/// Most languages of a page.
pub(super) const MOST_LANGUAGES: usize = 400;

/// Most items of a menu.
pub(super) const MOST_ITEMS: usize = 5_000;

/// Deepest level of a menu.
pub(super) const DEEPEST_ITEM: usize = 16;

/// Labels are cut after this many characters.
pub(super) const LONGEST_LABEL: usize = 200;

/// Most parts that unfold below one label.
pub(super) const MOST_UNFOLDED: usize = 4;

/// Most children to search for a label and what unfolds below it.
pub(super) const MOST_CHILDREN: usize = 64;

/// Most links of a block to inspect one by one: blocks may be nested, and a page may consist of links.
pub(super) const MOST_LINKS: usize = 256;
