//! Finds the template of a web page with the help of other pages of its site.
//!
//! Begin with [`Session`]: it tells which page it needs, and is handed that page. What it finds out is an [`Extraction`];
//! [`output`] writes it as HTML with slots, JSON, XPath or outline. Nothing here reads a file or opens a connection.

mod thresholds;

mod page;

mod links;

mod fingerprint;

mod select;

mod mapping;

mod refusal;

mod vote;

mod template;

mod options;

mod extraction;

mod session;

mod measure;

mod hints;

mod navigation;

mod content;

mod metadata;

mod pagelets;

mod selectors;

pub mod output;

pub use content::{Content, ToldBy};
pub use extraction::{Extraction, Failure, Outcome, Visit};
pub use hints::{Hint, Hints};
pub use husk_dom as dom;
pub use links::{Address, Link, SameSite, base_url, links};
pub use mapping::{
    Custom, Equality, Label, LabelAttributes, Mapping, NodeSet, Place, Tree, Weighted, Weights, top_down,
};
pub use measure::{Amount, Measures, words};
pub use metadata::Metadata;
pub use navigation::{Entry, Navigation, NavigationBlock, NavigationKind};
pub use options::{EqualityPreset, Method, Options};
pub use page::Page;
pub use pagelets::{Function, Pagelet, innermost_pagelets, pagelets};
pub use select::{CliqueSearch, Why};
pub use selectors::{Basis, ChosenSelector, Selector, Selectors};
pub use session::Session;
pub use template::{Cut, Support, Template};
pub use thresholds::Thresholds;
pub use url::Url;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
