//! WARC files on disk, read from the start or at a position.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::decompress::{FileCompression, Position};
use crate::error::{ReadError, WarcError};
use crate::reader::RecordReader;

/// A WARC file on disk whose compression is known, to read all of its records or those at given positions.
#[derive(Debug, Clone)]
pub struct WarcFile {
    path: PathBuf,
    compression: FileCompression,
}

impl WarcFile {
    /// Opens a file. Fails if there is no record in it.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, WarcError> {
        let path = path.into();
        let compression = read(&path)?.compression().clone();
        Ok(Self { path, compression })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all records.
    pub fn records(&self) -> Result<RecordReader<File>, WarcError> {
        read(&self.path)
    }

    /// Reads the record at a position, and those that follow.
    pub fn records_at(&self, position: Position) -> Result<RecordReader<File>, WarcError> {
        self.seek(position.offset)
            .and_then(|file| RecordReader::at(file, &self.path, position, self.compression.clone()))
            .map_err(|error| error.in_file(&self.path))
    }

    /// Continues where [`RecordReader::resume_offset`] was taken.
    pub fn resume(&self, offset: u64) -> Result<RecordReader<File>, WarcError> {
        self.seek(offset)
            .and_then(|file| RecordReader::resume(file, &self.path, offset, self.compression.clone()))
            .map_err(|error| error.in_file(&self.path))
    }

    fn seek(&self, offset: u64) -> Result<File, ReadError> {
        let mut file = File::open(&self.path).map_err(ReadError::Io)?;
        file.seek(SeekFrom::Start(offset)).map_err(ReadError::Io)?;
        Ok(file)
    }
}

fn read(path: &Path) -> Result<RecordReader<File>, WarcError> {
    let failed = |cause| ReadError::Io(cause).in_file(path);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(WarcError::NotWarc {
            path: path.to_owned(),
            found: "a folder",
            help: "name the WARC files in it",
        });
    }
    RecordReader::of_file(file, path)
}
