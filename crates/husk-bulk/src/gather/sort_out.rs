//! Tells pages from what is none, and packs them for the way to the second pass.

use std::io;

use husk_sources::{Capture, LoadError};

use super::reading::{Chunk, Item};
use crate::counts::Counts;
use crate::error::BulkError;
use crate::inputs::{Input, InputKind};
use crate::journal::Gathered;
use crate::lot::Lot;
use crate::settings::Settings;
use crate::store::{About, PagePacker};

/// What became of a chunk.
pub(super) struct SortedOut {
    pub(super) pages: Vec<PackedPage>,
    pub(super) counts: Counts,
    /// What somebody should know.
    pub(super) notes: Vec<String>,
    pub(super) up_to: Gathered,
}

/// A page on its way to a run.
pub(super) struct PackedPage {
    pub(super) site: String,
    pub(super) stored: Vec<u8>,
    /// How many bytes it has unpacked.
    pub(super) bytes: u32,
    pub(super) lot: Lot,
}

/// Sorts chunks out; one for each thread.
pub(super) struct Sorter<'a> {
    inputs: &'a [Input],
    settings: &'a Settings,
    packer: io::Result<PagePacker>,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(inputs: &'a [Input], settings: &'a Settings) -> Self {
        Self {
            inputs,
            settings,
            packer: PagePacker::new(),
        }
    }

    pub(super) fn sort_out(&mut self, chunk: Chunk) -> Result<SortedOut, BulkError> {
        let input = &self.inputs[chunk.input];
        let mut sorted = SortedOut {
            pages: Vec::new(),
            counts: chunk.counts,
            notes: Vec::new(),
            up_to: chunk.up_to,
        };
        for item in chunk.items {
            let page = match item {
                Item::Broken(note) => {
                    sorted.counts.left_out("broken", 1);
                    sorted.notes.push(note);
                    continue;
                }
                Item::Answer(capture) => self.page(input, &capture)?,
                Item::File(file) => match &input.kind {
                    InputKind::Site(folder) => match folder.capture(&file) {
                        Ok(capture) => self.page(input, &capture)?,
                        Err(cause) => Err(cause),
                    },
                    InputKind::Archive => continue,
                },
            };
            match page {
                Ok(page) => {
                    sorted.counts.page();
                    sorted.pages.push(page);
                }
                Err(cause) => {
                    let reason = reason(&cause);
                    sorted.counts.left_out(reason, 1);
                    if is_worth_a_note(reason) {
                        sorted.notes.push(format!("{}: {cause}", input.path.display()));
                    }
                }
            }
        }
        Ok(sorted)
    }

    /// The page of an answer, or why there is none.
    fn page(&mut self, input: &Input, capture: &Capture) -> Result<Result<PackedPage, LoadError>, BulkError> {
        let (about, bytes) = match About::of_capture(capture, self.settings.tuning.max_page_bytes) {
            Ok(found) => found,
            Err(cause) => return Ok(Err(cause)),
        };
        let packer = self
            .packer
            .as_mut()
            .map_err(|cause| io::Error::other(cause.to_string()));
        let stored = packer.and_then(|packer| packer.pack(&about, &bytes));
        Ok(Ok(PackedPage {
            site: input.site_of(&capture.url, self.settings.same_site),
            stored: stored.map_err(BulkError::io("pack a page of", &input.path))?,
            // No page is larger than what is allowed.
            bytes: u32::try_from(about.bytes).unwrap_or(u32::MAX),
            lot: Lot::of(&about.url, &bytes),
        }))
    }
}

/// Why an answer is no page, in one word.
pub fn reason(cause: &LoadError) -> &'static str {
    match cause {
        LoadError::Status {
            status: 300..=399, ..
        } => "redirect",
        LoadError::Status { .. } => "status",
        LoadError::NotAPage { .. } => "not-html",
        LoadError::TooLarge { .. } => "too-large",
        LoadError::Coding { .. } => "coding",
        LoadError::Network { .. } => "cut-off",
        _ => "unreadable",
    }
}

/// Redirects, errors and pictures are in every crawl; what is broken is not.
fn is_worth_a_note(reason: &str) -> bool {
    !matches!(reason, "redirect" | "status" | "not-html")
}
