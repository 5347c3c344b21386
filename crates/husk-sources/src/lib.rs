//! Brings pages to the engine, which loads none itself.
//!
//! A [`Source`] turns an address into a [`Page`](husk::Page).

mod source;

mod content;

mod folder;

pub use source::{LoadError, Source};
