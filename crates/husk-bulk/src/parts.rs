//! Writes rows into part files.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use husk::SiteTemplates;

use crate::counts::RowTotals;
use crate::error::BulkError;
use crate::journal::{Journal, JournalEntry, JournalState, PartEntry};
use crate::manifest::PartFile;
use crate::output::{self, RowWriter};
use crate::output_folder::OutputFolder;
use crate::row::Row;
use crate::settings::Settings;
use crate::sites::PageRow;
use crate::summaries::Summaries;

/// A part ends at this size, even with few rows.
const MAX_BYTES: u64 = 512 << 20;

/// Writes rows into parts. Only the rows decide where a part ends, so the same pages give the same files.
pub(crate) struct Parts<'a> {
    settings: &'a Settings,
    folder: &'a OutputFolder,
    journal: &'a mut Journal,
    files: Vec<PartFile>,
    totals: RowTotals,
    /// For the report.
    summaries: Option<Summaries>,
    open: Option<OpenPart>,
}

struct OpenPart {
    name: String,
    /// Path until the part is finished.
    temporary: PathBuf,
    file: File,
    writer: Box<dyn RowWriter>,
    rows: u64,
    /// Approximate size of the rows.
    bytes: u64,
}

impl<'a> Parts<'a> {
    /// Resumes behind the finished parts of an earlier process; unfinished ones are deleted.
    pub(crate) fn resume(
        state: JournalState,
        settings: &'a Settings,
        folder: &'a OutputFolder,
        journal: &'a mut Journal,
    ) -> Result<Self, BulkError> {
        folder.remove_results_except(|name| state.parts.iter().any(|part| part.name == name))?;
        let summaries = match settings.report {
            true => Some(Summaries::resume(state.sites, folder)?),
            false => None,
        };
        Ok(Self {
            settings,
            folder,
            journal,
            files: state.parts,
            totals: state.totals,
            summaries,
            open: None,
        })
    }

    pub(crate) fn totals(&self) -> &RowTotals {
        &self.totals
    }

    pub(crate) fn add_site(&mut self) {
        self.totals.sites += 1;
    }

    /// Writes the row of a page. `is_last` marks the last page of its site.
    pub(crate) fn write(
        &mut self,
        page: PageRow,
        templates: &SiteTemplates,
        is_last: bool,
    ) -> Result<(), BulkError> {
        // The row may end a part, and the journal entry must include this page.
        if let (Some(summaries), Some(tally)) = (&mut self.summaries, page.tally) {
            summaries.add(tally);
            if is_last {
                summaries.end_site(templates)?;
            }
        }
        let row = &page.row;
        let mut part = match self.open.take() {
            Some(part) => part,
            None => self.begin_part()?,
        };
        part.writer
            .write(row)
            .map_err(BulkError::io("write", &part.temporary))?;
        part.rows += 1;
        part.bytes += bytes_of(row);
        self.totals.add(row);
        if part.rows >= self.settings.part_rows || part.bytes >= MAX_BYTES {
            return self.end_part(part);
        }
        self.open = Some(part);
        Ok(())
    }

    /// Ends the last part and writes the report.
    pub(crate) fn finish(mut self) -> Result<(Vec<PartFile>, RowTotals), BulkError> {
        if let Some(part) = self.open.take() {
            self.end_part(part)?;
        }
        if let Some(summaries) = self.summaries {
            summaries.finish(self.folder)?;
        }
        Ok((self.files, self.totals))
    }

    fn begin_part(&self) -> Result<OpenPart, BulkError> {
        let extension = self.settings.format.extension(self.settings.compress);
        let name = format!("part-{:05}.{extension}", self.files.len());
        let temporary = self.folder.work(&name);
        let begin = || {
            let file = File::create(&temporary)?;
            let writer = output::begin(
                self.settings,
                BufWriter::with_capacity(1 << 18, file.try_clone()?),
            )?;
            Ok((file, writer))
        };
        let (file, writer) = begin().map_err(BulkError::io("write", &temporary))?;
        Ok(OpenPart {
            name,
            file,
            writer,
            rows: 0,
            bytes: 0,
            temporary,
        })
    }

    /// Syncs a part, renames it, and records it in this order, so that recorded parts exist.
    fn end_part(&mut self, part: OpenPart) -> Result<(), BulkError> {
        let OpenPart { writer, file, .. } = part;
        let end = || {
            writer.finish()?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let bytes = end().map_err(BulkError::io("write", &part.temporary))?;
        self.folder
            .move_into_place(&part.temporary, &self.folder.result(&part.name))?;
        let file = PartFile {
            name: part.name,
            rows: part.rows,
            bytes,
        };
        self.files.push(file.clone());
        let sites = self.summaries.as_mut().map(Summaries::sync).transpose()?;
        self.journal.record(&JournalEntry::Part(Box::new(PartEntry {
            file,
            totals: self.totals.clone(),
            sites,
        })))
    }
}

/// Approximate size of a row, whatever the format.
fn bytes_of(row: &Row) -> u64 {
    let texts = [&row.content, &row.title].map(|text| text.as_ref().map_or(0, String::len));
    (row.url.len() + texts.iter().sum::<usize>()) as u64 + 256
}
