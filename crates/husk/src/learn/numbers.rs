//! Numbers that decide what is learned and stripped.

/// Most pages to remember, the last ones: a file of templates stays small.
pub(super) const MOST_KNOWN_PAGES: usize = 10_000;

/// Pages to collect short texts with numbers from.
pub(super) const PAGES_OF_SHORT_TEXTS: usize = 16;

/// Pages with this similarity or more have the same layout.
pub(super) const SAME_LAYOUT: f32 = 0.6;

/// Pages to cluster at once; others are assigned as if they came later.
pub(super) const PAGES_AT_ONCE: usize = 96;

/// Pages besides the model that a template needs; if its layout has fewer, the most similar others vote as well.
pub(super) const VOTERS: usize = 4;

/// Most layouts of a site; the content of further pages is found without a template.
pub(super) const MOST_LAYOUTS: usize = 64;

/// For each page of its layout, this many of others vote on a model. What all pages of one layout have and no other
/// page has is mostly content, such as the members that classes inherit.
pub(super) const VOTERS_OF_OTHER_LAYOUTS: f32 = 0.5;

/// Fewer pages than this become a layout only if no known template fits them.
pub(super) const SMALL_GROUP: usize = 3;

/// Depth at which a path has half the weight: content varies more in deeper levels.
pub(super) const HALF_DEPTH: f32 = 6.0;

/// Deeper elements are ignored.
pub(super) const DEEPEST_PATH: usize = 32;

/// The root, head and body are on every page.
pub(super) const FRAME_DEPTH: usize = 2;

/// Elements above another one that are in its path with their classes and id; those farther above only by name.
pub(super) const LABELS_ABOVE: usize = 2;

/// A page with less of a template's paths has another layout.
pub(super) const KNOWN_LAYOUT: f32 = 0.75;

/// If the template leaves fewer words, the rest of the page is searched for more, without the template.
pub(super) const LEAST_CONTENT_WORDS: usize = 8;

/// A layout with fewer pages takes the name of the site from the titles of all layouts.
pub(super) const LEAST_TITLES: u32 = 3;
