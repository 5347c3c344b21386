//! Reads the inputs one after the other, in chunks that threads can work on.

use std::fs::File;
use std::path::PathBuf;

use husk_sources::{Capture, Captures, SkippedRecords, WarcError};

use super::count_skipped;
use crate::counts::Counts;
use crate::error::BulkError;
use crate::inputs::{Input, InputKind};
use crate::journal::Gathered;
use crate::settings::Settings;

/// Some of an input.
pub(super) struct Chunk {
    /// The number of the input.
    pub(super) input: usize,
    pub(super) items: Vec<Item>,
    /// What was met that is no item.
    pub(super) counts: Counts,
    /// How far the inputs are read with it.
    pub(super) up_to: Gathered,
}

/// Something that may be a page.
pub(super) enum Item {
    Answer(Box<Capture>),
    /// A file of a folder; whoever gets it reads it.
    File(PathBuf),
    /// A part of an archive that cannot be read, and why.
    Broken(String),
}

/// How many items a chunk has at most: answers may have no body.
const MOST_ITEMS: usize = 256;

/// The inputs while they are read.
pub(super) struct Reading<'a> {
    inputs: &'a [Input],
    settings: &'a Settings,
    /// The number of the input that is read.
    at: usize,
    open: Option<Open>,
    /// How many of its items were read.
    items: u64,
    /// How many bytes of it were read.
    bytes: u64,
}

enum Open {
    Archive(Box<Captures<File>>),
    Folder(Box<dyn Iterator<Item = PathBuf> + Send>),
}

impl<'a> Reading<'a> {
    /// Goes on from where an earlier process came to.
    pub(super) fn from(
        inputs: &'a [Input],
        settings: &'a Settings,
        from: Gathered,
    ) -> Result<Self, BulkError> {
        let mut reading = Self {
            inputs,
            settings,
            at: from.input,
            open: None,
            items: 0,
            bytes: 0,
        };
        if from.items > 0 {
            reading.go_to(from.items, from.offset)?;
        }
        Ok(reading)
    }

    fn go_to(&mut self, items: u64, offset: Option<u64>) -> Result<(), BulkError> {
        let Some(input) = self.inputs.get(self.at) else {
            return Ok(());
        };
        if let (InputKind::Archive, Some(offset)) = (&input.kind, offset) {
            let captures = Captures::open_at(&input.path, offset).map_err(BulkError::Archive)?;
            self.open = Some(self.archive(captures));
            self.items = items;
            self.bytes = offset;
            return Ok(());
        }
        self.open = self.open_next()?;
        while self.items < items && self.item()?.is_some() {}
        Ok(())
    }

    /// How many bytes of all inputs were read.
    pub(super) fn bytes_read(&self) -> u64 {
        let before = self.inputs[..self.at.min(self.inputs.len())].iter();
        before.map(|input| input.stamp.bytes).sum::<u64>() + self.bytes
    }

    /// The next chunk, all of one input.
    pub(super) fn next(&mut self) -> Result<Option<Chunk>, BulkError> {
        if self.open.is_none() {
            self.open = self.open_next()?;
        }
        if self.open.is_none() {
            return Ok(None);
        }
        let input = self.at;
        let before = self.skipped();
        let mut items = Vec::new();
        let mut bytes = 0;
        let mut has_ended = false;
        while bytes < self.settings.tuning.chunk_bytes && items.len() < MOST_ITEMS && !has_ended {
            match self.item()? {
                Some(item) => {
                    bytes += item.bytes();
                    items.push(item);
                }
                None => has_ended = true,
            }
        }
        let mut counts = Counts::default();
        count_skipped(&mut counts, before, self.skipped());
        if has_ended {
            self.at += 1;
            (self.open, self.items, self.bytes) = (None, 0, 0);
        }
        Ok(Some(Chunk {
            input,
            items,
            counts,
            up_to: self.place(),
        }))
    }

    fn place(&self) -> Gathered {
        Gathered {
            input: self.at,
            items: self.items,
            offset: match &self.open {
                Some(Open::Archive(captures)) => captures.resume_offset(),
                _ => None,
            },
            counts: Counts::default(),
        }
    }

    fn skipped(&self) -> SkippedRecords {
        match &self.open {
            Some(Open::Archive(captures)) => captures.skipped(),
            _ => SkippedRecords::default(),
        }
    }

    fn open_next(&self) -> Result<Option<Open>, BulkError> {
        let Some(input) = self.inputs.get(self.at) else {
            return Ok(None);
        };
        Ok(Some(match &input.kind {
            InputKind::Archive => self.archive(Captures::open(&input.path).map_err(BulkError::Archive)?),
            InputKind::Site(folder) => Open::Folder(Box::new(folder.files())),
        }))
    }

    fn archive(&self, captures: Captures<File>) -> Open {
        Open::Archive(Box::new(
            captures.with_max_bytes(self.settings.tuning.max_page_bytes),
        ))
    }

    /// The next item of the open input.
    fn item(&mut self) -> Result<Option<Item>, BulkError> {
        let item = match &mut self.open {
            None => None,
            Some(Open::Archive(captures)) => match captures.next() {
                None => None,
                Some(Ok(entry)) => {
                    self.bytes = entry.offset + entry.len;
                    Some(Item::Answer(Box::new(entry.capture)))
                }
                Some(Err(cause @ WarcError::Damaged { .. })) => Some(Item::Broken(cause.to_string())),
                // What the system cannot read now it may read when it is asked again.
                Some(Err(cause)) => return Err(BulkError::Archive(cause)),
            },
            Some(Open::Folder(files)) => {
                let file = files.next();
                let size = file
                    .as_ref()
                    .and_then(|file| std::fs::metadata(file).ok())
                    .map_or(0, |found| found.len());
                self.bytes += size;
                file.map(Item::File)
            }
        };
        self.items += u64::from(item.is_some());
        Ok(item)
    }
}

impl Item {
    /// About how much memory or work it takes.
    fn bytes(&self) -> usize {
        match self {
            Self::Answer(capture) => capture.body.len() + 512,
            // It was not read yet.
            Self::File(_) => 64 << 10,
            Self::Broken(note) => note.len(),
        }
    }
}
