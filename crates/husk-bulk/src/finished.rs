//! A second look at finished runs: are their files intact, and the report on them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;
use crate::manifest::{FileProblem, Manifest};
use crate::output_folder::{TEMPLATES_FOLDER, WORK, names_in, sites_file};
use crate::report::write_report;
use crate::started_run::StartedRun;

/// What to do about a lost file of what a run found in the template store.
pub(crate) const TEMPLATES_REMEDY: &str =
    "put a copy of it back: without it, lost files of its run can't be written again";

/// The output folder of finished runs.
#[derive(Debug)]
pub struct FinishedOutput {
    out: PathBuf,
    manifest: Manifest,
    /// A further run that was interrupted.
    unfinished: Option<StartedRun>,
}

impl FinishedOutput {
    /// Opens an output folder. Fails if no run in it is finished.
    pub fn open(out: &Path) -> Result<Self, BulkError> {
        if !fs::metadata(out).map_err(BulkError::io("read", out))?.is_dir() {
            let out = out.display();
            let message = format!("{out} is a file: name the output folder of husk bulk");
            return Err(BulkError::Input(message));
        }
        let manifest = Manifest::read(out)?;
        let mut unfinished = StartedRun::read(&out.join(WORK))?;
        let Some(manifest) = manifest else {
            return Err(match unfinished {
                Some(run) => run.interrupted(out, false),
                None => BulkError::NotFinished { out: out.to_owned() },
            });
        };
        // One that is listed was killed at the very end, or writes lost parts again.
        unfinished.take_if(|run| manifest.run_of(&run.request).is_some());
        Ok(Self {
            out: out.to_owned(),
            manifest,
            unfinished,
        })
    }

    /// Fails if a further run was interrupted.
    pub fn require_no_unfinished(&self) -> Result<(), BulkError> {
        match &self.unfinished {
            Some(run) => Err(run.interrupted(&self.out, true)),
            None => Ok(()),
        }
    }

    /// What the runs were asked for, and their results.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The files that are missing or damaged, and those that no run wrote and that readers of the folder would take for
    /// parts. Reads all files.
    pub fn check_files(&self) -> Result<Vec<FileProblem>, BulkError> {
        let parts = self.manifest.parts.iter();
        let mut problems: Vec<FileProblem> = parts.filter_map(|part| part.problem(&self.out)).collect();
        problems.extend(self.manifest.problems_of_others(&self.out));
        let is_claimed = |name: &str| self.unfinished.as_ref().is_some_and(|run| run.claims(name));
        let is_known = |name: &str| self.manifest.has_part(name) || is_claimed(name);
        for name in names_in(&self.out)? {
            if !name.starts_with(['_', '.']) && !is_known(&name) {
                let cause = "is of no run, but readers of the folder take its rows".to_owned();
                problems.push(FileProblem { name, cause });
            }
        }
        Ok(problems)
    }

    /// What to do about a problem.
    pub fn remedy(&self, problem: &FileProblem) -> String {
        match self.manifest.command_of(&problem.name, &self.out) {
            Some(command) => format!("to write it again, run: {command}"),
            None if problem.name.starts_with(TEMPLATES_FOLDER) => TEMPLATES_REMEDY.to_owned(),
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
        self.out.join(sites_file(run))
    }
}

/// Writes the page of the report on all runs of a manifest.
pub(crate) fn write_report_page(folder: &Path, manifest: &Manifest, out: &mut impl Write) -> io::Result<()> {
    let mut sites: Box<dyn BufRead> = Box::new(io::empty());
    for run in 0..manifest.runs.len() {
        let file = File::open(folder.join(sites_file(run)))?;
        sites = Box::new(sites.chain(BufReader::new(file)));
    }
    write_report(sites, Some(&manifest.counts), out)
}
