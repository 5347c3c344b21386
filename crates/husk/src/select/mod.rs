//! Which of the site's pages are compared with the key page.
//!
//! The paper's choice is a [`CliqueSearch`]: pages that all link to each other. The default method's is a
//! [`Ranking`]: pages that most likely have the key page's layout, one by one until they agree.

mod clique;

mod shape;

mod reason;

mod ranking;

pub use clique::CliqueSearch;
pub(crate) use ranking::Ranking;
pub use reason::SelectionReason;
