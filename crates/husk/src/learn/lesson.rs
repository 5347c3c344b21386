//! Learns from pages: refines layouts and adds new ones.

use indexmap::IndexSet;

use super::SiteTemplates;
use super::groups::{Group, groups};
use super::known::KnownPage;
use super::layout::{Layout, Learning};
use super::numbers::{
    MOST_LAYOUTS, PAGES_AT_ONCE, PAGES_OF_SHORT_TEXTS, SAME_LAYOUT, SMALL_GROUP, VOTERS,
    VOTERS_OF_OTHER_LAYOUTS,
};
use super::paths::Paths;
use super::strip::Stripper;
use crate::blocks::ShortTextIndex;
use crate::fingerprint::{Acquaintance, Fingerprints};
use crate::language;
use crate::links::is_view;
use crate::mapping::{Side, align};
use crate::page::Page;
use crate::refusal::{is_redirect_stub, refusal};
use crate::vote::Votes;

/// What [`SiteTemplates::learn`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Pages to learn from: no copies, and none that only redirect.
    pub pages: usize,
    /// Pages that were learned from before.
    pub known: usize,
    /// Layouts that were added.
    pub new_layouts: usize,
    /// The layout of each page, as an index into the layouts of the site; none for copies, redirects, known and
    /// unclustered pages.
    pub layout_of: Vec<Option<usize>>,
}

/// A page to learn from.
struct Pupil<'a> {
    number: usize,
    page: &'a Page,
    prints: Fingerprints,
    paths: Paths,
    language: Option<String>,
}

impl Pupil<'_> {
    /// How similarly two pages are built. Translations do not share a template.
    fn likeness(&self, other: &Self) -> f32 {
        if language::differ(self.language.as_deref(), other.language.as_deref()) {
            return 0.0;
        }
        self.paths.likeness(&other.paths)
    }
}

impl SiteTemplates {
    /// Learns from pages of the site: refines the layouts they have, and adds layouts.
    pub fn learn(&mut self, pages: &[Page]) -> Lesson {
        let mut lesson = Lesson {
            layout_of: vec![None; pages.len()],
            ..Lesson::default()
        };
        let (pupils, marks) = self.take_in(pages, &mut lesson);
        let mut strangers = self.sort_in(pupils, &mut lesson);
        while !strangers.is_empty() && self.layouts.len() < MOST_LAYOUTS {
            let later = strangers.split_off(strangers.len().min(PAGES_AT_ONCE));
            let known = self.layouts.len();
            self.add_layouts(&strangers, &mut lesson);
            lesson.new_layouts += self.layouts.len() - known;
            strangers = self.sort_in(later, &mut lesson);
        }
        for (page, layout) in pages.iter().zip(&lesson.layout_of) {
            if let Some(layout) = *layout {
                self.urls.add(&page.url, layout);
            }
        }
        // An unclustered page may be clustered when further pages come.
        let learned = marks
            .into_iter()
            .filter(|&(number, _)| lesson.layout_of[number].is_some());
        let learned: Vec<KnownPage> = learned.map(|(_, mark)| mark).collect();
        self.pages += learned.len() as u64;
        self.known.add(learned);
        self.add_titles(pages, &lesson);
        lesson
    }

    /// Adds the titles of the pages that were learned from to their layouts.
    fn add_titles(&mut self, pages: &[Page], lesson: &Lesson) {
        for (page, layout) in pages.iter().zip(&lesson.layout_of) {
            if let Some(layout) = layout {
                self.layouts[*layout].titles.add(&page.dom);
            }
        }
        for layout in &mut self.layouts {
            layout.titles.keep_common();
        }
    }

