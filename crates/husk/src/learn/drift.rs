//! Measures whether pages still fit the templates of their site.
//!
//! Pages in, one at a time, to a [`DriftCheck`]; a [`Drift`] out, which says for each layout how well its pages fit and
//! what of its template broke, since when.

mod added;

mod parts;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use husk_dom::{NodeId, NodeKind, name};
use indexmap::IndexMap;
use serde::Serialize;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::SiteTemplates;
use super::series::{Loss, Sighting, loss, partial_loss};
use super::strip::Stripper;
use crate::fingerprint::Fingerprints;
use crate::mapping::{Alignment, Side, align};
use crate::measure::words;
use crate::page::Page;
use crate::refusal::{has_error_title, leads_on};
use crate::selectors::SelectorFinder;
use crate::vote::NodeState;
use added::NewBlocks;
use parts::Parts;

pub(crate) use parts::short_text;

/// A layout with fewer pages is not judged.
const FEWEST_PAGES: usize = 3;

/// A page with less of its layout's template was redesigned.
const LEAST_FIT: f32 = 0.5;

/// A page that fits another layout by this much better has that layout now.
const CLEARLY_BETTER: f32 = 0.2;

/// Any page has all of a template with fewer nodes.
const SMALLEST_TEMPLATE: usize = 10;

/// What fewer learned pages had is optional, and its loss is no change.
const LEAST_EXPECTED: f64 = 0.5;

/// The share of pages that fit, are no errors and stay in their layout, as long as nothing changed.
const USUAL_SHARE: f64 = 0.95;

/// A layout drifted if at least this share of its pages are errors or have another layout. On 54 sites that did not change,
/// up to 9 % seem to.
const CONSIDERABLE_SHARE: f64 = 0.1;

/// The same for pages that fit no layout: some are built like few others. On the same sites, up to 19 % of the pages are,
/// of those that were learned from and of the others.
const CONSIDERABLE_SHARE_OF_UNKNOWN: f64 = 0.25;

/// An error page says little: one with more words of its own is about errors.
const MOST_WORDS_OF_ERROR: usize = 60;

/// Different URLs with the same body, from this number on: the server has one answer for all.
const COPIES_OF_ERROR: usize = 3;

/// What became of a layout, or of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Pages fit as those that were learned from.
    Fits,
    /// Too few pages to decide.
    TooFewPages,
    /// Parts of the template changed.
    Changed,
    /// Pages have another of the known layouts now.
    Moved,
    /// The server answers with errors.
    Errors,
    /// Pages fit no known layout.
    Redesigned,
}

impl Verdict {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::TooFewPages => "too-few-pages",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Errors => "errors",
            Self::Redesigned => "redesigned",
        }
    }

    /// Whether the templates should be learned again.
    pub fn is_drift(self) -> bool {
        !matches!(self, Self::Fits | Self::TooFewPages)
    }
}

/// What a page is, compared with the templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageState {
    /// It has its layout, more or less: see the fit.
    Fits,
    /// It had another layout when it was learned from.
    Moved,
    /// It fits no layout.
    Unknown,
    /// It is an error page.
    Error,
    /// It only leads to another page, and is not counted.
    Redirect,
}

/// How well a page fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageFit {
    /// The layout that it had when it was learned from; for a new page, the one that it has.
    pub layout: Option<usize>,
    /// The layout that it has now.
    pub layout_now: Option<usize>,
    /// How well it fits `layout`, from 0 to 1.
    pub fit: f32,
    /// What it is.
    pub state: PageState,
}

/// What became of a part of the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Pages lack it.
    Gone,
    /// It has another class, id, role or name.
    Restyled,
    /// It has another text.
    Text,
    /// It has another link target or source.
    Target,
    /// It was not there before.
    Added,
}

impl Change {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Restyled => "restyled",
            Self::Text => "text",
            Self::Target => "target",
            Self::Added => "added",
        }
    }
}

