//! Separates pages from other records, and packs pages for the second pass.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use husk::dom::Dom;
use husk::{Metadata, Page};
use husk_sources::{ArchivedCapture, Capture, LoadError};

use super::reader::{Chunk, InputItem};
use crate::counts::RecordCounts;
use crate::error::BulkError;
use crate::inputs::{Input, InputKind};
use crate::journal::ReadPosition;
use crate::sample_key::SampleKey;
use crate::selection::Selector;
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

impl FilteredChunk {
    /// Keeps the first pages only.
    pub(super) fn cut(&mut self, count: u64) {
        let kept = usize::try_from(count).unwrap_or(usize::MAX).min(self.pages.len());
        let dropped = (self.pages.len() - kept) as u64;
        self.pages.truncate(kept);
        self.counts.pages -= dropped;
        self.counts.records -= dropped;
    }
}

/// A page for a run.
pub(super) struct PackedPage {
    pub(super) site: String,
    pub(super) stored: Vec<u8>,
    /// Size, decompressed.
    pub(super) bytes: u32,
    pub(super) key: SampleKey,
}

/// Why a record is not in the result.
enum Skipped {
    NotAPage(LoadError),
    NotSelected(&'static str),
}

/// A response of an archive, or a file as one.
enum Response {
    Archived(Box<ArchivedCapture>),
    Saved(Capture),
}

impl Response {
    fn capture(&self) -> &Capture {
        match self {
            Self::Archived(archived) => &archived.capture,
            Self::Saved(capture) => capture,
        }
    }

    fn capture_mut(&mut self) -> &mut Capture {
        match self {
            Self::Archived(archived) => &mut archived.capture,
            Self::Saved(capture) => capture,
        }
    }

    /// Its URL as the input has it.
    fn given_url(&self) -> &str {
        match self {
            Self::Archived(archived) => &archived.target_uri,
            Self::Saved(capture) => capture.url.as_str(),
        }
    }

    /// What is kept of it; an error if it is not a page or too large.
    fn page(&self, input: &Path, max_bytes: u64) -> Result<(PageInfo, Cow<'_, [u8]>), LoadError> {
        match self {
            Self::Archived(archived) => PageInfo::of_archived(archived, input, max_bytes),
            Self::Saved(capture) => PageInfo::of_capture(capture, max_bytes),
        }
    }
}

/// Finds the pages of chunks; one per thread.
pub(super) struct PageFilter<'a> {
    inputs: &'a [Input],
    settings: &'a Settings,
    selector: Result<Selector<'a>, BulkError>,
    packer: io::Result<PagePacker>,
}

impl<'a> PageFilter<'a> {
    pub(super) fn new(inputs: &'a [Input], settings: &'a Settings) -> Self {
        Self {
            inputs,
            settings,
            selector: Selector::new(&settings.selection),
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
                InputItem::Response(archived) => self.pack_page(input, Response::Archived(archived))?,
                InputItem::File(file) => match &input.kind {
                    InputKind::Site(folder) => match folder.capture(&file) {
                        Ok(capture) => self.pack_page(input, Response::Saved(capture))?,
                        Err(cause) => Err(Skipped::NotAPage(cause)),
                    },
                    InputKind::Archive | InputKind::Stream(_) => continue,
                },
            };
            match page {
                Ok(page) => {
                    filtered.counts.add_page();
                    filtered.pages.push(page);
                }
                Err(Skipped::NotSelected(reason)) => filtered.counts.add_skipped(reason, 1),
                Err(Skipped::NotAPage(cause)) => {
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

    /// The page of a response, or why there is none.
    fn pack_page(
        &mut self,
        input: &Input,
        mut response: Response,
    ) -> Result<Result<PackedPage, Skipped>, BulkError> {
        let selector = match &self.selector {
            Ok(selector) => selector,
            Err(cause) => return Err(BulkError::Settings(cause.to_string())),
        };
        let capture = response.capture();
        let site = input.site_of(&capture.url, self.settings.same_site);
        let given = response.given_url();
        if let Some(reason) = selector.rejects(&capture.url, given, &site, capture.date) {
            return Ok(Err(Skipped::NotSelected(reason)));
        }
        let capture = response.capture_mut();
        match selector.wants_status(capture.status) {
            Some(false) => return Ok(Err(Skipped::NotSelected("excluded-status"))),
            // What was asked for is a page, whatever its status.
            Some(true) => capture.status = 200,
            None => {}
        }
        let url = capture.url.clone();
        let (info, bytes) = match response.page(&input.path, self.settings.tuning.max_page_bytes) {
            Ok(found) => found,
            Err(cause) => return Ok(Err(Skipped::NotAPage(cause))),
        };
        if selector.needs_language() {
            let dom = Dom::from_bytes(&bytes, info.charset.as_deref());
            let metadata = Metadata::of(&Page::new(url.clone(), dom));
            if !selector.wants_language(metadata.language.as_deref()) {
                return Ok(Err(Skipped::NotSelected("excluded-language")));
            }
        }
        let packer = self
            .packer
            .as_mut()
            .map_err(|cause| io::Error::other(cause.to_string()));
        let stored = packer.and_then(|packer| packer.pack(&info, &bytes));
        Ok(Ok(PackedPage {
            site,
            stored: stored.map_err(BulkError::io("pack a page of", &input.path))?,
            bytes: u32::try_from(info.bytes).unwrap_or(u32::MAX),
            key: SampleKey::of(url.as_str(), &bytes),
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
