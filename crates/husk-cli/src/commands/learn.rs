//! `husk learn`: from pages of a site to a file of templates.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use husk::{Lesson, Page, SameSite, SiteTemplates, Url};
use husk_bulk::report::{LearnedLayout, Shares, SiteTally};
use husk_bulk::{Input, sample_evenly};
use husk_sources::{PageLocation, names_archive};

use crate::args::LearnArgs;
use crate::config::Config;
use crate::crawl::Crawl;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::Notes;
use crate::pages::page_location;
use crate::progress::{counted, grouped, size};
use crate::saved::{Complaints, walk};
use crate::templates_file;

/// Default number of pages from the web, which are slow to load.
const MAX_WEB_PAGES: usize = 40;

/// Default number of pages from folders and archives.
const MAX_SAVED_PAGES: usize = 200;

/// Limit on their size, since all of them are in memory.
const MAX_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(args.quiet, args.verbose);
    let config = Config::find(args.config.as_deref(), notes)?;
    if args.output == Path::new("-") {
        let message = "expected a file for the templates: -o FILE".to_owned();
        return Err(Failure::Usage(message).into());
    }
    let earlier = earlier(&args.output)?;
    if args.update && earlier.is_none() {
        notes.say(&format!(
            "{} does not exist yet: learning from scratch",
            args.output.display()
        ));
    }
    let selection = PageSelection {
        args,
        same_site: config.same_site(args.same_site),
        loading: Loading {
            flags: &args.loading,
            config: &config.loading,
        },
        notes,
        complaints: Complaints::new(notes, args.verbose),
    };
    let (site, pages) = selection.gather(earlier.as_ref().filter(|_| args.update))?;
    let mut templates = templates_of(site, earlier, args)?;
    let lesson = templates.learn(&pages);
    print_lesson(&lesson, pages.len(), &templates, notes);
    if templates.layouts().is_empty() {
        let message = format!(
            "cannot learn {} from {}: at least 2 pages must share a layout, better 5 or more",
            templates.site(),
            counted(pages.len(), "page")
        );
        return Err(Failure::NoSibling(message).into());
    }
    print_layouts(&templates, &pages, notes);
    let file = args.output.display();
    if args.update && lesson.known == pages.len() {
        notes.say(&format!("all pages were already known: {file} is unchanged"));
        return Ok(());
    }
    let bytes = templates_file::write(&templates, &args.output)?;
    notes.say(&format!(
        "{} ({} new) in {file}, {}",
        counted(templates.layouts().len(), "layout"),
        lesson.new_layouts,
        size(bytes)
    ));
    Ok(())
}

/// What the file to write holds by now; nothing if it is not there or empty.
fn earlier(file: &Path) -> anyhow::Result<Option<SiteTemplates>> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_dir() => bail!("{} is a folder: expected a file", file.display()),
        Ok(found) if found.is_file() && found.len() > 0 => match templates_file::read(file) {
            Ok(templates) => Ok(Some(templates)),
            Err(cause) => bail!("{cause:#}; not overwriting it: choose another file, or delete it"),
        },
        _ => Ok(None),
    }
}

/// The templates to learn on with, or none yet.
fn templates_of(
    site: String,
    earlier: Option<SiteTemplates>,
    args: &LearnArgs,
) -> anyhow::Result<SiteTemplates> {
    match earlier {
        Some(earlier) if earlier.site() != site => bail!(
            "{} holds templates of {}, but the pages are of {site}: choose another file",
            args.output.display(),
            earlier.site()
        ),
        Some(earlier) if args.update => Ok(earlier),
        _ => Ok(SiteTemplates::new(site)),
    }
}

/// Finds the pages to learn from.
struct PageSelection<'a> {
    args: &'a LearnArgs,
    same_site: SameSite,
    loading: Loading<'a>,
    notes: Notes,
    complaints: Complaints,
}

/// A page of an input: index of the input, index in it, and size.
struct PagePosition {
    input: usize,
    number: usize,
    bytes: u64,
}

