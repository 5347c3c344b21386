//! The first pass: all pages of the inputs into runs, sorted by site.

mod reading;

mod sort_out;

use husk_sources::SkippedRecords;

use crate::counts::Counts;
use crate::error::BulkError;
use crate::inputs::Input;
use crate::journal::{Gathered, Journal, Past, Step};
use crate::meter::{Meter, Seen, Stage};
use crate::parallel::{Threads, in_order};
use crate::place::Place;
use crate::settings::Settings;
use crate::store::{RunBuffer, index_name, pages_name};
use reading::Reading;
pub use sort_out::reason;
use sort_out::{SortedOut, Sorter};

/// What the first pass needs.
pub(crate) struct Gathering<'a> {
    pub(crate) inputs: &'a [Input],
    pub(crate) settings: &'a Settings,
    pub(crate) place: &'a Place,
    pub(crate) meter: &'a Meter,
    pub(crate) note: &'a (dyn Fn(&str) + Sync),
}

impl Gathering<'_> {
    /// Gathers what was not gathered yet.
    pub(crate) fn gather(&self, journal: &mut Journal, past: &mut Past) -> Result<(), BulkError> {
        if past.is_gathered {
            return Ok(());
        }
        let kept: Vec<String> = (0..past.runs)
            .flat_map(|run| [pages_name(run), index_name(run)])
            .collect();
        self.place
            .keep_work(|name| !name.starts_with("run-") || kept.iter().any(|kept| kept == name))?;
        let mut reading = Reading::from(self.inputs, self.settings, past.gathered.clone())?;
        self.meter.begin(Seen {
            stage: Stage::Gather,
            pages: past.gathered.counts.pages,
            all_pages: 0,
            bytes: reading.bytes_read(),
            all_bytes: self.inputs.iter().map(|input| input.stamp.bytes).sum(),
            sites: 0,
        });
        let mut runs = Runs {
            gathering: self,
            journal,
            past,
            buffer: RunBuffer::default(),
        };
        let count = self.settings.threads();
        let threads = Threads {
            count,
            // Enough to go on with while a run is written.
            ahead: 8 * count as u64,
        };
        in_order(
            threads,
            || {
                let chunk = reading.next()?;
                self.meter.set_bytes(reading.bytes_read());
                Ok(chunk)
            },
            || Sorter::new(self.inputs, self.settings),
            |sorter, chunk| sorter.sort_out(chunk),
            |sorted| runs.add(sorted),
        )?;
        runs.finish()
    }
}

/// The runs while they are written.
struct Runs<'a, 'b> {
    gathering: &'a Gathering<'a>,
    journal: &'b mut Journal,
    past: &'b mut Past,
    buffer: RunBuffer,
}

impl Runs<'_, '_> {
    fn add(&mut self, sorted: SortedOut) -> Result<(), BulkError> {
        for note in &sorted.notes {
            (self.gathering.note)(note);
        }
        self.gathering.meter.add_pages(sorted.pages.len() as u64);
        for page in sorted.pages {
            self.buffer.push(page.site, page.stored, page.bytes, page.lot);
        }
        let mut counts = std::mem::take(&mut self.past.gathered.counts);
        counts.add(&sorted.counts);
        self.past.gathered = Gathered {
            counts,
            ..sorted.up_to
        };
        if self.buffer.bytes() >= self.gathering.settings.tuning.run_bytes {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), BulkError> {
        self.buffer.write(self.gathering.place, self.past.runs)?;
        self.past.runs += 1;
        self.journal.note(&Step::Run(self.past.gathered.clone()))
    }

    fn finish(mut self) -> Result<(), BulkError> {
        if !self.buffer.is_empty() {
            self.write()?;
        }
        self.past.is_gathered = true;
        self.journal.note(&Step::Gathered(self.past.gathered.clone()))
    }
}

/// Counts records that were passed over while an archive was read.
fn count_skipped(counts: &mut Counts, before: SkippedRecords, after: SkippedRecords) {
    counts.left_out("revisit", after.revisits - before.revisits);
    counts.left_out("no-answer", after.others - before.others);
}
