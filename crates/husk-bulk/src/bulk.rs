//! A run from its inputs to its result, begun or gone on with.

use std::path::Path;

use crate::error::BulkError;
use crate::gather::Gathering;
use crate::inputs::InputNames;
use crate::journal::Journal;
use crate::manifest::{Manifest, Request};
use crate::meter::{Meter, Seen, Stage};
use crate::parts::Parts;
use crate::place::{MANIFEST, Place, read_json};
use crate::settings::Settings;
use crate::sites::Telling;

const REQUEST: &str = "request.json";

const JOURNAL: &str = "journal.jsonl";

/// How a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct Done {
    /// What is in its folder now.
    pub manifest: Manifest,
    /// Whether it had been finished before, so that nothing was left to do.
    pub was_finished: bool,
}

/// Gathers the pages of the inputs and tells of each, in files in the folder `out`.
///
/// If the folder holds the beginnings of the same run, that is gone on with. `note` is told what somebody should know who
/// watches; `meter` shows how far it has come.
pub fn bulk(
    inputs: &InputNames,
    out: &Path,
    settings: &Settings,
    meter: &Meter,
    note: &(dyn Fn(&str) + Sync),
) -> Result<Done, BulkError> {
    check(settings)?;
    let inputs = inputs.open(settings.base_url.as_ref(), out, note)?;
    let request = Request::new(settings, &inputs);
    let place = Place::claim(out)?;
    if settings.restart {
        place.clear()?;
    }
    if let Some(manifest) = read_json::<Manifest>(&place.result(MANIFEST))? {
        // Nothing is left to do, but perhaps to clean up.
        place.finish()?;
        request.agree_with(&manifest.request, out)?;
        return Ok(done(manifest, true, meter));
    }
    match read_json(&place.work(REQUEST))? {
        Some(earlier) => request.agree_with(&earlier, out)?,
        None => place.write_json(&place.work(REQUEST), &request)?,
    }
    let (mut journal, mut past) = Journal::open(&place.work(JOURNAL))?;
    if !past.is_empty() {
        note(&format!(
            "going on where an earlier run ended: {} pages gathered, {} rows written",
            past.gathered.counts.pages, past.totals.rows
        ));
    }
    let gathering = Gathering {
        inputs: &inputs,
        settings,
        place: &place,
        meter,
        note,
    };
    gathering.gather(&mut journal, &mut past)?;
    let counts = past.gathered.counts.clone();
    let telling = Telling {
        settings,
        place: &place,
        meter,
        runs: past.runs,
        pages: counts.pages,
    };
    let mut parts = Parts::behind(past, settings, &place, &mut journal)?;
    telling.tell(&mut parts)?;
    let (parts, totals) = parts.finish()?;
    let manifest = Manifest {
        request,
        counts,
        totals,
        parts,
    };
    place.write_json(&place.result(MANIFEST), &manifest)?;
    place.finish()?;
    Ok(done(manifest, false, meter))
}

fn done(manifest: Manifest, was_finished: bool, meter: &Meter) -> Done {
    let seen = Seen {
        stage: Stage::End,
        ..meter.seen()
    };
    meter.begin(seen);
    Done {
        manifest,
        was_finished,
    }
}

/// Refuses settings that do not go together.
fn check(settings: &Settings) -> Result<(), BulkError> {
    if settings.part_rows == 0 {
        return Err(BulkError::Unfit("a part has at least 1 row".to_owned()));
    }
    match settings.format.refusal(settings) {
        Some(refusal) => Err(BulkError::Unfit(refusal)),
        None => Ok(()),
    }
}
