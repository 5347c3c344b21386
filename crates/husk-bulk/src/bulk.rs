//! A whole run: from inputs to the finished output folder, new or resumed.

use std::path::Path;

use husk_store::TemplateStore;

use crate::error::BulkError;
use crate::finished::{TEMPLATES_REMEDY, write_report_page};
use crate::gather::GatherPass;
use crate::hashed_file::FileState;
use crate::inputs::InputNames;
use crate::journal::{Journal, JournalState};
use crate::learned_templates::{store_found_before, store_found_by};
use crate::manifest::{Manifest, Request, RunRecord};
use crate::output_folder::{MANIFEST, OutputFolder, REPORT_PAGE, sites_file, templates_file};
use crate::parts::{FinishedParts, Parts};
use crate::progress::{Progress, ProgressSnapshot, Stage};
use crate::selection::Selector;
use crate::settings::Settings;
use crate::sites::{ExtractPass, TemplateChooser};
use crate::started_run::StartedRun;
use crate::store::{Sites, index_name, pages_name};

const JOURNAL: &str = "journal.jsonl";

/// A finished run.
#[derive(Debug)]
#[non_exhaustive]
pub struct FinishedRun {
    /// The contents of the output folder.
    pub manifest: Manifest,
    /// The run itself. The manifest lacks one that adds no pages.
    pub run: Option<RunRecord>,
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
    if settings.restart && !settings.append {
        folder.clear()?;
    }
    let begun = Manifest::read(out).and_then(|manifest| {
        let mut manifest = manifest.unwrap_or_default();
        manifest.drop_empty_run();
        if settings.restart {
            drop_unfinished(&manifest, &folder)?;
        }
        let place = place_of(&request, &manifest, settings, out, note)?;
        if place.is_some() {
            require_own_parts(&manifest, &folder, out)?;
        }
        Ok((manifest, place))
    });
    let (mut manifest, place) = match begun {
        Ok(begun) => begun,
        Err(cause) => {
            folder.leave()?;
            return Err(cause);
        }
    };
    let Some(run_index) = place else {
        if let Some(problem) = manifest.problem_of_other(REPORT_PAGE, out) {
            note(&format!("{problem}: writing it again"));
            write_report(&manifest, &folder, out)?;
        }
        // A run that was killed at the very end may have left its work folder.
        folder.finish()?;
        let run = manifest.run_of(&request).map(|run| manifest.runs[run].clone());
        return Ok(finished(manifest, run, true, progress));
    };
    let run_parts = manifest.parts_of(run_index);
    let is_repeated = run_index < manifest.runs.len();
    let mut store = match &settings.templates {
        Some(path) if !is_repeated => Some(TemplateStore::open(path)?),
        _ => None,
    };
    let run = StartedRun::resume_or_begin(&request, run_parts.start, settings, store.as_ref(), &folder, out)?;
    let was_stored = is_repeated || store.as_ref().map_or(Ok(false), |store| run.has_updated(store))?;
    if settings.templates.is_some() && was_stored {
        // The store has other templates by now.
        store = Some(match is_repeated {
            true => store_found_by(run_index, &folder)?,
            false => store_found_before(&folder)?,
        });
    }
    let (mut journal, mut state) = Journal::open(&folder.work(JOURNAL), note)?;
    require_intact_runs(&state, &folder)?;
    drop_damaged_parts(&mut journal, &mut state, out, note)?;
    if !state.is_empty() {
        note(&format!(
            "resuming an earlier run: {} pages gathered, {} rows written",
            state.position.counts.pages,
            state.rows()
        ));
    }
    folder.remove_parts_except(|name| {
        let own = state.parts.iter().any(|part| part.file.name == name);
        let others = manifest.parts.iter().enumerate();
        own || others
            .into_iter()
            .any(|(index, part)| !run_parts.contains(&index) && part.name == name)
    })?;
    let gather = GatherPass {
        inputs: &inputs,
        settings,
        folder: &folder,
        progress,
        note,
    };
    gather.run(&mut journal, &mut state)?;
    note_sites_without_pages(settings, &folder, state.indexes.len(), note)?;
    let counts = state.position.counts.clone();
    let extract = ExtractPass {
        settings,
        folder: &folder,
        progress,
        note,
        chooser: TemplateChooser {
            store: store.as_ref(),
            now: run.started,
            min_pages: settings.min_pages as usize,
        },
        runs: state.indexes.len(),
        pages: counts.pages,
    };
    let mut parts = Parts::resume(state.parts, run_parts.start, settings, &folder, &mut journal)?;
    extract.run(&mut parts)?;
    let FinishedParts {
        files,
        totals,
        summaries,
        learned,
    } = parts.finish()?;
    let record = RunRecord {
        request,
        counts,
        totals,
        parts: files.len(),
    };
    if record.totals.rows == 0 && !manifest.runs.is_empty() {
        // As if it had not been: another selection of its inputs may follow.
        folder.finish()?;
        return Ok(finished(manifest, Some(record), false, progress));
    }
    manifest.put_run(run_index, record.clone(), files);
    if let Some(summaries) = summaries {
        manifest.put_other(&sites_file(run_index), summaries.finish(run_index, &folder)?);
        // Otherwise the run that has lost its sites writes the page.
        if manifest.has_sites_of_all_runs(out) {
            let page = write_report(&manifest, &folder, out)?;
            manifest.put_other(REPORT_PAGE, page);
        }
    }
    if let (Some(store), Some(mut learned)) = (store, learned) {
        if !was_stored {
            learned.store(&store, &run.id)?;
        }
        manifest.put_other(
            &templates_file(run_index),
            learned.keep_found(run_index, &folder)?,
        );
    }
    folder.write_json(&folder.result(MANIFEST), &manifest)?;
    folder.finish()?;
    if is_repeated {
        require_intact(&manifest, out)?;
    }
    Ok(finished(manifest, Some(record), false, progress))
}

