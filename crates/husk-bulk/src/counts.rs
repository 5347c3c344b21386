//! What was met and what came of it, in numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::row::Row;

/// What was met in the inputs. Every record is a page or was left out for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Records of archives and files of folders, whatever is in them.
    pub records: u64,
    /// Those that are pages.
    pub pages: u64,
    /// Those that are not, by the reason, such as `not-html`.
    pub left_out: BTreeMap<String, u64>,
}

impl Counts {
    pub(crate) fn page(&mut self) {
        self.records += 1;
        self.pages += 1;
    }

    pub(crate) fn left_out(&mut self, reason: &str, times: u64) {
        if times > 0 {
            self.records += times;
            *self.left_out.entry(reason.to_owned()).or_default() += times;
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.pages += other.pages;
        for (reason, times) in &other.left_out {
            *self.left_out.entry(reason.clone()).or_default() += times;
        }
    }
}

/// What came of the pages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Rows, one for each page.
    pub rows: u64,
    /// Sites.
    pub sites: u64,
    /// Bytes of the pages, unpacked.
    pub bytes: u64,
    /// Words of the pages.
    pub words: u64,
    /// Words of their contents.
    pub content_words: u64,
    /// Pages by what told their content: `template` or `page-alone`.
    pub told_by: BTreeMap<String, u64>,
    /// Pages by the name of a warning.
    pub warnings: BTreeMap<String, u64>,
}

impl Totals {
    pub(crate) fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.bytes += row.bytes;
        self.words += u64::from(row.words);
        self.content_words += u64::from(row.content_words);
        count(&mut self.told_by, &row.told_by);
        for warning in &row.warnings {
            count(&mut self.warnings, warning);
        }
    }
}

fn count(times: &mut BTreeMap<String, u64>, name: &str) {
    match times.get_mut(name) {
        Some(times) => *times += 1,
        None => {
            times.insert(name.to_owned(), 1);
        }
    }
}
