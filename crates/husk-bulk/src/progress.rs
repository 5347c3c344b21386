//! How far a run has come. Any thread may read it while the run goes on.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Opening the inputs.
    Start,
    /// Reading pages from the inputs; bytes are input bytes.
    Gather,
    /// Extracting rows; bytes are page bytes.
    Extract,
    /// Finished.
    Done,
}

/// Counters of a running job.
#[derive(Debug, Default)]
pub struct Progress {
    stage: AtomicU8,
    pages: AtomicU64,
    all_pages: AtomicU64,
    bytes: AtomicU64,
    all_bytes: AtomicU64,
    sites: AtomicU64,
}

/// The counters of a [`Progress`] at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgressSnapshot {
    /// The current stage.
    pub stage: Stage,
    /// Pages done in this stage.
    pub pages: u64,
    /// Pages to do in this stage; 0 if unknown.
    pub all_pages: u64,
    /// Bytes done in this stage.
    pub bytes: u64,
    /// Bytes to do in this stage; 0 if unknown.
    pub all_bytes: u64,
    /// Sites done in this stage.
    pub sites: u64,
}

impl Progress {
    /// Reads all counters.
    pub fn snapshot(&self) -> ProgressSnapshot {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        ProgressSnapshot {
            stage: match self.stage.load(Ordering::Relaxed) {
                0 => Stage::Start,
                1 => Stage::Gather,
                2 => Stage::Extract,
                _ => Stage::Done,
            },
            pages: read(&self.pages),
            all_pages: read(&self.all_pages),
            bytes: read(&self.bytes),
            all_bytes: read(&self.all_bytes),
            sites: read(&self.sites),
        }
    }

    /// Begins a stage at the given counts.
    pub(crate) fn begin(&self, start: ProgressSnapshot) {
        let write = |number: &AtomicU64, value| number.store(value, Ordering::Relaxed);
        write(&self.pages, start.pages);
        write(&self.all_pages, start.all_pages);
        write(&self.bytes, start.bytes);
        write(&self.all_bytes, start.all_bytes);
        write(&self.sites, start.sites);
        self.stage.store(start.stage as u8, Ordering::Relaxed);
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