/// Names the sites that were asked for and have no pages, unless there may be some behind the limit.
fn note_sites_without_pages(
    settings: &Settings,
    folder: &OutputFolder,
    runs: usize,
    note: &(dyn Fn(&str) + Sync),
) -> Result<(), BulkError> {
    let mut missing = settings.selection.sites.clone();
    if missing.is_empty() || settings.selection.limit.is_some() {
        return Ok(());
    }
    let mut sites = Sites::of(folder, runs)?;
    while let Some(site) = sites.next()? {
        missing.remove(&site.name);
    }
    for site in &missing {
        note(&format!("--sites: there are no pages of {site}"));
    }
    Ok(())
}

/// Writes the page of the report.
fn write_report(manifest: &Manifest, folder: &OutputFolder, out: &Path) -> Result<FileState, BulkError> {
    folder.write_file(&folder.result(REPORT_PAGE), |file| {
        write_report_page(out, manifest, file)
    })
}

/// The index of the run to do: a new one, or one whose parts are damaged. None if it is finished.
fn place_of(
    request: &Request,
    manifest: &Manifest,
    settings: &Settings,
    out: &Path,
    note: &(dyn Fn(&str) + Sync),
) -> Result<Option<usize>, BulkError> {
    if let Some(run) = manifest.run_of(request) {
        let Some(problem) = manifest.problem_of_run(run, out) else {
            require_intact(manifest, out)?;
            return require_templates(manifest, out).map(|()| None);
        };
        if let Some(found) = manifest.problem_of_other(&templates_file(run), out) {
            return Err(BulkError::LostPart {
                problem: problem.to_string(),
                remedy: format!(
                    "{found}, and has what its run found in the template store: put a copy of it back, or start over with --restart"
                ),
            });
        }
        note(&format!("{problem}: writing it again"));
        return Ok(Some(run));
    }
    let Some(last) = manifest.runs.last() else {
        return Ok(Some(0));
    };
    if !settings.append {
        let remedy = "add further inputs with --append, choose another folder, or start over with --restart";
        request.require_same(&last.request, out, remedy)?;
    }
    manifest.require_appendable(request, out, note)?;
    require_intact(manifest, out)?;
    Ok(Some(manifest.runs.len()))
}

