//! Work on the pages of a site: reads them back, parses them once, and tells of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use husk::dom::Dom;
use husk::{Page, SiteTemplates, Url};

use super::learned::{Duty, Learned, Site};
use super::plan::Job;
use super::tell::Teller;
use crate::error::BulkError;
use crate::lot::{Lot, draw};
use crate::report::SiteTally;
use crate::row::Row;
use crate::settings::{Settings, Tuning};
use crate::store::{About, PageUnpacker};

/// What came of a job.
pub(super) struct Told {
    pub(super) templates: Arc<SiteTemplates>,
    /// Whether these are the first pages of their site.
    pub(super) begins_site: bool,
    /// Whether these are the last.
    pub(super) ends_site: bool,
    pub(super) pages: Vec<ToldPage>,
}

/// What is told of a page.
pub(crate) struct ToldPage {
    pub(crate) row: Row,
    /// What it adds to the report, if there is to be one.
    pub(crate) tally: Option<SiteTally>,
}

/// Does jobs; one for each thread.
pub(super) struct Worker<'a> {
    settings: &'a Settings,
    unpacker: io::Result<PageUnpacker>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            unpacker: PageUnpacker::new(),
        }
    }

    /// Does a job. That of learning tells of no page by itself.
    pub(super) fn work(&mut self, job: Job) -> Result<Option<Told>, BulkError> {
        match job {
            Job::Whole(site) => self.whole(&site).map(Some),
            Job::Learn(site) => self.learn(&site).map(|()| None),
            Job::Batch(site, range) => self.batch(&site, range),
        }
    }

    /// A small site: its pages are learned from and told of.
    fn whole(&mut self, site: &Site) -> Result<Told, BulkError> {
        let learned = self.learned_from(site, &self.drawn(site), site.pages.count())?;
        Ok(Told {
            templates: learned.templates,
            begins_site: site.told == 0,
            ends_site: true,
            pages: learned.sampled.into_values().skip(site.told).collect(),
        })
    }

    fn learn(&mut self, site: &Site) -> Result<(), BulkError> {
        let duty = Duty(site);
        let learned = self.learned_from(site, &self.drawn(site), 0)?;
        duty.done(learned);
        Ok(())
    }

    /// The numbers of the pages that a site is learned from, in this order.
    fn drawn(&self, site: &Site) -> Vec<usize> {
        let Tuning {
            sample_pages,
            sample_bytes,
            ..
        } = self.settings.tuning;
        let lots: Vec<(Lot, u64)> = site.pages.lots().collect();
        draw(&lots, sample_pages, sample_bytes)
    }

    /// Learns a site from the pages that were drawn, and tells of these and of all others up to a number.
    fn learned_from(&mut self, site: &Site, drawn: &[usize], up_to: usize) -> Result<Learned, BulkError> {
        let has_enough = self.has_enough(site);
        let is_drawn: BTreeSet<usize> = drawn.iter().copied().collect();
        let others = (0..up_to).filter(|number| !is_drawn.contains(number));
        let numbers: Vec<usize> = drawn.iter().copied().chain(others).collect();
        let (mut abouts, mut pages) = (Vec::new(), Vec::new());
        for stored in read_in_any_order(site, &numbers)? {
            let (about, page) = self.parsed(site, &stored)?;
            abouts.push(about);
            pages.push(page);
        }
        let mut templates = SiteTemplates::new(&site.pages.name);
        if has_enough {
            templates.learn(&pages[..drawn.len()]);
        }
        let mut sampled = BTreeMap::new();
        let mut teller = self.teller(&templates, has_enough);
        for ((&number, about), page) in numbers.iter().zip(abouts).zip(pages) {
            sampled.insert(number, self.told(&mut teller, about, page));
        }
        drop(teller);
        Ok(Learned {
            templates: Arc::new(templates),
            sampled,
        })
    }

    /// Whether a site has enough pages to be learned from.
    fn has_enough(&self, site: &Site) -> bool {
        site.pages.count() as u64 >= u64::from(self.settings.min_pages)
    }

    fn batch(&mut self, site: &Site, range: Range<usize>) -> Result<Option<Told>, BulkError> {
        let Some((templates, mut sampled)) = site.learned(range.clone()) else {
            // The error of the one who was to learn comes first.
            return Ok(None);
        };
        let mut teller = self.teller(&templates, self.has_enough(site));
        let mut pages = Vec::with_capacity(range.len());
        let stored = site.pages.read(range.clone())?;
        for (number, stored) in range.clone().zip(stored) {
            pages.push(match sampled.remove(&number) {
                Some(told) => told,
                None => {
                    let (about, page) = self.parsed(site, &stored)?;
                    self.told(&mut teller, about, page)
                }
            });
        }
        drop(teller);
        Ok(Some(Told {
            templates,
            begins_site: range.start == 0,
            ends_site: range.end == site.pages.count(),
            pages,
        }))
    }

    /// What is told of a page, as much as is wanted.
    fn told(&self, teller: &mut Teller<&SiteTemplates>, about: About, page: Page) -> ToldPage {
        let (row, tally) = match self.settings.report {
            true => {
                let (row, tally) = teller.tell_and_count(about, page);
                (row, Some(tally))
            }
            false => (teller.tell(about, page), None),
        };
        ToldPage { row, tally }
    }

    fn teller<'t>(&self, templates: &'t SiteTemplates, has_enough: bool) -> Teller<&'t SiteTemplates> {
        let Settings {
            what, content_format, ..
        } = *self.settings;
        Teller::new(what, content_format, templates).with_enough_pages(has_enough)
    }

    fn parsed(&mut self, site: &Site, stored: &[u8]) -> Result<(About, Page), BulkError> {
        let broken = |cause: String| {
            BulkError::damaged(
                site.pages.path(),
                format!("a page of {}: {cause}", site.pages.name),
            )
        };
        let unpacker = self
            .unpacker
            .as_mut()
            .map_err(|cause| broken(cause.to_string()))?;
        let (about, bytes) = unpacker
            .unpack(stored)
            .map_err(|cause| broken(cause.to_string()))?;
        let url = Url::parse(&about.url).map_err(|cause| broken(cause.to_string()))?;
        let dom = Dom::from_bytes(&bytes, about.charset.as_deref());
        Ok((about, Page::new(url, dom)))
    }
}

/// Pages as they are stored, in the order of these numbers.
fn read_in_any_order(site: &Site, numbers: &[usize]) -> Result<Vec<Vec<u8>>, BulkError> {
    let mut places: Vec<usize> = (0..numbers.len()).collect();
    places.sort_by_key(|&place| numbers[place]);
    let ascending = places.iter().map(|&place| numbers[place]);
    let mut read = vec![Vec::new(); numbers.len()];
    for (stored, &place) in site.pages.read(ascending)?.into_iter().zip(&places) {
        read[place] = stored;
    }
    Ok(read)
}
