//! Writes rows into part files.

use std::io::BufWriter;
use std::path::PathBuf;

use crate::counts::RowTotals;
use crate::error::BulkError;
use crate::hashed_file::{FileState, HashedFile};
use crate::journal::{Journal, JournalEntry, PartEntry};
use crate::learned_templates::LearnedTemplates;
use crate::manifest::PartFile;
use crate::output::{self, RowWriter};
use crate::output_folder::OutputFolder;
use crate::row::{Row, TemplateSource};
use crate::settings::Settings;
use crate::sites::{ChosenTemplates, PageRow};
use crate::summaries::Summaries;

/// A part ends at this size, even with few rows.
const MAX_BYTES: u64 = 512 << 20;

/// Writes rows into parts. Only the rows decide where a part ends, so the same pages give the same files.
pub(crate) struct Parts<'a> {
    settings: &'a Settings,
    folder: &'a OutputFolder,
    journal: &'a mut Journal,
    /// Number of the first part.
    first: usize,
    files: Vec<PartFile>,
    totals: RowTotals,
    /// For the report.
    summaries: Option<Summaries>,
    /// For the template store.
    learned: Option<LearnedTemplates>,
    open: Option<OpenPart>,
}

/// All rows are written.
pub(crate) struct FinishedParts {
    pub(crate) files: Vec<PartFile>,
    pub(crate) totals: RowTotals,
    /// For the report.
    pub(crate) summaries: Option<Summaries>,
    /// For the template store.
    pub(crate) learned: Option<LearnedTemplates>,
}

struct OpenPart {
    name: String,
    /// Path until the part is finished.
    temporary: PathBuf,
    file: HashedFile,
    writer: Box<dyn RowWriter>,
    rows: u64,
    /// Approximate size of the rows.
    bytes: u64,
}

impl<'a> Parts<'a> {
    /// Resumes behind the finished parts of an earlier process. The first part has the number `first`.
    pub(crate) fn resume(
        parts: Vec<PartEntry>,
        first: usize,
        settings: &'a Settings,
        folder: &'a OutputFolder,
        journal: &'a mut Journal,
    ) -> Result<Self, BulkError> {
        let last = parts.last().cloned();
        let (sites, templates) = last
            .as_ref()
            .map_or((None, None), |part| (part.sites.clone(), part.templates.clone()));
        let summaries = match settings.report {
            true => Some(Summaries::resume(sites.unwrap_or_default(), folder)?),
            false => None,
        };
        let learned = match settings.templates {
            Some(_) => Some(LearnedTemplates::resume(&templates.unwrap_or_default(), folder)?),
            None => None,
        };
        Ok(Self {
            settings,
            folder,
            journal,
            first,
            files: parts.into_iter().map(|part| part.file).collect(),
            totals: last.map(|part| part.totals).unwrap_or_default(),
            summaries,
            learned,
            open: None,
        })
    }

    pub(crate) fn totals(&self) -> &RowTotals {
        &self.totals
    }

    pub(crate) fn add_site(&mut self, source: Option<TemplateSource>) {
        self.totals.add_site(source);
    }

    /// Writes the row of a page. `is_last` marks the last page of its site.
    pub(crate) fn write(
        &mut self,
        page: PageRow,
        chosen: &ChosenTemplates,
        is_last: bool,
    ) -> Result<(), BulkError> {
        // The row may end a part, and the journal entry must include this page.
        if let (Some(summaries), Some(tally)) = (&mut self.summaries, page.tally) {
            summaries.add(tally);
            if is_last {
                summaries.end_site(&chosen.templates)?;
            }
        }
        if let (Some(learned), Some(update), true) = (&mut self.learned, &chosen.update, is_last) {
            learned.add(update)?;
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

    /// Ends the last part.
    pub(crate) fn finish(mut self) -> Result<FinishedParts, BulkError> {
        if let Some(part) = self.open.take() {
            self.end_part(part)?;
        }
        Ok(FinishedParts {
            files: self.files,
            totals: self.totals,
            summaries: self.summaries,
            learned: self.learned,
        })
    }

    fn begin_part(&self) -> Result<OpenPart, BulkError> {
        let name = self.settings.part_name(self.first + self.files.len());
        let temporary = self.folder.work(&name);
        let begin = || {
            let file = HashedFile::create(&temporary)?;
            let buffered = BufWriter::with_capacity(1 << 18, file.clone());
            let writer = output::begin(self.settings, buffered)?;
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
            file.sync()
        };
        let FileState { bytes, xxh128 } = end().map_err(BulkError::io("write", &part.temporary))?;
        self.folder
            .move_into_place(&part.temporary, &self.folder.result(&part.name))?;
        let file = PartFile {
            name: part.name,
            rows: part.rows,
            bytes,
            xxh128,
        };
        self.files.push(file.clone());
        let sites = self.summaries.as_mut().map(Summaries::sync).transpose()?;
        let templates = self.learned.as_mut().map(LearnedTemplates::sync).transpose()?;
        self.journal.record(&JournalEntry::Part(Box::new(PartEntry {
            file,
            totals: self.totals.clone(),
            sites,
            templates,
        })))
    }
}

/// Approximate size of a row, whatever the format.
fn bytes_of(row: &Row) -> u64 {
    let texts = [&row.content, &row.title].map(|text| text.as_ref().map_or(0, String::len));
    (row.url.len() + texts.iter().sum::<usize>()) as u64 + 256
}
