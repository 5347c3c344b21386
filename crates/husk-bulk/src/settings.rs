//! What is wanted of a run.

use husk::{SameSite, Url};
use serde::{Deserialize, Serialize};

use crate::output::{Format, Packing};

/// What is wanted of a run. All but [`threads`](field@Self::threads) is stored with it: who goes on with other settings is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// What makes two pages belong to one site.
    pub same_site: SameSite,
    /// Sites with fewer pages are not learned from: each page is told by itself.
    pub min_pages: u32,
    /// What is told of each page, beside what every row has.
    pub what: What,
    /// The form of the content.
    pub content_format: ContentFormat,
    /// The form of the rows.
    pub format: Format,
    /// How the files are packed.
    pub packing: Packing,
    /// How many rows a file has at most.
    pub part_rows: u64,
    /// Whether there is a report on the sites.
    #[serde(default)]
    pub report: bool,
    /// The address that the folder among the inputs was saved from.
    #[serde(with = "address")]
    pub base_url: Option<Url>,
    /// How many threads work; 0 for as many as there are cores.
    #[serde(skip)]
    pub threads: usize,
    /// Throws away what an earlier run left in the folder.
    #[serde(skip)]
    pub restart: bool,
    /// How memory is bounded.
    #[serde(skip)]
    pub tuning: Tuning,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            same_site: SameSite::default(),
            min_pages: 3,
            what: What::default(),
            content_format: ContentFormat::default(),
            format: Format::default(),
            packing: Packing::default(),
            part_rows: 20_000,
            report: false,
            base_url: None,
            threads: 0,
            restart: false,
            tuning: Tuning::default(),
        }
    }
}

impl Settings {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Addresses as text.
mod address {
    use husk::Url;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(url: &Option<Url>, serializer: S) -> Result<S::Ok, S::Error> {
        url.as_ref().map(Url::as_str).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| Url::parse(&text).map_err(D::Error::custom))
            .transpose()
    }
}

/// What is told of a page that not everybody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct What {
    /// What a reader came for.
    pub content: bool,
    /// The main menu.
    pub menu: bool,
    /// Which template the page has.
    pub template_id: bool,
}

impl Default for What {
    fn default() -> Self {
        Self {
            content: true,
            menu: false,
            template_id: false,
        }
    }
}

/// The form of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentFormat {
    /// Words and lines.
    #[default]
    Text,
    /// Markdown, with headings, links and tables.
    Markdown,
}

/// Sizes that bound the memory of a run. The rows do not depend on them, but for `sample_pages` and `sample_bytes`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// Larger pages are left out.
    pub max_page_bytes: u64,
    /// How many packed bytes of pages are held before they are sorted and written as a run.
    pub run_bytes: usize,
    /// How many bytes of answers are handed to a thread at once.
    pub chunk_bytes: usize,
    /// How many pages of a site are handed to a thread at once.
    pub batch_pages: usize,
    /// How many unpacked bytes of pages are handed to a thread at once.
    pub batch_bytes: u64,
    /// How many pages a site is learned from at most.
    pub sample_pages: usize,
    /// How many unpacked bytes of pages a site is learned from, unless single pages have more.
    pub sample_bytes: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            max_page_bytes: 16 << 20,
            run_bytes: 32 << 20,
            chunk_bytes: 1 << 20,
            batch_pages: 32,
            batch_bytes: 4 << 20,
            sample_pages: 64,
            sample_bytes: 8 << 20,
        }
    }
}
