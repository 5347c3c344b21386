//! Counts over a run: records read, rows written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::row::{Row, TemplateSource};

/// The skip reason of damaged parts of an archive.
pub(crate) const DAMAGED: &str = "damaged";

/// The records of all inputs. Each one is a page or was skipped for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecordCounts {
    /// Archive records and files in folders.
    pub records: u64,
    /// Records that are pages.
    pub pages: u64,
    /// Skipped records by reason, such as `not-html`.
    pub skipped: BTreeMap<String, u64>,
    /// Damaged parts of archives by the path of the archive.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub damaged: BTreeMap<String, u64>,
}

impl RecordCounts {
    pub(crate) fn add_page(&mut self) {
        self.records += 1;
        self.pages += 1;
    }

    pub(crate) fn add_skipped(&mut self, reason: &str, records: u64) {
        if records > 0 {
            self.records += records;
            *self.skipped.entry(reason.to_owned()).or_default() += records;
        }
    }

    pub(crate) fn add_damaged(&mut self, archive: String) {
        self.add_skipped(DAMAGED, 1);
        *self.damaged.entry(archive).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.pages += other.pages;
        for (reason, records) in &other.skipped {
            *self.skipped.entry(reason.clone()).or_default() += records;
        }
        for (archive, parts) in &other.damaged {
            *self.damaged.entry(archive.clone()).or_default() += parts;
        }
    }
}

/// Sums over all rows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RowTotals {
    /// Rows, one per page.
    pub rows: u64,
    /// Sites.
    pub sites: u64,
    /// Bytes of the pages, decompressed.
    pub bytes: u64,
    /// Words on the pages.
    pub words: u64,
    /// Words of their contents.
    pub content_words: u64,
    /// Pages by extraction method: `template` or `single-page`.
    pub methods: BTreeMap<String, u64>,
    /// Pages by warning.
    pub warnings: BTreeMap<String, u64>,
    /// Sites by the source of their templates ([`TemplateSource`]); `none` if no layout was found.
    #[serde(default)]
    pub templates: BTreeMap<String, u64>,
}

impl RowTotals {
    /// Counts a site; `source` is that of its templates, if it has any.
    pub(crate) fn add_site(&mut self, source: Option<TemplateSource>) {
        self.sites += 1;
        count(&mut self.templates, source.map_or("none", TemplateSource::name));
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        self.rows += other.rows;
        self.sites += other.sites;
        self.bytes += other.bytes;
        self.words += other.words;
        self.content_words += other.content_words;
        for (sums, counts) in [
            (&mut self.methods, &other.methods),
            (&mut self.warnings, &other.warnings),
            (&mut self.templates, &other.templates),
        ] {
            for (name, count) in counts {
                *sums.entry(name.clone()).or_default() += count;
            }
        }
    }

    pub(crate) fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.bytes += row.bytes;
        self.words += u64::from(row.words);
        self.content_words += u64::from(row.content_words);
        count(&mut self.methods, &row.method);
        for warning in &row.warnings {
            count(&mut self.warnings, warning);
        }
    }
}

/// Like `entry`, without copying names that are known.
fn count(pages: &mut BTreeMap<String, u64>, name: &str) {
    match pages.get_mut(name) {
        Some(pages) => *pages += 1,
        None => {
            pages.insert(name.to_owned(), 1);
        }
    }
}
