//! Selects the pages to compare with the key page.
//!
//! The published method uses a [`CliqueSearch`]: pages that all link to each other. The default method uses a
//! [`Ranking`]: pages that most likely have the key page's layout first. `session` runs both.

mod clique;

mod shape;

mod reason;

mod ranking;

pub use clique::CliqueSearch;
pub(crate) use ranking::Ranking;
pub use reason::SelectionReason;
