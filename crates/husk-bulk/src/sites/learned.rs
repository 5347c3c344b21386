//! What was learned of a site, for all threads that work on its pages.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use husk::SiteTemplates;

use super::pages::ToldPage;
use crate::store::SitePages;

/// A site that is worked on.
pub(super) struct Site {
    pub(super) pages: SitePages,
    /// How many of its pages were told of by an earlier process.
    pub(super) told: usize,
    learned: Mutex<State>,
    changed: Condvar,
}

enum State {
    NotYet,
    Learned(Box<Learned>),
    /// Whoever was to learn failed.
    Never,
}

/// What was learned.
pub(super) struct Learned {
    pub(super) templates: Arc<SiteTemplates>,
    /// What is told of the pages that it was learned from, so that no page is parsed twice.
    pub(super) sampled: BTreeMap<usize, ToldPage>,
}

impl Site {
    pub(super) fn new(pages: SitePages, told: usize) -> Self {
        Self {
            pages,
            told,
            learned: Mutex::new(State::NotYet),
            changed: Condvar::new(),
        }
    }

    /// Says what was learned; nothing if that failed.
    fn set(&self, state: State) {
        *self.learned.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.changed.notify_all();
    }

    /// What was learned, and what is told already of some pages, once it is there; none if it never will be.
    pub(super) fn learned(
        &self,
        pages: Range<usize>,
    ) -> Option<(Arc<SiteTemplates>, BTreeMap<usize, ToldPage>)> {
        let mut state = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &mut *state {
                State::NotYet => {}
                State::Never => return None,
                State::Learned(learned) => {
                    let mut told = learned.sampled.split_off(&pages.start);
                    let mut behind = told.split_off(&pages.end);
                    learned.sampled.append(&mut behind);
                    return Some((learned.templates.clone(), told));
                }
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The duty to learn a site. Who drops it without having learned leaves nobody waiting.
pub(super) struct Duty<'a>(pub(super) &'a Site);

impl Duty<'_> {
    pub(super) fn done(self, learned: Learned) {
        self.0.set(State::Learned(Box::new(learned)));
    }
}

impl Drop for Duty<'_> {
    fn drop(&mut self) {
        let state = self.0.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = matches!(*state, State::NotYet);
        drop(state);
        if is_open {
            self.0.set(State::Never);
        }
    }
}
