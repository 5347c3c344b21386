//! `husk check`: whether pages still fit the templates of their site.

use anyhow::bail;
use husk::{ChangedPart, Drift, DriftCheck, LayoutDrift, SiteTemplates, Url, Verdict};
use husk_bulk::{Input, SavedPages, SkippedPage};
use husk_sources::LoadError;
use serde::Serialize;

use crate::args::{CheckArgs, DriftFormat};
use crate::failure::Failure;
use crate::output::{self, Notes};
use crate::progress::counted;
use crate::saved::{Complaints, Reading, Saved};
use crate::templates_file;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let complaints = Complaints::new(notes, args.output.verbose);
    output::spare(&args.template, &args.output)?;
    let templates = templates_file::read(&args.template)?;
    let learned_at = base_url(templates.site());
    let mut saved = Vec::new();
    for name in &args.pages {
        let mut found = Saved::named(name, args.base_url.as_ref(), &complaints)?;
        // Links lead elsewhere only if the folder is read as another site.
        if found.iter().any(Saved::is_of_unknown_site) {
            found = Saved::named(name, learned_at.as_ref(), &complaints)?;
        }
        saved.extend(found);
    }
    let mut check = templates.drift_check();
    let mut reading = Reading::new(None, args.base_url.as_ref(), notes, complaints);
    for saved in &saved {
        match saved {
            Saved::Input(input) => add_input(input, &mut check, &reading.complaints)?,
            saved => reading.each(saved, &mut |read| {
                check.add(&read.page, read.info.date.as_deref());
                Ok(())
            })?,
        }
    }
    let drift = check.finish();
    if drift.pages == 0 && drift.other_errors == 0 {
        bail!("no pages to check: expected HTML files, or folders or WARC files with pages");
    }
    let written = match args.format {
        DriftFormat::Text => text(&templates, &drift),
        DriftFormat::Json => serde_json::to_string_pretty(&SiteJson::of(&templates, &drift))? + "\n",
    };
    output::write(&written, &args.output)?;
    let site = templates.site();
    match drift.verdict() {
        Verdict::Fits => Ok(()),
        Verdict::TooFewPages => Err(Failure::NoSibling(format!(
            "too few pages of {site} to decide: at least 3 of a layout are needed"
        ))
        .into()),
        verdict => Err(Failure::Drift(format!(
            "the templates of {site} do not fit its pages any more: {}",
            verdict.name()
        ))
        .into()),
    }
}

/// The URL of a site, which is named by its host or by its URL.
fn base_url(site: &str) -> Option<Url> {
    Url::parse(site)
        .or_else(|_| Url::parse(&format!("https://{site}/")))
        .ok()
}

/// Adds the pages of an input, and the errors that an archive has.
fn add_input(
    input: &Input,
    check: &mut DriftCheck<&SiteTemplates>,
    complaints: &Complaints,
) -> anyhow::Result<()> {
    // An error that was skipped has no date: it was captured about when the page before it was.
    let mut date: Option<String> = None;
    for page in SavedPages::of(input)? {
        match page.map(|page| page.read()) {
            Ok(Ok((info, page))) => {
                check.add(&page, info.date.as_deref());
                date = info.date;
            }
            Ok(Err(cause)) => complaints.of_page(&input.path, &cause),
            Err(SkippedPage::Unreadable(cause)) => return Err((*cause).into()),
            Err(skipped) => {
                if let Some(url) = error_url(&skipped) {
                    check.add_error(&url, date.as_deref());
                } else if skipped.is_notable() {
                    complaints.say(&skipped.to_string());
                }
            }
        }
    }
    Ok(())
}