/// Deletes an unfinished run. Its parts go first: without the run that claims them they would be in the way.
fn drop_unfinished(manifest: &Manifest, folder: &OutputFolder) -> Result<(), BulkError> {
    // What is damaged claims nothing.
    if let Ok(Some(run)) = StartedRun::read(folder.work_folder()) {
        folder.remove_parts_except(|name| manifest.has_part(name) || !run.claims(name))?;
    }
    folder.clear_work()
}

/// Fails if the folder has parts of no finished run, and that the unfinished one can't have written: their rows would be lost.
fn require_own_parts(manifest: &Manifest, folder: &OutputFolder, out: &Path) -> Result<(), BulkError> {
    let unfinished = StartedRun::read(folder.work_folder())?;
    let is_known = |name: &str| {
        let is_claimed = unfinished.as_ref().is_some_and(|run| run.claims(name));
        is_claimed || manifest.has_part(name)
    };
    match folder.parts()?.into_iter().find(|name| !is_known(name)) {
        Some(name) => Err(BulkError::UnknownPart {
            out: out.to_owned(),
            name,
            has_manifest: !manifest.runs.is_empty(),
        }),
        None => Ok(()),
    }
}

/// Fails if a file of any run is missing or damaged. This command writes only those of its own run.
fn require_intact(manifest: &Manifest, out: &Path) -> Result<(), BulkError> {
    let mut runs = 0..manifest.runs.len();
    let Some(problem) = runs.find_map(|run| manifest.problem_of_run(run, out)) else {
        return Ok(());
    };
    let command = manifest.command_of(&problem.name, out).unwrap_or_default();
    Err(BulkError::LostPart {
        problem: problem.to_string(),
        remedy: format!("another run wrote it; repeat that one first: {command}"),
    })
}

/// Fails if what a run found in the template store is lost: no command writes it again.
fn require_templates(manifest: &Manifest, out: &Path) -> Result<(), BulkError> {
    let mut runs = 0..manifest.runs.len();
    let lost = runs.find_map(|run| manifest.problem_of_other(&templates_file(run), out));
    lost.map_or(Ok(()), |problem| {
        Err(BulkError::LostPart {
            problem: problem.to_string(),
            remedy: TEMPLATES_REMEDY.to_owned(),
        })
    })
}

/// Fails if a file of gathered pages is missing, or an index is damaged. The pages have checksums of their own.
fn require_intact_runs(state: &JournalState, folder: &OutputFolder) -> Result<(), BulkError> {
    for (run, index) in state.indexes.iter().enumerate() {
        let (pages, path) = (folder.work(&pages_name(run)), folder.work(&index_name(run)));
        if !pages.is_file() {
            return Err(BulkError::damaged(&pages, "it is missing"));
        }
        if let Some(cause) = index.difference(&path) {
            return Err(BulkError::damaged(&path, format!("it {cause}")));
        }
    }
    Ok(())
}

/// Forgets the first damaged part and those behind it, so that they are written again.
fn drop_damaged_parts(
    journal: &mut Journal,
    state: &mut JournalState,
    out: &Path,
    note: &(dyn Fn(&str) + Sync),
) -> Result<(), BulkError> {
    for index in 0..state.parts.len() {
        if let Some(problem) = state.parts[index].file.problem(out) {
            note(&format!("{problem}: writing it again"));
            return journal.keep_parts(state, index);
        }
    }
    Ok(())
}

fn finished(
    manifest: Manifest,
    run: Option<RunRecord>,
    was_finished: bool,
    progress: &Progress,
) -> FinishedRun {
    progress.begin(ProgressSnapshot {
        stage: Stage::Done,
        ..progress.snapshot()
    });
    FinishedRun {
        manifest,
        run,
        was_finished,
    }
}

fn check(settings: &Settings) -> Result<(), BulkError> {
    Selector::new(&settings.selection)?;
    if settings.part_rows == 0 {
        return Err(BulkError::Settings("a part needs at least 1 row".to_owned()));
    }
    match settings.format.conflict(settings) {
        Some(conflict) => Err(BulkError::Settings(conflict)),
        None => Ok(()),
    }
}
