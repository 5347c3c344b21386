//! Runs: pages that are held until there are enough of them, then sorted by site and written.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;
use crate::lot::Lot;
use crate::place::Place;

/// The name of the pages of a run.
pub(crate) fn pages_name(run: usize) -> String {
    format!("run-{run:05}.pages")
}

/// The name of the index of a run.
pub(crate) fn index_name(run: usize) -> String {
    format!("run-{run:05}.index")
}

/// Pages that were not written yet, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct RunBuffer {
    pages: Vec<Held>,
    bytes: usize,
}

#[derive(Debug)]
struct Held {
    site: String,
    stored: Vec<u8>,
    /// How many bytes it has unpacked.
    unpacked: u32,
    lot: Lot,
}

impl RunBuffer {
    pub(crate) fn push(&mut self, site: String, stored: Vec<u8>, unpacked: u32, lot: Lot) {
        self.bytes += stored.len() + site.len() + size_of::<Held>();
        self.pages.push(Held {
            site,
            stored,
            unpacked,
            lot,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Writes what is held as a run, and holds nothing any more.
    pub(crate) fn write(&mut self, place: &Place, run: usize) -> Result<(), BulkError> {
        let mut pages = std::mem::take(self).pages;
        // The sort is stable: those of a site stay in their order.
        pages.sort_by(|one, other| one.site.cmp(&other.site));
        write_file(&place.work(&pages_name(run)), |out| {
            pages.iter().try_for_each(|page| out.write_all(&page.stored))
        })?;
        write_file(&place.work(&index_name(run)), |out| write_index(&pages, out))
    }
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<(), BulkError> {
    let write_all = || {
        let file = File::create(path)?;
        let mut out = BufWriter::with_capacity(1 << 18, &file);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        file.sync_all()
    };
    write_all().map_err(BulkError::io("write", path))
}

/// For each site, by name: its name, where its pages begin, how many there are, and of each its lengths and its lot.
fn write_index(pages: &[Held], out: &mut impl Write) -> io::Result<()> {
    let mut offset = 0_u64;
    for group in pages.chunk_by(|one, other| one.site == other.site) {
        let site = group[0].site.as_bytes();
        out.write_all(&length(site.len())?)?;
        out.write_all(site)?;
        out.write_all(&offset.to_le_bytes())?;
        out.write_all(&length(group.len())?)?;
        for page in group {
            out.write_all(&length(page.stored.len())?)?;
            out.write_all(&page.unpacked.to_le_bytes())?;
            out.write_all(&page.lot.number().to_le_bytes())?;
            offset += page.stored.len() as u64;
        }
    }
    Ok(())
}

fn length(length: usize) -> io::Result<[u8; 4]> {
    Ok(u32::try_from(length).map_err(io::Error::other)?.to_le_bytes())
}

/// The pages of a site in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) run: usize,
    /// Where the first of them begins.
    pub(super) offset: u64,
    pub(super) pages: Vec<Indexed>,
}

/// What the index says of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Indexed {
    /// Its length as it is stored.
    pub(super) stored: u32,
    pub(super) unpacked: u32,
    pub(super) lot: Lot,
}

/// How many entries of an index are held.
const HELD_ENTRIES: usize = 32;

/// Reads an index from site to site. The file is open only while it is read: there may be thousands of them.
#[derive(Debug)]
pub(super) struct IndexReader {
    run: usize,
    path: PathBuf,
    /// Where the next entry is that was not read.
    at: u64,
    /// Entries that were read, the next one last.
    held: Vec<(String, Extent)>,
}

impl IndexReader {
    pub(super) fn new(place: &Place, run: usize) -> Self {
        Self {
            run,
            path: place.work(&index_name(run)),
            at: 0,
            held: Vec::new(),
        }
    }

    /// The next site of the run and its pages.
    pub(super) fn next(&mut self) -> Result<Option<(String, Extent)>, BulkError> {
        if self.held.is_empty() {
            self.read().map_err(BulkError::io("read", &self.path))?;
        }
        Ok(self.held.pop())
    }

    fn read(&mut self) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(self.at))?;
        let mut input = BufReader::new(file);
        while self.at < length && self.held.len() < HELD_ENTRIES {
            let (entry, bytes) = read_entry(self.run, &mut input)?;
            self.at += bytes;
            self.held.push(entry);
        }
        self.held.reverse();
        Ok(())
    }
}

/// An entry, and how many bytes it takes.
fn read_entry(run: usize, input: &mut impl Read) -> io::Result<((String, Extent), u64)> {
    let site_length = read_u32(input)?;
    let mut site = String::new();
    input.take(u64::from(site_length)).read_to_string(&mut site)?;
    let offset = read_u64(input)?;
    let count = read_u32(input)?;
    let mut pages = Vec::new();
    for _ in 0..count {
        pages.push(Indexed {
            stored: read_u32(input)?,
            unpacked: read_u32(input)?,
            lot: read_u64(input)?.into(),
        });
    }
    let extent = Extent { run, offset, pages };
    let bytes = 4 + u64::from(site_length) + 8 + 4 + 16 * u64::from(count);
    Ok(((site, extent), bytes))
}

fn read_u32(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_u64(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
