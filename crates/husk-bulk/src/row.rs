//! What is told of a page.

use serde::{Deserialize, Serialize};

/// What is told of a page: a line of JSON Lines, a row of a table, a record of an archive.
///
/// The order of the fields is that of every output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The address of the page.
    pub url: String,
    /// The site that it was taken to belong to.
    pub site: String,
    /// When it was captured, as RFC 3339 writes it; none if nobody knows.
    pub date: Option<String>,
    /// The layout of the page, as the site's templates name it; none if it is not known.
    pub layout: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its language, as it says itself.
    pub language: Option<String>,
    /// What tells the content: `template`, or `page-alone` where the site has too few pages or the layout is not known.
    pub told_by: String,
    /// The content in the form that was asked for; none if it was not asked for.
    pub content: Option<String>,
    /// The main menu; none if it was not asked for or there is none.
    pub menu: Option<Vec<MenuEntry>>,
    /// The template that the page has, one name for the same template on all pages; none if it was not asked for or is not known.
    pub template_id: Option<String>,
    /// The share of the page's words that are template.
    pub template_share: Option<f64>,
    /// The bytes of the page as it was captured, unpacked.
    pub bytes: u64,
    /// The words of the page.
    pub words: u32,
    /// The words of its content.
    pub content_words: u32,
    /// The links of the page.
    pub links: u32,
    /// What is to be known of the result: names of warnings, such as `unknown-layout`.
    pub warnings: Vec<String>,
}

/// An entry of a menu.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MenuEntry {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub url: Option<String>,
    /// The entries below it.
    pub children: Vec<MenuEntry>,
}
