//! Taking the template off a page: which layout it has, which of its nodes are template, what is left.

use std::borrow::Borrow;
use std::hash::{BuildHasherDefault, Hasher};

use husk_dom::{Dom, NodeKind};
use indexmap::IndexMap;

use super::SiteTemplates;
use super::layout::Layout;
use super::paths::walk;
use crate::content::Content;
use crate::extraction::Extraction;
use crate::fingerprint::{Acquaintance, Fingerprints, mix};
use crate::hints::NameReader;
use crate::mapping::{Side, align};
use crate::measure::{Amounts, Count};
use crate::options::Method;
use crate::page::Page;
use crate::refusal::shares_nothing;
use crate::template::Template;

/// What is left of a page when its template is taken off, and what that template is.
#[derive(Debug)]
pub struct Stripped {
    /// The layout of the page, by its place among those of the site; none if it is not known.
    pub layout: Option<usize>,
    /// Which nodes of the page are template.
    pub template: Template,
    /// What a reader came for.
    pub content: Content,
    /// What is to be known of the result.
    pub warnings: Vec<Warning>,
}

impl Stripped {
    /// The page with its template, as if it had been compared with the pages that were learned from: for all that is made
    /// of an extraction.
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

/// Why a result is not what one might expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The page has no layout that was learned: nothing was taken off, the content was told by the page alone.
    UnknownLayout,
    /// The page is built otherwise than those that were learned from: only what it has in common with them was taken off.
    PartialMatch,
    /// Nearly nothing would have been left of the page: the content was told by the page alone.
    LowCoverage,
    /// There is no content on the page.
    NoContent,
}

impl Warning {
    /// The warning in one word for programs, which stays the same.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownLayout => "unknown-layout",
            Self::PartialMatch => "partial-match",
            Self::LowCoverage => "low-coverage",
            Self::NoContent => "no-content",
        }
    }
}

/// Takes the templates of a site off its pages. Make one for each thread: it keeps room to work in.
///
/// It holds the templates by reference, or shares them as an `Arc` where it is to be kept.
pub struct Stripper<T> {
    templates: T,
    index: Index,
    /// What is in each text of each layout's model.
    counts: Vec<Vec<Count>>,
    acquaintance: Acquaintance,
    names: NameReader,
}

/// The ways to the elements of all templates.
struct Index {
    /// Which layouts have a way, as bits, and what it weighs.
    paths: IndexMap<u64, (u64, f32), Hashed>,
    /// What the ways of each layout weigh together.
    weights: Vec<f32>,
}

/// For keys that are hashes already.
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

/// The layout whose template is nearest to a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) layout: usize,
    /// The share of the template's ways that the page has.
    share: f32,
}

/// A page that has less of the ways of a template is of another layout.
const KNOWN: f32 = 0.75;

/// Of a page with words, so many are left at least.
const FLOOR_WORDS: u32 = 8;

impl Nearest {
    pub(super) fn is_known(self) -> bool {
        self.share >= KNOWN
    }
}

impl<T: Borrow<SiteTemplates>> Stripper<T> {
    /// Makes ready to take these templates off.
    pub fn new(templates: T) -> Self {
        let layouts = &templates.borrow().layouts;
        Self {
            index: Index::of(layouts),
            counts: layouts.iter().map(counts_of).collect(),
            acquaintance: Acquaintance::new(),
            names: NameReader::new(),
            templates,
        }
    }

    /// The templates.
    pub fn templates(&self) -> &SiteTemplates {
        self.templates.borrow()
    }

    /// Takes its template off a page.
    pub fn strip(&mut self, page: &Page) -> Stripped {
        let prints = Fingerprints::with(page, &mut self.acquaintance);
        let Some(nearest) = self.nearest(&page.dom, &prints) else {
            return alone(page, Warning::UnknownLayout);
        };
        let templates = self.templates.borrow();
        let thresholds = &templates.thresholds;
        let layout = &templates.layouts[nearest.layout];
        let (own, model) = (Side::of(page, &prints), layout.side());
        let alignment = align(own, model, thresholds.moved_block);
        if !nearest.is_known() && shares_nothing(own, model, &alignment, thresholds) {
            return alone(page, Warning::UnknownLayout);
        }
        let (nodes, found) = layout.votes.template_of(own, model, &alignment, thresholds);
        let template = Template::by_model(nodes, found, layout.votes.pages());
        // Most texts of the template need not be read again.
        let counts = &self.counts[nearest.layout];
        let amounts = Amounts::like(&page.dom, |node| {
            let mate = alignment.mate(node)?;
            let is_same = prints.get(node).says == layout.fingerprints.get(mate).says;
            is_same.then(|| counts[mate.index()])
        });
        self.stripped(page, nearest, template, &amounts)
    }

    fn stripped(&mut self, page: &Page, nearest: Nearest, template: Template, amounts: &Amounts) -> Stripped {
        let layout = &self.templates.borrow().layouts[nearest.layout];
        let content = Content::by_template(page, &template, &layout.short_texts, amounts, &mut self.names);
        let words = |content: &Content| amounts.words_of(|node| content.nodes.contains(node));
        let left = words(&content);
        let mut stripped = Stripped {
            layout: Some(nearest.layout),
            template,
            content,
            warnings: Vec::new(),
        };
        if !nearest.is_known() {
            stripped.warnings.push(Warning::PartialMatch);
        }
        if left < FLOOR_WORDS {
            let alone = Content::of_single_page(page);
            if words(&alone) > left {
                stripped.content = alone;
                stripped.warnings.push(Warning::LowCoverage);
            } else if left == 0 {
                stripped.warnings.push(Warning::NoContent);
            }
        }
        stripped
    }

    /// The layout whose template is nearest to a page; ties go to the first.
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
        // What a template has and the page lacks counts against it, so that of two templates the larger is taken only
        // where the page has all of it.
        let score = |layout: usize| 2.0 * present[layout] - self.weights[layout];
        let mut best: Option<(f32, usize)> = None;
        for layout in 0..self.weights.len() {
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

fn counts_of(layout: &Layout) -> Vec<Count> {
    let dom = &layout.model.dom;
    let texts = dom.nodes().map(|node| match dom.kind(node) {
        NodeKind::Text => Count::of(dom.text_of(node)),
        _ => Count::default(),
    });
    texts.collect()
}

fn alone(page: &Page, warning: Warning) -> Stripped {
    Stripped {
        layout: None,
        template: Template::of_nothing(&page.dom),
        content: Content::of_single_page(page),
        warnings: vec![warning],
    }
}
