//! The same pages packed without knowing of templates, to compare with.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

/// The level that gzip has by itself, and archives are packed with.
const GZIP_LEVEL: u32 = 6;

/// The level that Zstandard has by itself.
const ZSTD_LEVEL: i32 = 3;

/// How many bytes the same pages take when they are packed in other ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rivals {
    /// Each page by gzip at its level 6, as archives do it.
    pub gzip: u64,
    /// Each page by Zstandard at its level 3.
    pub zstd: u64,
    /// The pages of each block together, by Zstandard at its level 3.
    pub zstd_solid: u64,
    /// The same at the level that the slots are packed with.
    pub zstd_solid_same_level: u64,
}

/// A page that is to be compared. Made where there is time: gzip takes more of it than taking the page apart.
#[derive(Debug, Clone)]
pub struct Compared {
    pub(super) gzip: u64,
    pub(super) zstd: u64,
    pub(super) page: Vec<u8>,
}

impl Compared {
    /// Packs a page by itself.
    pub fn of(page: &[u8]) -> io::Result<Self> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
        encoder.write_all(page)?;
        Ok(Self {
            gzip: encoder.finish()?.len() as u64,
            zstd: packed(page, ZSTD_LEVEL)?,
            page: page.to_vec(),
        })
    }
}

/// The pages of a block, to be packed together.
#[derive(Debug, Default)]
pub(super) struct Solid {
    pages: Vec<u8>,
}

impl Solid {
    pub(super) fn add(&mut self, page: &[u8]) {
        self.pages.extend_from_slice(page);
    }

    /// Adds what they take together, and forgets them.
    pub(super) fn count(&mut self, rivals: &mut Rivals, level: i32) -> io::Result<()> {
        rivals.zstd_solid += packed(&self.pages, ZSTD_LEVEL)?;
        rivals.zstd_solid_same_level += packed(&self.pages, level)?;
        self.pages.clear();
        Ok(())
    }
}

fn packed(bytes: &[u8], level: i32) -> io::Result<u64> {
    Ok(zstd::bulk::compress(bytes, level)?.len() as u64)
}
