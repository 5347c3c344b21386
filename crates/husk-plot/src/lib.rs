//! SVG charts for reports: scales, axes, marks. Text is escaped.

mod scale;

mod picture;

pub use picture::{LOOKS, Picture, Size, shape};
pub use scale::{Scale, round_end};

/// The style sheet that all reports share: light and dark colours, text, tables, charts, print and small screens.
pub const PAGE_STYLE: &str = include_str!("page.css");
