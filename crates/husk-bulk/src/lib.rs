//! Husk over whole crawls: pages of many sites in, what they say out, a row for each page.

mod row;

pub mod output;

pub mod dedup;

pub use row::{MenuEntry, Row};
