//! Errors that end a run.

use std::io;
use std::path::{Path, PathBuf};

use husk_sources::WarcError;
use husk_store::StoreError;

/// Why a run could not start or continue.
///
/// The message includes the cause, so `source()` is empty.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BulkError {
    /// A file operation failed.
    #[error("cannot {action} {}: {cause}{}", .path.display(), remedy(cause))]
    Io {
        /// The operation, such as `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// An archive cannot be read.
    #[error("{0}")]
    Archive(WarcError),
    /// An input is not usable.
    #[error("{0}")]
    Input(String),
    /// Settings contradict each other.
    #[error("{0}")]
    Settings(String),
    /// Another process is writing to the folder.
    #[error(
        "another husk bulk is running in {}: wait until it ends, or choose another folder",
        .out.display()
    )]
    Locked {
        /// The output folder.
        out: PathBuf,
    },
    /// The output folder holds foreign files.
    #[error(
        "{} holds files that husk bulk did not write, such as {name}: choose a new or empty folder",
        .out.display()
    )]
    ForeignFiles {
        /// The folder.
        out: PathBuf,
        /// One of the files.
        name: String,
    },
    /// The output folder holds a part that neither a finished nor an unfinished run wrote.
    #[error(
        "{} has {name}, {}",
        .out.display(),
        match .has_manifest {
            true => "which no run in its _manifest.json has written: move it away, or choose another folder",
            false => "but no _manifest.json that says which run has written it: put the manifest back, choose another folder, or delete what is there with --restart (without --append)",
        }
    )]
    UnknownPart {
        /// The folder.
        out: PathBuf,
        /// The part.
        name: String,
        /// Whether finished runs are known.
        has_manifest: bool,
    },
    /// The output folder holds a run with other settings or inputs.
    #[error(
        "{} holds a run that was started differently: {}; {remedy}",
        .out.display(),
        .differences.join("; ")
    )]
    Differs {
        /// The output folder.
        out: PathBuf,
        /// The differences.
        differences: Vec<String>,
        /// What to do.
        remedy: &'static str,
    },
    /// The template store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The template store was updated by something else since the run began.
    #[error(
        "the template store {} has changed since this run began, so the rest of its rows would not match: start over with --restart",
        .store.display()
    )]
    StoreChanged {
        /// The store.
        store: PathBuf,
    },
    /// A part of a finished run is missing or damaged, and can't be written again.
    #[error("{problem}, and cannot be written again here: {remedy}")]
    LostPart {
        /// What is wrong with which part.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// The folder holds a run that is not finished.
    #[error("{} holds an interrupted run: repeat the command to finish it: {command}", .out.display())]
    Interrupted {
        /// The folder.
        out: PathBuf,
        /// The command line of the run.
        command: String,
    },
    /// The folder holds no finished run.
    #[error("{} is no finished output of husk bulk: it has no _manifest.json", .out.display())]
    NotFinished {
        /// The folder.
        out: PathBuf,
    },
    /// The manifest is damaged.
    #[error(
        "{} is damaged ({cause}), so nothing says which files beside it are complete: put a copy of it back, choose another folder, or delete all of it and start over with --restart",
        .path.display()
    )]
    DamagedManifest {
        /// The manifest.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// A file of an earlier process is damaged.
    #[error("{} is damaged ({cause}): repeat the command with --restart", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
}

impl BulkError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { action, path, cause }
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
            "; free some space and run the same command again to resume"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; check permissions, or choose another folder"
        }
        _ => "",
    }
}
