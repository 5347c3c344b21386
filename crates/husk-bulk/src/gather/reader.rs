//! Reads the inputs in order, in chunks for the worker threads.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use husk_sources::{ArchivedCapture, Captures, SkippedRecords, WarcError};

use super::count_skipped;
use crate::counts::RecordCounts;
use crate::error::BulkError;
use crate::inputs::{Input, InputKind, StreamCaptures};
use crate::journal::ReadPosition;
use crate::settings::Settings;

/// A part of an input.
pub(super) struct Chunk {
    /// Index of the input.
    pub(super) input: usize,
    pub(super) items: Vec<InputItem>,
    /// Records without a response.
    pub(super) counts: RecordCounts,
    /// Position behind it.
    pub(super) position: ReadPosition,
}

/// Something that may be a page.
pub(super) enum InputItem {
    Response(Box<ArchivedCapture>),
    /// A file in a folder, not read yet.
    File(PathBuf),
    /// A damaged part of an archive, with the error message.
    Damaged(String),
}

/// Limit on the items of a chunk, since responses may be empty.
const MAX_ITEMS: usize = 256;

pub(super) struct InputReader<'a> {
    inputs: &'a [Input],
    settings: &'a Settings,
    /// Index of the current input.
    at: usize,
    open: Option<OpenInput>,
    /// Items read from it.
    items: u64,
    /// Bytes read from it.
    bytes: u64,
}

enum OpenInput {
    Archive(Box<Captures<File>>),
    Stream(Box<StreamCaptures>),
    Folder(Box<dyn Iterator<Item = PathBuf> + Send>),
}

impl<'a> InputReader<'a> {
    /// Continues from the position of an earlier process.
    pub(super) fn resume(
        inputs: &'a [Input],
        settings: &'a Settings,
        from: ReadPosition,
    ) -> Result<Self, BulkError> {
        let mut reader = Self {
            inputs,
            settings,
            at: from.input,
            open: None,
            items: 0,
            bytes: 0,
        };
        if from.items > 0 {
            reader.go_to(from.items, from.offset)?;
        }
        Ok(reader)
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
        while self.items < items && self.next_item()?.is_some() {}
        Ok(())
    }

    /// Bytes read from all inputs.
    pub(super) fn bytes_read(&self) -> u64 {
        let before = self.inputs[..self.at.min(self.inputs.len())].iter();
        before.map(|input| input.stamp.bytes).sum::<u64>() + self.bytes
    }

    /// The next chunk, from one input.
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
        while bytes < self.settings.tuning.chunk_bytes && items.len() < MAX_ITEMS && !has_ended {
            match self.next_item()? {
                Some(item) => {
                    bytes += item.bytes();
                    items.push(item);
                }
                None => has_ended = true,
            }
        }
        let mut counts = RecordCounts::default();
        count_skipped(&mut counts, before, self.skipped());
        if has_ended {
            self.at += 1;
            (self.open, self.items, self.bytes) = (None, 0, 0);
        }
        Ok(Some(Chunk {
            input,
            items,
            counts,
            position: self.position(),
        }))
    }

    fn position(&self) -> ReadPosition {
        ReadPosition {
            input: self.at,
            items: self.items,
            offset: match &self.open {
                Some(OpenInput::Archive(captures)) => captures.resume_offset(),
                _ => None,
            },
            counts: RecordCounts::default(),
        }
    }

    fn skipped(&self) -> SkippedRecords {
        match &self.open {
            Some(OpenInput::Archive(captures)) => captures.skipped(),
            Some(OpenInput::Stream(captures)) => captures.skipped(),
            _ => SkippedRecords::default(),
        }
    }

    fn open_next(&self) -> Result<Option<OpenInput>, BulkError> {
        let Some(input) = self.inputs.get(self.at) else {
            return Ok(None);
        };
        Ok(Some(match &input.kind {
            InputKind::Archive => self.archive(Captures::open(&input.path).map_err(BulkError::Archive)?),
            InputKind::Stream(stream) => {
                let captures = stream
                    .take()
                    .ok_or_else(|| BulkError::Input("standard input can be read only once".to_owned()))?;
                let max_bytes = self.settings.tuning.max_page_bytes;
                OpenInput::Stream(Box::new(captures.with_max_bytes(max_bytes)))
            }
            InputKind::Site(folder) => OpenInput::Folder(Box::new(folder.files())),
        }))
    }

    fn archive(&self, captures: Captures<File>) -> OpenInput {
        OpenInput::Archive(Box::new(
            captures.with_max_bytes(self.settings.tuning.max_page_bytes),
        ))
    }

    /// The next item of the open input.
    fn next_item(&mut self) -> Result<Option<InputItem>, BulkError> {
        let item = match &mut self.open {
            None => None,
            Some(OpenInput::Archive(captures)) => next_response(captures, &mut self.bytes)?,
            Some(OpenInput::Stream(captures)) => next_response(captures, &mut self.bytes)?,
            Some(OpenInput::Folder(files)) => {
                let file = files.next();
                let size = file
                    .as_ref()
                    .and_then(|file| std::fs::metadata(file).ok())
                    .map_or(0, |found| found.len());
                self.bytes += size;
                file.map(InputItem::File)
            }
        };
        self.items += u64::from(item.is_some());
        Ok(item)
    }
}

/// The next response of an archive, and the bytes read with it.
fn next_response<R: Read>(
    captures: &mut Captures<R>,
    bytes: &mut u64,
) -> Result<Option<InputItem>, BulkError> {
    match captures.next() {
        None => Ok(None),
        Some(Ok(entry)) => {
            *bytes = entry.offset + entry.len;
            Ok(Some(InputItem::Response(Box::new(entry))))
        }
        Some(Err(cause @ WarcError::Damaged { .. })) => Ok(Some(InputItem::Damaged(cause.to_string()))),
        Some(Err(cause)) => Err(BulkError::Archive(cause)),
    }
}

impl InputItem {
    /// Approximate cost in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Response(archived) => archived.capture.body.len() + 512,
            Self::File(_) => 64 << 10,
            Self::Damaged(note) => note.len(),
        }
    }
}
