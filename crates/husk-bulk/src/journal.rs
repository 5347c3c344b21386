//! What is done of a run, written down step by step.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::counts::{Counts, Totals};
use crate::error::BulkError;
use crate::manifest::PartFile;
use crate::summaries::SitesSoFar;

/// A step that was done and is safe on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    /// A run of pages was written; the inputs were read up to here.
    Run(Gathered),
    /// All inputs were read.
    Gathered(Gathered),
    /// A part was written; all before it were, too.
    Part(Box<PartDone>),
}

/// A part, and how far the run has come with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartDone {
    pub(crate) file: PartFile,
    /// What all parts up to this one came to.
    pub(crate) totals: Totals,
    /// How far the sites were told of, if there is to be a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sites: Option<SitesSoFar>,
}

/// How far the inputs were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Gathered {
    /// The input that comes next, or goes on.
    pub(crate) input: usize,
    /// How many answers, files or broken places of it were read.
    pub(crate) items: u64,
    /// Where in it to go on, if it can be told; else it is read again up to there.
    pub(crate) offset: Option<u64>,
    /// What was met so far.
    pub(crate) counts: Counts,
}

/// What was done already.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// How many runs of pages there are.
    pub(crate) runs: usize,
    pub(crate) gathered: Gathered,
    pub(crate) is_gathered: bool,
    pub(crate) parts: Vec<PartFile>,
    pub(crate) totals: Totals,
    pub(crate) sites: SitesSoFar,
}

/// The journal of a run. A step that was noted is there after any kill.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal, and says what was done already. The last line may have been cut off by a kill: it says nothing.
    pub(crate) fn open(path: &Path) -> Result<(Self, Past), BulkError> {
        let text = match fs::read(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(BulkError::io("read", path))?,
        };
        let mut past = Past::default();
        let mut whole = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if !line.ends_with(b"\n") {
                break;
            }
            let step = serde_json::from_slice(line).map_err(|cause| BulkError::damaged(path, cause))?;
            past.add(step);
            whole += line.len();
        }
        let cannot = || BulkError::io("write", path);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(path).map_err(cannot())?;
        file.set_len(whole as u64).map_err(cannot())?;
        let path = path.to_owned();
        Ok((Self { path, file }, past))
    }

    /// Notes a step. What it speaks of must be safe on disk.
    pub(crate) fn note(&mut self, step: &Step) -> Result<(), BulkError> {
        let mut line = serde_json::to_vec(step).map_err(|cause| BulkError::damaged(&self.path, cause))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(BulkError::io("write", &self.path))
    }
}

impl Past {
    fn add(&mut self, step: Step) {
        match step {
            Step::Run(gathered) => {
                self.runs += 1;
                self.gathered = gathered;
            }
            Step::Gathered(gathered) => {
                self.gathered = gathered;
                self.is_gathered = true;
            }
            Step::Part(part) => {
                self.parts.push(part.file);
                self.totals = part.totals;
                self.sites = part.sites.unwrap_or_default();
            }
        }
    }

    /// Whether anything was done.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs == 0 && !self.is_gathered && self.parts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(items: u64) -> Step {
        Step::Run(Gathered {
            items,
            ..Gathered::default()
        })
    }

    #[test]
    fn a_line_that_was_cut_off_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, past) = Journal::open(&path).unwrap();
        assert!(past.is_empty());
        journal.note(&step(1)).unwrap();
        let first = fs::metadata(&path).unwrap().len();
        journal.note(&step(2)).unwrap();
        let all = fs::read(&path).unwrap();
        for cut in first..all.len() as u64 {
            fs::write(&path, &all[..cut as usize]).unwrap();
            let (mut journal, past) = Journal::open(&path).unwrap();
            assert_eq!((past.runs, past.gathered.items), (1, 1));
            journal.note(&step(3)).unwrap();
            let (_, past) = Journal::open(&path).unwrap();
            assert_eq!((past.runs, past.gathered.items), (2, 3));
        }
    }

    #[test]
    fn damage_is_told() {
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
