//! Iterates over the pages of one input: for `husk learn`, `husk strip` and the Python package.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use husk::dom::Dom;
use husk::{Page, SameSite, Url};
use husk_sources::{Captures, Folder, LoadError, WarcError};

use crate::error::BulkError;
use crate::inputs::{Input, InputKind, StreamCaptures};
use crate::settings::Tuning;
use crate::store::{PageInfo, date_of};

/// A page of an input, not parsed yet.
pub enum SavedPage {
    /// A file in a folder, not read yet.
    File(Arc<Folder>, PathBuf),
    /// A response in an archive.
    Response {
        /// URL.
        url: Url,
        /// Metadata.
        info: Box<PageInfo>,
        /// HTML, decompressed.
        bytes: Vec<u8>,
    },
}

/// Why a record or file was skipped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkippedPage {
    /// It is not a page, or unreadable.
    #[error("{}: {cause}", .input.display())]
    Load {
        /// The input.
        input: PathBuf,
        /// When it was captured (RFC 3339), if that is known.
        date: Option<String>,
        /// The cause.
        cause: Box<LoadError>,
    },
    /// A part of an archive is damaged; reading continues behind it.
    #[error("{0}")]
    Damaged(String),
    /// The rest of the input can't be read.
    #[error("{0}")]
    Unreadable(Box<BulkError>),
}

impl SkippedPage {
    /// Whether users should see it: images, redirects and errors are in every crawl.
    pub fn is_notable(&self) -> bool {
        match self {
            Self::Load { cause, .. } => {
                !matches!(**cause, LoadError::Status { .. } | LoadError::NotAPage { .. })
            }
            Self::Damaged(_) | Self::Unreadable(_) => true,
        }
    }
}

impl SavedPage {
    /// Approximate size.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::File(_, file) => file.metadata().map_or(0, |found| found.len()),
            Self::Response { bytes, .. } => bytes.len() as u64,
        }
    }

    /// Name of its site.
    pub fn site(&self, input: &Input, same_site: SameSite) -> String {
        match self {
            Self::File(folder, _) => input.site_of(folder.base_url(), same_site),
            Self::Response { url, .. } => input.site_of(url, same_site),
        }
    }

    /// Parses it.
    pub fn read(self) -> Result<(PageInfo, Page), LoadError> {
        match self {
            Self::File(folder, file) => {
                let page = folder.listed_page(&file)?;
                let info = PageInfo::of_file(&page.url, &file);
                Ok((info.map_err(|cause| LoadError::Io { path: file, cause })?, page))
            }
            Self::Response { url, info, bytes } => {
                let dom = Dom::from_bytes(&bytes, info.charset.as_deref());
                Ok((*info, Page::new(url, dom)))
            }
        }
    }
}

/// Iterates over the pages of an input in order. Skipped records are errors.
pub struct SavedPages {
    input: PathBuf,
    source: PageSource,
}

enum PageSource {
    Folder(Arc<Folder>, Box<dyn Iterator<Item = PathBuf> + Send>),
    Archive(Box<Captures<File>>),
    Stream(Box<StreamCaptures>),
    Ended,
}

impl SavedPages {
    /// Opens an input.
    pub fn of(input: &Input) -> Result<Self, BulkError> {
        let source = match &input.kind {
            InputKind::Site(folder) => PageSource::Folder(folder.clone(), Box::new(folder.files())),
            InputKind::Archive => {
                let captures = Captures::open(&input.path).map_err(BulkError::Archive)?;
                PageSource::Archive(Box::new(captures.with_max_bytes(max_bytes())))
            }
            InputKind::Stream(stream) => match stream.take() {
                Some(captures) => PageSource::Stream(Box::new(captures.with_max_bytes(max_bytes()))),
                None => PageSource::Ended,
            },
        };
        Ok(Self {
            input: input.path.clone(),
            source,
        })
    }

    fn next_response<R: Read>(
        captures: &mut Captures<R>,
        input: &Path,
    ) -> Option<Result<SavedPage, SkippedPage>> {
        let archived = match captures.next()? {
            Ok(archived) => archived,
            Err(cause @ WarcError::Damaged { .. }) => {
                return Some(Err(SkippedPage::Damaged(cause.to_string())));
            }
            Err(cause) => return Some(Err(SkippedPage::Unreadable(Box::new(BulkError::Archive(cause))))),
        };
        let page = match PageInfo::of_archived(&archived, input, max_bytes()) {
            Ok((info, bytes)) => Ok((info, bytes.into_owned())),
            Err(cause) => Err(SkippedPage::Load {
                input: input.to_owned(),
                date: date_of(archived.capture.date),
                cause: Box::new(cause),
            }),
        };
        Some(page.map(|(info, bytes)| SavedPage::Response {
            url: archived.capture.url,
            info: Box::new(info),
            bytes,
        }))
    }
}

fn max_bytes() -> u64 {
    Tuning::default().max_page_bytes
}

impl Iterator for SavedPages {
    type Item = Result<SavedPage, SkippedPage>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.source {
            PageSource::Folder(folder, files) => {
                files.next().map(|file| Ok(SavedPage::File(folder.clone(), file)))
            }
            PageSource::Archive(captures) => Self::next_response(captures, &self.input),
            PageSource::Stream(captures) => Self::next_response(captures, &self.input),
            PageSource::Ended => None,
        };
        if matches!(next, Some(Err(SkippedPage::Unreadable(_)))) {
            self.source = PageSource::Ended;
        }
        next
    }
}
