//! Numbers that decide what is a thread.

/// A thread has at least this many posts.
pub(super) const LEAST_POSTS: usize = 2;

/// More elements of one kind than this are not posts.
pub(super) const MOST_POSTS: usize = 2000;

/// At most this many kinds of elements are examined on a page.
pub(super) const MOST_GROUPS: usize = 60;

/// The share of the posts that must have a field if the others are to count as posts without it.
pub(super) const MOST: f64 = 0.8;

/// The posts hold at least this share of the text.
pub(super) const LEAST_COVERED: f64 = 0.5;

/// Of several kinds of elements, those with nearly as much text as the best are compared by their number.
pub(super) const NEARLY_ALL: f64 = 0.85;

/// The body of a post holds at least this share of its text.
pub(super) const BODY_SHARE: f64 = 0.7;

/// A short text in this share of the posts is a label or a tool.
pub(super) const LABEL_SHARE: f64 = 0.6;

/// Labels have at most this many words.
pub(super) const LONGEST_LABEL: usize = 4;

/// In threads with many posts, a longer text may be the same in most of them, such as their title.
pub(super) const LONGEST_TITLE: usize = 12;
pub(super) const MANY_POSTS: usize = 5;

/// Names of authors have at most this many characters and words.
pub(super) const LONGEST_NAME: usize = 48;
pub(super) const MOST_NAME_WORDS: usize = 5;

/// Longer texts are not dates.
pub(super) const LONGEST_DATE: usize = 48;

/// The share of neighbouring posts that are in the order of their dates, either way.
pub(super) const IN_ORDER: f64 = 0.7;

/// The mean number of words of the posts of a thread.
pub(super) const LEAST_WORDS: usize = 4;

/// A rating has fewer nodes than this.
pub(super) const SMALL: usize = 20;