impl PageSelection<'_> {
    /// The site that is meant, and pages of it.
    fn gather(&self, earlier: Option<&SiteTemplates>) -> anyhow::Result<(String, Vec<Page>)> {
        let (urls, inputs) = self.sorted_out()?;
        let mut loaded = self.crawl(&urls)?;
        let mut saved = self.places(&inputs)?;
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (site, pages) in &loaded {
            *counts.entry(site.clone()).or_default() += pages.len();
        }
        for (site, places) in &saved {
            *counts.entry(site.clone()).or_default() += places.len();
        }
        let named = self.args.base_url.as_ref();
        let wanted = named
            .map(|url| self.site_of_base(url, &inputs))
            .or_else(|| earlier.map(|templates| templates.site().to_owned()));
        let site = chosen(wanted, &counts)?;
        let mut pages = loaded.remove(&site).unwrap_or_default();
        let places = saved.remove(&site).unwrap_or_default();
        pages.extend(self.read(&inputs, &places)?);
        Ok((site, pages))
    }

    /// The addresses of the web, and all else.
    fn sorted_out(&self) -> anyhow::Result<(Vec<Url>, Vec<Input>)> {
        let (mut urls, mut inputs) = (Vec::new(), Vec::new());
        for name in &self.args.sites {
            let path = match page_location(name)? {
                PageLocation::Url(url) => {
                    urls.push(url);
                    continue;
                }
                PageLocation::File(path) => path,
                _ => continue,
            };
            if path.is_file() && !names_archive(&path) {
                let message = format!(
                    "{} is a single file: expected the folder of a saved site, a WARC file, or a URL",
                    path.display()
                );
                return Err(Failure::Usage(message).into());
            }
            let base = self.args.base_url.as_ref();
            inputs.extend(Input::find(&path, base, &|note| self.complaints.say(note))?);
        }
        Ok((urls, inputs))
    }

    fn crawl(&self, urls: &[Url]) -> anyhow::Result<BTreeMap<String, Vec<Page>>> {
        let crawl = Crawl {
            loading: self.loading,
            same_site: self.same_site,
            most: self.args.max_pages.unwrap_or(MAX_WEB_PAGES),
            notes: self.notes,
        };
        let mut by_site: BTreeMap<String, Vec<Page>> = BTreeMap::new();
        for page in crawl.pages(urls)? {
            let site = self.same_site.name_of(&page.url);
            by_site.entry(site).or_default().push(page);
        }
        Ok(by_site)
    }

    /// Every page of the inputs, by site. Archives are read again for the sampled ones.
    fn places(&self, inputs: &[Input]) -> anyhow::Result<BTreeMap<String, Vec<PagePosition>>> {
        let mut by_site: BTreeMap<String, Vec<PagePosition>> = BTreeMap::new();
        for (input, found) in inputs.iter().enumerate() {
            let mut number = 0;
            walk(found, &self.complaints, &mut |met| {
                let place = PagePosition {
                    input,
                    number,
                    bytes: met.bytes(),
                };
                by_site
                    .entry(met.site(found, self.same_site))
                    .or_default()
                    .push(place);
                number += 1;
                Ok(())
            })?;
        }
        Ok(by_site)
    }

    /// The name of the site that --base-url stands for.
    fn site_of_base(&self, base: &Url, inputs: &[Input]) -> String {
        match inputs.first() {
            Some(input) => input.site_of(base, self.same_site),
            None => self.same_site.name_of(base),
        }
    }

    /// Reads pages from all over these places, no more than wanted.
    fn read(&self, inputs: &[Input], places: &[PagePosition]) -> anyhow::Result<Vec<Page>> {
        let sizes: Vec<u64> = places.iter().map(|place| place.bytes).collect();
        let most = self.args.max_pages.unwrap_or(MAX_SAVED_PAGES);
        let chosen = sample_evenly(&sizes, most, MAX_BYTES);
        if chosen.len() < places.len() {
            self.notes.say(&format!(
                "learning from {} of {} pages, sampled evenly (--max-pages)",
                chosen.len(),
                grouped(places.len() as u64)
            ));
        }
        let mut chosen = chosen.into_iter().map(|place| &places[place]).peekable();
        let mut pages = Vec::new();
        // What was complained of is known by now.
        let silent = Complaints::new(Notes::as_loud_as(true, false), false);
        for (at, input) in inputs.iter().enumerate() {
            if chosen.peek().is_none_or(|place| place.input != at) {
                continue;
            }
            let mut number = 0;
            walk(input, &silent, &mut |met| {
                if chosen
                    .next_if(|place| (place.input, place.number) == (at, number))
                    .is_some()
                {
                    match met.read() {
                        Ok((_, page)) => pages.push(page),
                        Err(cause) => self.complaints.say(&cause.to_string()),
                    }
                }
                number += 1;
                Ok(())
            })?;
        }
        Ok(pages)
    }
}

