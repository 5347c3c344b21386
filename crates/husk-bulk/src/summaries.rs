//! Writes the site summaries of the report during the second pass.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use husk::SiteTemplates;
use serde::{Deserialize, Serialize};

use crate::error::BulkError;
use crate::output_folder::{OutputFolder, REPORT, REPORT_FOLDER};
use crate::report::{LearnedLayout, SiteTally, write_report};
use crate::sites::menu_of;

const SITES: &str = "sites.jsonl";

/// State of the summaries when a part was finished.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SummariesState {
    /// Bytes of finished summaries.
    bytes: u64,
    /// Tally of the current site.
    current: SiteTally,
}

/// Writes the summaries of finished sites, and tallies the pages of the current one.
pub(crate) struct Summaries {
    path: PathBuf,
    lines: BufWriter<File>,
    current: SiteTally,
}

impl Summaries {
    /// Resumes at a state; lines behind it are deleted.
    pub(crate) fn resume(state: SummariesState, folder: &OutputFolder) -> Result<Self, BulkError> {
        let path = folder.work(SITES);
        let open = || {
            let mut options = OpenOptions::new();
            let mut file = options
                .create(true)
                .truncate(false)
                .write(true)
                .read(true)
                .open(&path)?;
            let length = file.metadata()?.len();
            if length >= state.bytes {
                file.set_len(state.bytes)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok((file, length))
        };
        let (file, length) = open().map_err(BulkError::io("write", &path))?;
        if length < state.bytes {
            let cause = format!("it has {length} bytes, expected {}", state.bytes);
            return Err(BulkError::damaged(&path, cause));
        }
        Ok(Self {
            path,
            lines: BufWriter::new(file),
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
        summary
            .write_line(&mut self.lines)
            .map_err(BulkError::io("write", &self.path))
    }

    /// Syncs the summaries to disk, and returns the state to resume at.
    pub(crate) fn sync(&mut self) -> Result<SummariesState, BulkError> {
        let flush = |lines: &mut BufWriter<File>| {
            lines.flush()?;
            lines.get_ref().sync_all()?;
            Ok(lines.get_ref().metadata()?.len())
        };
        let bytes = flush(&mut self.lines).map_err(BulkError::io("write", &self.path))?;
        Ok(SummariesState {
            bytes,
            current: self.current.clone(),
        })
    }

    /// Writes the summaries and the report page to the output folder.
    ///
    /// The summaries are copied, not moved: a run killed before its manifest is written needs them again.
    pub(crate) fn finish(mut self, folder: &OutputFolder) -> Result<(), BulkError> {
        self.sync()?;
        let read = || File::open(&self.path);
        let data = folder.result(REPORT_FOLDER);
        fs::create_dir_all(&data).map_err(BulkError::io("create the folder", &data))?;
        folder.write_file(&data.join(SITES), |out| {
            io::copy(&mut read()?, out)?;
            Ok(())
        })?;
        folder.write_file(&folder.result(REPORT), |out| {
            write_report(BufReader::new(read()?), out)
        })
    }
}
