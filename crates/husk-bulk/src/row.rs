//! The row of a page.

use serde::{Deserialize, Serialize};

/// The row of a page: a line of JSON Lines, a row of a Parquet file, a record of a WARC file.
///
/// Every output has the fields in this order. docs/formats.md lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// URL of the page.
    pub url: String,
    /// Name of its site.
    pub site: String,
    /// Capture date (RFC 3339), if known.
    pub date: Option<String>,
    /// Id of the page's layout; none if it is unknown.
    pub layout: Option<String>,
    /// Title of the page.
    pub title: Option<String>,
    /// Language that the page declares.
    pub language: Option<String>,
    /// How the content was extracted: `template`, or `single-page` if the site has too few pages or the layout is unknown.
    pub method: String,
    /// The content, if requested.
    pub content: Option<String>,
    /// The main menu, if requested and found.
    pub menu: Option<Vec<RowMenuItem>>,
    /// Name of the template, the same on all pages that have it; none if not requested or unknown.
    pub template_id: Option<String>,
    /// Share of the page's words that are template.
    pub template_share: Option<f64>,
    /// Bytes of the page as captured, decompressed.
    pub bytes: u64,
    /// Words on the page.
    pub words: u32,
    /// Words of the content.
    pub content_words: u32,
    /// Links on the page.
    pub links: u32,
    /// Names of warnings, such as `unknown-layout`.
    pub warnings: Vec<String>,
}

impl Row {
    /// As a line of JSON, without the line break.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowMenuItem {
    /// Its text.
    pub label: String,
    /// Its link.
    pub url: Option<String>,
    /// The items below it.
    pub children: Vec<RowMenuItem>,
}
