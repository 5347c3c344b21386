//! Some hundred pages that are packed together.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::fault::{Broken, broken};
use super::format::{pack, unpack};
use super::numbers::{Taker, put, put_bytes};
use super::slots::{Slots, Stored};

/// A block is full with so many bytes of slots.
const FULL_BYTES: usize = 1 << 20;

/// And with so many pages, however small they are.
const FULL_PAGES: usize = 1024;

/// What is known of a page besides its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageHead {
    /// The address of the page.
    pub url: String,
    /// The status that it was answered with.
    pub status: u16,
    /// When it was captured, as RFC 3339 writes it.
    pub date: Option<String>,
    /// The type that its server announced.
    pub content_type: Option<String>,
    /// The layout that it was found to have.
    pub layout: Option<String>,
}

/// A block while it grows.
#[derive(Debug, Default)]
pub(super) struct Growing {
    pages: usize,
    /// The first template that a page of it has; 0 if none has one.
    first_template: u64,
    heads: Vec<u8>,
    copies: Vec<u8>,
    own: Vec<u8>,
    hashes: Vec<u8>,
}

impl Growing {
    /// Adds a page that was taken apart by a template; 0 stands for none.
    pub(super) fn add(&mut self, head: &PageHead, template: u64, slots: &Slots) {
        if self.first_template == 0 {
            self.first_template = template;
        }
        let from_first = match template {
            0 => 0,
            template => template - self.first_template + 1,
        };
        put(&mut self.heads, from_first);
        put_bytes(&mut self.heads, head.url.as_bytes());
        put(&mut self.heads, u64::from(head.status));
        for text in [&head.date, &head.content_type, &head.layout] {
            put_bytes(
                &mut self.heads,
                text.as_deref()
                    .map(|text| format!("={text}"))
                    .unwrap_or_default()
                    .as_bytes(),
            );
        }
        put(&mut self.heads, slots.len);
        put(&mut self.heads, slots.copies.len() as u64);
        put(&mut self.heads, slots.own.len() as u64);
        self.copies.extend_from_slice(&slots.copies);
        self.own.extend_from_slice(&slots.own);
        self.hashes.extend_from_slice(&slots.hash.to_le_bytes());
        self.pages += 1;
    }

    pub(super) fn pages(&self) -> usize {
        self.pages
    }

    pub(super) fn is_full(&self) -> bool {
        self.own.len() >= FULL_BYTES || self.pages >= FULL_PAGES
    }

    /// The block as it is written.
    pub(super) fn packed(&self, level: i32) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        put(&mut out, self.pages as u64);
        put(&mut out, self.first_template);
        // Each has statistics of its own, so each is packed for itself.
        for stream in [&self.heads, &self.copies, &self.own] {
            put(&mut out, stream.len() as u64);
            put_bytes(&mut out, &pack(stream, level)?);
        }
        out.extend_from_slice(&self.hashes);
        Ok(out)
    }
}

/// Pages of a file that are packed together.
#[derive(Debug, Clone)]
pub struct Block {
    pages: Vec<Page>,
    copies: Vec<u8>,
    /// Not unpacked before a page is wanted.
    packed_own: (Vec<u8>, u64),
    own: Option<Vec<u8>>,
}

/// A page of a block.
#[derive(Debug, Clone)]
struct Page {
    head: PageHead,
    /// The number of its template; 0 for none.
    template: u64,
    /// Its template, once it is known.
    shared: Option<Arc<Vec<u8>>>,
    len: u64,
    hash: u64,
    /// Where its copies are told.
    copies: Range<usize>,
    /// Where its own bytes stand.
    own: Range<usize>,
}

