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
use crate::dedup::{Compared, PageHead, SharedBytes, Slots};
use crate::error::BulkError;
use crate::lot::{Lot, draw};
use crate::report::SiteTally;
use crate::row::Row;
use crate::settings::{Settings, Tuning};
use crate::slot_file::PageApart;
use crate::store::{About, Answer, PageUnpacker};

/// What came of a job.
pub(super) struct Told {
    pub(super) site: KnownSite,
    /// Whether these are the first pages of their site.
    pub(super) begins_site: bool,
    /// Whether these are the last.
    pub(super) ends_site: bool,
    pub(super) pages: Vec<ToldPage>,
}

/// What is known of a site.
#[derive(Clone)]
pub(crate) struct KnownSite {
    pub(crate) templates: Arc<SiteTemplates>,
    /// What its pages share, byte for byte; nothing if pages are not to be stored.
    pub(crate) shared: Arc<SharedBytes>,
}

/// What is told of a page.
pub(crate) struct ToldPage {
    pub(crate) row: Row,
    /// What it adds to the report, if there is to be one.
    pub(crate) tally: Option<SiteTally>,
    /// The page taken apart, if it is to be stored.
    pub(crate) apart: Option<Box<PageApart>>,
}

/// Does jobs; one for each thread.
pub(super) struct Worker<'a> {
    settings: &'a Settings,
    unpacker: io::Result<PageUnpacker>,
}

/// A page and what is known of it.
struct Read {
    about: About,
    page: Page,
    raw: Option<RawPage>,
}

/// A page as it was, if it is to be stored.
struct RawPage {
    answer: Answer,
    bytes: Vec<u8>,
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
            site: learned.site,
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
        let (mut abouts, mut pages, mut raws) = (Vec::new(), Vec::new(), Vec::new());
        for stored in read_in_any_order(site, &numbers)? {
            let Read { about, page, raw } = self.parsed(site, &stored)?;
            abouts.push(about);
            pages.push(page);
            raws.push(raw);
        }
        let mut templates = SiteTemplates::new(&site.pages.name);
        if has_enough {
            templates.learn(&pages[..drawn.len()]);
        }
        let known = KnownSite {
            shared: Arc::new(shared_by(&templates, &pages, &raws)),
            templates: Arc::new(templates),
        };
        let mut sampled = BTreeMap::new();
        let mut teller = self.teller(&known.templates, has_enough);
        for (((&number, about), page), raw) in numbers.iter().zip(abouts).zip(pages).zip(raws) {
            let read = Read { about, page, raw };
            sampled.insert(number, self.told(site, &known, &mut teller, read)?);
        }
        drop(teller);
        Ok(Learned { site: known, sampled })
    }

    /// Whether a site has enough pages to be learned from.
    fn has_enough(&self, site: &Site) -> bool {
        site.pages.count() as u64 >= u64::from(self.settings.min_pages)
    }

    fn batch(&mut self, site: &Site, range: Range<usize>) -> Result<Option<Told>, BulkError> {
        let Some((known, mut sampled)) = site.learned(range.clone()) else {
            // The error of the one who was to learn comes first.
            return Ok(None);
        };
        let mut teller = self.teller(&known.templates, self.has_enough(site));
        let mut pages = Vec::with_capacity(range.len());
        let stored = site.pages.read(range.clone())?;
        for (number, stored) in range.clone().zip(stored) {
            pages.push(match sampled.remove(&number) {
                Some(told) => told,
                None => {
                    let read = self.parsed(site, &stored)?;
                    self.told(site, &known, &mut teller, read)?
                }
            });
        }
        drop(teller);
        Ok(Some(Told {
            site: known,
            begins_site: range.start == 0,
            ends_site: range.end == site.pages.count(),
            pages,
        }))
    }

    /// What is told of a page, as much as is wanted.
    fn told(
        &self,
        site: &Site,
        known: &KnownSite,
        teller: &mut Teller<&SiteTemplates>,
        read: Read,
    ) -> Result<ToldPage, BulkError> {
        let Read { about, page, raw } = read;
        let (row, tally) = match self.settings.report {
            true => {
                let (row, tally) = teller.tell_and_count(about, page);
                (row, Some(tally))
            }
            false => (teller.tell(about, page), None),
        };
        let apart = raw.map(|raw| taken_apart(raw, &row, &known.shared)).transpose();
        let apart = apart.map_err(BulkError::io("pack a page of", site.pages.path()))?;
        Ok(ToldPage { row, tally, apart })
    }

    fn teller<'t>(&self, templates: &'t SiteTemplates, has_enough: bool) -> Teller<&'t SiteTemplates> {
        let Settings {
            what, content_format, ..
        } = *self.settings;
        Teller::new(what, content_format, templates).with_enough_pages(has_enough)
    }

    fn parsed(&mut self, site: &Site, stored: &[u8]) -> Result<Read, BulkError> {
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
        let page = unpacker
            .unpack(stored)
            .map_err(|cause| broken(cause.to_string()))?;
        let url = Url::parse(&page.about.url).map_err(|cause| broken(cause.to_string()))?;
        let dom = Dom::from_bytes(&page.bytes, page.about.charset.as_deref());
        Ok(Read {
            about: page.about,
            page: Page::new(url, dom),
            raw: self.settings.dedup.then_some(RawPage {
                answer: page.answer,
                bytes: page.bytes,
            }),
        })
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

/// What pages of a site share as they were: those first that stand for its layouts.
fn shared_by(templates: &SiteTemplates, pages: &[Page], raws: &[Option<RawPage>]) -> SharedBytes {
    let is_model = |page: &Page| {
        templates
            .layouts()
            .iter()
            .any(|layout| *layout.model() == page.url)
    };
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&place| !is_model(&pages[place]));
    let bytes: Vec<&[u8]> = order
        .iter()
        .filter_map(|&place| raws[place].as_ref().map(|raw| &*raw.bytes))
        .collect();
    SharedBytes::of_pages(&bytes)
}

/// A page as it is stored, whose row is known.
fn taken_apart(raw: RawPage, row: &Row, shared: &SharedBytes) -> io::Result<Box<PageApart>> {
    Ok(Box::new(PageApart {
        head: PageHead {
            url: row.url.clone(),
            status: raw.answer.status,
            date: row.date.clone(),
            content_type: raw.answer.content_type,
            layout: row.layout.clone(),
        },
        slots: Slots::of(&raw.bytes, shared),
        compared: Compared::of(&raw.bytes)?,
    }))
}
