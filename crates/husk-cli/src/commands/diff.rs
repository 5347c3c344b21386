//! `husk diff`: what changed between two captures of a site.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};
use husk::dom::Dom;
use husk::{
    Address, ComparedPage, Page, PageChange, SameSite, SiteChanges, SiteDiff, SiteTemplates, TemplateChange,
    Url,
};
use husk_bulk::{Input, InputKind, PageInfo, SavedPage, SavedPages, SkippedPage, sample_evenly};
use serde::Serialize;

use super::check::{changed_line, json, server_error};
use crate::args::{DiffArgs, DriftFormat};
use crate::failure::Failure;
use crate::output::{self, Notes};
use crate::progress::counted;
use crate::saved::Complaints;

/// Pages that the templates of a capture are learned from, as in `husk learn`.
const LEARNED_PAGES: usize = 200;

/// Limit on their size, since all of them are in memory.
const LEARNED_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let complaints = Complaints::new(notes, args.output.verbose);
    let base_url = match &args.base_url {
        Some(given) => Some(given.clone()),
        None => common_base(&args.old, &args.new, &complaints)?,
    };
    let open = |name: &OsStr| Capture::open(Path::new(name), base_url.as_ref(), &complaints);
    let (mut old, mut new) = (open(&args.old)?, open(&args.new)?);
    let (in_both, in_one): (Vec<String>, Vec<String>) = old
        .sites()
        .union(&new.sites())
        .cloned()
        .partition(|site| old.has_site(site) && new.has_site(site));
    let both_have = |(address, _): (&Address, _)| new.answers(address);
    if !old.pages.iter().any(both_have) {
        bail!(
            "{} and {} have no page in common: set --base-url if their URLs were guessed wrong",
            Path::new(&args.old).display(),
            Path::new(&args.new).display()
        );
    }
    if !in_one.is_empty() {
        notes.say(&format!("in one capture only: {}", in_one.join(", ")));
    }
    let mut found = Vec::new();
    for site in in_both {
        found.push(SiteResult::of(site, &mut old, &mut new)?);
    }
    let is_one = found.len() == 1;
    let written = match args.format {
        DriftFormat::Text => {
            let sites = found.iter().map(|result| match is_one {
                true => text(&result.changes),
                false => format!("{}\n{}", result.site, text(&result.changes)),
            });
            sites.collect::<Vec<_>>().join("\n")
        }
        DriftFormat::Json => {
            let sites: Vec<DiffJson<'_>> = found.iter().map(DiffJson::of).collect();
            json(&sites, is_one)? + "\n"
        }
    };
    output::write(&written, &args.output)?;
    conclude(&found)
}

/// The exit status.
fn conclude(found: &[SiteResult]) -> anyhow::Result<()> {
    let verdicts = || found.iter().map(SiteResult::verdict);
    let changed = found
        .iter()
        .filter(|result| result.verdict() == DiffVerdict::Changed);
    let changed: Vec<&SiteResult> = changed.collect();
    let is_down = |result: &&SiteResult| result.verdict() == DiffVerdict::Errors;
    let down: Vec<&str> = found.iter().filter(is_down).map(|result| &*result.site).collect();
    let message = match (&changed[..], found) {
        ([only], [_]) => format!(
            "the template changed: {}",
            counted(only.changes.template_changes.len(), "change")
        ),
        ([], _) if !down.is_empty() => format!("the server answered with errors: {}", down.join(", ")),
        ([], _) if verdicts().all(|verdict| verdict == DiffVerdict::TooFewPages) => {
            let message = format!(
                "too few pages are in both captures to compare the templates: at least {FEWEST_PAGES} of a site are needed"
            );
            return Err(Failure::NoSibling(message).into());
        }
        ([], _) => return Ok(()),
        (changed, found) => {
            let names: Vec<&str> = changed.iter().map(|result| &*result.site).collect();
            format!(
                "the templates of {} of {} sites changed: {}",
                changed.len(),
                found.len(),
                names.join(", ")
            )
        }
    };
    Err(Failure::Drift(message).into())
}

