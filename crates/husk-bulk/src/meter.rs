//! How far a run has come, for those who watch it.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It looks at the inputs.
    Begin,
    /// It gathers pages from the inputs; bytes are those of the inputs.
    Gather,
    /// It tells what is on them; bytes are those of the pages.
    Tell,
    /// It is done.
    End,
}

/// Counts while a run goes on; any thread may look at it.
#[derive(Debug, Default)]
pub struct Meter {
    stage: AtomicU8,
    pages: AtomicU64,
    all_pages: AtomicU64,
    bytes: AtomicU64,
    all_bytes: AtomicU64,
    sites: AtomicU64,
}

/// What a meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// What is being done.
    pub stage: Stage,
    /// Pages done in this stage.
    pub pages: u64,
    /// Pages to be done in this stage; 0 if nobody knows.
    pub all_pages: u64,
    /// Bytes done in this stage.
    pub bytes: u64,
    /// Bytes to be done in this stage; 0 if nobody knows.
    pub all_bytes: u64,
    /// Sites done in this stage.
    pub sites: u64,
}

impl Meter {
    /// What it shows now.
    pub fn seen(&self) -> Seen {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Seen {
            stage: match self.stage.load(Ordering::Relaxed) {
                0 => Stage::Begin,
                1 => Stage::Gather,
                2 => Stage::Tell,
                _ => Stage::End,
            },
            pages: read(&self.pages),
            all_pages: read(&self.all_pages),
            bytes: read(&self.bytes),
            all_bytes: read(&self.all_bytes),
            sites: read(&self.sites),
        }
    }

    /// Begins a stage, of which so much is done already.
    pub(crate) fn begin(&self, seen: Seen) {
        let write = |number: &AtomicU64, value| number.store(value, Ordering::Relaxed);
        write(&self.pages, seen.pages);
        write(&self.all_pages, seen.all_pages);
        write(&self.bytes, seen.bytes);
        write(&self.all_bytes, seen.all_bytes);
        write(&self.sites, seen.sites);
        self.stage.store(seen.stage as u8, Ordering::Relaxed);
    }

    pub(crate) fn add_pages(&self, pages: u64) {
        self.pages.fetch_add(pages, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn set_bytes(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn add_site(&self) {
        self.sites.fetch_add(1, Ordering::Relaxed);
    }
}