    /// The pages to learn from, each once, and their hashes.
    fn take_in<'a>(
        &self,
        pages: &'a [Page],
        lesson: &mut Lesson,
    ) -> (Vec<Pupil<'a>>, Vec<(usize, KnownPage)>) {
        let mut acquaintance = Acquaintance::new();
        let mut seen: IndexSet<KnownPage> = IndexSet::new();
        let mut pupils = Vec::new();
        let mut marks = Vec::new();
        for (number, page) in pages.iter().enumerate() {
            let prints = Fingerprints::with(page, &mut acquaintance);
            let known = KnownPage::of(page, &prints);
            if self.known.contains(known) {
                lesson.known += 1;
                continue;
            }
            if !seen.insert(known) || is_redirect_stub(page) {
                continue;
            }
            lesson.pages += 1;
            marks.push((number, known));
            let paths = Paths::of(&page.dom, &prints, |_| true);
            pupils.push(Pupil {
                number,
                page,
                prints,
                paths,
                language: language::of_page(&page.dom),
            });
        }
        (spread(pupils), marks)
    }

    /// Lets pages vote on the layouts they have, and returns those of other layouts.
    fn sort_in<'a>(&mut self, pupils: Vec<Pupil<'a>>, lesson: &mut Lesson) -> Vec<Pupil<'a>> {
        if self.layouts.is_empty() {
            return pupils;
        }
        let found: Vec<Option<usize>> = {
            let stripper = Stripper::new(&*self);
            let find = |pupil: &Pupil<'_>| stripper.nearest(&pupil.page.dom, &pupil.prints);
            pupils
                .iter()
                .map(|pupil| find(pupil).filter(|near| near.is_known()).map(|near| near.layout))
                .collect()
        };
        let mut strangers = Vec::new();
        let mut changed: IndexSet<usize> = IndexSet::new();
        for (pupil, found) in pupils.into_iter().zip(found) {
            let Some(layout) = found else {
                strangers.push(pupil);
                continue;
            };
            lesson.layout_of[pupil.number] = Some(layout);
            self.layouts[layout].members += 1;
            if self.layouts[layout].refine(pupil.page, &pupil.prints, &self.thresholds) {
                changed.insert(layout);
            }
        }
        let layouts = std::mem::take(&mut self.layouts);
        for (number, layout) in layouts.into_iter().enumerate() {
            let layout = if changed.contains(&number) {
                layout.settle(&self.thresholds)
            } else {
                layout
            };
            self.layouts.push(layout);
        }
        strangers
    }

    /// Adds layouts for pages that have none of the known ones.
    fn add_layouts(&mut self, pupils: &[Pupil<'_>], lesson: &mut Lesson) {
        let likeness: Vec<Vec<f32>> = pupils
            .iter()
            .map(|one| pupils.iter().map(|other| one.likeness(other)).collect())
            .collect();
        let mut groups = groups(pupils.len(), SAME_LAYOUT, |one, other| likeness[one][other]);
        // Large groups first, since the number of layouts is limited.
        let centrality = |group: &Group| likeness[group.model].iter().sum::<f32>();
        groups.sort_by(|one, other| {
            let by_size = other.pages.len().cmp(&one.pages.len());
            by_size.then(centrality(other).total_cmp(&centrality(one)))
        });
        for group in groups {
            if self.layouts.len() >= MOST_LAYOUTS {
                break;
            }
            if group.pages.len() < SMALL_GROUP && self.joins(&group, pupils, lesson) {
                continue;
            }
            let Some(layout) = self.layout_of(&group, pupils, &likeness[group.model]) else {
                continue;
            };
            for &page in &group.pages {
                lesson.layout_of[pupils[page].number] = Some(self.layouts.len());
            }
            self.layouts.push(layout);
        }
    }

    /// Assigns the few pages of a group to a layout whose template they contain completely, if there is one: they
    /// have blocks of their own, but no other template.
    fn joins(&mut self, group: &Group, pupils: &[Pupil<'_>], lesson: &mut Lesson) -> bool {
        let stripper = Stripper::new(&*self);
        let model = &pupils[group.model];
        let nearest = stripper.nearest(&model.page.dom, &model.prints);
        let Some(near) = nearest.filter(|near| near.is_known()) else {
            return false;
        };
        for &page in &group.pages {
            lesson.layout_of[pupils[page].number] = Some(near.layout);
        }
        self.layouts[near.layout].members += group.pages.len() as u32;
        true
    }

    /// The layout of a group; none if there is no page to compare its model with.
    fn layout_of(&self, group: &Group, pupils: &[Pupil<'_>], likeness: &[f32]) -> Option<Layout> {
        let thresholds = &self.thresholds;
        let model = &pupils[group.model];
        let key = Side::of(model.page, &model.prints);
        let mut votes = Votes::new(key, thresholds);
        let mut short_texts = ShortTextIndex::default();
        let mut others: Vec<usize> = (0..pupils.len()).filter(|&page| page != group.model).collect();
        let is_member = |page: &usize| group.pages.binary_search(page).is_ok();
        others.sort_by(|one, other| {
            let by_group = is_member(other).cmp(&is_member(one));
            by_group.then(likeness[*other].total_cmp(&likeness[*one]))
        });
        for page in others {
            let wanted = VOTERS.max((group.pages.len() as f32 * (1.0 + VOTERS_OF_OTHER_LAYOUTS)) as usize);
            if votes.pages() >= wanted && !is_member(&page) {
                break;
            }
            let pupil = &pupils[page];
            let other = Side::of(pupil.page, &pupil.prints);
            let alignment = align(key, other, thresholds.moved_block);
            let view = is_view(&model.page.url, &pupil.page.url);
            if refusal(key, other, &alignment, view, thresholds).is_none() {
                votes.count(key, other, &alignment);
                if short_texts.pages() < PAGES_OF_SHORT_TEXTS {
                    short_texts.add(pupil.page);
                }
            }
        }
        if votes.pages() == 0 {
            return None;
        }
        let template = votes.template(&model.page.dom, &model.prints, thresholds);
        let learning = Learning {
            model: model.page,
            votes: &votes,
        };
        let id = self.new_id(model.paths.hash());
        let mut layout = learning.cut(&template, thresholds, id, group.pages.len() as u32);
        short_texts.keep_common();
        layout.short_texts = short_texts;
        Some(layout)
    }

    /// An id that no other layout has.
    fn new_id(&self, hash: u64) -> String {
        let is_free = |id: &String| self.layouts.iter().all(|layout| layout.id != *id);
        let names = (0..).map(|step| format!("{:010x}", (hash >> 24).wrapping_add(step) & 0xFF_FFFF_FFFF));
        names.take(MOST_LAYOUTS + 1).find(is_free).unwrap_or_default()
    }
}

/// Reorders pages so that those clustered first are spread over all of them.
fn spread(pupils: Vec<Pupil<'_>>) -> Vec<Pupil<'_>> {
    let step = pupils.len().div_ceil(PAGES_AT_ONCE).max(1);
    let mut rounds: Vec<Vec<Pupil<'_>>> = (0..step).map(|_| Vec::new()).collect();
    for (place, pupil) in pupils.into_iter().enumerate() {
        rounds[place % step].push(pupil);
    }
    rounds.into_iter().flatten().collect()
}