/// How many sites are named where there are several.
const NAMED_SITES: usize = 4;

/// The site that is meant: the one that is wanted, or the only one.
fn chosen(wanted: Option<String>, counts: &BTreeMap<String, usize>) -> anyhow::Result<String> {
    let Some(first) = counts.keys().next() else {
        bail!("no pages found: expected a folder, an archive or a URL with pages");
    };
    if let Some(wanted) = wanted {
        if !counts.contains_key(&wanted) {
            bail!("no pages of {wanted}: the pages are of {}", named(counts));
        }
        return Ok(wanted);
    }
    if counts.len() > 1 {
        let message = format!(
            "the pages belong to several sites: {}; select one, such as --base-url https://{first}/",
            named(counts)
        );
        return Err(Failure::Usage(message).into());
    }
    Ok(first.clone())
}

/// Some sites with their pages, the largest first.
fn named(counts: &BTreeMap<String, usize>) -> String {
    let mut sites: Vec<(&String, &usize)> = counts.iter().collect();
    sites.sort_by_key(|&(_, pages)| std::cmp::Reverse(*pages));
    let mut names: Vec<String> = sites
        .iter()
        .take(NAMED_SITES)
        .map(|(site, pages)| format!("{site} ({})", counted(**pages, "page")))
        .collect();
    if sites.len() > NAMED_SITES {
        names.push(format!("{} more", sites.len() - NAMED_SITES));
    }
    names.join(", ")
}

fn print_lesson(lesson: &Lesson, pages: usize, templates: &SiteTemplates, notes: Notes) {
    let unused = pages - lesson.pages - lesson.known;
    let unclustered = lesson.pages - lesson.layout_of.iter().flatten().count();
    let mut summary = format!("learned from {} of {}", counted(pages, "page"), templates.site());
    for (count, what) in [
        (lesson.known, "already known"),
        (unused, "unused: copies, or redirects"),
        (unclustered, "unclustered"),
    ] {
        if count > 0 {
            summary += &format!("; {count} {what}");
        }
    }
    notes.say(&summary);
}

/// Prints the layouts, and how much of the pages is template.
fn print_layouts(templates: &SiteTemplates, pages: &[Page], notes: Notes) {
    let mut stripper = templates.stripper();
    let mut tally = SiteTally::default();
    for page in pages {
        tally.add(page, 0, &stripper.strip(page), &[]);
    }
    for (place, layout) in templates.layouts().iter().enumerate() {
        notes.say(&format!(
            "layout {} ({}): {}, support {}, {} template nodes, as on {}",
            place + 1,
            layout.id(),
            counted(layout.pages() as usize, "page"),
            layout.support(),
            grouped(layout.template_nodes() as u64),
            layout.model()
        ));
    }
    let learned = templates.layouts().iter();
    let learned = learned.map(|layout| LearnedLayout::of(layout, None)).collect();
    let summary = tally.summary(templates.site(), learned, None);
    if summary.measured > 0 {
        let Shares { bytes, words, links } = summary.share;
        let percent = |share: Option<f64>| 100.0 * share.unwrap_or_default();
        notes.say(&format!(
            "template: {:.0} % of the bytes, {:.0} % of the words, {:.0} % of the links of {}",
            percent(bytes),
            percent(words),
            percent(links),
            counted(summary.measured as usize, "page")
        ));
    }
}