/// The URL that a server answered with an error for.
fn error_url(skipped: &SkippedPage) -> Option<Url> {
    match skipped {
        SkippedPage::Load { cause, .. } => match &**cause {
            LoadError::Status { object, status } if *status >= 400 => Url::parse(object).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Changes that are printed for a layout; JSON has all.
const MOST_LINES: usize = 12;

fn text(templates: &SiteTemplates, drift: &Drift) -> String {
    let mut out = format!(
        "{}: {}, {}{}\n",
        templates.site(),
        drift.verdict().name(),
        counted(drift.pages, "page"),
        fit(drift.fit)
    );
    for (count, what) in [
        (drift.unknown, "of no known layout"),
        (drift.other_errors, "with errors that were never learned from"),
    ] {
        if count > 0 {
            out += &format!("{} {what}\n", counted(count, "page"));
        }
    }
    for layout in &drift.layouts {
        out += &layout_text(templates, layout);
    }
    out
}

fn fit(fit: Option<f32>) -> String {
    fit.map_or(String::new(), |fit| format!(", fit {fit:.2}"))
}

fn layout_text(templates: &SiteTemplates, drift: &LayoutDrift) -> String {
    let mut out = format!(
        "\nlayout {} ({}), as on {}: {}{}, {}{}\n",
        drift.layout + 1,
        drift.id,
        templates.layouts()[drift.layout].model(),
        drift.verdict.name(),
        since(drift.since.as_deref()),
        counted(drift.pages, "page"),
        fit(drift.fit)
    );
    if drift.errors > 0 {
        out += &format!("  {} with errors\n", counted(drift.errors, "page"));
    }
    for (&layout, &pages) in &drift.moved_to {
        out += &format!("  {} now of layout {}\n", counted(pages, "page"), layout + 1);
    }
    let changes: Vec<&ChangedPart> = drift.blocks.iter().chain(&drift.added).collect();
    for part in changes.iter().take(MOST_LINES) {
        out += &changed_line(part.change.name(), &part.selector, &part.text, part.pages);
    }
    if changes.len() > MOST_LINES {
        out += &format!(
            "  and {} more (--format json lists all)\n",
            changes.len() - MOST_LINES
        );
    }
    for (what, parts) in [("selectors", &drift.selectors), ("slots", &drift.slots)] {
        if !parts.is_empty() {
            let names: Vec<&str> = parts
                .iter()
                .take(MOST_LINES)
                .map(|part| &*part.selector)
                .collect();
            let more = if parts.len() > MOST_LINES { ", …" } else { "" };
            out += &format!("  broken {what}: {}{more}\n", names.join(", "));
        }
    }
    out
}

/// A line about a part of the template.
pub(crate) fn changed_line(change: &str, selector: &str, text: &str, pages: usize) -> String {
    let text = match text.is_empty() {
        true => String::new(),
        false => format!(" \"{text}\""),
    };
    format!("  {change:<9} {selector}{text}, {}\n", counted(pages, "page"))
}

fn since(date: Option<&str>) -> String {
    // The day is enough for people.
    date.map_or(String::new(), |date| {
        format!(" since {}", date.get(..10).unwrap_or(date))
    })
}

/// The output of `husk check --format json`. Fields may be added, but not renamed or removed.
#[derive(Serialize)]
struct SiteJson<'a> {
    site: &'a str,
    verdict: Verdict,
    pages: usize,
    fit: Option<f32>,
    unknown: usize,
    other_errors: usize,
    layouts: Vec<LayoutJson<'a>>,
}

#[derive(Serialize)]
struct LayoutJson<'a> {
    number: usize,
    id: &'a str,
    model: &'a str,
    verdict: Verdict,
    since: Option<&'a str>,
    pages: usize,
    fit: Option<f32>,
    errors: usize,
    moved_to: Vec<MovedJson>,
    blocks: &'a [ChangedPart],
    selectors: &'a [ChangedPart],
    slots: &'a [ChangedPart],
    added: &'a [ChangedPart],
}

#[derive(Serialize)]
struct MovedJson {
    number: usize,
    pages: usize,
}

impl<'a> SiteJson<'a> {
    fn of(templates: &'a SiteTemplates, drift: &'a Drift) -> Self {
        Self {
            site: templates.site(),
            verdict: drift.verdict(),
            pages: drift.pages,
            fit: drift.fit,
            unknown: drift.unknown,
            other_errors: drift.other_errors,
            layouts: drift
                .layouts
                .iter()
                .map(|layout| LayoutJson::of(templates, layout))
                .collect(),
        }
    }
}

impl<'a> LayoutJson<'a> {
    fn of(templates: &'a SiteTemplates, drift: &'a LayoutDrift) -> Self {
        let moved = drift.moved_to.iter();
        Self {
            number: drift.layout + 1,
            id: &drift.id,
            model: templates.layouts()[drift.layout].model().as_str(),
            verdict: drift.verdict,
            since: drift.since.as_deref(),
            pages: drift.pages,
            fit: drift.fit,
            errors: drift.errors,
            moved_to: moved
                .map(|(&layout, &pages)| MovedJson {
                    number: layout + 1,
                    pages,
                })
                .collect(),
            blocks: &drift.blocks,
            selectors: &drift.selectors,
            slots: &drift.slots,
            added: &drift.added,
        }
    }
}
