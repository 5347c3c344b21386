//! The pages of an input, one after the other, for those who work on one site: `husk learn`, `husk strip`, and callers of
//! other languages.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use husk::dom::Dom;
use husk::{Page, SameSite, Url};
use husk_sources::{Captures, Folder, LoadError, WarcError};

use crate::error::BulkError;
use crate::inputs::{Input, InputKind};
use crate::settings::Tuning;
use crate::store::About;

/// A page of an input that is not parsed yet.
pub enum SavedPage {
    /// A file of a folder, which is not read either.
    File(Arc<Folder>, PathBuf),
    /// What a server answered.
    Answer {
        /// Its address.
        url: Url,
        /// What is known of it.
        about: About,
        /// The page as it was.
        bytes: Vec<u8>,
    },
}

/// Why something of an input is not among its pages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPage {
    /// It is no page, or cannot be read as one.
    #[error("{}: {cause}", .input.display())]
    Load {
        /// The input.
        input: PathBuf,
        /// Why not.
        cause: Box<LoadError>,
    },
    /// A part of an archive is damaged; pages behind it are still read.
    #[error("{0}")]
    Damaged(String),
    /// Nothing further can be read.
    #[error("{0}")]
    End(Box<BulkError>),
}

impl NoPage {
    /// Whether it is worth a word: pictures, redirects and errors are in every crawl.
    pub fn is_odd(&self) -> bool {
        match self {
            Self::Load { cause, .. } => {
                !matches!(**cause, LoadError::Status { .. } | LoadError::NotAPage { .. })
            }
            Self::Damaged(_) | Self::End(_) => true,
        }
    }
}

impl SavedPage {
    /// About how large it is.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::File(_, file) => file.metadata().map_or(0, |found| found.len()),
            Self::Answer { bytes, .. } => bytes.len() as u64,
        }
    }

    /// The site that it belongs to.
    pub fn site(&self, input: &Input, same_site: SameSite) -> String {
        match self {
            Self::File(folder, _) => input.site_of(folder.base_url(), same_site),
            Self::Answer { url, .. } => input.site_of(url, same_site),
        }
    }

    /// Parses it.
    pub fn read(self) -> Result<(About, Page), LoadError> {
        match self {
            Self::File(folder, file) => {
                let page = folder.page(&file)?;
                let about = About::of_file(&page.url, &file);
                Ok((about.map_err(|cause| LoadError::Io { path: file, cause })?, page))
            }
            Self::Answer { url, about, bytes } => {
                let dom = Dom::from_bytes(&bytes, about.charset.as_deref());
                Ok((about, Page::new(url, dom)))
            }
        }
    }
}

/// The pages of an input in its order, and what is none.
pub struct SavedPages {
    input: PathBuf,
    kind: Kind,
}

enum Kind {
    Folder(Arc<Folder>, Box<dyn Iterator<Item = PathBuf> + Send>),
    Archive(Box<Captures<File>>),
    Ended,
}

impl SavedPages {
    /// Begins to read an input.
    pub fn of(input: &Input) -> Result<Self, BulkError> {
        let kind = match &input.kind {
            InputKind::Site(folder) => Kind::Folder(folder.clone(), Box::new(folder.files())),
            InputKind::Archive => {
                let captures = Captures::open(&input.path).map_err(BulkError::Archive)?;
                Kind::Archive(Box::new(captures.with_max_bytes(most_bytes())))
            }
        };
        Ok(Self {
            input: input.path.clone(),
            kind,
        })
    }

    fn next_answer(captures: &mut Captures<File>, input: &Path) -> Option<Result<SavedPage, NoPage>> {
        let capture = match captures.next()? {
            Ok(entry) => entry.capture,
            Err(cause @ WarcError::Damaged { .. }) => return Some(Err(NoPage::Damaged(cause.to_string()))),
            Err(cause) => return Some(Err(NoPage::End(Box::new(BulkError::Archive(cause))))),
        };
        let answer = match About::of_capture(&capture, most_bytes()) {
            Ok((about, bytes)) => Ok((about, bytes.into_owned())),
            Err(cause) => Err(NoPage::Load {
                input: input.to_owned(),
                cause: Box::new(cause),
            }),
        };
        Some(answer.map(|(about, bytes)| SavedPage::Answer {
            url: capture.url,
            about,
            bytes,
        }))
    }
}

fn most_bytes() -> u64 {
    Tuning::default().max_page_bytes
}

impl Iterator for SavedPages {
    type Item = Result<SavedPage, NoPage>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.kind {
            Kind::Folder(folder, files) => files.next().map(|file| Ok(SavedPage::File(folder.clone(), file))),
            Kind::Archive(captures) => Self::next_answer(captures, &self.input),
            Kind::Ended => None,
        };
        if matches!(next, Some(Err(NoPage::End(_)))) {
            self.kind = Kind::Ended;
        }
        next
    }
}
