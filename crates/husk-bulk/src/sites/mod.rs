//! The second pass: learns the templates of each site from a sample, and builds the rows of all its pages.

mod even_sample;

mod plan;

mod site_work;

mod site_templates;

mod content_hash;

mod worker;

mod row_builder;

pub use even_sample::sample_evenly;
pub use row_builder::RowBuilder;
pub(crate) use row_builder::menu_of;
pub(crate) use site_templates::TemplateChooser;
pub use site_templates::{ChosenTemplates, choose_templates};
pub(crate) use worker::PageRow;

use std::sync::Mutex;

use crate::counts::RowTotals;
use crate::error::BulkError;
use crate::output_folder::OutputFolder;
use crate::parallel::{Threads, run_in_order};
use crate::parts::Parts;
use crate::progress::{Progress, ProgressSnapshot, Stage};
use crate::settings::Settings;
use crate::store::Sites;
use plan::Plan;
use worker::Worker;

/// The second pass.
pub(crate) struct ExtractPass<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) folder: &'a OutputFolder,
    pub(crate) progress: &'a Progress,
    pub(crate) note: &'a (dyn Fn(&str) + Sync),
    pub(crate) chooser: TemplateChooser<'a>,
    /// Number of runs of pages.
    pub(crate) runs: usize,
    /// Number of pages in them.
    pub(crate) pages: u64,
}

impl ExtractPass<'_> {
    /// Writes the rows that earlier processes have not written.
    pub(crate) fn run(&self, parts: &mut Parts<'_>) -> Result<(), BulkError> {
        let done = parts.totals().clone();
        self.begin(&done);
        let sites = Sites::of(self.folder, self.runs)?;
        let mut plan = Plan::new(sites, self.settings, done.rows);
        let count = self.settings.threads();
        let threads = Threads {
            count,
            max_pending: 8 * count as u64,
        };
        let large_pages = Mutex::new(());
        run_in_order(
            threads,
            || plan.next(),
            || Worker::new(self.settings, self.chooser, &large_pages),
            |worker, job| worker.work(job),
            |job| {
                let Some(job) = job else {
                    return Ok(());
                };
                if job.begins_site {
                    parts.add_site(job.chosen.source());
                    job.chosen.note.iter().for_each(|note| (self.note)(note));
                    self.progress.add_site();
                }
                let count = job.pages.len();
                for (index, page) in job.pages.into_iter().enumerate() {
                    self.progress.add_bytes(page.row.bytes);
                    self.progress.add_pages(1);
                    let is_last = job.ends_site && index + 1 == count;
                    parts.write(page, &job.chosen, is_last)?;
                }
                Ok(())
            },
        )
    }

    fn begin(&self, done: &RowTotals) {
        self.progress.begin(ProgressSnapshot {
            stage: Stage::Extract,
            pages: done.rows,
            all_pages: self.pages,
            bytes: done.bytes,
            all_bytes: 0,
            sites: done.sites,
        });
    }
}