impl Block {
    pub(super) fn of(held: &[u8]) -> Result<Self, Broken> {
        let mut taker = Taker::new(held);
        let count = taker.count()?;
        let first_template = taker.number()?;
        let (heads_len, heads) = (taker.number()?, taker.bytes()?);
        let (copies_len, copies) = (taker.number()?, taker.bytes()?);
        let (own_len, own) = (taker.number()?, taker.bytes()?);
        let heads = unpack(heads, heads_len)?;
        let mut heads = Taker::new(&heads);
        let (mut copies_at, mut own_at) = (0, 0);
        let mut pages = Vec::new();
        for _ in 0..count {
            let mut page = page(&mut heads, first_template)?;
            page.hash = taker.fixed()?;
            page.copies = place(&mut copies_at, heads.count()?)?;
            page.own = place(&mut own_at, heads.count()?)?;
            pages.push(page);
        }
        let is_all = heads.is_empty() && taker.is_empty();
        if !is_all || copies_at as u64 != copies_len || own_at as u64 != own_len {
            return Err(broken("the pages of a block do not make up the block"));
        }
        Ok(Self {
            pages,
            copies: unpack(copies, copies_len)?,
            packed_own: (own.to_vec(), own_len),
            own: None,
        })
    }

    /// The templates that its pages were taken apart by.
    pub(super) fn templates(&self) -> Vec<u64> {
        let mut templates: Vec<u64> = self.pages.iter().map(|page| page.template).collect();
        templates.retain(|&template| template > 0);
        templates.sort_unstable();
        templates.dedup();
        templates
    }

    pub(super) fn template_of(&self, place: usize) -> Option<u64> {
        let page = self.pages.get(place)?;
        Some(page.template).filter(|&template| template > 0)
    }

    pub(super) fn give(&mut self, template: u64, shared: &Arc<Vec<u8>>) {
        for page in &mut self.pages {
            if page.template == template {
                page.shared = Some(shared.clone());
            }
        }
    }

    /// What is known of its pages.
    pub fn heads(&self) -> impl ExactSizeIterator<Item = &PageHead> {
        self.pages.iter().map(|page| &page.head)
    }

    /// How many bytes a page has.
    pub fn bytes_of(&self, place: usize) -> u64 {
        self.pages.get(place).map_or(0, |page| page.len)
    }

    /// Puts a page together.
    pub(super) fn page(&mut self, place: usize) -> Result<(PageHead, Vec<u8>), Broken> {
        let page = self
            .pages
            .get(place)
            .ok_or(broken("there is no such page in it"))?;
        let own = match &mut self.own {
            Some(own) => own,
            none => {
                let (packed, len) = &self.packed_own;
                none.insert(unpack(packed, *len)?)
            }
        };
        let shared = match (&page.shared, page.template) {
            (Some(shared), _) => shared.as_slice(),
            (None, 0) => &[],
            (None, _) => return Err(broken("the template of a page is not there")),
        };
        let stored = Stored {
            len: page.len,
            hash: page.hash,
            copies: self.copies.get(page.copies.clone()).unwrap_or_default(),
            own: own.get(page.own.clone()).unwrap_or_default(),
        };
        Ok((page.head.clone(), stored.page(shared)?))
    }
}

fn page(heads: &mut Taker<'_>, first_template: u64) -> Result<Page, Broken> {
    let template = match heads.number()? {
        0 => 0,
        from_first => first_template.saturating_add(from_first - 1),
    };
    let url = heads.text()?;
    let status = u16::try_from(heads.number()?).map_err(|_| broken("a status is too large"))?;
    let head = PageHead {
        url,
        status,
        date: known(heads)?,
        content_type: known(heads)?,
        layout: known(heads)?,
    };
    Ok(Page {
        head,
        template,
        shared: None,
        len: heads.number()?,
        hash: 0,
        copies: 0..0,
        own: 0..0,
    })
}

/// A text that may be unknown, which is not the same as empty.
fn known(heads: &mut Taker<'_>) -> Result<Option<String>, Broken> {
    let text = heads.text()?;
    Ok(text.strip_prefix('=').map(str::to_owned))
}

fn place(at: &mut usize, len: usize) -> Result<Range<usize>, Broken> {
    let from = *at;
    *at = from.checked_add(len).ok_or(broken("a number is too large"))?;
    Ok(from..*at)
}