/// A part of the template that changed.
#[derive(Debug, Clone, Serialize)]
pub struct ChangedPart {
    /// A CSS selector for it, on pages as they were; what was added is named as it is now.
    pub selector: String,
    /// The start of its text.
    pub text: String,
    /// What became of it.
    pub change: Change,
    /// Pages on which it changed.
    pub pages: usize,
    /// The date of the first of them.
    pub since: Option<String>,
}

/// What became of a layout.
#[derive(Debug, Clone)]
pub struct LayoutDrift {
    /// Its index among those of the site.
    pub layout: usize,
    /// Its id.
    pub id: String,
    /// What became of it.
    pub verdict: Verdict,
    /// The date of the first page that shows the verdict.
    pub since: Option<String>,
    /// Pages of this layout.
    pub pages: usize,
    /// How well they fit on average, from 0 to 1; none if all are errors.
    pub fit: Option<f32>,
    /// Pages that don't fit: errors, pages that have another layout now, and those that have none.
    pub misfits: usize,
    /// Pages that are errors.
    pub errors: usize,
    /// Pages that have another layout now, by its index.
    pub moved_to: BTreeMap<usize, usize>,
    /// Blocks of the template that changed.
    pub blocks: Vec<ChangedPart>,
    /// Selectors of blocks that no longer find them.
    pub selectors: Vec<ChangedPart>,
    /// Elements around content that changed, so that content is somewhere else.
    pub slots: Vec<ChangedPart>,
    /// Blocks that nearly all pages have now and the template lacks.
    pub added: Vec<ChangedPart>,
}

/// What became of the templates of a site.
#[derive(Debug, Clone)]
pub struct Drift {
    /// The layouts that pages have or had.
    pub layouts: Vec<LayoutDrift>,
    /// All pages, without those that only lead to another page.
    pub pages: usize,
    /// How well they fit on average, from 0 to 1; none if there are none.
    pub fit: Option<f32>,
    /// Pages that don't fit: errors, pages that have another layout now, and those that have none.
    pub misfits: usize,
    /// Pages that fit no layout and that were not learned from.
    pub unknown: usize,
    /// Errors at URLs that were not learned from.
    pub other_errors: usize,
    /// What became of pages that were not learned from and have no layout, with their number.
    of_new: Option<(Verdict, usize)>,
}

impl Drift {
    /// What became of the site: the verdict that most of its pages show, if any is drift.
    pub fn verdict(&self) -> Verdict {
        let layouts = self.layouts.iter().map(|layout| (layout.verdict, layout.pages));
        let drifted = layouts
            .chain(self.of_new)
            .filter(|(verdict, _)| verdict.is_drift());
        // The first of several.
        let most = drifted.reduce(|most, other| if other.1 > most.1 { other } else { most });
        if let Some((verdict, _)) = most {
            return verdict;
        }
        match self.layouts.iter().any(|layout| layout.verdict == Verdict::Fits) {
            true => Verdict::Fits,
            false => Verdict::TooFewPages,
        }
    }
}

/// What is kept of a page.
struct Record {
    fit: PageFit,
    date: Option<String>,
    /// Hashes of the URL's path and of the body.
    path: u64,
    body: u64,
    /// Whether it is an error that the server answered with.
    is_response: bool,
    broken: Vec<(NodeId, NodeState)>,
    /// Places in the list of the layout's blocks.
    lost_selectors: Vec<usize>,
    new_blocks: Vec<u64>,
}

/// Compares pages with the templates of their site, one at a time. It holds the templates by reference or as an `Arc`.
pub struct DriftCheck<T> {
    stripper: Stripper<T>,
    parts: IndexMap<usize, Parts>,
    records: Vec<Record>,
    new_blocks: NewBlocks,
}

impl SiteTemplates {
    /// Which of some pages are errors: they say so and little else, or several have the same body.
    pub fn error_pages(&self, pages: &[Page]) -> Vec<bool> {
        let mut check = self.drift_check();
        let places: Vec<Option<usize>> = pages
            .iter()
            .map(|page| {
                let place = check.records.len();
                (check.add(page, None).state != PageState::Redirect).then_some(place)
            })
            .collect();
        check.mark_copies();
        let is_error = |place: usize| check.records[place].fit.state == PageState::Error;
        places
            .into_iter()
            .map(|place| place.is_some_and(is_error))
            .collect()
    }

