//! Detects inputs that changed between a run and its resumption.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use husk_sources::Folder;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes at either end of an archive that tell it from others of the same size: they hold ids and dates of records.
const END_BYTES: u64 = 64 << 10;

/// Differs when an input has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStamp {
    /// Number of files: 1, or the pages of a folder.
    pub files: u64,
    /// Their size together; 0 for a stream.
    pub bytes: u64,
    /// Time of the last modification, in nanoseconds since 1970; 0 for a stream.
    pub modified: u64,
    /// A hash of the file names in a folder, of the first and last bytes of an archive, or of the first bytes of a stream.
    pub names: u64,
}

impl InputStamp {
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut stamp = Self::empty();
        stamp.add(&file.metadata()?);
        let mut ends = Vec::new();
        file.by_ref().take(END_BYTES).read_to_end(&mut ends)?;
        file.seek(SeekFrom::Start(stamp.bytes.saturating_sub(END_BYTES)))?;
        file.take(END_BYTES).read_to_end(&mut ends)?;
        stamp.names = xxh3_64(&ends);
        Ok(stamp)
    }

    pub(super) fn of_folder(folder: &Folder) -> io::Result<Self> {
        let mut stamp = Self::empty();
        for file in folder.files() {
            stamp.add(&std::fs::metadata(&file)?);
            let name = file.strip_prefix(folder.root()).unwrap_or(&file);
            stamp.add_name(name);
        }
        Ok(stamp)
    }

    pub(super) fn of_stream(hash: u64) -> Self {
        Self {
            files: 1,
            names: hash,
            ..Self::empty()
        }
    }

    /// Whether the contents are the same, as far as sizes and names show. Copying a file changes its time.
    pub(crate) fn has_same_content(&self, other: &Self) -> bool {
        let content = |stamp: &Self| (stamp.files, stamp.bytes, stamp.names);
        content(self) == content(other)
    }

    fn empty() -> Self {
        Self {
            files: 0,
            bytes: 0,
            modified: 0,
            names: 0xCBF2_9CE4_8422_2325,
        }
    }

    fn add(&mut self, file: &Metadata) {
        let modified = file.modified().unwrap_or(UNIX_EPOCH);
        self.files += 1;
        self.bytes += file.len();
        self.modified = self.modified.max(nanoseconds(modified));
    }

    /// FNV-1a: it has to detect changes, not forgeries.
    fn add_name(&mut self, name: &Path) {
        for byte in name.as_os_str().as_encoded_bytes().iter().chain(&[0]) {
            self.names = (self.names ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
