//! Builds the row of a page.

use std::borrow::Borrow;

use husk::output::{OutputOptions, content_html, content_markdown, content_text};
use husk::{
    Amount, Extraction, Layout, Navigation, Page, PageFlag, SiteTemplates, Stripped, Stripper, each_amount,
};

use super::content_hash::ContentHashes;
use crate::report::SiteTally;
use crate::row::{Row, RowMenuItem, TemplateSource};
use crate::settings::{ContentFormat, RowFields};
use crate::store::PageInfo;

/// Strips the templates from pages of a site and builds their rows.
///
/// `T` is a reference to the templates, or an `Arc`.
pub struct RowBuilder<T> {
    fields: RowFields,
    content_format: ContentFormat,
    stripper: Stripper<T>,
    has_enough_pages: bool,
    source: TemplateSource,
}

impl<T: Borrow<SiteTemplates>> RowBuilder<T> {
    /// A builder of rows with these fields.
    pub fn new(fields: RowFields, content_format: ContentFormat, templates: T) -> Self {
        Self {
            fields,
            content_format,
            stripper: Stripper::new(templates),
            has_enough_pages: true,
            source: TemplateSource::Learned,
        }
    }

    /// Sets whether the site has enough pages to learn from (default: true). If not, rows get the warning `too-few-pages`.
    pub fn with_enough_pages(self, has_enough_pages: bool) -> Self {
        Self {
            has_enough_pages,
            ..self
        }
    }

    /// Sets where the templates come from (default: learned in this run).
    pub fn with_source(self, source: TemplateSource) -> Self {
        Self { source, ..self }
    }

    /// The templates.
    pub fn templates(&self) -> &SiteTemplates {
        self.stripper.templates()
    }

    /// Builds the row of a page.
    pub fn build_row(&mut self, info: PageInfo, page: Page) -> Row {
        let stripped = self.stripper.strip(&page);
        self.row(info, page, stripped)
    }

    /// Builds the row of a page, and its share in the report.
    pub(super) fn build_row_and_tally(&mut self, info: PageInfo, page: Page) -> (Row, SiteTally) {
        let stripped = self.stripper.strip(&page);
        let mut tally = SiteTally::default();
        tally.add(&page, info.bytes as u64, &stripped, &self.warnings(&stripped));
        (self.row(info, page, stripped), tally)
    }

    fn row(&self, info: PageInfo, page: Page, stripped: Stripped) -> Row {
        let templates = self.stripper.templates();
        let layout = stripped.layout.and_then(|layout| templates.layouts().get(layout));
        let layout = layout.map(|layout| layout.id().to_owned());
        let counts = PageCounts::of(&page, &stripped);
        let metadata = stripped.metadata(&page);
        let (content_hash, near_duplicate_id) = match ContentHashes::of(&page, &stripped.content) {
            Some(hashes) => (Some(hashes.content_hash), Some(hashes.near_duplicate_id)),
            None => (None, None),
        };
        let flags = PageFlag::of(
            &page,
            &stripped.template,
            &stripped.content,
            counts.all,
            counts.content,
        );
        let fields = self.fields;
        let (warc_file, warc_offset, warc_record_id, warc_digest) = match info.record {
            Some(record) => (Some(record.file), Some(record.offset), record.id, record.digest),
            None => (None, None, None, None),
        };
        Row {
            url: info.url,
            normalized_url: page.url.to_string(),
            id: info.id,
            site: templates.site().to_owned(),
            date: info.date,
            warc_file,
            warc_offset,
            warc_record_id,
            warc_digest,
            layout_fit: stripped.layout_fit.map(f64::from).map(rounded),
            title: metadata.title,
            author: metadata.byline,
            published: metadata.published,
            modified: metadata.modified,
            description: metadata.description,
            language: metadata.language,
            canonical: metadata.canonical.map(Into::into),
            method: stripped.content.method.name().to_owned(),
            content: fields.content.then(|| self.content(&page, &stripped)),
            confidence: stripped.content.confidence.map(rounded),
            content_hash,
            near_duplicate_id,
            template_id: layout
                .as_ref()
                .filter(|_| fields.template_id)
                .map(|layout| format!("{}/{layout}", templates.site())),
            template_source: layout.as_ref().map(|_| self.source.name().to_owned()),
            template_share: stripped.layout.map(|_| counts.template_share()),
            bytes: info.bytes as u64,
            words: counts.all.words,
            content_words: counts.content.words,
            links: counts.all.links,
            flags: flags.into_iter().map(|flag| flag.name().to_owned()).collect(),
            warnings: self.warnings(&stripped),
            // Last, since it consumes the page.
            menu: (fields.menu && layout.is_some())
                .then(|| main_menu(&stripped.into_extraction(page)))
                .flatten(),
            layout,
        }
    }

    fn content(&self, page: &Page, stripped: &Stripped) -> String {
        match self.content_format {
            ContentFormat::Text => content_text(page, &stripped.content),
            ContentFormat::Markdown => content_markdown(page, &stripped.content, &OutputOptions::default()),
            ContentFormat::Html => content_html(page, &stripped.content, &OutputOptions::default()),
        }
    }

    fn warnings(&self, stripped: &Stripped) -> Vec<String> {
        let names = stripped.warnings.iter().map(|warning| match warning {
            husk::Warning::UnknownLayout if !self.has_enough_pages => "too-few-pages",
            warning => warning.name(),
        });
        names.map(str::to_owned).collect()
    }
}

/// A share with four digits: more would be noise.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Words and links on a page.
struct PageCounts {
    all: Amount,
    content: Amount,
    template_words: u32,
}

impl PageCounts {
    fn of(page: &Page, stripped: &Stripped) -> Self {
        let dom = &page.dom;
        let mut counts = Self {
            all: Amount::default(),
            content: Amount::default(),
            template_words: 0,
        };
        each_amount(
            dom,
            |_| true,
            |node, amount| {
                if amount == Amount::default() {
                    return;
                }
                counts.all = counts.all.plus(amount);
                if stripped.content.nodes.contains(node) {
                    counts.content = counts.content.plus(amount);
                }
                if stripped.template.contains(node) {
                    counts.template_words += amount.words;
                }
            },
        );
        counts
    }

    fn template_share(&self) -> f64 {
        f64::from(self.template_words) / f64::from(self.all.words.max(1))
    }
}

/// The main menu of a layout.
pub(crate) fn menu_of(layout: &Layout) -> Option<Vec<RowMenuItem>> {
    main_menu(&layout.extraction())
}

fn main_menu(extraction: &Extraction) -> Option<Vec<RowMenuItem>> {
    let navigation = Navigation::of(extraction);
    navigation.main().map(|block| menu_items(&block.entries))
}

/// Deeper levels are dropped.
const MAX_DEPTH: usize = 64;

fn menu_items(entries: &[husk::MenuItem]) -> Vec<RowMenuItem> {
    fn below(entries: &[husk::MenuItem], depth: usize) -> Vec<RowMenuItem> {
        if depth == MAX_DEPTH {
            return Vec::new();
        }
        let items = entries.iter().map(|entry| RowMenuItem {
            label: entry.label.clone(),
            url: entry.url.as_ref().map(ToString::to_string),
            children: below(&entry.children, depth + 1),
        });
        items.collect()
    }
    below(entries, 0)
}
