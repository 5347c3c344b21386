//! The file of slots that stands beside a part: the same pages, byte for byte.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use crate::dedup::{Compared, DedupWriter, EXTENSION, PageHead, Slots};
use crate::error::BulkError;
use crate::manifest::SlotPart;
use crate::place::Place;
use crate::sites::KnownSite;

/// A page taken apart, as it is stored.
pub(crate) struct PageApart {
    pub(crate) head: PageHead,
    pub(crate) slots: Slots,
    /// What it takes otherwise.
    pub(crate) compared: Compared,
}

/// A file of slots while it is written.
pub(crate) struct SlotFile {
    name: String,
    /// Where it is written, before it gets its name.
    beside: PathBuf,
    file: File,
    writer: DedupWriter<BufWriter<File>>,
    /// The site whose pages are written.
    site: Option<String>,
}

impl SlotFile {
    /// Begins the file that stands beside a part.
    pub(crate) fn begin(place: &Place, part: usize) -> Result<Self, BulkError> {
        let name = format!("pages-{part:05}.{EXTENSION}");
        let beside = place.work(&name);
        let begin = || {
            let file = File::create(&beside)?;
            let writer = DedupWriter::new(BufWriter::with_capacity(1 << 18, file.try_clone()?))?;
            Ok((file, writer))
        };
        let (file, writer) = begin().map_err(BulkError::io("write", &beside))?;
        Ok(Self {
            name,
            beside,
            file,
            writer,
            site: None,
        })
    }

    /// Writes a page of a site. What the site shares is written once in each file, so that every file can be read alone.
    pub(crate) fn write(&mut self, page: &PageApart, site: &KnownSite) -> Result<(), BulkError> {
        self.write_page(page, site)
            .map_err(BulkError::io("write", &self.beside))
    }

    fn write_page(&mut self, page: &PageApart, site: &KnownSite) -> io::Result<()> {
        let name = site.templates.site();
        if self.site.as_deref() != Some(name) {
            self.writer.site(name, &site.shared)?;
            self.site = Some(name.to_owned());
        }
        self.writer.page(&page.head, &page.slots, Some(&page.compared))
    }

    /// Makes the file safe and gives it its name.
    pub(crate) fn end(self, place: &Place) -> Result<SlotPart, BulkError> {
        let Self { writer, file, .. } = self;
        let end = || {
            let (_, totals) = writer.finish()?;
            file.sync_all()?;
            Ok(totals)
        };
        let totals = end().map_err(BulkError::io("write", &self.beside))?;
        place.put(&self.beside, &place.result(&self.name))?;
        Ok(SlotPart {
            name: self.name,
            totals,
        })
    }
}
