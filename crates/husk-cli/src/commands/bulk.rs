//! `husk bulk`: what is on every page of whole crawls.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use husk_bulk::output::{Format, Packing};
use husk_bulk::{BulkError, Done, InputNames, Manifest, Meter, Settings, bulk};

use crate::args::{BulkArgs, BulkFormat, Compress, What};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::Notes;
use crate::progress::{Watch, grouped, size};

/// How many notes are said unless all are wanted.
const FIRST_NOTES: usize = 10;

pub(crate) fn run(args: &BulkArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(args.quiet, args.verbose);
    let config = Config::find(args.config.as_deref(), notes)?;
    let settings = settings(args, &config);
    let inputs = InputNames {
        names: args.inputs.clone(),
        lists: args.list.clone(),
    };
    let meter = Meter::default();
    let watch = Watch::new(&meter, notes);
    let said = AtomicUsize::new(0);
    let note = |note: &str| match said.fetch_add(1, Ordering::Relaxed) {
        before if before < FIRST_NOTES || args.verbose => watch.say(note),
        FIRST_NOTES => watch.say("more of that is not said (-v says all)"),
        _ => {}
    };
    let done = watch.during(|| bulk(&inputs, &args.output, &settings, &meter, &note));
    match done {
        Ok(done) => {
            tell(&done, args, notes);
            Ok(())
        }
        Err(BulkError::Unfit(message)) => Err(Failure::Usage(message).into()),
        Err(cause) => Err(cause.into()),
    }
}

fn settings(args: &BulkArgs, config: &Config) -> Settings {
    let mut settings = Settings {
        same_site: config.same_site(args.same_site),
        min_pages: args.min_pages,
        what: What::all_of(&args.what),
        content_format: args.content_format.into(),
        format: match args.format {
            BulkFormat::Jsonl => Format::Jsonl,
            BulkFormat::Parquet => Format::Parquet,
            BulkFormat::Warc => Format::Warc,
        },
        packing: match args.compress {
            Compress::Gz => Packing::Gz,
            Compress::Zst => Packing::Zst,
            Compress::None => Packing::None,
        },
        part_rows: args.part_rows,
        report: args.report,
        base_url: args.base_url.clone(),
        threads: args.threads.map_or(0, usize::from),
        restart: args.restart,
        ..Settings::default()
    };
    if let Some(bytes) = args.run_bytes {
        settings.tuning.run_bytes = bytes;
    }
    settings
}

/// Says what came of it.
fn tell(done: &Done, args: &BulkArgs, notes: Notes) {
    let out = args.output.display();
    let Manifest {
        counts,
        totals,
        parts,
        ..
    } = &done.manifest;
    if done.was_finished {
        notes.say(&format!(
            "{out} is finished already: nothing to do (--restart begins anew)"
        ));
    }
    notes.say(&format!(
        "{} of {} ({}), in {} in {out}",
        counted(totals.rows, "page"),
        counted(totals.sites, "site"),
        size(totals.bytes),
        counted(parts.len() as u64, "file"),
    ));
    notes.say(&format!(
        "{} records read{}",
        grouped(counts.records),
        listed(", no pages: ", &counts.left_out)
    ));
    if totals.rows > 0 {
        notes.say(&format!(
            "contents told{}{}",
            listed(" by: ", &totals.told_by),
            listed("; warnings: ", &totals.warnings)
        ));
    }
    if args.report {
        notes.say(&format!(
            "how much of each site is template: {}",
            args.output.join("report.html").display()
        ));
    }
}

/// So many things: `1 page`, `2 pages`.
fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(count))
}

/// Numbers with their names, behind a few words; nothing if there are none.
fn listed(words: &str, numbers: &BTreeMap<String, u64>) -> String {
    if numbers.is_empty() {
        return String::new();
    }
    let told: Vec<String> = numbers
        .iter()
        .map(|(name, number)| format!("{name} {}", grouped(*number)))
        .collect();
    format!("{words}{}", told.join(", "))
}
