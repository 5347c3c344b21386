//! Writes files of slots.

use std::io::{self, Write};

use super::block::{Growing, PageHead};
use super::format::{END_MAGIC, Kind, MAGIC, MOST_PAGE, MOST_TEMPLATES, VERSION, pack, write_part};
use super::index::Index;
use super::numbers::{put, put_bytes};
use super::rivals::{Compared, Rivals, Solid};
use super::shared::SharedBytes;
use super::slots::Slots;
use super::totals::DedupTotals;

/// The level that slots are packed with: about as fast as reading their pages. Higher ones gain a few percent (docs/dedup.md).
const LEVEL: i32 = 9;

/// Templates are few, and read more often than anything else.
const TEMPLATE_LEVEL: i32 = 19;

/// Writes pages in the order in which they come, site by site. The same pages give the same bytes.
///
/// ```
/// use husk_bulk::dedup::{DedupReader, DedupWriter, PageHead, SharedBytes, Slots};
///
/// # let menu = "<li><a href=/>Home</a></li>".repeat(20);
/// let pages = ["One.", "Two.", "Three."].map(|text| format!("<ul>{menu}</ul><p>{text}</p>"));
/// let shared = SharedBytes::of_pages(&[pages[0].as_bytes(), pages[1].as_bytes()]);
/// let mut writer = DedupWriter::new(Vec::new())?;
/// writer.site("example.org", &shared)?;
/// for (number, page) in pages.iter().enumerate() {
///     let head = PageHead {
///         url: format!("https://example.org/{number}"),
///         status: 200,
///         ..PageHead::default()
///     };
///     writer.page(&head, &Slots::of(page.as_bytes(), &shared), None)?;
/// }
/// let (file, totals) = writer.finish()?;
/// assert_eq!(totals.pages, 3);
/// let mut reader = DedupReader::new(std::io::Cursor::new(file))?;
/// let found = reader.find("https://example.org/2")?;
/// assert_eq!(found[0].bytes, pages[2].as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DedupWriter<W> {
    out: W,
    /// How many bytes were written.
    offset: u64,
    level: i32,
    block: Growing,
    index: Index,
    /// The number of the site's template; 0 if it has none.
    template: u64,
    /// The site's template, if no page had it yet.
    ahead: Option<Ahead>,
    /// The bytes of the last template that was written, and of all that pages of the block may have.
    last_template: usize,
    held: usize,
    solid: Solid,
    rivals: Rivals,
    /// Pages that were compared.
    compared: u64,
    totals: DedupTotals,
}

/// A template that is not yet written.
#[derive(Debug)]
struct Ahead {
    /// What its part holds.
    held: Vec<u8>,
    /// How many bytes it has before packing.
    len: usize,
}

impl<W: Write> DedupWriter<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        Ok(Self {
            out,
            offset: MAGIC.len() as u64 + 1,
            level: LEVEL,
            block: Growing::default(),
            index: Index::default(),
            template: 0,
            ahead: None,
            last_template: 0,
            held: 0,
            solid: Solid::default(),
            rivals: Rivals::default(),
            compared: 0,
            totals: DedupTotals::default(),
        })
    }

    /// Packs at another level of Zstandard, 1 to 22.
    pub fn with_level(self, level: i32) -> Self {
        Self { level, ..self }
    }

    /// Begins a site. The pages that follow were taken apart by what it shares.
    pub fn site(&mut self, site: &str, shared: &SharedBytes) -> io::Result<()> {
        self.template = 0;
        self.ahead = None;
        if !shared.is_empty() {
            let mut held = Vec::new();
            put_bytes(&mut held, site.as_bytes());
            put(&mut held, shared.len() as u64);
            put_bytes(&mut held, &pack(shared.bytes(), TEMPLATE_LEVEL)?);
            let len = shared.len();
            self.ahead = Some(Ahead { held, len });
        }
        Ok(())
    }

    /// Writes the template of the site before its first page. Who reads holds those of a block, which must not be too many.
    fn write_template(&mut self, template: &Ahead) -> io::Result<()> {
        if self.held + template.len > MOST_TEMPLATES {
            self.end_block()?;
            self.held = 0;
        }
        self.totals.templates += 1;
        self.totals.template_bytes += template.len as u64;
        self.template = self.totals.templates;
        self.last_template = template.len;
        self.held += template.len;
        self.index.templates.push(self.offset);
        self.offset += write_part(&mut self.out, Kind::Shared, &template.held)?;
        Ok(())
    }

    /// Writes a page of the site. What it takes otherwise is told at the end if it is given for all pages.
    pub fn page(&mut self, head: &PageHead, slots: &Slots, compared: Option<&Compared>) -> io::Result<()> {
        if slots.len > MOST_PAGE {
            let message = format!("{} has {} bytes, more than can be stored", head.url, slots.len);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if let Some(template) = self.ahead.take() {
            self.write_template(&template)?;
        }
        self.index.add(&head.url, self.block.pages());
        self.block.add(head, self.template, slots);
        self.totals.pages += 1;
        self.totals.bytes += slots.len;
        self.totals.slot_bytes += slots.own.len() as u64;
        if let Some(compared) = compared {
            self.compared += 1;
            self.rivals.gzip += compared.gzip;
            self.rivals.zstd += compared.zstd;
            self.solid.add(&compared.page);
        }
        if self.block.is_full() {
            self.end_block()?;
        }
        Ok(())
    }

    /// Ends the file, and tells what is in it.
    pub fn finish(mut self) -> io::Result<(W, DedupTotals)> {
        self.end_block()?;
        let index_at = self.offset;
        self.offset += write_part(&mut self.out, Kind::Index, &self.index.packed()?)?;
        self.out.write_all(&index_at.to_le_bytes())?;
        self.out.write_all(END_MAGIC)?;
        self.out.flush()?;
        self.totals.packed = self.offset + 8 + END_MAGIC.len() as u64;
        let is_compared = self.compared == self.totals.pages && self.compared > 0;
        self.totals.rivals = is_compared.then_some(self.rivals);
        Ok((self.out, self.totals))
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.block.pages() == 0 {
            return Ok(());
        }
        self.held = self.last_template;
        let block = std::mem::take(&mut self.block);
        self.index.blocks.push(self.offset);
        self.offset += write_part(&mut self.out, Kind::Block, &block.packed(self.level)?)?;
        if self.compared > 0 {
            self.solid.count(&mut self.rivals, self.level)?;
        }
        Ok(())
    }
}