    /// Measures whether pages still fit.
    pub fn drift_check(&self) -> DriftCheck<&Self> {
        DriftCheck::new(self)
    }
}

impl<T: Borrow<SiteTemplates>> DriftCheck<T> {
    /// Prepares to compare pages with these templates.
    pub fn new(templates: T) -> Self {
        Self {
            stripper: Stripper::new(templates),
            parts: IndexMap::new(),
            records: Vec::new(),
            new_blocks: NewBlocks::default(),
        }
    }

    /// Adds a page with its date as in RFC 3339, if that is known.
    pub fn add(&mut self, page: &Page, date: Option<&str>) -> PageFit {
        let prints = Fingerprints::with(page, &mut self.stripper.acquaintance);
        let own = Side::of(page, &prints);
        let mut record = Record {
            fit: PageFit {
                layout: None,
                layout_now: None,
                fit: 0.0,
                state: PageState::Unknown,
            },
            date: date.map(str::to_owned),
            path: path_hash(&page.url),
            body: body_hash(own),
            is_response: false,
            broken: Vec::new(),
            lost_selectors: Vec::new(),
            new_blocks: Vec::new(),
        };
        if leads_on(page).is_some() {
            record.fit.state = PageState::Redirect;
            return record.fit;
        }
        self.compare(page, own, &mut record);
        let fit = record.fit;
        self.records.push(record);
        fit
    }

    /// Adds a response that is an error.
    pub fn add_error(&mut self, url: &Url, date: Option<&str>) {
        let layout = self.stripper.templates().urls.layout(url);
        self.records.push(Record {
            fit: PageFit {
                layout,
                layout_now: None,
                fit: 0.0,
                state: PageState::Error,
            },
            date: date.map(str::to_owned),
            path: path_hash(url),
            body: 0,
            is_response: true,
            broken: Vec::new(),
            lost_selectors: Vec::new(),
            new_blocks: Vec::new(),
        });
    }

    /// Finds the layout of a page and what it has of its template.
    fn compare(&mut self, page: &Page, own: Side<'_>, record: &mut Record) {
        let templates = self.stripper.templates();
        let known = templates.urls.layout(&page.url);
        let nearest = self.stripper.nearest(own.dom, own.fingerprints);
        let near = nearest.map(|near| (near.layout, Compared::of(templates, near.layout, own)));
        let (layout, compared) = match (known, near) {
            (Some(known), Some((near, compared))) if known != near => {
                let before = Compared::of(templates, known, own);
                let is_better = compared.fit >= LEAST_FIT && compared.fit >= before.fit + CLEARLY_BETTER;
                if is_better {
                    record.fit.state = PageState::Moved;
                    record.fit.layout_now = Some(near);
                }
                (known, before)
            }
            (_, Some(near)) => near,
            (Some(known), None) => (known, Compared::of(templates, known, own)),
            (None, None) => {
                if is_error_page(own, |_| false) {
                    record.fit.state = PageState::Error;
                }
                return;
            }
        };
        let is_error = is_error_page(own, |node| compared.page_to_model.mate(node).is_some());
        let is_telling = known.is_some() || templates.layouts[layout].template_nodes() >= SMALLEST_TEMPLATE;
        if !is_telling {
            if is_error {
                record.fit.state = PageState::Error;
            }
            return;
        }
        record.fit.fit = compared.fit;
        if compared.fit >= LEAST_FIT && record.fit.layout_now.is_none() {
            record.fit.state = PageState::Fits;
            record.fit.layout_now = Some(layout);
        }
        record.fit.layout = known.or(record.fit.layout_now);
        if is_error {
            record.fit.state = PageState::Error;
        }
        if record.fit.layout == Some(layout) {
            let parts = self
                .parts
                .entry(layout)
                .or_insert_with(|| Parts::of(&templates.layouts[layout]));
            let finder = SelectorFinder::on(own.dom);
            record.lost_selectors = parts.lost(&finder, &compared.model_to_page);
            let model = &templates.layouts[layout].model.dom;
            let paired = (model, &compared.page_to_model);
            record.new_blocks = self.new_blocks.find(layout, own, paired, &finder);
            record.broken = compared.broken;
        }
    }

