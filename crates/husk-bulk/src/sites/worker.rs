//! Does the jobs of the second pass: reads stored pages, parses each once, and builds its row.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use husk::dom::Dom;
use husk::{Page, SiteTemplates};

use super::plan::Job;
use super::row_builder::RowBuilder;
use super::site_templates::{ChosenTemplates, TemplateChooser};
use super::site_work::{LearnGuard, LearnedSite, SiteWork};
use crate::error::BulkError;
use crate::report::SiteTally;
use crate::row::Row;
use crate::sample_key::{SampleKey, sample_pages};
use crate::settings::{Settings, Tuning};
use crate::store::{PageInfo, PageUnpacker};

/// The rows of a job.
pub(super) struct JobRows {
    pub(super) chosen: Arc<ChosenTemplates>,
    /// Whether the first page of the site is among them.
    pub(super) begins_site: bool,
    /// Whether the last page of the site is among them.
    pub(super) ends_site: bool,
    pub(super) pages: Vec<PageRow>,
}

/// The row of a page.
pub(crate) struct PageRow {
    pub(crate) row: Row,
    /// Its share in the report, if there is one.
    pub(crate) tally: Option<SiteTally>,
}

/// Does jobs; one per thread.
pub(super) struct Worker<'a> {
    settings: &'a Settings,
    chooser: TemplateChooser<'a>,
    unpacker: io::Result<PageUnpacker>,
    /// Held while large pages are in memory.
    large_pages: &'a Mutex<()>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        chooser: TemplateChooser<'a>,
        large_pages: &'a Mutex<()>,
    ) -> Self {
        Self {
            settings,
            chooser,
            large_pages,
            unpacker: PageUnpacker::new(),
        }
    }

    /// Does a job. Learning returns no rows.
    pub(super) fn work(&mut self, job: Job) -> Result<Option<JobRows>, BulkError> {
        match job {
            Job::Whole(site) => self.process_site(&site).map(Some),
            Job::Learn(site) => self.learn(&site).map(|()| None),
            Job::Batch(site, range) => self.process_batch(&site, range),
        }
    }

    /// Learns a small site and builds all of its rows.
    fn process_site(&mut self, site: &SiteWork) -> Result<JobRows, BulkError> {
        let learned = self.learn_from(site, &self.sample(site), site.pages.count())?;
        Ok(JobRows {
            chosen: learned.chosen,
            begins_site: site.done == 0,
            ends_site: true,
            pages: learned.rows.into_values().skip(site.done).collect(),
        })
    }

    fn learn(&mut self, site: &SiteWork) -> Result<(), BulkError> {
        let guard = LearnGuard(site);
        let learned = self.learn_from(site, &self.sample(site), 0)?;
        guard.finish(learned);
        Ok(())
    }

    /// The numbers of the pages to learn a site from, in this order.
    fn sample(&self, site: &SiteWork) -> Vec<usize> {
        let Tuning {
            sample_pages: max_pages,
            sample_bytes: max_bytes,
            ..
        } = self.settings.tuning;
        let keys: Vec<(SampleKey, u64)> = site.pages.sample_keys().collect();
        sample_pages(&keys, max_pages, max_bytes)
    }

    /// Learns a site from a sample, and builds the rows of the sample and of all pages up to a number.
    fn learn_from(
        &mut self,
        site: &SiteWork,
        sample: &[usize],
        up_to: usize,
    ) -> Result<LearnedSite, BulkError> {
        let in_sample: BTreeSet<usize> = sample.iter().copied().collect();
        let others = (0..up_to).filter(|number| !in_sample.contains(number));
        let numbers: Vec<usize> = sample.iter().copied().chain(others).collect();
        let sizes = site.pages.sizes().enumerate();
        let _turn = self.turn_for(sizes.filter(|(number, _)| *number < up_to || in_sample.contains(number)));
        let (mut infos, mut pages) = (Vec::new(), Vec::new());
        for stored in read_in_any_order(site, &numbers)? {
            let (info, page) = self.parse(site, &stored)?;
            infos.push(info);
            pages.push(page);
        }
        let chosen = self
            .chooser
            .choose(&site.pages.name, site.pages.count(), &pages[..sample.len()])?;
        let mut rows = BTreeMap::new();
        let mut builder = self.row_builder(&chosen);
        for ((&number, info), page) in numbers.iter().zip(infos).zip(pages) {
            rows.insert(number, self.build_row(&mut builder, info, page));
        }
        drop(builder);
        Ok(LearnedSite {
            chosen: Arc::new(chosen),
            rows,
        })
    }

    fn process_batch(&mut self, site: &SiteWork, range: Range<usize>) -> Result<Option<JobRows>, BulkError> {
        let Some((chosen, mut rows)) = site.wait_for_templates(range.clone()) else {
            // The job that failed to learn reports the error.
            return Ok(None);
        };
        // After waiting: the job that learns may need its turn.
        let sizes = site.pages.sizes().enumerate();
        let sizes = sizes.skip(range.start).take(range.len());
        let _turn = self.turn_for(sizes.filter(|(number, _)| !rows.contains_key(number)));
        let mut builder = self.row_builder(&chosen);
        let mut pages = Vec::with_capacity(range.len());
        let stored = site.pages.read(range.clone())?;
        for (number, stored) in range.clone().zip(stored) {
            pages.push(match rows.remove(&number) {
                Some(row) => row,
                None => {
                    let (info, page) = self.parse(site, &stored)?;
                    self.build_row(&mut builder, info, page)
                }
            });
        }
        drop(builder);
        Ok(Some(JobRows {
            chosen,
            begins_site: range.start == 0,
            ends_site: range.end == site.pages.count(),
            pages,
        }))
    }

    /// Waits until no other thread has large pages, if some of these pages, by their numbers and sizes, are large.
    fn turn_for(&self, mut pages: impl Iterator<Item = (usize, u64)>) -> Option<MutexGuard<'a, ()>> {
        let most = self.settings.tuning.large_page_bytes;
        let is_large = pages.any(|(_, size)| size > most);
        is_large.then(|| self.large_pages.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn build_row(&self, builder: &mut RowBuilder<&SiteTemplates>, info: PageInfo, page: Page) -> PageRow {
        let (row, tally) = match self.settings.report {
            true => {
                let (row, tally) = builder.build_row_and_tally(info, page);
                (row, Some(tally))
            }
            false => (builder.build_row(info, page), None),
        };
        PageRow { row, tally }
    }

    fn row_builder<'t>(&self, chosen: &'t ChosenTemplates) -> RowBuilder<&'t SiteTemplates> {
        let Settings {
            fields,
            content_format,
            ..
        } = *self.settings;
        RowBuilder::new(fields, content_format, &chosen.templates)
            .with_enough_pages(chosen.had_enough_pages)
            .with_source(chosen.source)
    }

    fn parse(&mut self, site: &SiteWork, stored: &[u8]) -> Result<(PageInfo, Page), BulkError> {
        let damaged = |cause: String| {
            BulkError::damaged(
                site.pages.path(),
                format!("a page of {}: {cause}", site.pages.name),
            )
        };
        let unpacker = self
            .unpacker
            .as_mut()
            .map_err(|cause| damaged(cause.to_string()))?;
        let (info, bytes) = unpacker
            .unpack(stored)
            .map_err(|cause| damaged(cause.to_string()))?;
        let url = info.parsed_url().map_err(|cause| damaged(cause.to_string()))?;
        let dom = Dom::from_bytes(&bytes, info.charset.as_deref());
        Ok((info, Page::new(url, dom)))
    }
}

/// Stored pages in the order of these numbers.
fn read_in_any_order(site: &SiteWork, numbers: &[usize]) -> Result<Vec<Vec<u8>>, BulkError> {
    let mut indexes: Vec<usize> = (0..numbers.len()).collect();
    indexes.sort_by_key(|&index| numbers[index]);
    let ascending = indexes.iter().map(|&index| numbers[index]);
    let mut read = vec![Vec::new(); numbers.len()];
    for (stored, &index) in site.pages.read(ascending)?.into_iter().zip(&indexes) {
        read[index] = stored;
    }
    Ok(read)
}
