//! The files of the result, written one after the other.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use husk::SiteTemplates;

use crate::counts::Totals;
use crate::error::BulkError;
use crate::journal::{Journal, PartDone, Past, Step};
use crate::manifest::PartFile;
use crate::output::{self, RowWriter};
use crate::place::Place;
use crate::row::Row;
use crate::settings::Settings;
use crate::sites::ToldPage;
use crate::summaries::Summaries;

/// A part ends at so many bytes of rows, however few these are.
const MOST_BYTES: u64 = 512 << 20;

/// Writes rows into parts. Where a part ends depends on the rows only, so that the same pages give the same files.
pub(crate) struct Parts<'a> {
    settings: &'a Settings,
    place: &'a Place,
    journal: &'a mut Journal,
    files: Vec<PartFile>,
    totals: Totals,
    /// The sites, if there is to be a report.
    summaries: Option<Summaries>,
    open: Option<OpenPart>,
}

struct OpenPart {
    name: String,
    /// Where it is written, before it gets its name.
    beside: PathBuf,
    file: File,
    writer: Box<dyn RowWriter>,
    rows: u64,
    /// About how many bytes these have.
    bytes: u64,
}

impl<'a> Parts<'a> {
    /// Goes on behind the parts of an earlier process; what it left unfinished is thrown away.
    pub(crate) fn behind(
        past: Past,
        settings: &'a Settings,
        place: &'a Place,
        journal: &'a mut Journal,
    ) -> Result<Self, BulkError> {
        place.keep_results(|name| past.parts.iter().any(|part| part.name == name))?;
        let summaries = match settings.report {
            true => Some(Summaries::behind(past.sites, place)?),
            false => None,
        };
        Ok(Self {
            settings,
            place,
            journal,
            files: past.parts,
            totals: past.totals,
            summaries,
            open: None,
        })
    }

    /// What all rows came to so far.
    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The rows of another site follow.
    pub(crate) fn begin_site(&mut self) {
        self.totals.sites += 1;
    }

    /// Writes what is told of a page of a site, which may be the last of them.
    pub(crate) fn write(
        &mut self,
        page: ToldPage,
        templates: &SiteTemplates,
        is_last: bool,
    ) -> Result<(), BulkError> {
        // Before its row, which may end a part: what is noted then has all of the page.
        if let (Some(summaries), Some(tally)) = (&mut self.summaries, page.tally) {
            summaries.add(tally);
            if is_last {
                summaries.end_site(templates)?;
            }
        }
        let row = &page.row;
        let mut part = match self.open.take() {
            Some(part) => part,
            None => self.begin()?,
        };
        part.writer
            .write(row)
            .map_err(BulkError::io("write", &part.beside))?;
        part.rows += 1;
        part.bytes += bytes_of(row);
        self.totals.add(row);
        if part.rows >= self.settings.part_rows || part.bytes >= MOST_BYTES {
            return self.end(part);
        }
        self.open = Some(part);
        Ok(())
    }

    /// Ends the last part and writes the report; gives all files, and what they came to.
    pub(crate) fn finish(mut self) -> Result<(Vec<PartFile>, Totals), BulkError> {
        if let Some(part) = self.open.take() {
            self.end(part)?;
        }
        if let Some(summaries) = self.summaries {
            summaries.finish(self.place)?;
        }
        Ok((self.files, self.totals))
    }

    fn begin(&self) -> Result<OpenPart, BulkError> {
        let ending = self.settings.format.ending(self.settings.packing);
        let name = format!("part-{:05}.{ending}", self.files.len());
        let beside = self.place.work(&name);
        let begin = || {
            let file = File::create(&beside)?;
            let writer = output::begin(
                self.settings,
                BufWriter::with_capacity(1 << 18, file.try_clone()?),
            )?;
            Ok((file, writer))
        };
        let (file, writer) = begin().map_err(BulkError::io("write", &beside))?;
        Ok(OpenPart {
            name,
            file,
            writer,
            rows: 0,
            bytes: 0,
            beside,
        })
    }

    /// Makes a part safe, gives it its name, and notes it: in this order, so that what is noted is there.
    fn end(&mut self, part: OpenPart) -> Result<(), BulkError> {
        let OpenPart { writer, file, .. } = part;
        let end = || {
            writer.finish()?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let bytes = end().map_err(BulkError::io("write", &part.beside))?;
        self.place.put(&part.beside, &self.place.result(&part.name))?;
        let file = PartFile {
            name: part.name,
            rows: part.rows,
            bytes,
        };
        self.files.push(file.clone());
        let sites = self.summaries.as_mut().map(Summaries::so_far).transpose()?;
        self.journal.note(&Step::Part(Box::new(PartDone {
            file,
            totals: self.totals.clone(),
            sites,
        })))
    }
}

/// About how many bytes a row has, whatever it is written as.
fn bytes_of(row: &Row) -> u64 {
    let texts = [&row.content, &row.title].map(|text| text.as_ref().map_or(0, String::len));
    (row.url.len() + texts.iter().sum::<usize>()) as u64 + 256
}
