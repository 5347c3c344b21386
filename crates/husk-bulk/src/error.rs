//! What can go wrong with a whole run.

use std::io;
use std::path::{Path, PathBuf};

use husk_sources::WarcError;

/// Why a run could not begin, or not go on.
///
/// The message holds the cause, so `source()` does not: who prints the whole chain would say it twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BulkError {
    /// The system could not do something with a file.
    #[error("cannot {doing} {}: {cause}{}", .path.display(), remedy(cause))]
    Io {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// An archive cannot be read.
    #[error("{0}")]
    Archive(WarcError),
    /// An input is not what it should be.
    #[error("{0}")]
    Input(String),
    /// Something was asked for that does not go together.
    #[error("{0}")]
    Unfit(String),
    /// Another process works there.
    #[error(
        "another husk bulk is at work in {}: wait for its end, or name another folder",
        .out.display()
    )]
    Locked {
        /// The folder of the run.
        out: PathBuf,
    },
    /// The folder holds something else.
    #[error(
        "{} holds files that husk bulk did not write, such as {name}: name a new or empty folder",
        .out.display()
    )]
    NotOurs {
        /// The folder.
        out: PathBuf,
        /// One of the files.
        name: String,
    },
    /// The folder holds another run.
    #[error(
        "{} was begun in another way: {}; run it as before to go on, or begin anew with --restart",
        .out.display(),
        .differences.join("; ")
    )]
    Differs {
        /// The folder of the run.
        out: PathBuf,
        /// What differs, and how.
        differences: Vec<String>,
    },
    /// What was written down by an earlier process cannot be read.
    #[error("{} is damaged ({cause}): begin anew with --restart", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
}

impl BulkError {
    /// Something that the system could not do with a file.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { doing, path, cause }
    }

    pub(crate) fn damaged(path: &Path, cause: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            cause: cause.to_string(),
        }
    }
}

fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; make room and run the same command again, which goes on from here"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; check that you may, or name another folder"
        }
        _ => "",
    }
}
