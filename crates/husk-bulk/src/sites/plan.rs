//! In which order work on sites is handed out.
//!
//! A small site is one job. A large one is learned in a job of its own, and its pages follow in batches; so that threads
//! need not wait for the learning, it is handed out some sites before.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::learned::Site;
use crate::error::BulkError;
use crate::settings::Settings;
use crate::store::Sites;

/// Some work on a site.
pub(super) enum Job {
    /// All of a site.
    Whole(Arc<Site>),
    /// To learn the templates of a site.
    Learn(Arc<Site>),
    /// To tell of some of its pages.
    Batch(Arc<Site>, Range<usize>),
}

/// Hands out the work on all sites.
pub(super) struct Plan<'a> {
    sites: Sites,
    settings: &'a Settings,
    /// How many pages of the next sites were told of by an earlier process.
    told: u64,
    /// Jobs that are due.
    jobs: VecDeque<Job>,
    /// The next sites; the learning of those that are large was handed out.
    coming: VecDeque<Batches>,
}

/// What is to be told of a site.
type Batches = VecDeque<Job>;

impl<'a> Plan<'a> {
    pub(super) fn new(sites: Sites, settings: &'a Settings, told: u64) -> Self {
        Self {
            sites,
            settings,
            told,
            jobs: VecDeque::new(),
            coming: VecDeque::new(),
        }
    }

    /// The next job.
    pub(super) fn next(&mut self) -> Result<Option<Job>, BulkError> {
        while self.coming.len() <= self.ahead() {
            let Some((site, batches)) = self.next_site()? else {
                break;
            };
            let is_large = !matches!(batches.front(), Some(Job::Whole(_)));
            self.coming.push_back(batches);
            if is_large {
                return Ok(Some(Job::Learn(site)));
            }
        }
        if self.jobs.is_empty() {
            self.jobs = self.coming.pop_front().unwrap_or_default();
        }
        Ok(self.jobs.pop_front())
    }

    /// How many sites before its turn one is learned: each thread may be at one, and there is another for who is done first.
    fn ahead(&self) -> usize {
        self.settings.threads() + 1
    }

    /// The next site that is not told of.
    fn next_site(&mut self) -> Result<Option<(Arc<Site>, Batches)>, BulkError> {
        while let Some(pages) = self.sites.next()? {
            let count = pages.count() as u64;
            let told = self.told.min(count);
            self.told -= told;
            if told < count {
                let site = Arc::new(Site::new(pages, told as usize));
                let jobs = self.jobs_of(&site);
                return Ok(Some((site, jobs)));
            }
        }
        Ok(None)
    }

    fn jobs_of(&self, site: &Arc<Site>) -> Batches {
        let tuning = &self.settings.tuning;
        let count = site.pages.count();
        let bytes: u64 = site.pages.sizes().sum();
        if count <= tuning.sample_pages && bytes <= tuning.sample_bytes {
            return [Job::Whole(site.clone())].into();
        }
        let mut jobs = VecDeque::new();
        let mut batch = site.told..site.told;
        let mut bytes = 0;
        for (page, size) in site.pages.sizes().enumerate().skip(site.told) {
            let is_full = batch.len() >= tuning.batch_pages || bytes + size > tuning.batch_bytes;
            if is_full && !batch.is_empty() {
                jobs.push_back(Job::Batch(site.clone(), batch));
                (batch, bytes) = (page..page, 0);
            }
            batch.end = page + 1;
            bytes += size;
        }
        jobs.push_back(Job::Batch(site.clone(), batch));
        jobs
    }
}
