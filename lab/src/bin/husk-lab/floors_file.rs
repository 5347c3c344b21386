//! The file of floors, checked or raised after a run.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};
use husk::Options;
use husk_lab::{Comparison, FloorChange, Floors, FloorsError, Sample};

use crate::args::{EvalArgs, UsageError};
use crate::eval::write_file;
use crate::notes::Notes;

/// A file of floors, and whether to change it.
pub(crate) struct FloorsFile<'a> {
    file: &'a Path,
    floors: Floors,
    /// How to change the file; none to check it only.
    change: Option<FloorChange>,
}

impl<'a> FloorsFile<'a> {
    /// Reads the file. Errors that are known before the methods run are reported now.
    pub(crate) fn open(
        file: &'a Path,
        args: &EvalArgs,
        options: &Options,
        sample: &Sample,
    ) -> anyhow::Result<Self> {
        if *options != Options::default() {
            let message = "floors hold for the default options: remove the flags and the configuration file that change them";
            return Err(UsageError(message.to_owned()).into());
        }
        let change = args.raise.then_some(if args.lower {
            FloorChange::RaiseOrLower
        } else {
            FloorChange::RaiseOnly
        });
        let floors = read_floors(file, change)?;
        let opened = Self { file, floors, change };
        if change.is_none() {
            opened
                .floors
                .require(sample)
                .map_err(|cause| opened.explain(&cause))?;
        }
        Ok(opened)
    }

    /// Checks the scores against the floors, or moves the floors to the scores.
    pub(crate) fn apply(mut self, comparison: &Comparison, notes: Notes) -> anyhow::Result<()> {
        let Some(change) = self.change else {
            return self
                .floors
                .check(comparison)
                .map_err(|cause| self.explain(&cause));
        };
        self.floors
            .raise(comparison, change)
            .map_err(|cause| self.explain(&cause))?;
        for digest in self.floors.namesakes(&comparison.sample) {
            notes.note(&format!(
                "{} also has floors for {} with digest {digest}: delete them if that corpus is gone",
                self.file.display(),
                comparison.sample.title()
            ));
        }
        write_file(&self.floors.to_toml(), self.file)
    }

    /// An error with what to do about it.
    fn explain(&self, cause: &FloorsError) -> anyhow::Error {
        let file = self.file.display();
        match cause {
            FloorsError::Below(_) => anyhow!(
                "{file}: scores below their floors\n  {cause}\n\
                fix the regression, or add --raise --lower if it is intended, and say why in the commit"
            ),
            _ => anyhow!("{file}: {cause}; add --raise to add them"),
        }
    }
}

/// The floors in a file. Only a file that will be written may be missing.
fn read_floors(file: &Path, change: Option<FloorChange>) -> anyhow::Result<Floors> {
    let text = match fs::read_to_string(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound && change.is_some() => String::new(),
        text => text.with_context(|| format!("cannot read {}", file.display()))?,
    };
    Floors::parse(&text).with_context(|| format!("in {}", file.display()))
}
