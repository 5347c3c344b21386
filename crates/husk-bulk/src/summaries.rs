//! Writes the site summaries of the report during the second pass.

use std::fs;
use std::io;

use husk::SiteTemplates;
use serde::{Deserialize, Serialize};

use crate::error::BulkError;
use crate::hashed_file::FileState;
use crate::output_folder::{OutputFolder, REPORT_FOLDER, sites_file};
use crate::report::{LearnedLayout, SiteTally};
use crate::resumable_log::ResumableLog;
use crate::sites::menu_of;

const SITES: &str = "sites.jsonl";

/// State of the summaries when a part was finished.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SummariesState {
    /// Finished summaries.
    lines: FileState,
    /// Tally of the current site.
    current: SiteTally,
}

/// Writes the summaries of finished sites, and tallies the pages of the current one.
pub(crate) struct Summaries {
    lines: ResumableLog,
    current: SiteTally,
}

impl Summaries {
    /// Resumes at a state; lines behind it are deleted.
    pub(crate) fn resume(state: SummariesState, folder: &OutputFolder) -> Result<Self, BulkError> {
        Ok(Self {
            lines: ResumableLog::resume(folder.work(SITES), &state.lines)?,
            current: state.current,
        })
    }

    /// Adds pages of the current site.
    pub(crate) fn add(&mut self, pages: SiteTally) {
        self.current = std::mem::take(&mut self.current).merge(pages);
    }

    /// Writes the summary of the current site.
    pub(crate) fn end_site(&mut self, templates: &SiteTemplates) -> Result<(), BulkError> {
        let tally = std::mem::take(&mut self.current);
        let layouts = templates.layouts();
        let learned = layouts
            .iter()
            .map(|layout| LearnedLayout::of(layout, Some(layout.model().to_string())))
            .collect();
        let largest = tally.largest_layout().and_then(|index| layouts.get(index));
        let menu = largest.and_then(menu_of);
        let summary = tally.summary(templates.site(), learned, menu.as_deref());
        self.lines.write(|out| summary.write_line(out))
    }

    /// Syncs the summaries to disk, and returns the state to resume at.
    pub(crate) fn sync(&mut self) -> Result<SummariesState, BulkError> {
        Ok(SummariesState {
            lines: self.lines.sync()?,
            current: self.current.clone(),
        })
    }

    /// Copies the summaries to the output folder, as those of a run.
    ///
    /// They are not moved: a run killed before its manifest is written needs them again.
    pub(crate) fn finish(mut self, run: usize, folder: &OutputFolder) -> Result<FileState, BulkError> {
        self.sync()?;
        let data = folder.result(REPORT_FOLDER);
        fs::create_dir_all(&data).map_err(BulkError::io("create the folder", &data))?;
        folder.write_file(&folder.result(&sites_file(run)), |out| {
            io::copy(&mut self.lines.read()?, out)?;
            Ok(())
        })
    }
}
