//! Numbers that decide the functions of blocks.

/// A container with at least this share of content is content; the rest of it becomes pagelets in the content.
pub(super) const MOSTLY_CONTENT: f64 = 0.7;

/// A block with at most this many words is merged with neighbours of the same function.
pub(super) const TINY: u32 = 30;

/// Longer links are ignored.
pub(super) const LONGEST_LINK: usize = 2048;

/// Fewest words of a block of comments; less is a link to them, or their number.
pub(super) const FEWEST_WORDS_OF_COMMENTS: u32 = 8;

/// Least share of linked words in a block of links.
pub(super) const MOSTLY_LINKS: f64 = 0.6;

/// Most of the content that a header, footer or sidebar contains: a heading, not the text.
pub(super) const MOST_CONTENT: f64 = 0.2;

/// A block above the content with more words than this is not a header.
pub(super) const MOST_WORDS_OF_HEADER: u32 = 80;

/// Characters of a text to search for a copyright notice.
pub(super) const LONGEST_CLAIM: usize = 400;

/// Most words of a block of each kind; larger blocks are something else, whatever their names.
pub(super) mod most_words {
    pub(in crate::pagelets) const SEARCH: u32 = 60;
    pub(in crate::pagelets) const LOGIN_FORM: u32 = 120;
    pub(in crate::pagelets) const LOGIN_LINKS: u32 = 20;
    pub(in crate::pagelets) const ADVERTISEMENT: u32 = 150;
    pub(in crate::pagelets) const SOCIAL: u32 = 60;
    pub(in crate::pagelets) const BREADCRUMB: u32 = 60;
    pub(in crate::pagelets) const PAGINATION: u32 = 80;
    pub(in crate::pagelets) const LANGUAGE: u32 = 200;
}
