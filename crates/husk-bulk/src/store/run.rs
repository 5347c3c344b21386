//! Runs: pages are buffered, then sorted by site and written.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::BulkError;
use crate::hashed_file::{FileState, HashedFile};
use crate::output_folder::OutputFolder;
use crate::sample_key::SampleKey;

/// File name of the pages of a run.
pub(crate) fn pages_name(run: usize) -> String {
    format!("run-{run:05}.pages")
}

/// File name of the index of a run.
pub(crate) fn index_name(run: usize) -> String {
    format!("run-{run:05}.index")
}

/// Pages for the next run, in the order of the inputs.
#[derive(Debug, Default)]
pub(crate) struct RunBuffer {
    pages: Vec<BufferedPage>,
    bytes: usize,
}

#[derive(Debug)]
struct BufferedPage {
    site: String,
    stored: Vec<u8>,
    /// Size, decompressed.
    unpacked: u32,
    key: SampleKey,
}

impl RunBuffer {
    pub(crate) fn push(&mut self, site: String, stored: Vec<u8>, unpacked: u32, key: SampleKey) {
        self.bytes += stored.len() + site.len() + size_of::<BufferedPage>();
        self.pages.push(BufferedPage {
            site,
            stored,
            unpacked,
            key,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Memory used.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Writes the buffered pages as a run, and empties the buffer. Returns what its index holds.
    pub(crate) fn write(&mut self, folder: &OutputFolder, run: usize) -> Result<FileState, BulkError> {
        let mut pages = std::mem::take(self).pages;
        // A stable sort: pages of a site stay in order.
        pages.sort_by(|one, other| one.site.cmp(&other.site));
        write_file(&folder.work(&pages_name(run)), |out| {
            pages.iter().try_for_each(|page| out.write_all(&page.stored))
        })?;
        write_file(&folder.work(&index_name(run)), |out| write_index(&pages, out))
    }
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<HashedFile>) -> io::Result<()>,
) -> Result<FileState, BulkError> {
    let write_all = || {
        let mut out = BufWriter::with_capacity(1 << 18, HashedFile::create(path)?);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync()
    };
    write_all().map_err(BulkError::io("write", path))
}

/// For each site: name, offset of its pages, their number, and for each page its two sizes and its sample key.
fn write_index(pages: &[BufferedPage], out: &mut impl Write) -> io::Result<()> {
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
            out.write_all(&page.key.value().to_le_bytes())?;
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
pub(super) struct SiteRange {
    pub(super) run: usize,
    /// Offset of the first one.
    pub(super) offset: u64,
    pub(super) pages: Vec<IndexedPage>,
}

/// A page in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexedPage {
    /// Size as stored.
    pub(super) stored: u32,
    pub(super) unpacked: u32,
    pub(super) key: SampleKey,
}

/// Sites of an index read at a time.
const READ_AHEAD_SITES: usize = 32;

/// Reads an index site by site. The file is open only while it is read: there may be thousands.
#[derive(Debug)]
pub(super) struct IndexReader {
    run: usize,
    path: PathBuf,
    /// Offset of the next site to read.
    offset: u64,
    /// Sites read ahead, the next one last.
    ahead: Vec<(String, SiteRange)>,
}

impl IndexReader {
    pub(super) fn new(folder: &OutputFolder, run: usize) -> Self {
        Self {
            run,
            path: folder.work(&index_name(run)),
            offset: 0,
            ahead: Vec::new(),
        }
    }

    /// The next site of the run and its pages.
    pub(super) fn next(&mut self) -> Result<Option<(String, SiteRange)>, BulkError> {
        if self.ahead.is_empty() {
            self.read().map_err(BulkError::io("read", &self.path))?;
        }
        Ok(self.ahead.pop())
    }

    fn read(&mut self) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(self.offset))?;
        let mut input = BufReader::new(file);
        while self.offset < length && self.ahead.len() < READ_AHEAD_SITES {
            let (site, bytes) = read_site(self.run, &mut input)?;
            self.offset += bytes;
            self.ahead.push(site);
        }
        self.ahead.reverse();
        Ok(())
    }
}

/// An entry, and how many bytes it takes.
fn read_site(run: usize, input: &mut impl Read) -> io::Result<((String, SiteRange), u64)> {
    let site_length = read_u32(input)?;
    let mut site = String::new();
    input.take(u64::from(site_length)).read_to_string(&mut site)?;
    let offset = read_u64(input)?;
    let count = read_u32(input)?;
    let mut pages = Vec::new();
    for _ in 0..count {
        pages.push(IndexedPage {
            stored: read_u32(input)?,
            unpacked: read_u32(input)?,
            key: read_u64(input)?.into(),
        });
    }
    let range = SiteRange { run, offset, pages };
    let bytes = 4 + u64::from(site_length) + 8 + 4 + 16 * u64::from(count);
    Ok(((site, range), bytes))
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
