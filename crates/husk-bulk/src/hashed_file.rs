//! Files with a digest: written, and checked later.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct FileState {
    pub(crate) bytes: u64,
    /// Digest of its bytes: XXH3 with 128 bits, in hex.
    pub(crate) xxh128: String,
}

impl FileState {
    /// What is wrong with a file, if anything.
    pub(crate) fn difference(&self, path: &Path) -> Option<String> {
        let length = match fs::metadata(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Some("is missing".to_owned()),
            Err(cause) => return Some(format!("cannot be read: {cause}")),
            Ok(found) => found.len(),
        };
        if length != self.bytes {
            return Some(format!("has {length} bytes instead of {}", self.bytes));
        }
        match digest_of(path) {
            Err(cause) => Some(format!("cannot be read: {cause}")),
            Ok(digest) => (digest != self.xxh128).then(|| "is damaged: its digest differs".to_owned()),
        }
    }
}

/// A file that hashes what is written to it. Clones write to the same file.
#[derive(Clone)]
pub(crate) struct HashedFile {
    file: Arc<File>,
    hash: Arc<Mutex<Xxh3>>,
}

impl HashedFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: Arc::new(File::create(path)?),
            hash: Arc::default(),
        })
    }

    /// Opens or creates a file that goes on behind its first `bytes`; what lies behind them is deleted.
    pub(crate) fn resume(path: &Path, bytes: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .write(true)
            .read(true)
            .open(path)?;
        if file.metadata()?.len() > bytes {
            file.set_len(bytes)?;
        }
        let hash = hash_of(&file)?;
        Ok(Self {
            file: Arc::new(file),
            hash: Arc::new(Mutex::new(hash)),
        })
    }

    /// Syncs the file to disk, and returns its size and digest.
    pub(crate) fn sync(&self) -> io::Result<FileState> {
        self.file.sync_all()?;
        let hash = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(FileState {
            bytes: self.file.metadata()?.len(),
            xxh128: to_hex(&hash),
        })
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = (&*self.file).write(bytes)?;
        let mut hash = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest of a file: XXH3 with 128 bits in hex, as `xxh128sum` prints it.
fn digest_of(path: &Path) -> io::Result<String> {
    Ok(to_hex(&hash_of(&File::open(path)?)?))
}

fn hash_of(mut file: &File) -> io::Result<Xxh3> {
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn to_hex(hash: &Xxh3) -> String {
    format!("{:032x}", hash.digest128())
}
