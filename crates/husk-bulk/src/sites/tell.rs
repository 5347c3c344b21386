//! From a page to its row.

use std::borrow::Borrow;

use husk::dom::NodeKind;
use husk::output::{MarkdownOptions, content_markdown, content_text};
use husk::{
    Entry, Extraction, Layout, Measures, Metadata, Navigation, Page, SiteTemplates, Stripped, Stripper,
    ToldBy,
};

use crate::report::SiteTally;
use crate::row::{MenuEntry, Row};
use crate::settings::{ContentFormat, What};
use crate::store::About;

/// Tells of the pages of a site, one after the other: takes their templates off, and writes down what is left.
///
/// It holds the templates by reference, or shares them as an `Arc` where it is to be kept.
pub struct Teller<T> {
    what: What,
    content_format: ContentFormat,
    stripper: Stripper<T>,
    /// Whether the site has enough pages to learn from.
    has_enough: bool,
}

impl<T: Borrow<SiteTemplates>> Teller<T> {
    /// Tells this much, by these templates.
    pub fn new(what: What, content_format: ContentFormat, templates: T) -> Self {
        Self {
            what,
            content_format,
            stripper: Stripper::new(templates),
            has_enough: true,
        }
    }

    /// Says whether the site has enough pages to learn from; it has, unless this says otherwise.
    pub fn with_enough_pages(self, has_enough: bool) -> Self {
        Self { has_enough, ..self }
    }

    /// The row of a page.
    pub fn tell(&mut self, about: About, page: Page) -> Row {
        let stripped = self.stripper.strip(&page);
        self.row(about, page, stripped)
    }

    /// The row of a page, and what the page adds to the report on its site.
    pub(super) fn tell_and_count(&mut self, about: About, page: Page) -> (Row, SiteTally) {
        let stripped = self.stripper.strip(&page);
        let mut tally = SiteTally::default();
        tally.add(&page, about.bytes as u64, &stripped, &self.warnings(&stripped));
        (self.row(about, page, stripped), tally)
    }

    fn row(&self, about: About, page: Page, stripped: Stripped) -> Row {
        let templates = self.stripper.templates();
        let layout = stripped.layout.and_then(|layout| templates.layouts().get(layout));
        let layout = layout.map(|layout| layout.id().to_owned());
        let amounts = Amounts::of(&page, &stripped);
        let metadata = Metadata::of(&page);
        let what = self.what;
        Row {
            url: about.url,
            site: templates.site().to_owned(),
            date: about.date,
            title: metadata.title,
            language: metadata.language,
            told_by: match stripped.content.told_by {
                ToldBy::Template => "template",
                ToldBy::PageAlone => "page-alone",
            }
            .to_owned(),
            content: what.content.then(|| self.content(&page, &stripped)),
            template_id: layout
                .as_ref()
                .filter(|_| what.template_id)
                .map(|layout| format!("{}/{layout}", templates.site())),
            template_share: stripped.layout.map(|_| amounts.template_share()),
            bytes: about.bytes as u64,
            words: amounts.words,
            content_words: amounts.content_words,
            links: amounts.links,
            warnings: self.warnings(&stripped),
            // Last, since it takes the page.
            menu: (what.menu && layout.is_some())
                .then(|| main_menu(&stripped.into_extraction(page)))
                .flatten(),
            layout,
        }
    }

    fn content(&self, page: &Page, stripped: &Stripped) -> String {
        match self.content_format {
            ContentFormat::Text => content_text(page, &stripped.content),
            ContentFormat::Markdown => content_markdown(page, &stripped.content, &MarkdownOptions::default()),
        }
    }

    fn warnings(&self, stripped: &Stripped) -> Vec<String> {
        let names = stripped.warnings.iter().map(|warning| match warning {
            // That nothing is known of its site says more.
            husk::Warning::UnknownLayout if !self.has_enough => "too-few-pages",
            warning => warning.name(),
        });
        names.map(str::to_owned).collect()
    }
}

/// How much there is on a page, and of what.
struct Amounts {
    words: u32,
    content_words: u32,
    template_words: u32,
    links: u32,
}

impl Amounts {
    fn of(page: &Page, stripped: &Stripped) -> Self {
        let dom = &page.dom;
        let measures = Measures::of(dom);
        let all = measures.of_all();
        let mut amounts = Self {
            words: all.words,
            content_words: 0,
            template_words: 0,
            links: all.links,
        };
        for node in dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Text) {
            let words = measures.of_range(node.index()..node.index() + 1).words;
            if stripped.content.nodes.contains(node) {
                amounts.content_words += words;
            }
            if stripped.template.contains(node) {
                amounts.template_words += words;
            }
        }
        amounts
    }

    fn template_share(&self) -> f64 {
        f64::from(self.template_words) / f64::from(self.words.max(1))
    }
}

/// The main menu of the page that stands for a layout.
pub(crate) fn menu_of(layout: &Layout) -> Option<Vec<MenuEntry>> {
    main_menu(&layout.extraction())
}

fn main_menu(extraction: &Extraction) -> Option<Vec<MenuEntry>> {
    let navigation = Navigation::of(extraction);
    navigation.main().map(|block| entries(&block.entries))
}

/// How deep menus are told; nobody's is deeper.
const DEEPEST: usize = 64;

fn entries(of: &[Entry]) -> Vec<MenuEntry> {
    fn below(of: &[Entry], depth: usize) -> Vec<MenuEntry> {
        if depth == DEEPEST {
            return Vec::new();
        }
        let told = of.iter().map(|entry| MenuEntry {
            label: entry.label.clone(),
            url: entry.url.as_ref().map(ToString::to_string),
            children: below(&entry.children, depth + 1),
        });
        told.collect()
    }
    below(of, 0)
}
