//! The templates that the pages of a site are stripped with: stored ones, or newly learned ones.

use std::io;

use husk::{Page, SiteTemplates, Stripped, Warning};
use husk_store::{LearnedBy, PackedTemplates, SiteInfo, StoreReader, StoredSite, TemplateStore};
use jiff::Timestamp;

use crate::error::BulkError;
use crate::learned_templates::{FoundTemplates, SiteUpdate};
use crate::row::TemplateSource;

/// A site was redesigned if fewer of its pages fit the stored templates. One new section doesn't make a redesign, and of
/// a redesigned site hardly a page fits.
const REDESIGNED_BELOW: f64 = 0.5;

/// The templates of a site in a run.
#[derive(Debug)]
pub struct ChosenTemplates {
    /// The templates; without layouts if there are none.
    pub templates: SiteTemplates,
    /// Where they come from.
    pub source: TemplateSource,
    /// Whether there were enough pages to learn from, or stored templates.
    pub had_enough_pages: bool,
    /// What the store is told, if there is one.
    pub(crate) update: Option<SiteUpdate>,
    /// What the user should know.
    pub(super) note: Option<String>,
}

impl ChosenTemplates {
    /// The source of the templates; none if there are none.
    pub(super) fn source(&self) -> Option<TemplateSource> {
        (!self.templates.layouts().is_empty()).then_some(self.source)
    }

    /// What [`store_updates`](crate::store_updates) reads; empty if the store stays as it is.
    pub fn packed_update(&self) -> io::Result<Vec<u8>> {
        let mut packed = Vec::new();
        if let Some(update) = self.update.clone() {
            // Only the output folder of `husk bulk` keeps what was found.
            SiteUpdate {
                found: None,
                ..update
            }
            .write(&mut packed)?;
        }
        Ok(packed)
    }
}

/// Chooses the templates of a site with so many pages as `husk bulk --templates` does, given a sample of the pages, on one
/// of many machines that read the store.
pub fn choose_templates(
    store: &StoreReader,
    now: Timestamp,
    min_pages: usize,
    site: &str,
    count: usize,
    sample: &[Page],
) -> Result<ChosenTemplates, BulkError> {
    let rules = Rules {
        has_store: true,
        now,
        min_pages,
    };
    rules.choose(store.site(site)?, site, count, sample)
}

/// Chooses the templates of sites.
#[derive(Clone, Copy)]
pub(crate) struct TemplateChooser<'a> {
    pub(crate) store: Option<&'a TemplateStore>,
    /// When this run learns.
    pub(crate) now: Timestamp,
    /// Templates are not learned from fewer pages.
    pub(crate) min_pages: usize,
}

impl TemplateChooser<'_> {
    /// Chooses the templates of a site with so many pages, given a sample of them.
    pub(super) fn choose(
        self,
        site: &str,
        count: usize,
        sample: &[Page],
    ) -> Result<ChosenTemplates, BulkError> {
        let stored = self.store.map(|store| store.site(site)).transpose()?.flatten();
        let rules = Rules {
            has_store: self.store.is_some(),
            now: self.now,
            min_pages: self.min_pages,
        };
        rules.choose(stored, site, count, sample)
    }
}

/// When stored templates are used, and when sites are learned.
#[derive(Clone, Copy)]
struct Rules {
    has_store: bool,
    now: Timestamp,
    min_pages: usize,
}

impl Rules {
    fn choose(
        self,
        stored: Option<StoredSite>,
        site: &str,
        count: usize,
        sample: &[Page],
    ) -> Result<ChosenTemplates, BulkError> {
        let has_enough = count >= self.min_pages;
        match stored {
            Some(stored) => self.use_stored(stored, has_enough, sample),
            None => self.learn(site, has_enough, sample),
        }
    }

    fn learn(self, site: &str, has_enough: bool, sample: &[Page]) -> Result<ChosenTemplates, BulkError> {
        let mut templates = SiteTemplates::new(site);
        if has_enough {
            templates.learn(sample);
        }
        let is_stored = self.has_store && !templates.layouts().is_empty();
        let update = is_stored.then(|| self.learned(&templates)).transpose()?;
        Ok(ChosenTemplates {
            templates,
            source: TemplateSource::Learned,
            had_enough_pages: has_enough,
            update,
            note: None,
        })
    }

