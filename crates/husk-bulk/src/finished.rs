//! A second look at finished runs: are their files intact, and the report on them.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;
use crate::hashed_file::FileState;
use crate::manifest::{Manifest, PartFile};
use crate::output_folder::{REPORT_FOLDER, names_in, sites_file};
use crate::report::write_report;

/// The output folder of finished runs.
#[derive(Debug)]
pub struct FinishedOutput {
    out: PathBuf,
    manifest: Manifest,
}

/// A part that is not what the manifest says, or a file that it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartProblem {
    /// File name.
    pub name: String,
    /// What is wrong.
    pub cause: String,
}

impl fmt::Display for PartProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.name, self.cause)
    }
}

impl FinishedOutput {
    /// Opens an output folder. Fails if no run in it is finished.
    pub fn open(out: &Path) -> Result<Self, BulkError> {
        fs::metadata(out).map_err(BulkError::io("read", out))?;
        match Manifest::read(out)? {
            Some(manifest) => Ok(Self {
                out: out.to_owned(),
                manifest,
            }),
            None => Err(BulkError::NotFinished { out: out.to_owned() }),
        }
    }

    /// What the runs were asked for, and their results.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The parts that are missing or damaged, and files that no run wrote and that readers of the folder would take for
    /// parts. Reads all files.
    pub fn check_parts(&self) -> Result<Vec<PartProblem>, BulkError> {
        let parts = self.manifest.parts.iter();
        let mut problems: Vec<PartProblem> = parts.filter_map(|part| check_part(&self.out, part)).collect();
        let is_known = |name: &str| self.manifest.parts.iter().any(|part| part.name == name);
        for name in names_in(&self.out)? {
            if !name.starts_with(['_', '.']) && !is_known(&name) {
                let cause = "is of no run, but readers of the folder take its rows".to_owned();
                problems.push(PartProblem { name, cause });
            }
        }
        Ok(problems)
    }

    /// What to do about a problem.
    pub fn remedy(&self, problem: &PartProblem) -> String {
        match self.manifest.command_of(&problem.name, &self.out) {
            Some(command) => format!("to write it again, run: {command}"),
            None => "remove it".to_owned(),
        }
    }

    /// Whether all runs have the data of a report.
    pub fn has_report(&self) -> bool {
        let runs = 0..self.manifest.runs.len();
        runs.map(|run| self.sites_of(run)).all(|sites| sites.is_file())
    }

    /// Writes the page of the report.
    pub fn write_report(&self, out: &mut impl Write) -> io::Result<()> {
        write_report_page(&self.out, &self.manifest, out)
    }

    fn sites_of(&self, run: usize) -> PathBuf {
        self.out.join(REPORT_FOLDER).join(sites_file(run))
    }
}

/// Writes the page of the report on all runs of a manifest.
pub(crate) fn write_report_page(folder: &Path, manifest: &Manifest, out: &mut impl Write) -> io::Result<()> {
    let mut sites: Box<dyn BufRead> = Box::new(io::empty());
    for run in 0..manifest.runs.len() {
        let file = File::open(folder.join(REPORT_FOLDER).join(sites_file(run)))?;
        sites = Box::new(sites.chain(BufReader::new(file)));
    }
    write_report(sites, Some(&manifest.counts), out)
}

/// What is wrong with a part, if anything.
pub(crate) fn check_part(folder: &Path, part: &PartFile) -> Option<PartProblem> {
    let state = FileState {
        bytes: part.bytes,
        xxh128: part.xxh128.clone(),
    };
    let cause = state.difference(&folder.join(&part.name))?;
    Some(PartProblem {
        name: part.name.clone(),
        cause,
    })
}
