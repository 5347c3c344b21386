//! In which order work on sites is handed out.
//!
//! A small site is one job. A large one is learned in a job of its own, and its pages follow in batches; so that threads
//! need not wait for the learning, the next site is learned before the batches of this one.

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
    /// Jobs of the current site.
    jobs: VecDeque<Job>,
    /// The next site, whose learning was handed out.
    next: Option<Batches>,
    has_begun: bool,
}

/// What is left of a large site.
struct Batches {
    site: Arc<Site>,
    jobs: VecDeque<Job>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(sites: Sites, settings: &'a Settings, told: u64) -> Self {
        Self {
            sites,
            settings,
            told,
            jobs: VecDeque::new(),
            next: None,
            has_begun: false,
        }
    }

    /// The next job.
    pub(super) fn next(&mut self) -> Result<Option<Job>, BulkError> {
        if !self.has_begun {
            self.has_begun = true;
            self.next = self.next_site()?;
            if let Some(job) = self.learn_next() {
                return Ok(Some(job));
            }
        }
        if let Some(job) = self.jobs.pop_front() {
            return Ok(Some(job));
        }
        let Some(current) = self.next.take() else {
            return Ok(None);
        };
        self.jobs = current.jobs;
        self.next = self.next_site()?;
        if let Some(job) = self.learn_next() {
            return Ok(Some(job));
        }
        Ok(self.jobs.pop_front())
    }

    /// The learning of the next site, if it is large.
    fn learn_next(&self) -> Option<Job> {
        let next = self.next.as_ref()?;
        let is_whole = matches!(next.jobs.front(), Some(Job::Whole(_)));
        (!is_whole).then(|| Job::Learn(next.site.clone()))
    }

    /// The next site that is not told of.
    fn next_site(&mut self) -> Result<Option<Batches>, BulkError> {
        while let Some(pages) = self.sites.next()? {
            let count = pages.count() as u64;
            let told = self.told.min(count);
            self.told -= told;
            if told < count {
                let site = Arc::new(Site::new(pages, told as usize));
                let jobs = self.jobs_of(&site);
                return Ok(Some(Batches { site, jobs }));
            }
        }
        Ok(None)
    }

    fn jobs_of(&self, site: &Arc<Site>) -> VecDeque<Job> {
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
