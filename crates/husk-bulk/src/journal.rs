//! The journal: finished steps of a run, so that it can resume.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::{RecordCounts, RowTotals};
use crate::error::BulkError;
use crate::hashed_file::FileState;
use crate::manifest::PartFile;
use crate::summaries::SummariesState;

/// A finished step whose files are safe on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JournalEntry {
    /// A run of pages was written; the inputs are read up to here.
    Run(RunEntry),
    /// All inputs are read.
    Gathered(ReadPosition),
    /// A part was written, as were all parts before it.
    Part(Box<PartEntry>),
}

/// A run of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunEntry {
    #[serde(flatten)]
    pub(crate) position: ReadPosition,
    /// Its index.
    pub(crate) index: FileState,
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
    /// State of the learned templates, if they are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) templates: Option<FileState>,
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
    /// The index of each run of pages.
    pub(crate) indexes: Vec<FileState>,
    pub(crate) position: ReadPosition,
    pub(crate) is_gathered: bool,
    /// Finished parts.
    pub(crate) parts: Vec<PartEntry>,
    /// Length of the journal before each part.
    part_offsets: Vec<u64>,
}

/// The journal of a run, one entry per line: JSON and its checksum. A recorded entry survives any kill.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal and reads its entries up to the first line that is damaged or incomplete; the rest is dropped, to
    /// be done again. `note` is told of damage; an incomplete last line is what a kill leaves.
    pub(crate) fn open(path: &Path, note: &dyn Fn(&str)) -> Result<(Self, JournalState), BulkError> {
        let text = match fs::read(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(BulkError::io("read", path))?,
        };
        let mut state = JournalState::default();
        let mut length = 0;
        for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let Some(entry) = read_line(line) else {
                if line.ends_with(b"\n") {
                    note(&format!(
                        "line {} of {} is damaged: repeating what was done from there on",
                        number + 1,
                        path.display()
                    ));
                }
                break;
            };
            state.add(entry, length);
            length += line.len() as u64;
        }
        let cannot = || BulkError::io("write", path);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(path).map_err(cannot())?;
        file.set_len(length).map_err(cannot())?;
        let path = path.to_owned();
        Ok((Self { path, file }, state))
    }

    /// Records an entry. Its files must be safe on disk.
    pub(crate) fn record(&mut self, entry: &JournalEntry) -> Result<(), BulkError> {
        let json = serde_json::to_string(entry).map_err(|cause| BulkError::damaged(&self.path, cause))?;
        let line = format!("{json} {:016x}\n", xxh3_64(json.as_bytes()));
        let written = self.file.write_all(line.as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(BulkError::io("write", &self.path))
    }

    /// Keeps the first parts, and forgets the others.
    pub(crate) fn keep_parts(&mut self, state: &mut JournalState, kept: usize) -> Result<(), BulkError> {
        let Some(&length) = state.part_offsets.get(kept) else {
            return Ok(());
        };
        state.parts.truncate(kept);
        state.part_offsets.truncate(kept);
        let cut = self.file.set_len(length).and_then(|()| self.file.sync_data());
        cut.map_err(BulkError::io("write", &self.path))
    }
}

/// The entry of a whole line with the right checksum.
fn read_line(line: &[u8]) -> Option<JournalEntry> {
    let line = line.strip_suffix(b"\n")?;
    let end = line.iter().rposition(|&byte| byte == b' ')?;
    let (json, checksum) = (&line[..end], &line[end + 1..]);
    let is_whole = checksum == format!("{:016x}", xxh3_64(json)).as_bytes();
    is_whole.then(|| serde_json::from_slice(json).ok()).flatten()
}

impl JournalState {
    fn add(&mut self, entry: JournalEntry, offset: u64) {
        match entry {
            JournalEntry::Run(run) => {
                self.indexes.push(run.index);
                self.position = run.position;
            }
            JournalEntry::Gathered(position) => {
                self.position = position;
                self.is_gathered = true;
            }
            JournalEntry::Part(part) => {
                self.parts.push(*part);
                self.part_offsets.push(offset);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.indexes.is_empty() && !self.is_gathered && self.parts.is_empty()
    }

    /// Rows in finished parts.
    pub(crate) fn rows(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.totals.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(items: u64) -> JournalEntry {
        JournalEntry::Run(RunEntry {
            position: ReadPosition {
                items,
                ..ReadPosition::default()
            },
            index: FileState::default(),
        })
    }

    fn open(path: &Path) -> (Journal, JournalState) {
        Journal::open(path, &|note| panic!("{note}")).unwrap()
    }

    #[test]
    fn an_incomplete_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, state) = open(&path);
        assert!(state.is_empty());
        journal.record(&entry(1)).unwrap();
        let first = fs::metadata(&path).unwrap().len();
        journal.record(&entry(2)).unwrap();
        let all = fs::read(&path).unwrap();
        for cut in first..all.len() as u64 {
            fs::write(&path, &all[..cut as usize]).unwrap();
            let (mut journal, state) = open(&path);
            assert_eq!((state.indexes.len(), state.position.items), (1, 1));
            journal.record(&entry(3)).unwrap();
            let (_, state) = open(&path);
            assert_eq!((state.indexes.len(), state.position.items), (2, 3));
        }
    }

    #[test]
    fn a_damaged_line_and_those_behind_it_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, _) = open(&path);
        for items in 1..=3 {
            journal.record(&entry(items)).unwrap();
        }
        let all = fs::read(&path).unwrap();
        let second = all.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for at in second..2 * second - 1 {
            let mut damaged = all.clone();
            damaged[at] = damaged[at].wrapping_add(1);
            fs::write(&path, &damaged).unwrap();
            let notes = std::cell::RefCell::new(Vec::new());
            let (_, state) = Journal::open(&path, &|note| notes.borrow_mut().push(note.to_owned())).unwrap();
            assert_eq!((state.indexes.len(), state.position.items), (1, 1), "byte {at}");
            let notes = notes.into_inner();
            assert!(notes.len() == 1 && notes[0].contains("line 2 of"), "{notes:?}");
            assert_eq!(fs::read(&path).unwrap(), all[..second]);
        }
    }
}
