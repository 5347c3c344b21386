//! Measures extraction against labelled pages.

pub mod css;
