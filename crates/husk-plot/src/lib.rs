//! The little that reports need of SVG: scales, a frame with axes, marks. Words from elsewhere are escaped.

mod scale;

mod picture;

pub use picture::{LOOKS, Picture, Size, shape};
pub use scale::{Scale, round_end};

/// The house style of a report: colours for light and dark, text, tables, charts side by side; for paper and small screens,
/// too. What a report has beside these it styles itself.
pub const PAGE_STYLE: &str = include_str!("page.css");