    /// What became of the templates.
    pub fn finish(mut self) -> Drift {
        self.mark_copies();
        let mut of_layout: BTreeMap<usize, Vec<&Record>> = BTreeMap::new();
        for record in &self.records {
            if let Some(layout) = record.fit.layout {
                of_layout.entry(layout).or_default().push(record);
            }
        }
        let strangers: Vec<&Record> = self
            .records
            .iter()
            .filter(|record| record.fit.layout.is_none())
            .collect();
        let other_errors = count_state(&strangers, PageState::Error);
        let layouts: Vec<LayoutDrift> = of_layout
            .iter()
            .map(|(&layout, records)| self.judge(layout, records))
            .collect();
        let unknown = strangers.len() - other_errors;
        Drift {
            pages: self.records.len() - other_errors,
            fit: mean_fit(self.records.iter()),
            misfits: layouts.iter().map(|layout| layout.misfits).sum::<usize>() + unknown,
            unknown,
            other_errors,
            of_new: self.judge_new(&strangers),
            layouts,
        }
    }

    /// What became of pages that were not learned from and have no layout. Dead links are no pages.
    fn judge_new(&self, strangers: &[&Record]) -> Option<(Verdict, usize)> {
        let pages = self.records.iter().filter(|record| !record.is_response);
        let least = (CONSIDERABLE_SHARE_OF_UNKNOWN * pages.count() as f64).max(FEWEST_PAGES as f64);
        let soft_errors = strangers
            .iter()
            .filter(|record| record.fit.state == PageState::Error && !record.is_response);
        let counts = [
            (Verdict::Redesigned, count_state(strangers, PageState::Unknown)),
            (Verdict::Errors, soft_errors.count()),
        ];
        let considerable = counts.into_iter().filter(|&(_, count)| count as f64 >= least);
        considerable.max_by_key(|&(_, count)| count)
    }

    /// Pages at different paths with one and the same body are what the server says instead of an error.
    fn mark_copies(&mut self) {
        let mut paths: IndexMap<u64, Vec<u64>> = IndexMap::new();
        for record in self.records.iter().filter(|record| record.body != 0) {
            let paths = paths.entry(record.body).or_default();
            if !paths.contains(&record.path) && paths.len() < COPIES_OF_ERROR {
                paths.push(record.path);
            }
        }
        for record in &mut self.records {
            if paths
                .get(&record.body)
                .is_some_and(|paths| paths.len() >= COPIES_OF_ERROR)
            {
                record.fit.state = PageState::Error;
            }
        }
    }

    fn judge(&self, layout: usize, records: &[&Record]) -> LayoutDrift {
        let templates = self.stripper.templates();
        let model = &templates.layouts[layout];
        let mut drift = LayoutDrift {
            layout,
            id: model.id().to_owned(),
            verdict: Verdict::TooFewPages,
            since: None,
            pages: records.len(),
            fit: mean_fit(records.iter().copied()),
            misfits: records.len() - count_state(records, PageState::Fits),
            errors: count_state(records, PageState::Error),
            moved_to: BTreeMap::new(),
            blocks: Vec::new(),
            selectors: Vec::new(),
            slots: Vec::new(),
            added: Vec::new(),
        };
        for record in records
            .iter()
            .filter(|record| record.fit.state == PageState::Moved)
        {
            if let Some(now) = record.fit.layout_now {
                *drift.moved_to.entry(now).or_default() += 1;
            }
        }
        if records.len() < FEWEST_PAGES {
            return drift;
        }
        let misfits = [
            (Verdict::Errors, PageState::Error),
            (Verdict::Moved, PageState::Moved),
            (Verdict::Redesigned, PageState::Unknown),
        ];
        let found = misfits
            .into_iter()
            .filter_map(|(verdict, state)| Some((verdict, misfits_since(records, state)?)))
            .reduce(|most, other| if other.1.pages > most.1.pages { other } else { most });
        // What broke is told of pages that still are pages of the layout, unless none is.
        let mut judged: Vec<&Record> = records.to_vec();
        judged.retain(|record| match found {
            Some((Verdict::Redesigned, _)) => record.fit.state != PageState::Error,
            _ => record.fit.state == PageState::Fits,
        });
        if let Some(parts) = self.parts.get(&layout) {
            parts.tell_broken(model, &judged, &mut drift);
        }
        drift.added = self.new_blocks.on_most(layout, &judged);
        let changed = drift.blocks.iter().map(|part| &part.since);
        let changed = changed.chain(drift.added.iter().map(|block| &block.since));
        let changed_since = changed.clone().flatten().min().cloned();
        (drift.verdict, drift.since) = match found {
            Some((verdict, loss)) => (verdict, loss.since),
            None if changed.count() > 0 => (Verdict::Changed, changed_since),
            None if judged.len() < FEWEST_PAGES => (Verdict::TooFewPages, None),
            None => (Verdict::Fits, None),
        };
        drift
    }
}

