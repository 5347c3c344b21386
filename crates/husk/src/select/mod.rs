//! Which of the linked pages are compared: a complete subdigraph, i.e. pages that all link to each other.

mod clique;

pub use clique::CliqueSearch;
