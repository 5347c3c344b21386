//! Measures extraction against labelled pages.

mod corpus;

mod css;

mod gold;

mod metrics;

#[cfg(test)]
mod test_sites;

pub use corpus::{CorpusError, KeyPage, LabelPlace, Labels, Site};
pub use css::{Selector, SelectorError, select};
pub use gold::{Gold, Label};
pub use metrics::{Score, Scores};
