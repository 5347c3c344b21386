//! The second pass: site after site, its templates are learned from some pages and taken off all of them.

mod sample;

mod plan;

mod learned;

mod pages;

mod tell;

pub(crate) use pages::ToldPage;
pub use sample::sample;
pub use tell::Teller;
pub(crate) use tell::menu_of;

use crate::counts::Totals;
use crate::error::BulkError;
use crate::meter::{Meter, Seen, Stage};
use crate::parallel::{Threads, in_order};
use crate::parts::Parts;
use crate::place::Place;
use crate::settings::Settings;
use crate::store::Sites;
use pages::Worker;
use plan::Plan;

/// What the second pass needs.
pub(crate) struct Telling<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) place: &'a Place,
    pub(crate) meter: &'a Meter,
    /// How many runs of pages there are.
    pub(crate) runs: usize,
    /// How many pages are in them.
    pub(crate) pages: u64,
}

impl Telling<'_> {
    /// Tells of all pages that were not told of yet.
    pub(crate) fn tell(&self, parts: &mut Parts<'_>) -> Result<(), BulkError> {
        let done = parts.totals().clone();
        self.begin(&done);
        let sites = Sites::of(self.place, self.runs)?;
        let mut plan = Plan::new(sites, self.settings, done.rows);
        let count = self.settings.threads();
        let threads = Threads {
            count,
            ahead: 8 * count as u64,
        };
        in_order(
            threads,
            || plan.next(),
            || Worker::new(self.settings),
            |worker, job| worker.work(job),
            |told| {
                let Some(told) = told else {
                    return Ok(());
                };
                if told.begins_site {
                    parts.begin_site();
                    self.meter.add_site();
                }
                let count = told.pages.len();
                for (place, page) in told.pages.into_iter().enumerate() {
                    self.meter.add_bytes(page.row.bytes);
                    self.meter.add_pages(1);
                    let is_last = told.ends_site && place + 1 == count;
                    parts.write(page, &told.templates, is_last)?;
                }
                Ok(())
            },
        )
    }

    fn begin(&self, done: &Totals) {
        self.meter.begin(Seen {
            stage: Stage::Tell,
            pages: done.rows,
            all_pages: self.pages,
            bytes: done.bytes,
            all_bytes: 0,
            sites: done.sites,
        });
    }
}