/// With fewer pages in both captures, nothing is known of the template, as for `husk check`.
const FEWEST_PAGES: usize = 3;

/// With errors in place of so many pages, the server has a fault, as for `husk check`. Some pages are always deleted.
const SHARE_OF_ERRORS: f64 = 0.1;

/// What became of a site.
struct SiteResult {
    site: String,
    changes: SiteChanges,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum DiffVerdict {
    Same,
    Changed,
    Errors,
    TooFewPages,
}

impl SiteResult {
    /// Compares the pages of a site.
    fn of(site: String, old: &mut Capture, new: &mut Capture) -> anyhow::Result<Self> {
        let only_in = |one: &Capture, other: &Capture| -> Vec<Url> {
            let pages = one.pages_of(&site);
            let pages = pages.filter(|(address, _)| !other.pages.contains_key(*address));
            pages.map(|(_, stored)| stored.url.clone()).collect()
        };
        let (added, missing) = (only_in(new, old), only_in(old, new));
        let (errors, removed): (Vec<Url>, Vec<Url>) = missing
            .into_iter()
            .partition(|url| new.errors.contains_key(&Address::of(url)));
        let both: Vec<Address> = new
            .pages_of(&site)
            .map(|(address, _)| address.clone())
            .filter(|address| old.pages.contains_key(address))
            .collect();
        let templates = [old.learn(&site)?, new.learn(&site)?];
        let mut diff = SiteDiff::new(&templates[0], &templates[1], added, removed);
        for address in &both {
            if let (Some(old), Some(new)) = (old.read(address)?, new.read(address)?) {
                diff.add(&old, &new);
            }
        }
        let mut changes = diff.finish();
        changes.pages.extend(errors.into_iter().map(|url| ComparedPage {
            url,
            change: PageChange::Error,
        }));
        Ok(Self { site, changes })
    }

    fn verdict(&self) -> DiffVerdict {
        let count = |change| self.changes.count(change);
        let errors = count(PageChange::Error);
        let in_one = count(PageChange::Added) + count(PageChange::Removed) + errors;
        let in_both = self.changes.pages.len() - in_one;
        let is_unchanged = count(PageChange::Neither) == self.changes.pages.len();
        if !self.changes.template_changes.is_empty() {
            DiffVerdict::Changed
        } else if errors >= FEWEST_PAGES && errors as f64 >= SHARE_OF_ERRORS * (in_both + errors) as f64 {
            DiffVerdict::Errors
        } else if in_both >= FEWEST_PAGES || is_unchanged {
            DiffVerdict::Same
        } else {
            DiffVerdict::TooFewPages
        }
    }
}

/// The URL that both captures are read as, if nothing says the URL of one of them; both are of one site.
fn common_base(old: &OsStr, new: &OsStr, complaints: &Complaints) -> anyhow::Result<Option<Url>> {
    let (mut known, mut unknown) = (None, None);
    for name in [old, new] {
        for input in Input::find(Path::new(name), None, &|note| complaints.say(note))? {
            match (input.unknown_site(), &input.kind) {
                (Some(url), _) => unknown = unknown.or(Some(url.clone())),
                (None, InputKind::Site(folder)) => known = known.or(Some(folder.base_url().clone())),
                _ => {}
            }
        }
    }
    Ok(unknown.is_some().then_some(known.or(unknown)).flatten())
}

/// The pages of one capture.
struct Capture {
    /// The last one, if a page was captured more than once.
    pages: BTreeMap<Address, Stored>,
    /// Where the last answer of the server was an error, with the site.
    errors: BTreeMap<Address, String>,
    /// The bytes of pages of archives.
    spool: File,
}

struct Stored {
    site: String,
    url: Url,
    bytes: u64,
    source: StoredSource,
}

enum StoredSource {
    File(Box<SavedPage>),
    /// Where its bytes are in the spool.
    Spooled {
        info: Box<PageInfo>,
        offset: u64,
    },
}

impl Capture {
    fn open(name: &Path, base_url: Option<&Url>, complaints: &Complaints) -> anyhow::Result<Self> {
        let mut capture = Self {
            pages: BTreeMap::new(),
            errors: BTreeMap::new(),
            spool: tempfile::tempfile().context("cannot make a temporary file")?,
        };
        for input in Input::find(name, base_url, &|note| complaints.say(note))? {
            for page in SavedPages::of(&input)? {
                match page {
                    Ok(page) => {
                        let site = page.site(&input, SameSite::Host);
                        capture.store(page, site)?;
                    }
                    Err(SkippedPage::Unreadable(cause)) => return Err((*cause).into()),
                    Err(skipped) => match server_error(&skipped) {
                        Some((url, _)) => capture.store_error(&url),
                        None if skipped.is_notable() => complaints.say(&skipped.to_string()),
                        None => {}
                    },
                }
            }
        }
        if capture.pages.is_empty() && capture.errors.is_empty() {
            bail!(
                "no pages in {}: expected a folder or a WARC file with pages",
                name.display()
            );
        }
        Ok(capture)
    }

