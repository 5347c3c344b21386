//! Numbers of the vote that are not thresholds: limits, and what depends on the number of pages.

/// With fewer pages, a slot costs a proportional share.
pub(super) const PAGES_FOR_FULL_COST: f64 = 3.0;

/// Longer headings, in bytes, are not compared.
pub(super) const LONGEST_HEADING: usize = 2_000;

/// Further pages add no evidence: it is weighed against the cost of a slot, which was set with about this many pages.
pub(super) const PAGES_WEIGHED: f64 = 4.0;

/// The weight of what a page lacks is this power of its likeness.
pub(super) const LIKENESS_POWER: f64 = 1.5;

/// Least of these weights: an unlike page still lacks what is content.
pub(super) const LEAST_WEIGHT: f64 = 0.1;
