//! The order of jobs in the second pass.
//!
//! A small site is one job. A large site is a learning job, then batches of pages. Learning jobs come a few sites early, so
//! that threads don't wait for them.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::site_work::SiteWork;
use crate::error::BulkError;
use crate::settings::Settings;
use crate::store::Sites;

/// A job.
pub(super) enum Job {
    /// All of a small site.
    Whole(Arc<SiteWork>),
    /// Learn the templates of a large site.
    Learn(Arc<SiteWork>),
    /// Build rows of a large site.
    Batch(Arc<SiteWork>, Range<usize>),
}

/// Hands out the jobs of all sites.
pub(super) struct Plan<'a> {
    sites: Sites,
    settings: &'a Settings,
    /// Pages of the next sites whose rows an earlier process wrote.
    done: u64,
    /// Jobs of the current site.
    jobs: VecDeque<Job>,
    /// Jobs of the next sites, after their learning jobs.
    upcoming: VecDeque<VecDeque<Job>>,
}

/// A site and its jobs.
type PlannedSite = (Arc<SiteWork>, VecDeque<Job>);

impl<'a> Plan<'a> {
    pub(super) fn new(sites: Sites, settings: &'a Settings, done: u64) -> Self {
        Self {
            sites,
            settings,
            done,
            jobs: VecDeque::new(),
            upcoming: VecDeque::new(),
        }
    }

    /// The next job.
    pub(super) fn next(&mut self) -> Result<Option<Job>, BulkError> {
        while self.upcoming.len() <= self.sites_ahead() {
            let Some((site, jobs)) = self.next_site()? else {
                break;
            };
            let is_large = !matches!(jobs.front(), Some(Job::Whole(_)));
            self.upcoming.push_back(jobs);
            if is_large {
                return Ok(Some(Job::Learn(site)));
            }
        }
        if self.jobs.is_empty() {
            self.jobs = self.upcoming.pop_front().unwrap_or_default();
        }
        Ok(self.jobs.pop_front())
    }

    /// How many sites early learning jobs come: one per thread, and one for the thread that is done first.
    fn sites_ahead(&self) -> usize {
        self.settings.threads() + 1
    }

    /// The next site with rows to write.
    fn next_site(&mut self) -> Result<Option<PlannedSite>, BulkError> {
        while let Some(pages) = self.sites.next()? {
            let count = pages.count() as u64;
            let done = self.done.min(count);
            self.done -= done;
            if done < count {
                let site = Arc::new(SiteWork::new(pages, done as usize));
                let jobs = self.jobs_of(&site);
                return Ok(Some((site, jobs)));
            }
        }
        Ok(None)
    }

    fn jobs_of(&self, site: &Arc<SiteWork>) -> VecDeque<Job> {
        let tuning = &self.settings.tuning;
        let count = site.pages.count();
        let bytes: u64 = site.pages.sizes().sum();
        if count <= tuning.sample_pages && bytes <= tuning.sample_bytes {
            return [Job::Whole(site.clone())].into();
        }
        let mut jobs = VecDeque::new();
        let mut batch = site.done..site.done;
        let mut bytes = 0;
        for (page, size) in site.pages.sizes().enumerate().skip(site.done) {
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
