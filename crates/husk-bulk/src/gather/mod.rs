//! The first pass: writes all pages of the inputs to disk in runs, sorted by site.

mod reader;

mod filter;

use std::sync::atomic::{AtomicBool, Ordering};

use husk_sources::SkippedRecords;

use crate::counts::RecordCounts;
use crate::error::BulkError;
use crate::inputs::Input;
use crate::journal::{Journal, JournalEntry, JournalState, ReadPosition, RunEntry};
use crate::output_folder::OutputFolder;
use crate::parallel::{Threads, run_in_order};
use crate::progress::{Progress, ProgressSnapshot, Stage};
use crate::settings::Settings;
use crate::store::{RunBuffer, index_name, pages_name};
pub use filter::skip_reason;
use filter::{FilteredChunk, PageFilter};
use reader::InputReader;

/// The first pass.
pub(crate) struct GatherPass<'a> {
    pub(crate) inputs: &'a [Input],
    pub(crate) settings: &'a Settings,
    pub(crate) folder: &'a OutputFolder,
    pub(crate) progress: &'a Progress,
    pub(crate) note: &'a (dyn Fn(&str) + Sync),
}

impl GatherPass<'_> {
    /// Reads what earlier processes have not read.
    pub(crate) fn run(&self, journal: &mut Journal, state: &mut JournalState) -> Result<(), BulkError> {
        if state.is_gathered {
            return Ok(());
        }
        let kept: Vec<String> = (0..state.indexes.len())
            .flat_map(|run| [pages_name(run), index_name(run)])
            .collect();
        self.folder
            .remove_work_except(|name| !name.starts_with("run-") || kept.iter().any(|kept| kept == name))?;
        let mut reader = InputReader::resume(self.inputs, self.settings, state.position.clone())?;
        self.progress.begin(ProgressSnapshot {
            stage: Stage::Gather,
            pages: state.position.counts.pages,
            all_pages: 0,
            bytes: reader.bytes_read(),
            all_bytes: self.inputs.iter().map(|input| input.stamp.bytes).sum(),
            sites: 0,
        });
        // Set when there are enough pages.
        let limit = self.settings.selection.limit.unwrap_or(u64::MAX);
        let is_full = AtomicBool::new(state.position.counts.pages >= limit);
        let mut runs = RunWriter {
            is_full: &is_full,
            pass: self,
            journal,
            state,
            buffer: RunBuffer::default(),
        };
        let count = self.settings.threads();
        let threads = Threads {
            count,
            // Enough work for the other threads while one writes a run.
            max_pending: 8 * count as u64,
        };
        run_in_order(
            threads,
            || {
                if is_full.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let chunk = reader.next()?;
                self.progress.set_bytes(reader.bytes_read());
                Ok(chunk)
            },
            || PageFilter::new(self.inputs, self.settings),
            |filter, chunk| filter.filter_chunk(chunk),
            |filtered| runs.add(filtered),
        )?;
        runs.finish()
    }
}

/// Collects pages and writes runs.
struct RunWriter<'a, 'b> {
    pass: &'a GatherPass<'a>,
    is_full: &'a AtomicBool,
    journal: &'b mut Journal,
    state: &'b mut JournalState,
    buffer: RunBuffer,
}

impl RunWriter<'_, '_> {
    fn add(&mut self, mut filtered: FilteredChunk) -> Result<(), BulkError> {
        let limit = self.pass.settings.selection.limit.unwrap_or(u64::MAX);
        let left = limit.saturating_sub(self.state.position.counts.pages);
        if left == 0 {
            return Ok(());
        }
        filtered.cut(left);
        if filtered.pages.len() as u64 == left {
            self.is_full.store(true, Ordering::Relaxed);
        }
        for note in &filtered.notes {
            (self.pass.note)(note);
        }
        self.pass.progress.add_pages(filtered.pages.len() as u64);
        for page in filtered.pages {
            self.buffer.push(page.site, page.stored, page.bytes, page.key);
        }
        let mut counts = std::mem::take(&mut self.state.position.counts);
        counts.add(&filtered.counts);
        self.state.position = ReadPosition {
            counts,
            ..filtered.position
        };
        if self.buffer.bytes() >= self.pass.settings.tuning.run_bytes {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), BulkError> {
        let index = self.buffer.write(self.pass.folder, self.state.indexes.len())?;
        self.state.indexes.push(index.clone());
        self.journal.record(&JournalEntry::Run(RunEntry {
            position: self.state.position.clone(),
            index,
        }))
    }

    fn finish(mut self) -> Result<(), BulkError> {
        if !self.buffer.is_empty() {
            self.write()?;
        }
        self.state.is_gathered = true;
        self.journal
            .record(&JournalEntry::Gathered(self.state.position.clone()))
    }
}

/// Counts archive records without a response.
fn count_skipped(counts: &mut RecordCounts, before: SkippedRecords, after: SkippedRecords) {
    counts.add_skipped("revisit", after.revisits - before.revisits);
    counts.add_skipped("unusable-url", after.unusable_urls - before.unusable_urls);
    counts.add_skipped("not-a-response", after.others - before.others);
}
