//! A site in work, shared by the threads that process its pages.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::site_templates::ChosenTemplates;
use super::worker::PageRow;
use crate::store::SitePages;

/// A site in work.
pub(super) struct SiteWork {
    pub(super) pages: SitePages,
    /// Number of pages whose rows an earlier process wrote.
    pub(super) done: usize,
    learned: Mutex<LearnState>,
    changed: Condvar,
}

enum LearnState {
    Pending,
    Learned(Box<LearnedSite>),
    Failed,
}

/// The templates of a site.
pub(super) struct LearnedSite {
    pub(super) chosen: Arc<ChosenTemplates>,
    /// Rows of the pages it was learned from, so that no page is parsed twice.
    pub(super) rows: BTreeMap<usize, PageRow>,
}

impl SiteWork {
    pub(super) fn new(pages: SitePages, done: usize) -> Self {
        Self {
            pages,
            done,
            learned: Mutex::new(LearnState::Pending),
            changed: Condvar::new(),
        }
    }

    fn set(&self, state: LearnState) {
        *self.learned.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.changed.notify_all();
    }

    /// Waits for the templates. Returns them with the rows already built for some pages; none if learning failed.
    pub(super) fn wait_for_templates(
        &self,
        pages: Range<usize>,
    ) -> Option<(Arc<ChosenTemplates>, BTreeMap<usize, PageRow>)> {
        let mut state = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &mut *state {
                LearnState::Pending => {}
                LearnState::Failed => return None,
                LearnState::Learned(learned) => {
                    let mut rows = learned.rows.split_off(&pages.start);
                    let mut later = rows.split_off(&pages.end);
                    learned.rows.append(&mut later);
                    return Some((learned.chosen.clone(), rows));
                }
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Held while a site is learned. Dropping it without templates marks the site as failed, so that no thread waits forever.
pub(super) struct LearnGuard<'a>(pub(super) &'a SiteWork);

impl LearnGuard<'_> {
    pub(super) fn finish(self, learned: LearnedSite) {
        self.0.set(LearnState::Learned(Box::new(learned)));
    }
}

impl Drop for LearnGuard<'_> {
    fn drop(&mut self) {
        let state = self.0.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let is_pending = matches!(*state, LearnState::Pending);
        drop(state);
        if is_pending {
            self.0.set(LearnState::Failed);
        }
    }
}
