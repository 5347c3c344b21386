//! `husk bulk`: extract the content of every page in a crawl.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::bail;
use husk_bulk::output::{FileCompression, Format};
use husk_bulk::{BulkError, FinishedRun, InputNames, Manifest, Progress, Settings, bulk};

use crate::args::{BulkArgs, BulkFormat, Compress, RowField};
use crate::config::Config;
use crate::failure::Failure;
use crate::output::Notes;
use crate::progress::{Watch, grouped, size};

/// Notes printed without --verbose.
const FIRST_NOTES: usize = 10;

pub(crate) fn run(args: &BulkArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(args.quiet, args.verbose);
    let config = Config::find(args.config.as_deref(), notes)?;
    let settings = settings(args, &config);
    let inputs = InputNames {
        names: args.inputs.clone(),
        lists: args.list.clone(),
    };
    let progress = Progress::default();
    let watch = Watch::new(&progress, notes);
    let count = AtomicUsize::new(0);
    let note = |note: &str| match count.fetch_add(1, Ordering::Relaxed) {
        before if before < FIRST_NOTES || args.verbose => watch.say(note),
        FIRST_NOTES => watch.say("further messages are hidden (-v shows all)"),
        _ => {}
    };
    let run = watch.during(|| bulk(&inputs, &args.output, &settings, &progress, &note));
    match run {
        Ok(run) => {
            print_summary(&run, args, notes);
            require_undamaged(&run.manifest)?;
            require_pages(&run.manifest, args)
        }
        Err(BulkError::Settings(message)) => Err(Failure::Usage(message).into()),
        Err(cause) => Err(cause.into()),
    }
}

fn settings(args: &BulkArgs, config: &Config) -> Settings {
    let mut settings = Settings {
        same_site: config.same_site(args.same_site),
        min_pages: args.min_pages,
        fields: RowField::all_of(&args.fields),
        content_format: args.content_format.into(),
        format: match args.format {
            BulkFormat::Jsonl => Format::Jsonl,
            BulkFormat::Parquet => Format::Parquet,
            BulkFormat::Warc => Format::Warc,
        },
        compress: match args.compress {
            Compress::Gz => FileCompression::Gz,
            Compress::Zst => FileCompression::Zst,
            Compress::None => FileCompression::None,
        },
        part_rows: args.part_rows,
        report: args.report,
        base_url: args.base_url.clone(),
        threads: args.jobs.map_or(0, usize::from),
        restart: args.restart,
        ..Settings::default()
    };
    if let Some(bytes) = args.run_bytes {
        settings.tuning.run_bytes = bytes;
    }
    settings
}

fn print_summary(run: &FinishedRun, args: &BulkArgs, notes: Notes) {
    let out = args.output.display();
    let Manifest {
        counts,
        totals,
        parts,
        ..
    } = &run.manifest;
    if run.was_finished {
        notes.say(&format!(
            "{out} is already finished: nothing to do (--restart starts over)"
        ));
    }
    notes.say(&format!(
        "{} of {} ({}) in {} in {out}",
        counted(totals.rows, "page"),
        counted(totals.sites, "site"),
        size(totals.bytes),
        counted(parts.len() as u64, "file"),
    ));
    notes.say(&format!(
        "{} records read{}",
        grouped(counts.records),
        listed("; skipped: ", &counts.skipped)
    ));
    if totals.rows > 0 {
        notes.say(&format!(
            "method: {}{}",
            listed("", &totals.methods),
            listed("; warnings: ", &totals.warnings)
        ));
    }
    if args.report {
        notes.say(&format!("report: {}", args.output.join("report.html").display()));
    }
}

/// Fails if archives are truncated or corrupt. All pages that could be read have been processed by then.
fn require_undamaged(manifest: &Manifest) -> anyhow::Result<()> {
    let damaged = &manifest.counts.damaged;
    let Some((first, parts)) = damaged.iter().next() else {
        return Ok(());
    };
    let others = match damaged.len() - 1 {
        0 => String::new(),
        others => format!(", and {} more damaged", counted(others as u64, "file")),
    };
    bail!(
        "{first} is truncated or corrupt in {}{others}: everything else was processed",
        counted(*parts, "place")
    )
}

/// Fails if no input has a page.
fn require_pages(manifest: &Manifest, args: &BulkArgs) -> anyhow::Result<()> {
    if manifest.totals.rows > 0 {
        return Ok(());
    }
    let inputs: Vec<String> = args
        .inputs
        .iter()
        .map(|name| name.display().to_string())
        .collect();
    bail!(
        "no pages in {}: expected HTML pages in folders or WARC files; the counts above say what was skipped",
        match inputs.is_empty() {
            true => "the listed inputs".to_owned(),
            false => inputs.join(", "),
        }
    )
}

/// A count: `1 page`, `2 pages`.
fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(count))
}

/// Counts with their names, after a prefix; nothing if there are none.
fn listed(prefix: &str, counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let names: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{} {}", grouped(*count), name.replace('-', " ")))
        .collect();
    format!("{prefix}{}", names.join(", "))
}
