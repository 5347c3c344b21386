//! The settings of a run.

use std::path::PathBuf;

use husk::{SameSite, Url};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::output::{FileCompression, Format};
use crate::selection::Selection;

/// The settings of a run. Those that decide its result are stored with it: resuming with other settings is an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What makes two pages belong to one site.
    pub same_site: SameSite,
    /// Templates are not learned for sites with fewer pages.
    pub min_pages: u32,
    /// Optional fields of each row.
    pub fields: RowFields,
    /// Format of the content.
    pub content_format: ContentFormat,
    /// Format of the files.
    pub format: Format,
    /// Compression of the files.
    pub compress: FileCompression,
    /// Rows per file.
    pub part_rows: u64,
    /// Whether to write a report on the sites.
    #[serde(default)]
    pub report: bool,
    /// The template store: its templates are used for known sites, and those of other sites are added.
    #[serde(default)]
    pub templates: Option<PathBuf>,
    /// Which pages are wanted.
    #[serde(flatten)]
    pub selection: Selection,
    /// The URL that the input folder was saved from.
    #[serde(with = "url_text")]
    pub base_url: Option<Url>,
    /// Number of threads; 0 for one per core.
    #[serde(skip)]
    pub threads: usize,
    /// Deletes an earlier run in the output folder first.
    #[serde(skip)]
    pub restart: bool,
    /// Adds to a finished output: writes further parts, and leaves those that are there.
    #[serde(skip)]
    pub append: bool,
    /// The time to store with learned templates; the current time if none is given.
    #[serde(skip)]
    pub now: Option<Timestamp>,
    /// Limits on memory.
    #[serde(skip)]
    pub tuning: Tuning,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            same_site: SameSite::default(),
            min_pages: 3,
            fields: RowFields::default(),
            content_format: ContentFormat::default(),
            format: Format::default(),
            compress: FileCompression::default(),
            part_rows: 20_000,
            report: false,
            templates: None,
            selection: Selection::default(),
            base_url: None,
            threads: 0,
            restart: false,
            append: false,
            now: None,
            tuning: Tuning::default(),
        }
    }
}

impl Settings {
    /// The settings that all runs of an output share.
    pub(crate) fn of_output(&self) -> Self {
        Self {
            min_pages: 0,
            templates: None,
            selection: Selection::default(),
            base_url: None,
            ..self.clone()
        }
    }

    /// File name of a part.
    pub(crate) fn part_name(&self, number: usize) -> String {
        format!("part-{number:05}.{}", self.format.extension(self.compress))
    }

    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

mod url_text {
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

/// Fields of a row that are optional. The others are always present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowFields {
    /// The main content.
    pub content: bool,
    /// The main menu.
    pub menu: bool,
    /// The name of the page's template.
    pub template_id: bool,
}

impl Default for RowFields {
    fn default() -> Self {
        Self {
            content: true,
            menu: false,
            template_id: false,
        }
    }
}

/// Format of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentFormat {
    /// Plain text.
    #[default]
    Text,
    /// Markdown with headings, links and tables.
    Markdown,
    /// HTML without scripts, styles and forms.
    Html,
}

/// Limits on the memory of a run. Only `sample_pages` and `sample_bytes` change the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// Larger pages are skipped.
    pub max_page_bytes: u64,
    /// Compressed bytes of pages buffered before they are written to disk, sorted by site.
    pub run_bytes: usize,
    /// Bytes of records per job of the first pass.
    pub chunk_bytes: usize,
    /// Pages per job of the second pass.
    pub batch_pages: usize,
    /// Bytes of pages per job of the second pass, decompressed.
    pub batch_bytes: u64,
    /// Pages that the templates of a site are learned from.
    pub sample_pages: usize,
    /// Bytes of pages that the templates of a site are learned from, decompressed; at least 3 pages, whatever their size.
    pub sample_bytes: u64,
    /// Larger pages are processed on one thread at a time: a page takes up to fifteen times its size.
    pub large_page_bytes: u64,
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
            large_page_bytes: 2 << 20,
        }
    }
}
