//! `husk strip`: content of pages, with learned templates.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use husk::output::{ContentFormat, OutputOptions, write_nodes};
use husk::{Measures, SiteTemplates, Stripped, Stripper, Url, Warning};
use husk_bulk::{Row, RowBuilder};

use crate::args::{RowField, StripArgs, StripFormat};
use crate::failure::Failure;
use crate::known_templates::{KnownTemplates, OtherSites, PerSite, is_of};
use crate::output::{self, Notes, Stream};
use crate::page_files::PageFiles;
use crate::progress::grouped;
use crate::saved::{Complaints, ReadPage, Reading, Saved, refuse_within};

pub(crate) fn run(args: &StripArgs) -> anyhow::Result<()> {
    let notes = Notes::new(&args.output);
    let complaints = Complaints::new(notes, args.output.verbose);
    let mut saved = Vec::new();
    for name in &args.pages {
        saved.extend(Saved::named(name, args.base_url.as_ref(), &complaints)?);
    }
    let is_one = matches!(saved[..], [Saved::File(_) | Saved::StandardInput]);
    let form = Form::of(args, is_one)?;
    require_other_files(args, &saved)?;
    let templates = KnownTemplates::open(&args.template)?;
    let mut reading = Reading::new(args.site.as_deref(), args.base_url.as_ref(), notes, complaints);
    let mut counts = StripCounts::default();
    let mut stripping = Stripping {
        args,
        templates: &templates,
        notes,
        counts: &mut counts,
    };
    match form {
        Form::Page(format) => stripping.one(&mut reading, &saved, format)?,
        Form::Row => stripping.rows(&mut reading, &saved, true)?,
        Form::Rows => stripping.rows(&mut reading, &saved, false)?,
        Form::Files(format, folder) => stripping.files(&mut reading, &saved, format, folder)?,
    }
    if counts.pages == 0 {
        let names: Vec<String> = args.pages.iter().map(|name| name.display().to_string()).collect();
        bail!(
            "no pages in {}: expected HTML files, or folders or WARC files with pages",
            names.join(", ")
        );
    }
    counts.print_summary(&templates, is_one, notes);
    if args.strict && counts.unknown > 0 {
        bail!(
            "{} of {} pages have an unknown layout (--strict): husk learn --update learns it from such pages",
            counts.unknown,
            counts.pages
        );
    }
    Ok(())
}

/// Kind of output.
enum Form<'a> {
    /// The content of the only page.
    Page(ContentFormat),
    /// The only page as a JSON object.
    Row,
    /// JSON Lines.
    Rows,
    /// One file per page.
    Files(ContentFormat, &'a Path),
}

impl<'a> Form<'a> {
    fn of(args: &'a StripArgs, is_one: bool) -> Result<Self, Failure> {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        let written = match args.format {
            None if is_one => ContentFormat::Markdown,
            Some(StripFormat::Markdown) => ContentFormat::Markdown,
            Some(StripFormat::Text) => ContentFormat::Text,
            Some(StripFormat::Html) => ContentFormat::Html,
            None | Some(StripFormat::Jsonl) => return Ok(Self::Rows),
            Some(StripFormat::Json) if is_one => return Ok(Self::Row),
            Some(StripFormat::Json) => {
                return usage("--format json is for one page: --format jsonl writes an object a line");
            }
        };
        if args.content_format.is_some() || !args.fields.is_empty() {
            return usage("--fields and --content-format need --format json or jsonl");
        }
        match args.output.file() {
            _ if is_one => Ok(Self::Page(written)),
            Some(folder) => Ok(Self::Files(written, folder)),
            None => usage(
                "several pages in this format are several files: -o names a folder for them, or --format jsonl prints all",
            ),
        }
    }
}

/// Fails if the output would overwrite an input.
fn require_other_files(args: &StripArgs, saved: &[Saved]) -> anyhow::Result<()> {
    output::spare(&args.template, &args.output)?;
    for saved in saved {
        match saved {
            Saved::File(file) => output::spare(file, &args.output)?,
            Saved::Input(input) => output::spare(&input.path, &args.output)?,
            Saved::StandardInput => {}
        }
    }
    match args.output.file() {
        Some(file) => refuse_within(saved, file),
        None => Ok(()),
    }
}

/// Strips pages and writes the results.
struct Stripping<'a> {
    args: &'a StripArgs,
    templates: &'a KnownTemplates,
    notes: Notes,
    counts: &'a mut StripCounts,
}