/// A page compared with one layout.
struct Compared {
    fit: f32,
    broken: Vec<(NodeId, NodeState)>,
    page_to_model: Alignment,
    model_to_page: Alignment,
}

impl Compared {
    fn of(templates: &SiteTemplates, layout: usize, own: Side<'_>) -> Self {
        let model = &templates.layouts[layout];
        let page_to_model = align(own, model.side(), templates.thresholds.moved_block);
        let model_to_page = page_to_model.inverted(model.side());
        let compared = model.compare(own, &model_to_page);
        Self {
            fit: compared.fit,
            broken: compared.broken,
            page_to_model,
            model_to_page,
        }
    }
}

fn path_hash(url: &Url) -> u64 {
    xxh3_64(url.path().as_bytes())
}

fn body_hash(side: Side<'_>) -> u64 {
    let body = side.dom.part(&name!("body"));
    body.map_or(0, |body| side.fingerprints.get(body).whole)
}

/// Whether a page says that it is an error, and little else than its template.
fn is_error_page(own: Side<'_>, is_template: impl Fn(NodeId) -> bool) -> bool {
    if !has_error_title(own.dom) {
        return false;
    }
    let is_shown = super::fit::shown_nodes(own.dom);
    let texts = own
        .dom
        .nodes()
        .filter(|&node| own.dom.kind(node) == NodeKind::Text && is_shown[node.index()] && !is_template(node));
    let words = texts.flat_map(|text| words(own.dom.text_of(text)));
    words.take(MOST_WORDS_OF_ERROR).count() < MOST_WORDS_OF_ERROR
}

fn mean_fit<'a>(records: impl Iterator<Item = &'a Record> + Clone) -> Option<f32> {
    let pages = records.filter(|record| record.fit.state != PageState::Error);
    let count = pages.clone().count();
    let sum: f32 = pages.map(|record| record.fit.fit).sum();
    (count > 0).then(|| sum / count as f32)
}

fn count_state(records: &[&Record], state: PageState) -> usize {
    records.iter().filter(|record| record.fit.state == state).count()
}

/// Since when pages lack something that this share of them had.
fn since_when(records: &[&Record], expected: f64, is_there: impl Fn(&Record) -> bool) -> Option<Loss> {
    loss(&mut sightings(records, is_there), expected)
}

/// Since when a considerable share of the pages is in a state in which they don't fit.
fn misfits_since(records: &[&Record], state: PageState) -> Option<Loss> {
    let share = match state {
        PageState::Unknown => CONSIDERABLE_SHARE_OF_UNKNOWN,
        _ => CONSIDERABLE_SHARE,
    };
    let mut sightings = sightings(records, |record| record.fit.state != state);
    partial_loss(&mut sightings, USUAL_SHARE, (FEWEST_PAGES, share))
}

