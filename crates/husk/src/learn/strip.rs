//! Removes the template from a page: finds its layout, its template, and its content.

use std::borrow::Borrow;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use husk_dom::{Dom, NodeKind};
use indexmap::IndexMap;

use super::SiteTemplates;
use super::layout::Layout;
use super::numbers::{KNOWN_LAYOUT, LEAST_CONTENT_WORDS, LEAST_TITLES};
use super::paths::walk;
use crate::content::Content;
use crate::extraction::Extraction;
use crate::fingerprint::{Acquaintance, Fingerprints, mix};
use crate::hints::NameReader;
use crate::language;
use crate::mapping::{Side, align};
use crate::measure::words;
use crate::metadata::{Metadata, SiteTitles};
use crate::options::Method;
use crate::page::Page;
use crate::refusal::{is_redirect_stub, shares_nothing};
use crate::template::Template;

/// The content of a page and the template that was removed from it.
#[derive(Debug)]
pub struct Stripped {
    /// The layout of the page, as an index into those of the site; none if it is unknown.
    pub layout: Option<usize>,
    /// The template of the page.
    pub template: Template,
    /// The content of the page.
    pub content: Content,
    /// Problems with the result.
    pub warnings: Vec<Warning>,
    /// The share of the template that the page has, from 0 to 1; none if its layout is unknown. Parts that are high up
    /// in the page count for more.
    pub layout_fit: Option<f32>,
    /// The titles of pages that have the same layout.
    pub titles: Arc<SiteTitles>,
}

impl Stripped {
    /// Title, author, dates and so on of the page.
    pub fn metadata(&self, page: &Page) -> Metadata {
        Metadata::with_template(page, &self.titles, &self.template)
    }

    /// The page with its template as an extraction, for everything that is made from one.
    pub fn into_extraction(self, page: Page) -> Extraction {
        Extraction {
            loaded: vec![page.url.clone()],
            key_page: page,
            method: Method::Husk.name(),
            compared: Vec::new(),
            pages: Vec::new(),
            failures: Vec::new(),
            visits: Vec::new(),
            clique: None,
            template: self.template,
        }
    }
}

/// A problem with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The page has none of the learned layouts: its content was found without a template.
    UnknownLayout,
    /// The page is built differently from the learned ones: only what it shares with them was removed.
    PartialMatch,
    /// The template leaves nearly nothing.
    LowCoverage,
    /// The page has no content.
    NoContent,
}

impl Warning {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownLayout => "unknown-layout",
            Self::PartialMatch => "partial-match",
            Self::LowCoverage => "low-coverage",
            Self::NoContent => "no-content",
        }
    }

    /// What it means, as a message of a page has it.
    pub fn message(self) -> &'static str {
        match self {
            Self::UnknownLayout => "unknown layout; content extracted without a template",
            Self::PartialMatch => "differs from the learned layout; only the shared parts were removed",
            Self::LowCoverage => "almost nothing is left beside the template",
            Self::NoContent => "no content",
        }
    }

    /// The problem with a content, if there is one.
    pub fn of_content(dom: &Dom, content: &Content) -> Option<Self> {
        let texts = content
            .nodes
            .iter()
            .filter(|&node| dom.kind(node) == NodeKind::Text);
        let words = texts
            .flat_map(|node| words(dom.text_of(node)))
            .take(LEAST_CONTENT_WORDS);
        match words.count() {
            0 => Some(Self::NoContent),
            LEAST_CONTENT_WORDS.. => None,
            _ => Some(Self::LowCoverage),
        }
    }
}

/// Removes the templates of a site from its pages. Make one for each thread: it keeps buffers.
///
/// It holds the templates by reference or as an `Arc`.
pub struct Stripper<T> {
    templates: T,
    index: Index,
    titles: Titles,
    pub(super) acquaintance: Acquaintance,
    names: NameReader,
}

/// The paths of all templates.
struct Index {
    /// The layouts that have a path, as bits, and its weight.
    paths: IndexMap<u64, (u64, f32), Hashed>,
    /// The sum of the weights for each layout.
    weights: Vec<f32>,
    /// The language of each layout.
    languages: Vec<Option<String>>,
}

/// The titles of pages by layout.
struct Titles {
    of_layouts: Vec<Arc<SiteTitles>>,
    of_site: Arc<SiteTitles>,
}

impl Titles {
    fn of(layouts: &[Layout]) -> Self {
        let mut of_site = SiteTitles::default();
        for layout in layouts {
            of_site.merge(&layout.titles);
        }
        let of_site = Arc::new(of_site);
        let titles = |layout: &Layout| match layout.titles.pages() {
            LEAST_TITLES.. => Arc::new(layout.titles.clone()),
            _ => of_site.clone(),
        };
        Self {
            of_layouts: layouts.iter().map(titles).collect(),
            of_site,
        }
    }
}

/// For keys that are hashes.
type Hashed = BuildHasherDefault<Itself>;

#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u64::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The layout whose template is most similar to a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) layout: usize,
    /// The weighted share of the template's paths that the page has.
    share: f32,
}

impl Nearest {
    pub(super) fn is_known(self) -> bool {
        self.share >= KNOWN_LAYOUT
    }
}

impl<T: Borrow<SiteTemplates>> Stripper<T> {
    /// Prepares to remove these templates.
    pub fn new(templates: T) -> Self {
        let layouts = &templates.borrow().layouts;
        Self {
            index: Index::of(layouts),
            titles: Titles::of(layouts),
            acquaintance: Acquaintance::new(),
            names: NameReader::new(),
            templates,
        }
    }