    fn sites(&self) -> BTreeSet<String> {
        self.pages.values().map(|stored| stored.site.clone()).collect()
    }

    /// Whether the server answered for a site, with pages or with errors.
    fn has_site(&self, site: &str) -> bool {
        self.pages_of(site).next().is_some() || self.errors.values().any(|other| other == site)
    }

    /// Whether the server answered at an address, with a page or an error.
    fn answers(&self, address: &Address) -> bool {
        self.pages.contains_key(address) || self.errors.contains_key(address)
    }

    fn pages_of(&self, site: &str) -> impl Iterator<Item = (&Address, &Stored)> {
        self.pages.iter().filter(move |(_, stored)| stored.site == site)
    }

    fn store(&mut self, page: SavedPage, site: String) -> anyhow::Result<()> {
        let size = page.bytes();
        let (url, source) = match page {
            SavedPage::File(folder, file) => {
                let Ok(url) = folder.url_of(&file) else {
                    return Ok(());
                };
                (url, StoredSource::File(Box::new(SavedPage::File(folder, file))))
            }
            SavedPage::Response { url, info, bytes } => {
                let offset = self.spool.seek(SeekFrom::End(0))?;
                self.spool
                    .write_all(&bytes)
                    .context("cannot write a temporary file")?;
                (url, StoredSource::Spooled { info, offset })
            }
        };
        let address = Address::of(&url);
        self.errors.remove(&address);
        self.pages.insert(
            address,
            Stored {
                site,
                url,
                bytes: size,
                source,
            },
        );
        Ok(())
    }

    fn store_error(&mut self, url: &Url) {
        let address = Address::of(url);
        self.pages.remove(&address);
        self.errors.insert(address, SameSite::Host.name_of(url));
    }

    /// A page; none if it can't be read.
    fn read(&mut self, address: &Address) -> anyhow::Result<Option<Page>> {
        let Some(stored) = self.pages.get(address) else {
            return Ok(None);
        };
        match &stored.source {
            StoredSource::File(page) => match &**page {
                SavedPage::File(folder, file) => Ok(folder.page(file).ok()),
                SavedPage::Response { .. } => Ok(None),
            },
            StoredSource::Spooled { info, offset } => {
                let mut bytes = vec![0; usize::try_from(stored.bytes)?];
                self.spool.seek(SeekFrom::Start(*offset))?;
                self.spool.read_exact(&mut bytes)?;
                let dom = Dom::from_bytes(&bytes, info.charset.as_deref());
                Ok(Some(Page::new(stored.url.clone(), dom)))
            }
        }
    }

