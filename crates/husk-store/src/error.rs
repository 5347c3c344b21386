//! Why a store can't be used.

use std::path::{Path, PathBuf};

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no store.
    #[error("no template store in {}: husk bulk --templates creates one", .path.display())]
    Missing {
        /// Its file.
        path: PathBuf,
    },
    /// Another process has opened it.
    #[error("the template store {} is in use: wait until the other husk command or server ends", .path.display())]
    InUse {
        /// Its file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a template store: name one that husk wrote, or a new file", .path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of Husk wrote it.
    #[error("the template store {} has format {found}, this version of husk reads format {known}: update husk", .path.display())]
    NewerFormat {
        /// Its file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// The format of this version.
        known: u64,
    },
    /// An older version of Husk wrote it.
    #[error("the template store {} has format {found}, this version of husk reads format {known}: remove it, so that its sites are learned again", .path.display())]
    OlderFormat {
        /// Its file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// The format of this version.
        known: u64,
    },
    /// What was stored is not there any more.
    #[error("the template store {} is damaged ({cause}): put a copy of it back, or remove it, so that its sites are learned again", .path.display())]
    Damaged {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        cause: String,
    },
    /// Reading or writing failed.
    #[error("cannot {action} the template store {}: {cause}", .path.display())]
    Failed {
        /// What was tried.
        action: &'static str,
        /// Its file.
        path: PathBuf,
        /// The error of the database.
        cause: String,
    },
}

impl StoreError {
    /// Makes the error of what was tried with a store from that of the database.
    pub fn failed<E: Into<redb::Error>>(action: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |cause| match cause.into() {
            redb::Error::Corrupted(cause) => Self::Damaged { path, cause },
            cause => Self::Failed {
                action,
                path,
                cause: cause.to_string(),
            },
        }
    }
}
