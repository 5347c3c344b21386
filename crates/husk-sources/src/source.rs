//! What every source of pages can do, and how loading fails.

use std::io;
use std::path::PathBuf;

use husk::{Page, Url};

/// A place that pages come from.
pub trait Source {
    /// The page at an address. Its own address may be another one, as after a redirect.
    fn load(&mut self, url: &Url) -> Result<Page, LoadError>;

    /// The addresses of all pages, where a source can tell.
    fn addresses(&self) -> Option<Vec<Url>> {
        None
    }
}

/// Why a page could not be loaded.
///
/// The message holds the cause, so `source()` does not: who prints the whole chain would say it twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The source has no such page.
    #[error("no page {object} in {}: save it there, or check the address the site was saved from", .root.display())]
    NotFound {
        /// The address or the file that was asked for.
        object: String,
        /// The folder that was searched.
        root: PathBuf,
    },
    /// Something is there, but it is no HTML.
    #[error("{object} is {kind}, not a page: name an HTML page of the site")]
    NotAPage {
        /// The address or the file that was asked for.
        object: String,
        /// What it is instead, such as `a PDF document`.
        kind: &'static str,
    },
    /// The file is not below the site's folder, or a symbolic link leads out of it.
    #[error("{} lies outside the site's folder {}: copy it in, or open a folder that holds both", .file.display(), .root.display())]
    Outside {
        /// The file that was asked for.
        file: PathBuf,
        /// The site's folder.
        root: PathBuf,
    },
    /// The address belongs to another site than the one this source holds.
    #[error("{object} does not belong to {site}: open the folder with the address it was saved from")]
    OtherSite {
        /// The address that was asked for.
        object: String,
        /// The address of the site.
        site: String,
    },
    /// The page is larger than allowed.
    #[error("{object} is too large: pages of more than {} are not read", size(*.limit))]
    TooLarge {
        /// The address or the file that was asked for.
        object: String,
        /// The most bytes allowed.
        limit: u64,
    },
    /// The system could not read the file.
    #[error("cannot read {}: {cause}; check that the file may be read", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

/// A number of bytes as people say it.
fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn messages_name_the_object_and_the_remedy() {
        let errors = [
            LoadError::NotFound {
                object: "https://example.org/a".into(),
                root: "/site".into(),
            },
            LoadError::NotAPage {
                object: "/site/a.png".into(),
                kind: "a PNG image",
            },
            LoadError::Outside {
                file: "/etc/passwd".into(),
                root: "/site".into(),
            },
            LoadError::OtherSite {
                object: "https://example.org/a".into(),
                site: "https://example.com/".into(),
            },
            LoadError::TooLarge {
                object: "/site/big.html".into(),
                limit: 64 << 20,
            },
            LoadError::Io {
                path: "/site/a".into(),
                cause: io::ErrorKind::PermissionDenied.into(),
            },
        ];
        let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "no page https://example.org/a in /site: save it there, or check the address the site was saved from",
                "/site/a.png is a PNG image, not a page: name an HTML page of the site",
                "/etc/passwd lies outside the site's folder /site: copy it in, or open a folder that holds both",
                "https://example.org/a does not belong to https://example.com/: open the folder with the address it was saved from",
                "/site/big.html is too large: pages of more than 64 MiB are not read",
                "cannot read /site/a: permission denied; check that the file may be read",
            ]
        );
    }

    #[test]
    fn the_cause_is_said_once() {
        let error = LoadError::Io {
            path: "/site/a".into(),
            cause: io::ErrorKind::PermissionDenied.into(),
        };
        assert!(error.to_string().contains("permission denied"));
        assert!(error.source().is_none());
    }
}
