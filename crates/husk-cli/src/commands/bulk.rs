//! `husk bulk`: extract the content of every page in a crawl.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, anyhow, bail};
use husk::{SameSite, Url};
use husk_bulk::output::{FileCompression, Format};
use husk_bulk::{
    BulkError, FinishedRun, InputNames, Manifest, Progress, RecordCounts, RowTotals, Selection, Settings,
    bulk,
};
use jiff::Timestamp;

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
    let settings = settings(args, &config)?;
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
            match &run.run {
                Some(empty) if empty.totals.rows == 0 => {
                    require_undamaged(&empty.counts)?;
                    Err(no_pages(&empty.counts, args))
                }
                _ => require_undamaged(&run.manifest.counts),
            }
        }
        Err(BulkError::Settings(message)) => Err(Failure::Usage(message).into()),
        Err(cause) => Err(cause.into()),
    }
}

fn settings(args: &BulkArgs, config: &Config) -> anyhow::Result<Settings> {
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
        templates: args.templates.clone(),
        selection: selection(args, config.same_site(args.same_site))?,
        now: source_date()?,
        base_url: args.base_url.clone(),
        threads: args.jobs.map_or(0, usize::from),
        restart: args.restart,
        append: args.append,
        ..Settings::default()
    };
    if let Some(bytes) = args.run_bytes {
        settings.tuning.run_bytes = bytes;
    }
    Ok(settings)
}

fn selection(args: &BulkArgs, same_site: SameSite) -> anyhow::Result<Selection> {
    let sites = args.sites.as_deref().map(|file| read_sites(file, same_site));
    Ok(Selection {
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        language: args.language.clone(),
        status: args.status.clone(),
        since: args.since,
        until: args.until,
        sites: sites.transpose()?.unwrap_or_default(),
        limit: args.limit,
    })
}

/// The names of the sites in a list, as in the rows.
fn read_sites(file: &Path, same_site: SameSite) -> anyhow::Result<BTreeSet<String>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read the list {}", file.display()))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let name = |line: &str| {
        let url = match line.contains("://") {
            true => Url::parse(line),
            false => Url::parse(&format!("https://{line}/")),
        };
        url.ok()
            .map(|url| same_site.name_of(&url))
            .filter(|name| !name.is_empty())
    };
    let mut sites = BTreeSet::new();
    for line in lines {
        let site = name(line).with_context(|| {
            format!(
                "{}: {line:?} is no site: expected a name such as example.org, or a URL",
                file.display()
            )
        })?;
        sites.insert(site);
    }
    anyhow::ensure!(
        !sites.is_empty(),
        "the list {} is empty: expected one site per line",
        file.display()
    );
    Ok(sites)
}

/// The variable that makes builds reproducible: the time to use instead of the current one, in seconds since 1970.
const SOURCE_DATE: &str = "SOURCE_DATE_EPOCH";

fn source_date() -> Result<Option<Timestamp>, Failure> {
    let Some(text) = std::env::var_os(SOURCE_DATE) else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.parse().ok());
    let date = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    date.map(Some).ok_or_else(|| {
        Failure::Usage(format!(
            "{SOURCE_DATE} is {}: expected seconds since 1970",
            text.display()
        ))
    })
}

fn print_summary(run: &FinishedRun, args: &BulkArgs, notes: Notes) {
    let out = args.output.display();
    if run.was_finished {
        notes.say(&format!(
            "{out} is already finished: nothing to do (--restart starts over)"
        ));
    }
    match &run.run {
        // It is not among the runs of the manifest.
        Some(empty) if empty.totals.rows == 0 => notes.say(&records_line(&empty.counts)),
        _ => summary_lines(&run.manifest, &args.output)
            .iter()
            .for_each(|line| notes.say(line)),
    }
    if args.report {
        let page = args.output.join("_report").join("report.html");
        notes.say(&format!("report: {}", page.display()));
    }
}

/// The counts of all runs of an output folder.
pub(super) fn summary_lines(manifest: &Manifest, out: &Path) -> Vec<String> {
    let Manifest {
        runs,
        counts,
        totals,
        parts,
        ..
    } = manifest;
    let of_run = |totals: &RowTotals| {
        format!(
            "{} of {} ({})",
            counted(totals.rows, "page"),
            counted(totals.sites, "site"),
            size(totals.bytes)
        )
    };
    let files = format!("{} in {}", counted(parts.len() as u64, "file"), out.display());
    let mut lines = match &runs[..] {
        // Sites are counted for each run.
        [_, .., last] => vec![
            format!(
                "{} ({}) of {} in {files}",
                counted(totals.rows, "page"),
                size(totals.bytes),
                counted(runs.len() as u64, "run")
            ),
            format!("last run: {}", of_run(&last.totals)),
        ],
        _ => vec![format!("{} in {files}", of_run(totals))],
    };
    lines.push(records_line(counts));
    if totals.rows > 0 {
        lines.push(format!(
            "method: {}{}",
            listed("", &totals.methods),
            listed("; warnings: ", &totals.warnings)
        ));
        lines.push(format!("templates of sites: {}", listed("", &totals.templates)));
    }
    lines
}

fn records_line(counts: &RecordCounts) -> String {
    format!(
        "{} records read{}",
        grouped(counts.records),
        listed("; skipped: ", &counts.skipped)
    )
}

/// Fails if inputs are truncated, corrupt or unreadable. All pages that could be read have been processed by then.
pub(super) fn require_undamaged(counts: &RecordCounts) -> anyhow::Result<()> {
    let mut causes: Vec<String> = counts
        .damaged
        .iter()
        .take(NAMED_ARCHIVES)
        .map(|(archive, places)| {
            format!(
                "{archive} is truncated or corrupt in {}",
                counted(*places, "place")
            )
        })
        .collect();
    if counts.damaged.len() > NAMED_ARCHIVES {
        let others = (counts.damaged.len() - NAMED_ARCHIVES) as u64;
        causes.push(format!("{} more are, too", counted(others, "archive")));
    }
    if let Some(&files) = counts.skipped.get("unreadable") {
        causes.push(format!("{} could not be read", counted(files, "file")));
    }
    match causes.is_empty() {
        true => Ok(()),
        false => bail!("{}: everything else was processed", causes.join("; ")),
    }
}

/// How many damaged archives an error names.
const NAMED_ARCHIVES: usize = 3;

/// The error of a run without pages.
fn no_pages(counts: &RecordCounts, args: &BulkArgs) -> anyhow::Error {
    let inputs: Vec<String> = args
        .inputs
        .iter()
        .map(|name| name.display().to_string())
        .collect();
    let inputs = match inputs.is_empty() {
        true => "the listed inputs".to_owned(),
        false => inputs.join(", "),
    };
    let is_exclusion = |reason: &String| reason.starts_with("excluded-");
    match counts.skipped.keys().any(is_exclusion) {
        true => anyhow!("no pages in {inputs} are selected: the counts above say what was excluded"),
        false => anyhow!(
            "no pages in {inputs}: expected HTML pages in folders or WARC files; the counts above say what was skipped"
        ),
    }
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