    /// The templates.
    pub fn templates(&self) -> &SiteTemplates {
        self.templates.borrow()
    }

    /// Removes the template from a page.
    pub fn strip(&mut self, page: &Page) -> Stripped {
        if is_redirect_stub(page) {
            return self.empty(page);
        }
        let prints = Fingerprints::with(page, &mut self.acquaintance);
        match self.template(page, &prints) {
            Some((nearest, template)) => self.stripped(page, nearest, template),
            None => self.alone(page),
        }
    }

    /// The layout of a page and its template; none if the layout is unknown.
    fn template(&self, page: &Page, prints: &Fingerprints) -> Option<(Nearest, Template)> {
        let nearest = self.nearest(&page.dom, prints)?;
        let templates = self.templates.borrow();
        let thresholds = &templates.thresholds;
        let layout = &templates.layouts[nearest.layout];
        let (own, model) = (Side::of(page, prints), layout.side());
        let alignment = align(own, model, thresholds.moved_block);
        if !nearest.is_known() && shares_nothing(own, model, &alignment, thresholds) {
            return None;
        }
        let (nodes, found) = layout.votes.template_of(own, model, &alignment, thresholds);
        let template = Template::by_model(nodes, found, layout.votes.pages());
        Some((nearest, template))
    }

    /// The layout of a page and its template, without the content. A page of unknown layout has none.
    pub(crate) fn find_template(&self, page: &Page, prints: &Fingerprints) -> (Option<usize>, Template) {
        match self.template(page, prints) {
            Some((nearest, template)) => (Some(nearest.layout), template),
            None => (None, Template::of_nothing(&page.dom)),
        }
    }

    fn stripped(&mut self, page: &Page, nearest: Nearest, template: Template) -> Stripped {
        let layout = &self.templates.borrow().layouts[nearest.layout];
        let content = Content::by_template(page, &template, &layout.short_texts, &mut self.names);
        let is_partial = (!nearest.is_known()).then_some(Warning::PartialMatch);
        let of_content = Warning::of_content(&page.dom, &content);
        Stripped {
            layout: Some(nearest.layout),
            template,
            content,
            warnings: is_partial.into_iter().chain(of_content).collect(),
            layout_fit: Some(nearest.share),
            titles: self.titles.of_layouts[nearest.layout].clone(),
        }
    }

    /// The content of a page of another layout.
    fn alone(&self, page: &Page) -> Stripped {
        Stripped {
            layout: None,
            template: Template::of_nothing(&page.dom),
            content: Content::of_single_page(page),
            warnings: vec![Warning::UnknownLayout],
            layout_fit: None,
            titles: self.titles.of_site.clone(),
        }
    }

    /// What a page has that only leads to another one: neither a layout nor content.
    fn empty(&self, page: &Page) -> Stripped {
        Stripped {
            layout: None,
            template: Template::of_nothing(&page.dom),
            content: Content::none(&page.dom),
            warnings: vec![Warning::NoContent],
            layout_fit: None,
            titles: self.titles.of_site.clone(),
        }
    }

    /// The layout whose template is most similar to a page; ties go to the first.
    pub(super) fn nearest(&self, dom: &Dom, prints: &Fingerprints) -> Option<Nearest> {
        self.index.nearest(dom, prints)
    }
}

impl Index {
    fn of(layouts: &[Layout]) -> Self {
        let mut paths: IndexMap<u64, (u64, f32), Hashed> = IndexMap::default();
        for (number, layout) in layouts.iter().enumerate() {
            for (path, weight) in layout.paths.iter() {
                paths.entry(path).or_insert((0, weight)).0 |= 1 << number;
            }
        }
        Self {
            paths,
            weights: layouts.iter().map(|layout| layout.paths.weight()).collect(),
            languages: layouts
                .iter()
                .map(|layout| language::of_page(&layout.model.dom))
                .collect(),
        }
    }

    fn nearest(&self, dom: &Dom, prints: &Fingerprints) -> Option<Nearest> {
        let mut present = vec![0.0f32; self.weights.len()];
        let mut is_seen = vec![false; self.paths.len()];
        walk(dom, prints, |_, path, _| {
            let Some((place, _, &(mut layouts, weight))) = self.paths.get_full(&path) else {
                return;
            };
            if std::mem::replace(&mut is_seen[place], true) {
                return;
            }
            while layouts != 0 {
                present[layouts.trailing_zeros() as usize] += weight;
                layouts &= layouts - 1;
            }
        });
        // What a template has and the page lacks counts against it, so that the larger of two templates wins only if
        // the page has all of it.
        let score = |layout: usize| 2.0 * present[layout] - self.weights[layout];
        let language = language::of_page(dom);
        let is_other =
            |&layout: &usize| language::differ(language.as_deref(), self.languages[layout].as_deref());
        let mut best: Option<(f32, usize)> = None;
        for layout in (0..self.weights.len()).filter(|layout| !is_other(layout)) {
            if best.is_none_or(|(most, _)| score(layout) > most) {
                best = Some((score(layout), layout));
            }
        }
        best.map(|(_, layout)| Nearest {
            layout,
            share: present[layout] / self.weights[layout].max(f32::MIN_POSITIVE),
        })
    }
}