    /// Uses the stored templates as far as the pages fit them.
    fn use_stored(
        self,
        stored: StoredSite,
        has_enough: bool,
        sample: &[Page],
    ) -> Result<ChosenTemplates, BulkError> {
        let StoredSite { info, mut templates } = stored;
        let found = FoundTemplates {
            info: info.clone(),
            templates: packed(&templates)?,
        };
        let fit = SampleFit::of(&templates, sample);
        // A site whose other pages are mostly errors is down, not redesigned.
        let is_down = fit.count(PageFit::Error) > fit.count(PageFit::Other);
        let others = pages_with(&fit, sample, |fit| fit == PageFit::Other);
        if has_enough && !is_down && fit.share_without_errors() < REDESIGNED_BELOW {
            let no_errors = pages_with(&fit, sample, |fit| fit != PageFit::Error);
            let mut learned = self.learn(&info.site, true, &no_errors)?;
            if SampleFit::of(&learned.templates, sample).share() > fit.share() {
                if let Some(update) = &mut learned.update {
                    update.found = Some(found);
                }
                return Ok(ChosenTemplates {
                    source: TemplateSource::Relearned,
                    note: Some(format!(
                        "{}: {} of {} pages fit the stored templates, so they were learned again",
                        info.site,
                        fit.fitting(),
                        sample.len()
                    )),
                    ..learned
                });
            }
        }
        let lesson = match others.len() >= self.min_pages && !is_down {
            true => templates.learn(&others),
            false => Default::default(),
        };
        let is_updated = lesson.layout_of.iter().any(Option::is_some);
        let is_down = has_enough && is_down && fit.share() < REDESIGNED_BELOW;
        let needs_note = is_down || fit.fitting() == 0 && !sample.is_empty();
        let (source, mut update) = match is_updated {
            true => (TemplateSource::Updated, self.learned(&templates)?),
            false => {
                let unchanged = SiteUpdate {
                    info,
                    templates: None,
                    found: None,
                };
                (TemplateSource::Stored, unchanged)
            }
        };
        update.found = Some(found);
        update.info.checked = Some(self.now);
        update.info.checked_pages = sample.len() as u64;
        update.info.fit = Some(fit.share());
        Ok(ChosenTemplates {
            source,
            had_enough_pages: true,
            update: Some(update),
            note: (needs_note && !is_updated).then(|| {
                let site = templates.site();
                let fitting = fit.fitting();
                let all = sample.len();
                let cause = if is_down {
                    ": the others seem to be errors"
                } else {
                    ""
                };
                format!("{site}: {fitting} of {all} pages fit the stored templates, which are kept{cause}")
            }),
            templates,
        })
    }

    /// What the store is told of templates that were learned now.
    fn learned(self, templates: &SiteTemplates) -> Result<SiteUpdate, BulkError> {
        Ok(SiteUpdate {
            info: SiteInfo::learned(templates, self.now, LearnedBy::Bulk),
            templates: Some(packed(templates)?),
            found: None,
        })
    }
}

fn packed(templates: &SiteTemplates) -> Result<PackedTemplates, BulkError> {
    let packed = PackedTemplates::pack(templates);
    packed.map_err(BulkError::io("pack the templates of", templates.site().as_ref()))
}

/// How a page fits templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageFit {
    /// It has one of the layouts.
    Fits,
    /// It has none, and is what the server says instead of an error.
    Error,
    /// It has none.
    Other,
}

/// How the pages of a sample fit templates.
struct SampleFit(Vec<PageFit>);

impl SampleFit {
    fn of(templates: &SiteTemplates, sample: &[Page]) -> Self {
        let mut stripper = templates.stripper();
        let are_errors = templates.error_pages(sample);
        let pages = sample.iter().zip(are_errors);
        let fits = pages.map(|(page, is_error)| match (fits(&stripper.strip(page)), is_error) {
            (true, _) => PageFit::Fits,
            (false, true) => PageFit::Error,
            (false, false) => PageFit::Other,
        });
        Self(fits.collect())
    }

    fn count(&self, fit: PageFit) -> usize {
        self.0.iter().filter(|&&other| other == fit).count()
    }

    fn fitting(&self) -> usize {
        self.count(PageFit::Fits)
    }

    /// The share of pages that fit; 1 without pages.
    fn share(&self) -> f64 {
        share(self.fitting(), self.0.len())
    }

    /// The share of those that are no errors.
    fn share_without_errors(&self) -> f64 {
        share(self.fitting(), self.0.len() - self.count(PageFit::Error))
    }
}

fn share(fitting: usize, pages: usize) -> f64 {
    match pages {
        0 => 1.0,
        pages => fitting as f64 / pages as f64,
    }
}

/// The pages of a sample that fit in some way.
fn pages_with(fit: &SampleFit, sample: &[Page], is_meant: impl Fn(PageFit) -> bool) -> Vec<Page> {
    let pages = sample.iter().zip(&fit.0);
    pages
        .filter(|(_, fit)| is_meant(**fit))
        .map(|(page, _)| page.clone())
        .collect()
}

/// Whether a page has one of the layouts, all of it.
fn fits(stripped: &Stripped) -> bool {
    let differs = |warning: &Warning| matches!(warning, Warning::UnknownLayout | Warning::PartialMatch);
    !stripped.warnings.iter().any(differs)
}
