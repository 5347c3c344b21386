//! The row of a page.

use serde::{Deserialize, Serialize};

/// The row of a page: a line of JSON Lines, a row of a Parquet file, a record of a WARC file.
///
/// Every output has the fields in this order. docs/formats.md lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// URL of the page, as it was given.
    pub url: String,
    /// The same URL in the form of the URL standard, without a fragment.
    pub normalized_url: String,
    /// The caller's id of the page.
    pub id: Option<String>,
    /// Name of its site.
    pub site: String,
    /// Capture date (RFC 3339), if known.
    pub date: Option<String>,
    /// Path of the archive that the page is in, as it was given.
    pub warc_file: Option<String>,
    /// Offset of its record in the archive.
    pub warc_offset: Option<u64>,
    /// Id of its record.
    pub warc_record_id: Option<String>,
    /// Digest of the page that its record states.
    pub warc_digest: Option<String>,
    /// Id of the page's layout; none if it is unknown.
    pub layout: Option<String>,
    /// How well the layout fits, from 0 to 1; none if it is unknown.
    pub layout_fit: Option<f64>,
    /// Title of the page.
    pub title: Option<String>,
    /// Names of the authors.
    pub author: Option<String>,
    /// Date of publication, as RFC 3339 if it is understood.
    pub published: Option<String>,
    /// Date of the last change, as RFC 3339 if it is understood.
    pub modified: Option<String>,
    /// Summary that the page gives.
    pub description: Option<String>,
    /// Language that the page declares.
    pub language: Option<String>,
    /// Canonical URL that the page declares.
    pub canonical: Option<String>,
    /// How the content was extracted: `template`, or `single-page` if the site has too few pages or the layout is unknown.
    pub method: String,
    /// The content, if requested.
    pub content: Option<String>,
    /// How good the content is by what the model knows, from 0 to 1; none if there is none.
    pub confidence: Option<f64>,
    /// Hash of the words of the content; none if there is none.
    pub content_hash: Option<String>,
    /// The same for most near-duplicates of the content; none if there is none.
    pub near_duplicate_id: Option<String>,
    /// The main menu, if requested and found.
    pub menu: Option<Vec<RowMenuItem>>,
    /// Name of the template, the same on all pages that have it; none if not requested or unknown.
    pub template_id: Option<String>,
    /// Where the site's templates come from (the name of a [`TemplateSource`]); none if the layout is unknown.
    pub template_source: Option<String>,
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
    /// What the page is, other than a page with content of its own, such as `login-wall`.
    pub flags: Vec<String>,
    /// Names of warnings, such as `unknown-layout`.
    pub warnings: Vec<String>,
}

impl Row {
    /// As a line of JSON, without the line break.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// Where the templates of a site come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateSource {
    /// Learned in this run.
    Learned,
    /// From the template store.
    Stored,
    /// From the template store, with layouts that this run added.
    Updated,
    /// Learned in this run, since the pages no longer fit the stored ones.
    Relearned,
}

impl TemplateSource {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Stored => "stored",
            Self::Updated => "updated",
            Self::Relearned => "relearned",
        }
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
