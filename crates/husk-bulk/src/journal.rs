//! The journal: finished steps of a run, so that it can resume.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::counts::{RecordCounts, RowTotals};
use crate::error::BulkError;
use crate::manifest::PartFile;
use crate::summaries::SummariesState;

/// A finished step whose files are safe on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JournalEntry {
    /// A run of pages was written; the inputs are read up to here.
    Run(ReadPosition),
    /// All inputs are read.
    Gathered(ReadPosition),
    /// A part was written, as were all parts before it.
    Part(Box<PartEntry>),
}

/// A finished part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartEntry {
    pub(crate) file: PartFile,
    /// Sums up to and including this part.
    pub(crate) totals: RowTotals,
    /// State of the report, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sites: Option<SummariesState>,
}

/// How far the inputs are read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct ReadPosition {
    /// Index of the current input.
    pub(crate) input: usize,
    /// Responses, files and damaged places read from it.
    pub(crate) items: u64,
    /// Offset to resume at. Without one, the input is read again up to here.
    pub(crate) offset: Option<u64>,
    /// Records read so far, of all inputs.
    pub(crate) counts: RecordCounts,
}

/// What earlier processes have done.
#[derive(Debug, Default)]
pub(crate) struct JournalState {
    /// Number of runs of pages.
    pub(crate) runs: usize,
    pub(crate) position: ReadPosition,
    pub(crate) is_gathered: bool,
    pub(crate) parts: Vec<PartFile>,
    pub(crate) totals: RowTotals,
    pub(crate) sites: SummariesState,
}

/// The journal of a run, one JSON entry per line. A recorded entry survives any kill.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal and reads its entries. An incomplete last line, left by a kill, is dropped.
    pub(crate) fn open(path: &Path) -> Result<(Self, JournalState), BulkError> {
        let text = match fs::read(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(BulkError::io("read", path))?,
        };
        let mut state = JournalState::default();
        let mut length = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if !line.ends_with(b"\n") {
                break;
            }
            let entry = serde_json::from_slice(line).map_err(|cause| BulkError::damaged(path, cause))?;
            state.add(entry);
            length += line.len();
        }
        let cannot = || BulkError::io("write", path);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(path).map_err(cannot())?;
        file.set_len(length as u64).map_err(cannot())?;
        let path = path.to_owned();
        Ok((Self { path, file }, state))
    }

    /// Records an entry. Its files must be safe on disk.
    pub(crate) fn record(&mut self, entry: &JournalEntry) -> Result<(), BulkError> {
        let mut line = serde_json::to_vec(entry).map_err(|cause| BulkError::damaged(&self.path, cause))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(BulkError::io("write", &self.path))
    }
}

impl JournalState {
    fn add(&mut self, entry: JournalEntry) {
        match entry {
            JournalEntry::Run(position) => {
                self.runs += 1;
                self.position = position;
            }
            JournalEntry::Gathered(position) => {
                self.position = position;
                self.is_gathered = true;
            }
            JournalEntry::Part(part) => {
                self.parts.push(part.file);
                self.totals = part.totals;
                self.sites = part.sites.unwrap_or_default();
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs == 0 && !self.is_gathered && self.parts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(items: u64) -> JournalEntry {
        JournalEntry::Run(ReadPosition {
            items,
            ..ReadPosition::default()
        })
    }

    #[test]
    fn an_incomplete_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, state) = Journal::open(&path).unwrap();
        assert!(state.is_empty());
        journal.record(&entry(1)).unwrap();
        let first = fs::metadata(&path).unwrap().len();
        journal.record(&entry(2)).unwrap();
        let all = fs::read(&path).unwrap();
        for cut in first..all.len() as u64 {
            fs::write(&path, &all[..cut as usize]).unwrap();
            let (mut journal, state) = Journal::open(&path).unwrap();
            assert_eq!((state.runs, state.position.items), (1, 1));
            journal.record(&entry(3)).unwrap();
            let (_, state) = Journal::open(&path).unwrap();
            assert_eq!((state.runs, state.position.items), (2, 3));
        }
    }

    #[test]
    fn damage_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        fs::write(&path, "{\n{\n").unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert!(
            error.contains("journal is damaged") && error.contains("--restart"),
            "{error}"
        );
    }
}
