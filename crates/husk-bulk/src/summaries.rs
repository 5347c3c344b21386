//! The sites of the report, written one after the other while a run goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use husk::SiteTemplates;
use serde::{Deserialize, Serialize};

use crate::error::BulkError;
use crate::place::{Place, REPORT, REPORT_FOLDER};
use crate::report::{LearnedLayout, SiteTally, write_report};
use crate::sites::menu_of;

const SITES: &str = "sites.jsonl";

/// How far the sites were told of, when a part was noted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SitesSoFar {
    /// How many bytes their lines have.
    bytes: u64,
    /// What the pages of the site under way came to.
    under_way: SiteTally,
}

/// Writes the lines of the sites that are done, and counts the pages of the one that is not.
pub(crate) struct Summaries {
    path: PathBuf,
    lines: BufWriter<File>,
    under_way: SiteTally,
}

impl Summaries {
    /// Goes on behind what was noted; lines behind that are thrown away.
    pub(crate) fn behind(past: SitesSoFar, place: &Place) -> Result<Self, BulkError> {
        let path = place.work(SITES);
        let open = || {
            let mut options = OpenOptions::new();
            let mut file = options
                .create(true)
                .truncate(false)
                .write(true)
                .read(true)
                .open(&path)?;
            let found = file.metadata()?.len();
            if found >= past.bytes {
                file.set_len(past.bytes)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok((file, found))
        };
        let (file, found) = open().map_err(BulkError::io("write", &path))?;
        if found < past.bytes {
            let cause = format!("it has {found} bytes, and had {}", past.bytes);
            return Err(BulkError::damaged(&path, cause));
        }
        Ok(Self {
            path,
            lines: BufWriter::new(file),
            under_way: past.under_way,
        })
    }

    /// Counts pages of the site under way.
    pub(crate) fn add(&mut self, pages: SiteTally) {
        self.under_way = std::mem::take(&mut self.under_way).merge(pages);
    }

    /// Tells of the site under way, all pages of which were counted.
    pub(crate) fn end_site(&mut self, templates: &SiteTemplates) -> Result<(), BulkError> {
        let tally = std::mem::take(&mut self.under_way);
        let layouts = templates.layouts();
        let learned = layouts
            .iter()
            .map(|layout| LearnedLayout::of(layout, Some(layout.model().to_string())))
            .collect();
        let largest = tally.largest_layout().and_then(|place| layouts.get(place));
        let menu = largest.and_then(menu_of);
        let summary = tally.summary(templates.site(), learned, menu.as_deref());
        summary
            .write_line(&mut self.lines)
            .map_err(BulkError::io("write", &self.path))
    }

    /// Makes safe what was told so far, and says how far that is.
    pub(crate) fn so_far(&mut self) -> Result<SitesSoFar, BulkError> {
        let sync = |lines: &mut BufWriter<File>| {
            lines.flush()?;
            lines.get_ref().sync_all()?;
            Ok(lines.get_ref().metadata()?.len())
        };
        let bytes = sync(&mut self.lines).map_err(BulkError::io("write", &self.path))?;
        Ok(SitesSoFar {
            bytes,
            under_way: self.under_way.clone(),
        })
    }

    /// Puts the lines and the page that is made of them where they are looked for.
    ///
    /// The lines are copied, not moved: a run that is killed before its manifest is there comes by here again.
    pub(crate) fn finish(mut self, place: &Place) -> Result<(), BulkError> {
        self.so_far()?;
        let read = || File::open(&self.path);
        let folder = place.result(REPORT_FOLDER);
        fs::create_dir_all(&folder).map_err(BulkError::io("make the folder", &folder))?;
        place.write_file(&folder.join(SITES), |out| {
            io::copy(&mut read()?, out)?;
            Ok(())
        })?;
        place.write_file(&place.result(REPORT), |out| {
            write_report(BufReader::new(read()?), out)
        })
    }
}
