//! `husk check`: whether pages still fit the templates of their site.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::bail;
use husk::{ChangedPart, Drift, DriftCheck, LayoutDrift, Page, SameSite, SiteTemplates, Url, Verdict};
use husk_bulk::{Input, SavedPages, SkippedPage};
use husk_sources::LoadError;
use serde::Serialize;

use crate::args::{CheckArgs, DriftFormat};
use crate::failure::Failure;
use crate::known_templates::{KnownTemplates, OtherSites};
use crate::output::{self, Notes};
use crate::progress::counted;
use crate::saved::{Complaints, Reading, Saved};

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let complaints = Complaints::new(notes, args.output.verbose);
    output::spare(&args.template, &args.output)?;
    let known = KnownTemplates::open(&args.template)?;
    let learned_at = known.only_site().and_then(base_url);
    let mut saved = Vec::new();
    for name in &args.pages {
        let mut found = Saved::named(name, args.base_url.as_ref(), &complaints)?;
        // Links lead elsewhere only if the folder is read as another site.
        if learned_at.is_some() && found.iter().any(Saved::is_of_unknown_site) {
            found = Saved::named(name, learned_at.as_ref(), &complaints)?;
        }
        saved.extend(found);
    }
    let mut checks = SiteChecks::new(&known);
    let mut reading = Reading::new(None, args.base_url.as_ref(), notes, complaints);
    for saved in &saved {
        match saved {
            Saved::Input(input) => add_input(input, &mut checks, &reading.complaints)?,
            saved => reading.each(saved, &mut |read| {
                checks.add(&read.page, read.info.date.as_deref())
            })?,
        }
    }
    let others = checks.others.listed();
    let found = checks.finish();
    match (&others, known.only_site(), found.is_empty()) {
        (None, _, true) => {
            bail!("no pages to check: expected HTML files, or folders or WARC files with pages")
        }
        (Some(others), Some(site), true) => bail!("no pages of {site} to check, but of {others}"),
        (Some(others), None, true) => bail!("no templates of these sites in the store: {others}"),
        (Some(others), Some(_), false) => notes.say(&format!("not checked: {others}")),
        (Some(others), None, false) => {
            notes.say(&format!(
                "not checked, since the store has no templates of them: {others}"
            ));
        }
        (None, _, false) => {}
    }
    let written = match (args.format, known.only_site()) {
        (DriftFormat::Text, _) => {
            let sites = found.iter().map(|(templates, drift)| text(templates, drift));
            sites.collect::<Vec<_>>().join("\n")
        }
        (DriftFormat::Json, is_one) => {
            let sites: Vec<SiteJson<'_>> = found
                .iter()
                .map(|(templates, drift)| SiteJson::of(templates, drift))
                .collect();
            json(&sites, is_one.is_some())? + "\n"
        }
    };
    output::write(&written, &args.output)?;
    conclude(&found)
}

/// The only site as an object, or all of them in one.
pub(super) fn json<T: Serialize>(sites: &[T], is_one: bool) -> serde_json::Result<String> {
    match sites {
        [only] if is_one => serde_json::to_string_pretty(only),
        sites => serde_json::to_string_pretty(&BTreeMap::from([("sites", sites)])),
    }
}

/// The exit status.
fn conclude(found: &[(Arc<SiteTemplates>, Drift)]) -> anyhow::Result<()> {
    let drifted: Vec<String> = found
        .iter()
        .filter(|(_, drift)| drift.verdict().is_drift())
        .map(|(templates, drift)| match found.len() {
            1 => format!(
                "the templates of {} do not fit its pages any more: {}",
                templates.site(),
                drift.verdict().name()
            ),
            _ => format!("{} ({})", templates.site(), drift.verdict().name()),
        })
        .collect();
    match (&drifted[..], found) {
        ([], [(templates, drift)]) if drift.verdict() == Verdict::TooFewPages => {
            Err(Failure::NoSibling(format!(
                "too few pages of {} to decide: at least 3 of a layout are needed",
                templates.site()
            ))
            .into())
        }
        ([], sites)
            if sites
                .iter()
                .all(|(_, drift)| drift.verdict() == Verdict::TooFewPages) =>
        {
            Err(Failure::NoSibling(format!(
                "too few pages of each of {} sites to decide: at least 3 of a layout are needed",
                sites.len()
            ))
            .into())
        }
        ([], _) => Ok(()),
        ([only], [_]) => Err(Failure::Drift(only.clone()).into()),
        (drifted, _) => Err(Failure::Drift(format!(
            "the templates of {} of {} do not fit their pages any more: {}",
            drifted.len(),
            counted(found.len(), "site"),
            drifted.join(", ")
        ))
        .into()),
    }
}

