//! Separates pages from other records, and packs pages for the second pass.

use std::io;

use husk_sources::{Capture, LoadError};

use super::reader::{Chunk, InputItem};
use crate::counts::RecordCounts;
use crate::error::BulkError;
use crate::inputs::{Input, InputKind};
use crate::journal::ReadPosition;
use crate::sample_key::SampleKey;
use crate::settings::Settings;
use crate::store::{PageInfo, PagePacker};

/// The pages of a chunk.
pub(super) struct FilteredChunk {
    pub(super) pages: Vec<PackedPage>,
    pub(super) counts: RecordCounts,
    /// Messages about damaged records and pages.
    pub(super) notes: Vec<String>,
    pub(super) position: ReadPosition,
}

/// A page for a run.
pub(super) struct PackedPage {
    pub(super) site: String,
    pub(super) stored: Vec<u8>,
    /// Size, decompressed.
    pub(super) bytes: u32,
    pub(super) key: SampleKey,
}

/// Finds the pages of chunks; one per thread.
pub(super) struct PageFilter<'a> {
    inputs: &'a [Input],
    settings: &'a Settings,
    packer: io::Result<PagePacker>,
}

impl<'a> PageFilter<'a> {
    pub(super) fn new(inputs: &'a [Input], settings: &'a Settings) -> Self {
        Self {
            inputs,
            settings,
            packer: PagePacker::new(),
        }
    }

    pub(super) fn filter_chunk(&mut self, chunk: Chunk) -> Result<FilteredChunk, BulkError> {
        let input = &self.inputs[chunk.input];
        let mut filtered = FilteredChunk {
            pages: Vec::new(),
            counts: chunk.counts,
            notes: Vec::new(),
            position: chunk.position,
        };
        for item in chunk.items {
            let page = match item {
                InputItem::Damaged(note) => {
                    filtered.counts.add_damaged(input.path.display().to_string());
                    filtered.notes.push(note);
                    continue;
                }
                InputItem::Response(capture) => self.pack_page(input, &capture)?,
                InputItem::File(file) => match &input.kind {
                    InputKind::Site(folder) => match folder.capture(&file) {
                        Ok(capture) => self.pack_page(input, &capture)?,
                        Err(cause) => Err(cause),
                    },
                    InputKind::Archive | InputKind::Stream(_) => continue,
                },
            };
            match page {
                Ok(page) => {
                    filtered.counts.add_page();
                    filtered.pages.push(page);
                }
                Err(cause) => {
                    let reason = skip_reason(&cause);
                    filtered.counts.add_skipped(reason, 1);
                    if is_notable(reason) {
                        filtered.notes.push(format!("{}: {cause}", input.path.display()));
                    }
                }
            }
        }
        Ok(filtered)
    }

    /// The page of a response, or why it is not a page.
    fn pack_page(
        &mut self,
        input: &Input,
        capture: &Capture,
    ) -> Result<Result<PackedPage, LoadError>, BulkError> {
        let (info, bytes) = match PageInfo::of_capture(capture, self.settings.tuning.max_page_bytes) {
            Ok(found) => found,
            Err(cause) => return Ok(Err(cause)),
        };
        let packer = self
            .packer
            .as_mut()
            .map_err(|cause| io::Error::other(cause.to_string()));
        let stored = packer.and_then(|packer| packer.pack(&info, &bytes));
        Ok(Ok(PackedPage {
            site: input.site_of(&capture.url, self.settings.same_site),
            stored: stored.map_err(BulkError::io("pack a page of", &input.path))?,
            bytes: u32::try_from(info.bytes).unwrap_or(u32::MAX),
            key: SampleKey::of(&info.url, &bytes),
        }))
    }
}

/// Why a response is not a page, as an identifier: docs/formats.md lists them.
pub fn skip_reason(cause: &LoadError) -> &'static str {
    match cause {
        LoadError::Status {
            status: 300..=399, ..
        } => "redirect",
        LoadError::Status { .. } => "http-error",
        LoadError::NotAPage { .. } => "not-html",
        LoadError::TooLarge { .. } => "too-large",
        LoadError::Coding { .. } => "unknown-encoding",
        LoadError::Network { .. } => "truncated",
        _ => "unreadable",
    }
}

/// Redirects, errors and images are in every crawl.
fn is_notable(reason: &str) -> bool {
    !matches!(reason, "redirect" | "http-error" | "not-html")
}
