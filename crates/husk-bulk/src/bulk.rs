//! A whole run: from inputs to the finished output folder, new or resumed.

use std::path::Path;

use crate::error::BulkError;
use crate::gather::GatherPass;
use crate::inputs::InputNames;
use crate::journal::Journal;
use crate::manifest::{Manifest, Request};
use crate::output_folder::{MANIFEST, OutputFolder, read_json};
use crate::parts::Parts;
use crate::progress::{Progress, ProgressSnapshot, Stage};
use crate::settings::Settings;
use crate::sites::ExtractPass;

const REQUEST: &str = "request.json";

const JOURNAL: &str = "journal.jsonl";

/// A finished run.
#[derive(Debug)]
#[non_exhaustive]
pub struct FinishedRun {
    /// The contents of the output folder.
    pub manifest: Manifest,
    /// True if an earlier call had finished the run, so that there was nothing left to do.
    pub was_finished: bool,
}

/// Extracts every page of the inputs and writes rows to files in the folder `out`.
///
/// Resumes if the folder holds an unfinished run with the same settings and inputs. `note` receives messages about skipped
/// or damaged input; `progress` can be read from other threads. A damaged archive is not an error: see
/// [`RecordCounts::damaged`](crate::RecordCounts::damaged).
pub fn bulk(
    inputs: &InputNames,
    out: &Path,
    settings: &Settings,
    progress: &Progress,
    note: &(dyn Fn(&str) + Sync),
) -> Result<FinishedRun, BulkError> {
    check(settings)?;
    let inputs = inputs.open(settings.base_url.as_ref(), out, note)?;
    let request = Request::new(settings, &inputs);
    let folder = OutputFolder::claim(out)?;
    if settings.restart {
        folder.clear()?;
    }
    if let Some(manifest) = read_json::<Manifest>(&folder.result(MANIFEST))? {
        // A run that was killed at the very end may have left its work folder.
        folder.finish()?;
        request.require_same(&manifest.request, out)?;
        return Ok(finished(manifest, true, progress));
    }
    match read_json(&folder.work(REQUEST))? {
        Some(earlier) => request.require_same(&earlier, out)?,
        None => folder.write_json(&folder.work(REQUEST), &request)?,
    }
    let (mut journal, mut state) = Journal::open(&folder.work(JOURNAL))?;
    if !state.is_empty() {
        note(&format!(
            "resuming an earlier run: {} pages gathered, {} rows written",
            state.position.counts.pages, state.totals.rows
        ));
    }
    let gather = GatherPass {
        inputs: &inputs,
        settings,
        folder: &folder,
        progress,
        note,
    };
    gather.run(&mut journal, &mut state)?;
    let counts = state.position.counts.clone();
    let extract = ExtractPass {
        settings,
        folder: &folder,
        progress,
        runs: state.runs,
        pages: counts.pages,
    };
    let mut parts = Parts::resume(state, settings, &folder, &mut journal)?;
    extract.run(&mut parts)?;
    let (parts, totals) = parts.finish()?;
    let manifest = Manifest {
        request,
        counts,
        totals,
        parts,
    };
    folder.write_json(&folder.result(MANIFEST), &manifest)?;
    folder.finish()?;
    Ok(finished(manifest, false, progress))
}

fn finished(manifest: Manifest, was_finished: bool, progress: &Progress) -> FinishedRun {
    progress.begin(ProgressSnapshot {
        stage: Stage::Done,
        ..progress.snapshot()
    });
    FinishedRun {
        manifest,
        was_finished,
    }
}

fn check(settings: &Settings) -> Result<(), BulkError> {
    if settings.part_rows == 0 {
        return Err(BulkError::Settings("a part needs at least 1 row".to_owned()));
    }
    match settings.format.conflict(settings) {
        Some(conflict) => Err(BulkError::Settings(conflict)),
        None => Ok(()),
    }
}