impl Stripping<'_> {
    /// The content of the only page.
    fn one(
        &mut self,
        reading: &mut Reading<'_>,
        saved: &[Saved],
        format: ContentFormat,
    ) -> anyhow::Result<()> {
        let mut strippers = PerSite::new(self.templates, Stripper::new);
        for saved in saved {
            reading.each(saved, &mut |page| {
                let stripped = self.stripped(strippers.of_page(&page.page.url)?, &page);
                require_content(&page, &stripped)?;
                output::write(&written(&page, &stripped, format), &self.args.output)
            })?;
        }
        Ok(())
    }

    /// Writes the rows of all pages: one per line, or pretty-printed.
    fn rows(&mut self, reading: &mut Reading<'_>, saved: &[Saved], is_pretty: bool) -> anyhow::Result<()> {
        let content_format = self
            .args
            .content_format
            .map_or(husk_bulk::ContentFormat::Text, Into::into);
        let fields = match self.args.fields.is_empty() {
            true => RowField::all_of(&[RowField::Content]),
            false => RowField::all_of(&self.args.fields),
        };
        let source = self.templates.source();
        let mut builders = PerSite::new(self.templates, |templates| {
            RowBuilder::new(fields, content_format, templates).with_source(source)
        });
        let mut out = Stream::to(&self.args.output)?;
        for saved in saved {
            reading.each(saved, &mut |ReadPage { info, page, .. }| {
                let builder = builders.of_page(&page.url)?;
                self.note_other_site(&page.url, builder.templates());
                let row = builder.build_row(info, page);
                self.counts.add_row(&row);
                out.line(&match is_pretty {
                    true => serde_json::to_string_pretty(&row)?,
                    false => row.to_json()?,
                })
            })?;
        }
        out.finish()
    }

    /// Writes the content of each page to its own file.
    fn files(
        &mut self,
        reading: &mut Reading<'_>,
        saved: &[Saved],
        format: ContentFormat,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let mut files = PageFiles::new(folder, self.templates.only_site().unwrap_or_default(), format)?;
        let mut strippers = PerSite::new(self.templates, Stripper::new);
        for saved in saved {
            reading.each(saved, &mut |page| {
                let stripped = self.stripped(strippers.of_page(&page.page.url)?, &page);
                files.write(&page.page.url, &written(&page, &stripped, format))
            })?;
        }
        self.notes.say(&format!(
            "{} files in {}",
            grouped(self.counts.pages),
            folder.display()
        ));
        Ok(())
    }

    fn stripped(&mut self, stripper: &mut Stripper<Arc<SiteTemplates>>, page: &ReadPage) -> Stripped {
        self.note_other_site(&page.page.url, stripper.templates());
        let stripped = stripper.strip(&page.page);
        self.counts.add(&stripped);
        stripped
    }

    /// Counts a page of a site that is not in the store, or prints a note about the first page of another site.
    fn note_other_site(&mut self, page: &Url, templates: &SiteTemplates) {
        let Some(site) = self.templates.only_site() else {
            if templates.layouts().is_empty() {
                self.counts.not_stored.add(page);
            }
            return;
        };
        if self.counts.other_site || is_of(site, page) {
            return;
        }
        self.counts.other_site = true;
        self.notes.say(&format!(
            "{page} is not a page of {site}, so the templates may not fit (set --base-url if pages were saved from there)"
        ));
    }
}

/// Fails if there is nothing to print, instead of writing an empty file.
fn require_content(page: &ReadPage, stripped: &Stripped) -> anyhow::Result<()> {
    let words = Measures::of_those(&page.page.dom, |node| stripped.content.nodes.contains(node))
        .of_all()
        .words;
    if words == 0 {
        bail!("no content on {}: everything is template", page.page.url);
    }
    Ok(())
}

/// The content in a format.
fn written(page: &ReadPage, stripped: &Stripped, format: ContentFormat) -> String {
    let options = OutputOptions {
        relocation: page.relocation.clone(),
        ..OutputOptions::default()
    };
    let text = write_nodes(&page.page, &stripped.content.nodes, format, &options);
    match format {
        ContentFormat::Html => format!("<article>{text}</article>\n"),
        ContentFormat::Markdown | ContentFormat::Text => text,
    }
}

/// Counts of pages by warning.
#[derive(Default)]
struct StripCounts {
    pages: u64,
    unknown: u64,
    partial_match: u64,
    low_coverage: u64,
    no_content: u64,
    /// Whether a page belongs to another site.
    other_site: bool,
    /// Pages of sites that are not in the store.
    not_stored: OtherSites,
}

impl StripCounts {
    fn add(&mut self, stripped: &Stripped) {
        self.pages += 1;
        for &warning in &stripped.warnings {
            self.add_warning(warning.name());
        }
    }

    fn add_row(&mut self, row: &Row) {
        self.pages += 1;
        for name in &row.warnings {
            self.add_warning(name);
        }
    }

    fn add_warning(&mut self, name: &str) {
        for (warning, count) in [
            (Warning::UnknownLayout, &mut self.unknown),
            (Warning::PartialMatch, &mut self.partial_match),
            (Warning::LowCoverage, &mut self.low_coverage),
            (Warning::NoContent, &mut self.no_content),
        ] {
            *count += u64::from(warning.name() == name);
        }
    }

    fn print_summary(&self, templates: &KnownTemplates, is_one: bool, notes: Notes) {
        let pages = |count: u64| match (is_one, count) {
            (true, _) => "the page".to_owned(),
            (false, 1) => "1 page".to_owned(),
            (false, count) => format!("{} pages", grouped(count)),
        };
        if !is_one {
            notes.say(&format!("{} stripped", pages(self.pages)));
        }
        if let Some(sites) = self.not_stored.listed() {
            notes.say(&format!(
                "the store has no templates of {sites}; content extracted without a template"
            ));
        }
        let site = templates
            .only_site()
            .map_or(String::new(), |site| format!(" on {site}"));
        for (count, what) in [
            (
                self.unknown.saturating_sub(self.not_stored.pages()),
                Warning::UnknownLayout
                    .message()
                    .replacen("layout", &format!("layout{site}"), 1),
            ),
            (self.partial_match, Warning::PartialMatch.message().to_owned()),
            (self.low_coverage, Warning::LowCoverage.message().to_owned()),
            (self.no_content, Warning::NoContent.message().to_owned()),
        ] {
            if count > 0 {
                notes.say(&format!("{}: {what}", pages(count)));
            }
        }
    }
}
