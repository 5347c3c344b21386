//! Web archives as the source of a site.

use husk::{Page, SameSite, Url};

use super::ArchiveLocation;
use crate::archive::Archive;
use crate::source::{LoadError, Source};

/// An archive that reports its warnings once, under the name its caller chose.
pub(super) struct ArchiveSource {
    archive: Archive,
    name: Option<&'static str>,
    /// How many of the archive's notes were reported.
    reported: usize,
}

impl ArchiveSource {
    pub(super) fn open(location: ArchiveLocation) -> Result<Self, String> {
        let ArchiveLocation {
            files,
            max_bytes,
            admission,
            name,
        } = location;
        let archive = Archive::open(&files).map_err(|cause| {
            let mut message = cause.to_string();
            for file in files.iter().filter(|_| name.is_some()) {
                message = message.replace(&*file.to_string_lossy(), name.unwrap_or_default());
            }
            message
        })?;
        Ok(Self {
            archive: archive.with_max_bytes(max_bytes).with_admission(admission),
            name,
            reported: 0,
        })
    }
}

impl Source for ArchiveSource {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.archive.load(url).map_err(|mut cause| {
            if let (
                LoadError::NotInArchive { archive, .. } | LoadError::Archive { archive, .. },
                Some(name),
            ) = (&mut cause, self.name)
            {
                *archive = name.to_owned();
            }
            cause
        })
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        self.archive.page_urls()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.archive.stay_on(key_page, same_site);
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let notes = self.archive.notes();
        let new = notes
            .iter()
            .skip(self.reported)
            .map(ToString::to_string)
            .collect();
        self.reported = notes.len();
        new
    }
}
