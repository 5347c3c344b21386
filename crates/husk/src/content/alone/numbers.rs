//! Numbers that decide what is content on a single page. `evidence` has the weights of what a text is in.

/// Evidence of any text: a page has more boilerplate than content.
pub(super) const PRIOR: f64 = -0.7;

/// Evidence of the header, footer or sidebar of the page. Those within the main part or an article belong to that and
/// say nothing, except for a sidebar.
pub(super) const IN_HEADER: f64 = -1.5;
pub(super) const IN_FOOTER: f64 = -1.5;
pub(super) const IN_SIDEBAR: f64 = -1.2;
pub(super) const IN_INNER_SIDEBAR: f64 = -2.4;

/// Evidence of the smallest element with half, and with three quarters, of the likely content.
pub(super) const IN_HALF: f64 = 1.4;
pub(super) const IN_MOST: f64 = 1.0;

/// Evidence of being outside of the main element.
pub(super) const OUTSIDE_MAIN: f64 = -1.4;

/// Evidence of the heading that is the title of the page, and of texts before it.
pub(super) const IS_TITLE: f64 = 1.5;
pub(super) const BEFORE_TITLE: f64 = -0.8;

/// Evidence of a block in which all words are links; in proportion if only some are.
pub(super) const ALL_LINKED: f64 = -0.8;

/// Evidence of the first and of the last word of the page, decreasing linearly from there.
pub(super) const FIRST_WORD: f64 = -2.0;
pub(super) const LAST_WORD: f64 = -2.3;

/// The share of a page's words over which it decreases.
pub(super) const NEAR_END: f64 = 0.1;

/// Limit of a text's evidence, since the reasons are not independent.
pub(super) const MOST_EVIDENCE: f64 = 4.0;

/// Evidence of comments, which are recognised beforehand.
pub(super) const IN_COMMENTS: f64 = -20.0;

/// A cell with most of the content and this many words is part of a layout table.
pub(super) const WORDS_OF_LAYOUT_CELL: u32 = 50;

/// Headings and titles are compared by this many words.
pub(super) const TITLE_WORDS: usize = 64;

/// Bonus of an `h1` and of an `h2` on the similarity to the title.
pub(super) const H1_BONUS: f64 = 0.3;
pub(super) const H2_BONUS: f64 = 0.1;

/// A heading with less similarity to the title is another one.
pub(super) const LEAST_TITLE_SIMILARITY: f64 = 0.6;

/// Least share of the page's words, without comments, that is content. On the pages that the weights were set on it
/// was between a fifth and all.
pub(super) const LEAST_CONTENT: f64 = 0.1;

/// While there is less, all texts get this much more evidence, in nats: on a page with few words only the order of
/// the texts counts.
pub(super) const STEP: f64 = 0.5;

/// Most such steps. After that, everything is taken that no name speaks against.
pub(super) const MOST_STEPS: u32 = 12;

/// Cost of a border between a node and its parent, in nats: less evidence is noise.
pub(super) const BORDER: f64 = 3.0;

/// Blocks with fewer words are not prose.
pub(super) const LEAST_PROSE: u32 = 8;

/// Weight of prose against other words in the search for the centre of the content. Home pages and dashboards have
/// hardly any prose, so that their other words decide.
pub(super) const PROSE_WEIGHT: u32 = 5;

/// A page with at most this many words, weighted as prose, is too small to have a centre.
pub(super) const SMALL_PAGE: u32 = 30;

/// An element with more than this share of the prose or of the words is not a menu or footer, whatever its names say.
pub(super) const MOST_OF_PROSE: f64 = 0.5;
pub(super) const MOST_OF_WORDS: f64 = 0.6;

/// A header begins within this share of the page's words; many of these are the menu's.
pub(super) const HEADER_BEGINS: f64 = 0.25;

/// After a footer there is at most this share of the words.
pub(super) const BEHIND_FOOTER: f64 = 0.15;

/// There is something to comment on before comments: this many words of prose, and this share of all prose.
pub(super) const COMMENTED_WORDS: u32 = 20;
pub(super) const COMMENTED_SHARE: f64 = 0.1;

/// A main element with a smaller share of the words is ignored.
pub(super) const LEAST_MAIN: f64 = 0.1;
