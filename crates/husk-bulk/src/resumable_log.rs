//! A file that grows during the second pass and can be cut back to where a finished part left it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;
use crate::hashed_file::{FileState, HashedFile};

/// An append-only file.
pub(crate) struct ResumableLog {
    path: PathBuf,
    out: BufWriter<HashedFile>,
}

impl ResumableLog {
    /// Opens the file as it was; what lies behind that is deleted. Fails if it is damaged.
    pub(crate) fn resume(path: PathBuf, state: &FileState) -> Result<Self, BulkError> {
        let open = || {
            let file = HashedFile::resume(&path, state.bytes)?;
            let found = file.sync()?;
            Ok((file, found))
        };
        let (file, found) = open().map_err(BulkError::io("write", &path))?;
        if found.bytes != state.bytes {
            let cause = format!("it has {} bytes, expected {}", found.bytes, state.bytes);
            return Err(BulkError::damaged(&path, cause));
        }
        if state.bytes > 0 && found.xxh128 != state.xxh128 {
            return Err(BulkError::damaged(&path, "its digest differs"));
        }
        Ok(Self {
            path,
            out: BufWriter::new(file),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<HashedFile>) -> io::Result<()>,
    ) -> Result<(), BulkError> {
        write(&mut self.out).map_err(BulkError::io("write", &self.path))
    }

    /// Syncs the file to disk, and returns what to resume with.
    pub(crate) fn sync(&mut self) -> Result<FileState, BulkError> {
        let synced = self.out.flush().and_then(|()| self.out.get_ref().sync());
        synced.map_err(BulkError::io("write", &self.path))
    }

    /// Reads it from its beginning.
    pub(crate) fn read(&self) -> io::Result<BufReader<File>> {
        File::open(&self.path).map(BufReader::new)
    }
}