/// Compares pages with the templates of their sites.
struct SiteChecks<'a> {
    known: &'a KnownTemplates,
    sites: Vec<(Arc<SiteTemplates>, DriftCheck<Arc<SiteTemplates>>)>,
    /// Places in the list of sites by the host of a page; none if there are no templates of it.
    of_host: BTreeMap<String, Option<usize>>,
    others: OtherSites,
}

impl<'a> SiteChecks<'a> {
    fn new(known: &'a KnownTemplates) -> Self {
        Self {
            known,
            sites: Vec::new(),
            of_host: BTreeMap::new(),
            others: OtherSites::default(),
        }
    }

    fn add(&mut self, page: &Page, date: Option<&str>) -> anyhow::Result<()> {
        match self.of_page(&page.url)? {
            Some(check) => {
                check.add(page, date);
            }
            None => self.others.add(&page.url),
        }
        Ok(())
    }

    fn add_error(&mut self, url: &Url, date: Option<&str>) -> anyhow::Result<()> {
        if let Some(check) = self.of_page(url)? {
            check.add_error(url, date);
        }
        Ok(())
    }

    fn of_page(&mut self, page: &Url) -> anyhow::Result<Option<&mut DriftCheck<Arc<SiteTemplates>>>> {
        let host = SameSite::Host.name_of(page);
        let place = match self.of_host.get(&host) {
            Some(&place) => place,
            None => {
                let place = self
                    .known
                    .of_site(page)?
                    .map(|templates| self.place_of(templates));
                self.of_host.insert(host, place);
                place
            }
        };
        Ok(place.map(|place| &mut self.sites[place].1))
    }

    /// The place of a site: hosts of one domain may share templates.
    fn place_of(&mut self, templates: Arc<SiteTemplates>) -> usize {
        let mut sites = self.sites.iter();
        let known = sites.position(|(known, _)| known.site() == templates.site());
        known.unwrap_or_else(|| {
            self.sites.push((templates.clone(), DriftCheck::new(templates)));
            self.sites.len() - 1
        })
    }

    /// What became of the sites that have pages, by name.
    fn finish(self) -> Vec<(Arc<SiteTemplates>, Drift)> {
        let finished = self.sites.into_iter().map(|(site, check)| (site, check.finish()));
        let mut found: Vec<_> = finished
            .filter(|(_, drift)| drift.pages > 0 || drift.other_errors > 0)
            .collect();
        found.sort_by(|(one, _), (other, _)| one.site().cmp(other.site()));
        found
    }
}

/// The URL of a site, which is named by its host or by its URL.
fn base_url(site: &str) -> Option<Url> {
    Url::parse(site)
        .or_else(|_| Url::parse(&format!("https://{site}/")))
        .ok()
}

/// Adds the pages of an input, and the errors that an archive has.
fn add_input(input: &Input, checks: &mut SiteChecks<'_>, complaints: &Complaints) -> anyhow::Result<()> {
    for page in SavedPages::of(input)? {
        match page.map(|page| page.read()) {
            Ok(Ok((info, page))) => checks.add(&page, info.date.as_deref())?,
            Ok(Err(cause)) => complaints.of_page(&input.path, &cause),
            Err(SkippedPage::Unreadable(cause)) => return Err((*cause).into()),
            Err(skipped) => {
                if let Some((url, date)) = server_error(&skipped) {
                    checks.add_error(&url, date)?;
                } else if skipped.is_notable() {
                    complaints.say(&skipped.to_string());
                }
            }
        }
    }
    Ok(())
}

/// The URL that a server answered with an error for, and when.
pub(super) fn server_error(skipped: &SkippedPage) -> Option<(Url, Option<&str>)> {
    match skipped {
        SkippedPage::Load { cause, date, .. } => match &**cause {
            LoadError::Status { object, status } if *status >= 400 => {
                Url::parse(object).ok().map(|url| (url, date.as_deref()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Changes that are printed for a layout; JSON has all.
const MOST_LINES: usize = 12;

fn text(templates: &SiteTemplates, drift: &Drift) -> String {
    let mut out = format!(
        "{}: {}, {}{}{}\n",
        templates.site(),
        drift.verdict().name(),
        counted(drift.pages, "page"),
        misfits(drift.misfits),
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

fn misfits(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 does not fit".to_owned(),
        count => format!(", {count} do not fit"),
    }
}

fn fit(fit: Option<f32>) -> String {
    fit.map_or(String::new(), |fit| format!(", fit {fit:.2}"))
}

fn layout_text(templates: &SiteTemplates, drift: &LayoutDrift) -> String {
    let mut out = format!(
        "\nlayout {} ({}), as on {}: {}{}, {}{}{}\n",
        drift.layout + 1,
        drift.id,
        templates.layouts()[drift.layout].model(),
        drift.verdict.name(),
        since(drift.since.as_deref()),
        counted(drift.pages, "page"),
        misfits(drift.misfits),
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
    misfits: usize,
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
    misfits: usize,
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
            misfits: drift.misfits,
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
            misfits: drift.misfits,
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