    /// Learns the templates from pages of all parts of the site.
    fn learn(&mut self, site: &str) -> anyhow::Result<SiteTemplates> {
        let pages = self.pages_of(site);
        let (addresses, sizes): (Vec<Address>, Vec<u64>) = pages
            .map(|(address, stored)| (address.clone(), stored.bytes))
            .unzip();
        let mut pages = Vec::new();
        for place in sample_evenly(&sizes, LEARNED_PAGES, LEARNED_BYTES) {
            pages.extend(self.read(&addresses[place])?);
        }
        let mut templates = SiteTemplates::new(site);
        templates.learn(&pages);
        Ok(templates)
    }
}

const CHANGES: [PageChange; 7] = [
    PageChange::Content,
    PageChange::Template,
    PageChange::Both,
    PageChange::Neither,
    PageChange::Added,
    PageChange::Removed,
    PageChange::Error,
];

/// Changes and pages of a kind that are printed; JSON has all.
const MOST_LINES: usize = 20;

fn text(changes: &SiteChanges) -> String {
    let mut out = format!("{}:", counted(changes.pages.len(), "page"));
    let is_told = |change: &PageChange| *change != PageChange::Error || changes.count(*change) > 0;
    for (place, change) in CHANGES.into_iter().filter(is_told).enumerate() {
        let separator = if place == 0 { " " } else { ", " };
        out += &format!("{separator}{} {}", change.name(), changes.count(change));
    }
    out += "\n";
    for (title, found) in [
        ("template", &changes.template_changes),
        ("lists of pages", &changes.list_changes),
    ] {
        if found.is_empty() {
            continue;
        }
        out += &format!("\n{title}: {}\n", counted(found.len(), "change"));
        for change in found.iter().take(MOST_LINES) {
            out += &template_line(change);
        }
        out += &more(found.len());
    }
    for change in [
        PageChange::Content,
        PageChange::Both,
        PageChange::Added,
        PageChange::Removed,
        PageChange::Error,
    ] {
        let pages: Vec<&str> = pages_of(changes, change).collect();
        if !pages.is_empty() {
            out += &format!("\n{}:\n", change.name());
            for url in pages.iter().take(MOST_LINES) {
                out += &format!("  {url}\n");
            }
            out += &more(pages.len());
        }
    }
    out
}

fn more(count: usize) -> String {
    match count.checked_sub(MOST_LINES) {
        None | Some(0) => String::new(),
        Some(more) => format!("  and {more} more (--format json lists all)\n"),
    }
}

fn pages_of(changes: &SiteChanges, change: PageChange) -> impl Iterator<Item = &str> {
    let pages = changes.pages.iter().filter(move |page| page.change == change);
    pages.map(|page| page.url.as_str())
}

fn template_line(change: &TemplateChange) -> String {
    let text = match &change.new_text {
        Some(new) => format!("{}\" → \"{new}", change.text),
        None => change.text.clone(),
    };
    changed_line(change.change.name(), &change.selector, &text, change.pages.len())
}

/// The output of `husk diff --format json`. Fields may be added, but not renamed or removed.
#[derive(Serialize)]
struct DiffJson<'a> {
    site: &'a str,
    verdict: DiffVerdict,
    counts: BTreeMap<&'static str, usize>,
    template_changes: Vec<ChangeJson<'a>>,
    list_changes: Vec<ChangeJson<'a>>,
    pages: &'a [ComparedPage],
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    change: &'static str,
    selector: &'a str,
    text: &'a str,
    new_text: Option<&'a str>,
    pages: usize,
    urls: Vec<&'a str>,
}

impl<'a> DiffJson<'a> {
    fn of(result: &'a SiteResult) -> Self {
        let changes = &result.changes;
        let told = |found: &'a [TemplateChange]| {
            found
                .iter()
                .map(|change| ChangeJson::of(change, changes))
                .collect()
        };
        Self {
            site: &result.site,
            verdict: result.verdict(),
            counts: CHANGES
                .map(|change| (change.name(), changes.count(change)))
                .into(),
            template_changes: told(&changes.template_changes),
            list_changes: told(&changes.list_changes),
            pages: &changes.pages,
        }
    }
}

impl<'a> ChangeJson<'a> {
    fn of(change: &'a TemplateChange, changes: &'a SiteChanges) -> Self {
        Self {
            change: change.change.name(),
            selector: &change.selector,
            text: &change.text,
            new_text: change.new_text.as_deref(),
            pages: change.pages.len(),
            urls: change
                .pages
                .iter()
                .map(|&page| changes.pages[page].url.as_str())
                .collect(),
        }
    }
}
