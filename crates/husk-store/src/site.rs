//! What is stored of a site.

use husk::SiteTemplates;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What is known of a site's templates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteInfo {
    /// Name of the site.
    pub site: String,
    /// When the templates were learned, or last updated.
    pub learned: Timestamp,
    /// Who learned them.
    pub learned_by: LearnedBy,
    /// Number of layouts.
    pub layouts: u64,
    /// Number of pages that the templates were learned from.
    pub pages: u64,
    /// When pages were last compared with the templates; none if never since they were learned.
    pub checked: Option<Timestamp>,
    /// Number of pages in that comparison.
    pub checked_pages: u64,
    /// How well these pages fit, from 0 to 1.
    pub fit: Option<f64>,
}

/// Who learned templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearnedBy {
    /// `husk bulk`, from a crawl.
    Bulk,
    /// `husk serve`, from the few pages that it loaded.
    Serve,
}

impl SiteInfo {
    /// Of templates that were just learned.
    pub fn learned(templates: &SiteTemplates, learned: Timestamp, learned_by: LearnedBy) -> Self {
        Self {
            site: templates.site().to_owned(),
            learned,
            learned_by,
            layouts: templates.layouts().len() as u64,
            pages: templates.pages(),
            checked: None,
            checked_pages: 0,
            fit: None,
        }
    }
}

/// The stored templates of a site.
#[derive(Debug)]
pub struct StoredSite {
    /// When, from what and by whom they were learned.
    pub info: SiteInfo,
    /// The templates.
    pub templates: SiteTemplates,
}

/// Templates as they are stored, compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedTemplates(Vec<u8>);

/// Chosen for speed.
const COMPRESSION_LEVEL: i32 = 3;

impl PackedTemplates {
    /// Packs templates. The same templates give the same bytes.
    pub fn pack(templates: &SiteTemplates) -> std::io::Result<Self> {
        zstd::bulk::compress(&templates.to_bytes(), COMPRESSION_LEVEL).map(Self)
    }

    /// Takes bytes that [`PackedTemplates::as_bytes`] gave.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// As bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Unpacks templates.
pub(crate) fn unpack(packed: &[u8]) -> Result<SiteTemplates, String> {
    let bytes = zstd::stream::decode_all(packed).map_err(|cause| cause.to_string())?;
    SiteTemplates::from_bytes(&bytes).map_err(|cause| cause.to_string())
}
