//! Work on the pages of a site: reads them back, parses them once, and tells of them.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use husk::dom::Dom;
use husk::{Page, SiteTemplates, Url};

use super::learned::{Duty, Learned, Site};
use super::plan::Job;
use super::sample::sample;
use super::tell::Teller;
use crate::error::BulkError;
use crate::row::Row;
use crate::settings::{Settings, Tuning};
use crate::store::{About, PageUnpacker};

/// What came of a job.
pub(super) struct Told {
    /// Whether these are the first rows of their site.
    pub(super) begins_site: bool,
    pub(super) rows: Vec<Row>,
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
}

impl<'a> Worker<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            unpacker: PageUnpacker::new(),
        }
    }

    pub(super) fn work(&mut self, job: Job) -> Result<Told, BulkError> {
        match job {
            Job::Whole(site) => self.whole(&site),
            Job::Learn(site) => self.learn(&site),
            Job::Batch(site, range) => self.batch(&site, range),
        }
    }

    /// A small site: its pages are learned from and told of.
    fn whole(&mut self, site: &Site) -> Result<Told, BulkError> {
        let all: Vec<usize> = (0..site.pages.count()).collect();
        let learned = self.learned_from(site, &all)?;
        let rows = learned.sampled.into_values().skip(site.told).collect();
        Ok(Told {
            begins_site: site.told == 0,
            rows,
        })
    }

    fn learn(&mut self, site: &Site) -> Result<Told, BulkError> {
        let duty = Duty(site);
        let sizes: Vec<u64> = site.pages.sizes().collect();
        let learned = self.learned_from(site, &self.sample(&sizes))?;
        duty.done(learned);
        Ok(Told {
            begins_site: false,
            rows: Vec::new(),
        })
    }

    fn sample(&self, sizes: &[u64]) -> Vec<usize> {
        let Tuning {
            sample_pages,
            sample_bytes,
            ..
        } = self.settings.tuning;
        sample(sizes, sample_pages, sample_bytes)
    }

    /// Learns a site from some pages, and tells of these.
    fn learned_from(&mut self, site: &Site, sample: &[usize]) -> Result<Learned, BulkError> {
        let mut templates = SiteTemplates::new(&site.pages.name);
        let has_enough = site.pages.count() as u64 >= u64::from(self.settings.min_pages);
        let (mut abouts, mut pages) = (Vec::new(), Vec::new());
        for &number in sample {
            let read = self.read(site, number..number + 1)?;
            for Read { about, page } in read {
                abouts.push(about);
                pages.push(page);
            }
        }
        if has_enough {
            templates.learn(&pages);
        }
        let mut sampled = BTreeMap::new();
        let mut teller = self.teller(&templates, has_enough);
        for ((&number, about), page) in sample.iter().zip(abouts).zip(pages) {
            sampled.insert(number, teller.tell(about, page));
        }
        Ok(Learned {
            templates: Arc::new(templates),
            sampled,
        })
    }

    fn batch(&mut self, site: &Site, range: Range<usize>) -> Result<Told, BulkError> {
        let begins_site = range.start == 0;
        let Some((templates, mut sampled)) = site.learned(range.clone()) else {
            // The error of the one who was to learn comes first.
            return Ok(Told {
                begins_site,
                rows: Vec::new(),
            });
        };
        let has_enough = site.pages.count() as u64 >= u64::from(self.settings.min_pages);
        let mut teller = self.teller(&templates, has_enough);
        let mut rows = Vec::with_capacity(range.len());
        let stored = site.pages.read(range.clone())?;
        for (number, stored) in range.zip(stored) {
            rows.push(match sampled.remove(&number) {
                Some(row) => row,
                None => {
                    let Read { about, page } = self.parsed(site, &stored)?;
                    teller.tell(about, page)
                }
            });
        }
        Ok(Told { begins_site, rows })
    }

    fn teller<'t>(&self, templates: &'t SiteTemplates, has_enough: bool) -> Teller<'t> {
        let Settings {
            what, content_format, ..
        } = *self.settings;
        Teller::new(what, content_format, templates).with_enough_pages(has_enough)
    }

    fn read(&mut self, site: &Site, range: Range<usize>) -> Result<Vec<Read>, BulkError> {
        let stored = site.pages.read(range)?;
        stored.iter().map(|stored| self.parsed(site, stored)).collect()
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
        })
    }
}
