//! Numbers that decide what is content.

/// Blocks need this much more than the probability for the highest expected F1: what is left out is missed less than
/// what is there and should not be.
pub(super) const STRICTNESS: f64 = 1.05;

/// A page whose blocks are all less likely content has none, if its template is known.
pub(super) const LEAST_PROBABILITY: f64 = 0.1;

/// Shorter texts may be said twice.
pub(super) const LONG_TEXT: u32 = 50;

/// Longer blocks may be a whole text.
pub(super) const LONGEST_PARAGRAPH: u32 = 250;

/// The share of a text that is repeated elsewhere.
pub(super) const REPEATED: f64 = 0.8;

/// The least share of an element's text that is content if the element is.
pub(super) const MOSTLY_CONTENT: f64 = 0.8;

/// Elements with captions have at most this many letters.
pub(super) const LONGEST_CAPTION: u32 = 180;

/// A cell with most of the content and this many letters is part of a layout table.
pub(super) const LAYOUT_CELL: u32 = 300;
