//! Whether an input is still what it was.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use husk_sources::Folder;
use serde::{Deserialize, Serialize};

/// What changes when an input changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// How many files it has: one, or the pages of a folder.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// When the last of them was changed, in nanoseconds since 1970.
    pub modified: u64,
    /// A hash of the names of files in a folder.
    pub names: u64,
}

impl Stamp {
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let mut stamp = Self::empty();
        stamp.add(&std::fs::metadata(path)?);
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

    /// FNV-1a, which needs to tell apart what changed, not what somebody forged.
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
