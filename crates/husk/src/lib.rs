//! The engine: pages in, extraction out. No I/O, no clock, no threads.

mod page;

mod links;

mod select;

mod mapping;

pub use husk_dom as dom;
pub use links::{Address, Link, SameSite, base_url, links};
pub use mapping::{
    Custom, Equality, Label, LabelAttributes, Mapping, NodeSet, Place, Tree, Weighted, Weights, top_down,
};
pub use page::Page;
pub use select::CliqueSearch;
pub use url::Url;
