//! A file that grows during the second pass and can be cut back to where a finished part left it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;

/// An append-only file.
pub(crate) struct ResumableLog {
    path: PathBuf,
    out: BufWriter<File>,
}

impl ResumableLog {
    /// Opens the file with its first `bytes`; what lies behind them is deleted.
    pub(crate) fn resume(path: PathBuf, bytes: u64) -> Result<Self, BulkError> {
        let open = || {
            let mut options = OpenOptions::new();
            let mut file = options
                .create(true)
                .truncate(false)
                .write(true)
                .read(true)
                .open(&path)?;
            let length = file.metadata()?.len();
            if length >= bytes {
                file.set_len(bytes)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok((file, length))
        };
        let (file, length) = open().map_err(BulkError::io("write", &path))?;
        if length < bytes {
            let cause = format!("it has {length} bytes, expected {bytes}");
            return Err(BulkError::damaged(&path, cause));
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
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), BulkError> {
        write(&mut self.out).map_err(BulkError::io("write", &self.path))
    }

    /// Syncs the file to disk, and returns its length.
    pub(crate) fn sync(&mut self) -> Result<u64, BulkError> {
        let sync = |out: &mut BufWriter<File>| {
            out.flush()?;
            out.get_ref().sync_all()?;
            Ok(out.get_ref().metadata()?.len())
        };
        sync(&mut self.out).map_err(BulkError::io("write", &self.path))
    }

    /// Reads it from its beginning.
    pub(crate) fn read(&self) -> io::Result<BufReader<File>> {
        File::open(&self.path).map(BufReader::new)
    }
}