fn sightings<'a>(records: &[&'a Record], is_there: impl Fn(&Record) -> bool) -> Vec<Sighting<'a>> {
    let records = records.iter();
    let sightings = records.map(|record| Sighting {
        date: record.date.as_deref(),
        is_there: is_there(record),
    });
    sightings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 6] = [
        "owls hunt mice in the old wood at night, and rest by day",
        "bats hang from the roof of a barn until dusk comes",
        "foxes dig their dens where the hill is dry and warm",
        "hedgehogs eat slugs, worms and beetles under our hedge",
        "otters came back to the river after many years away",
        "hares sleep in the open field, with both eyes open",
    ];

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn article_html(number: usize) -> String {
        let words = WORDS[number % WORDS.len()];
        format!(
            "<title>Animal {number}</title><nav class=menu><ul><li><a href=/>Home</a><li><a href=/a>About us</a>\
             <li><a href=/b>Products</a></ul></nav><main class=text><h1>Animal {number}</h1><p>Once {number} {words}.</p>\
             <p>It is said that {words}, as {number} people saw.</p></main><aside class=box><p>Write to the editors</p>\
             </aside><footer class=foot><p>All rights reserved 2025</p></footer>"
        )
    }

    fn listing_html(number: usize) -> String {
        let items: String = (0..6)
            .map(|item| format!("<tr class=row><td class=name><a href=/p{number}{item}>Item {number} {item} {}</a></td><td class=price>{number}{item}</td></tr>", WORDS[item]))
            .collect();
        format!(
            "<title>List {number}</title><div class=top><h3>All our lists</h3></div><table class=list>{items}</table>\
             <form class=order><label>Order by mail</label><input name=mail></form>"
        )
    }

    fn page(path: &str, html: &str) -> Page {
        Page::parse(url(path), html)
    }

    fn learned() -> SiteTemplates {
        let articles = (0..6).map(|number| page(&format!("/animal/{number}"), &article_html(number)));
        let lists = (0..5).map(|number| page(&format!("/list/{number}"), &listing_html(number)));
        let mut templates = SiteTemplates::new("example.org");
        templates.learn(&articles.chain(lists).collect::<Vec<_>>());
        assert_eq!(templates.layouts().len(), 2);
        SiteTemplates::from_bytes(&templates.to_bytes()).unwrap()
    }

    /// Checks new articles that are changed in some way.
    fn check(change: impl Fn(&str) -> String) -> LayoutDrift {
        let templates = learned();
        let mut check = templates.drift_check();
        for number in 10..18 {
            check.add(
                &page(&format!("/animal/{number}"), &change(&article_html(number))),
                None,
            );
        }
        let drift = check.finish();
        assert_eq!((drift.pages, drift.layouts.len()), (8, 1), "{drift:?}");
        drift.layouts.into_iter().next().unwrap()
    }

    #[test]
    fn pages_of_the_same_template_fit() {
        let drift = check(str::to_owned);
        assert_eq!((drift.verdict, drift.pages), (Verdict::Fits, 8));
        assert!(drift.fit > Some(0.99), "{drift:?}");
        let lists = (20..24).map(|number| page(&format!("/list/{number}"), &listing_html(number)));
        let templates = learned();
        let mut check = templates.drift_check();
        lists.for_each(|page| assert!(check.add(&page, None).fit > 0.99));
        assert_eq!(check.finish().verdict(), Verdict::Fits);
    }

    #[test]
    fn numbers_change_by_themselves() {
        let drift = check(|html| html.replace("2025", "2026"));
        assert_eq!(drift.verdict, Verdict::Fits, "{drift:?}");
    }

    #[test]
    fn a_block_that_is_gone_is_named() {
        let drift = check(|html| html.replace("<aside class=box><p>Write to the editors</p></aside>", ""));
        assert_eq!(drift.verdict, Verdict::Changed);
        let blocks: Vec<_> = drift
            .blocks
            .iter()
            .map(|part| (&*part.selector, &*part.text, part.change))
            .collect();
        assert_eq!(blocks, [("aside", "Write to the editors", Change::Gone)]);
        assert_eq!(drift.blocks[0].pages, 8);
        assert!(drift.fit < Some(0.95), "{drift:?}");
    }

    #[test]
    fn other_words_and_links_are_named() {
        let drift = check(|html| {
            html.replace("Write to the editors", "Call us")
                .replace("/b>", "/shop>")
        });
        let blocks: Vec<_> = drift
            .blocks
            .iter()
            .map(|part| (&*part.text, part.change))
            .collect();
        assert_eq!(
            blocks,
            [
                ("Products", Change::Target),
                ("Write to the editors", Change::Text)
            ]
        );
    }

    #[test]
    fn other_classes_break_selectors_and_slots() {
        let drift = check(|html| {
            html.replace("class=menu", "class=bar")
                .replace("class=text", "class=prose")
        });
        assert_eq!(drift.verdict, Verdict::Changed);
        assert!(
            drift.blocks.iter().all(|part| part.change == Change::Restyled),
            "{drift:?}"
        );
        assert_eq!(drift.slots.len(), 1, "{drift:?}");
        assert_eq!(drift.slots[0].selector, "main");
    }

    #[test]
    fn a_new_block_is_named() {
        let banner = "<div class=banner><b>Sale ends on Sunday</b></div><nav";
        let drift = check(|html| html.replace("<nav", banner));
        assert_eq!(drift.verdict, Verdict::Changed);
        let added: Vec<_> = drift
            .added
            .iter()
            .map(|block| (&*block.selector, &*block.text))
            .collect();
        assert_eq!(added, [(".banner", "Sale ends on Sunday")]);
    }

    #[test]
    fn a_redesign_is_one_since_its_first_day() {
        let templates = learned();
        let mut check = templates.drift_check();
        for number in 0..6 {
            check.add(
                &page(&format!("/animal/{number}"), &article_html(number)),
                Some("2026-03-01T10:00:00Z"),
            );
        }
        for (number, words) in WORDS.iter().enumerate() {
            let html = format!(
                "<title>Animal {number}</title><div id=app><header id=head><h2>The zoo</h2></header><section><h1>Animal {number}</h1>\
                 <div class=lead>{words}</div></section></div>"
            );
            let fit = check.add(
                &page(&format!("/animal/{number}"), &html),
                Some("2026-03-02T10:00:00Z"),
            );
            assert_eq!((fit.state, fit.layout), (PageState::Unknown, Some(0)));
        }
        let drift = check.finish();
        assert_eq!(drift.verdict(), Verdict::Redesigned);
        assert_eq!(drift.layouts[0].since.as_deref(), Some("2026-03-02T10:00:00Z"));
    }

    #[test]
    fn pages_move_to_another_layout() {
        let templates = learned();
        let mut check = templates.drift_check();
        for number in 0..5 {
            let fit = check.add(&page(&format!("/animal/{number}"), &listing_html(number)), None);
            assert_eq!(
                (fit.state, fit.layout, fit.layout_now),
                (PageState::Moved, Some(0), Some(1))
            );
        }
        let drift = check.finish();
        assert_eq!(drift.verdict(), Verdict::Moved);
        assert_eq!(drift.layouts[0].moved_to, BTreeMap::from([(1, 5)]));
    }

    #[test]
    fn errors_are_no_redesign() {
        let templates = learned();
        let gone = "<title>404 Not Found</title><h1>Not Found</h1><hr>nginx";
        let mut check = templates.drift_check();
        for number in 0..4 {
            check.add(&page(&format!("/animal/{number}"), gone), None);
        }
        assert_eq!(check.finish().verdict(), Verdict::Errors);
        // One answer for all pages, in the template of the site.
        let mut check = templates.drift_check();
        for number in 0..4 {
            check.add(&page(&format!("/animal/{number}"), &article_html(3)), None);
        }
        assert_eq!(check.finish().verdict(), Verdict::Errors);
        let mut check = templates.drift_check();
        (0..4).for_each(|number| check.add_error(&url(&format!("/animal/{number}")), None));
        check.add_error(&url("/dead-link"), None);
        let drift = check.finish();
        assert_eq!(
            (drift.verdict(), drift.pages, drift.other_errors),
            (Verdict::Errors, 4, 1)
        );
    }

    #[test]
    fn few_pages_are_not_judged() {
        let templates = learned();
        let mut check = templates.drift_check();
        assert!(check.add(&page("/animal/1", "<p>Something else"), None).fit < 0.5);
        check.add(
            &page("/on", "<meta http-equiv=refresh content='0; url=/animal/1'>"),
            None,
        );
        let drift = check.finish();
        assert_eq!((drift.verdict(), drift.pages), (Verdict::TooFewPages, 1));
        assert_eq!(templates.drift_check().finish().verdict(), Verdict::TooFewPages);
    }

    #[test]
    fn a_template_of_hardly_anything_fits_nothing() {
        let page = |number: usize| page(&format!("/{number}"), &format!("<p>{}", WORDS[number]));
        let mut templates = SiteTemplates::new("example.org");
        templates.learn(&(0..4).map(page).collect::<Vec<_>>());
        assert_eq!(templates.layouts().len(), 1);
        let mut check = templates.drift_check();
        for number in 0..4 {
            let html = article_html(number);
            let fit = check.add(&Page::parse(url(&format!("/new/{number}")), &html), None);
            assert_eq!((fit.state, fit.fit), (PageState::Unknown, 0.0));
        }
        assert_eq!(check.finish().verdict(), Verdict::Redesigned);
    }

    #[test]
    fn pages_of_unknown_layouts_are_counted() {
        let templates = learned();
        let mut check = templates.drift_check();
        for number in 0..4 {
            check.add(
                &page(
                    &format!("/new/{number}"),
                    &format!("<form><input><p>Number {number}</form>"),
                ),
                None,
            );
        }
        let drift = check.finish();
        assert_eq!((drift.unknown, drift.verdict()), (4, Verdict::Redesigned));
    }

    fn redesigned_html(number: usize) -> String {
        let words = WORDS[number % WORDS.len()];
        format!(
            "<title>Animal {number}</title><div id=app><header id=head><h2>The zoo</h2></header><section><h1>Animal {number}</h1>\
             <div class=lead>{words}, number {number}</div></section></div>"
        )
    }

    /// Checks 20 pages, of which so many have changed, at URLs that were learned from and at others.
    fn check_share(
        changed: usize,
        change: impl Fn(&mut DriftCheck<&SiteTemplates>, &Url),
    ) -> [(Verdict, usize); 2] {
        let mut templates = SiteTemplates::new("example.org");
        let article = |path: &str, number: usize| page(&format!("/{path}/{number}"), &article_html(number));
        templates.learn(
            &(0..20)
                .map(|number| article("animal", number))
                .collect::<Vec<_>>(),
        );
        ["animal", "new"].map(|path| {
            let mut check = templates.drift_check();
            for number in 0..20 {
                let page = article(path, number);
                match number < changed {
                    true => change(&mut check, &page.url),
                    false => drop(check.add(&page, None)),
                }
            }
            let drift = check.finish();
            (drift.verdict(), drift.misfits)
        })
    }

    #[test]
    fn a_share_of_redesigned_pages_is_a_redesign() {
        let redesign = |check: &mut DriftCheck<&SiteTemplates>, url: &Url| {
            let number = url.path().rsplit('/').next().unwrap().parse().unwrap();
            check.add(&Page::parse(url.clone(), &redesigned_html(number)), None);
        };
        for changed in 0..=20 {
            let [known, new] = check_share(changed, redesign);
            let expect = |least| {
                if changed >= least {
                    Verdict::Redesigned
                } else {
                    Verdict::Fits
                }
            };
            assert_eq!(known, (expect(5), changed));
            assert_eq!(new, (expect(5), changed));
        }
    }

    #[test]
    fn a_share_of_errors_is_told() {
        for changed in 0..=20 {
            let [known, _] = check_share(changed, |check, url| check.add_error(url, None));
            let expect = if changed >= 3 {
                Verdict::Errors
            } else {
                Verdict::Fits
            };
            assert_eq!(known, (expect, changed));
            let [_, new] = check_share(changed, |check, url| {
                let html = format!("<title>Not found</title><h1>Not found</h1><p>{url}");
                check.add(&Page::parse(url.clone(), &html), None);
            });
            assert_eq!(
                new.0,
                if changed >= 5 {
                    Verdict::Errors
                } else {
                    Verdict::Fits
                }
            );
        }
    }
}
