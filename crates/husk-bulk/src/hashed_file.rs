//! Files with a digest: written, and checked later.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

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

    /// Syncs the file to disk, and returns its size and digest.
    pub(crate) fn finish(&self) -> io::Result<(u64, String)> {
        self.file.sync_all()?;
        let hash = self.hash.lock().unwrap_or_else(PoisonError::into_inner);
        Ok((self.file.metadata()?.len(), to_hex(&hash)))
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
pub(crate) fn digest_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(to_hex(&hash)),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn to_hex(hash: &Xxh3) -> String {
    format!("{:032x}", hash.digest128())
}
