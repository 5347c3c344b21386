//! Reads files of slots.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::SystemTime;

use husk::Url;
use husk_sources::Capture;
use jiff::Timestamp;

use super::block::{Block, PageHead};
use super::fault::{Broken, DedupError, broken};
use super::format::{END_MAGIC, Kind, MAGIC, MOST_TEMPLATES, PART_HEAD, VERSION, cut_off, read_part, unpack};
use super::index::Index;
use super::numbers::Taker;
use super::shared::MOST_SHARED;

/// Templates that are held at once, at most: those of one block, and those that came before the next.
const MOST_HELD: usize = 2 * (MOST_TEMPLATES + MOST_SHARED);

/// A page as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPage {
    /// What is known of it.
    pub head: PageHead,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl StoredPage {
    /// The page as an answer of its server, without header fields that were not stored; none if its address is none.
    pub fn into_capture(self) -> Option<Capture> {
        let date = self.head.date.and_then(|date| date.parse::<Timestamp>().ok());
        let content_type = self
            .head
            .content_type
            .map(|kind| ("Content-Type".to_owned(), kind));
        Some(Capture {
            url: Url::parse(&self.head.url).ok()?,
            status: self.head.status,
            headers: content_type.into_iter().collect(),
            body: self.bytes,
            is_whole: true,
            date: date.map_or(SystemTime::UNIX_EPOCH, SystemTime::from),
            ip: None,
            is_rendered: false,
        })
    }
}

/// Gives pages back, one after the other in the order in which they were written, or by their address.
///
/// Whatever the file is, it gives pages as they were stored or an error, and takes no more memory than a block needs.
pub struct DedupReader<R> {
    input: R,
    /// Where the next part begins.
    at: u64,
    /// How many templates were met.
    met: u64,
    /// Those that pages may still have.
    held: BTreeMap<u64, Arc<Vec<u8>>>,
    /// The block that pages are taken from, and the next page.
    block: Option<(Block, usize)>,
    index: Option<Index>,
    has_ended: bool,
}

impl<R: Read + Seek> DedupReader<R> {
    /// Begins to read.
    pub fn new(mut input: R) -> Result<Self, DedupError> {
        let mut head = [0; MAGIC.len() + 1];
        input.read_exact(&mut head).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::UnexpectedEof => DedupError::NotSlots,
            _ => DedupError::Io(cause),
        })?;
        let [magic @ .., version] = head;
        if magic != *MAGIC {
            return Err(DedupError::NotSlots);
        }
        if version != VERSION {
            return Err(DedupError::Version(version));
        }
        Ok(Self {
            input,
            at: head.len() as u64,
            met: 0,
            held: BTreeMap::new(),
            block: None,
            index: None,
            has_ended: false,
        })
    }

    /// The next block, its pages not yet put together; none at the end of the file.
    pub fn next_block(&mut self) -> Result<Option<Block>, DedupError> {
        loop {
            let at = self.at;
            self.input.seek(SeekFrom::Start(at))?;
            let (kind, held) = read_part(&mut self.input, at)?;
            self.at += (PART_HEAD + held.len()) as u64;
            match kind {
                Kind::Shared => {
                    let shared = shared(&held).map_err(|broken| broken.at(at))?;
                    self.hold(shared).map_err(|broken| broken.at(at))?;
                }
                Kind::Block => {
                    let block = Block::of(&held).map_err(|broken| broken.at(at))?;
                    return self.with_templates(block, at).map(Some);
                }
                Kind::Index => return Ok(None),
            }
        }
    }

    fn hold(&mut self, shared: Vec<u8>) -> Result<(), Broken> {
        self.met += 1;
        let held: usize = self.held.values().map(|shared| shared.len()).sum();
        if held + shared.len() > MOST_HELD {
            return Err(broken("there are more templates than pages have"));
        }
        self.held.insert(self.met, Arc::new(shared));
        Ok(())
    }

    /// Gives a block its templates. Sites come one after the other, so what lies before its first is not needed any more.
    fn with_templates(&mut self, mut block: Block, at: u64) -> Result<Block, DedupError> {
        let templates = block.templates();
        if let Some(first) = templates.first() {
            self.held = self.held.split_off(first);
        }
        for template in templates {
            let shared = self.held.get(&template);
            let shared = shared.ok_or(broken("the template of a page is not there").at(at))?;
            block.give(template, shared);
        }
        Ok(block)
    }

    /// The pages of an address, in the order in which they were stored. Only their blocks are read, by the index.
    pub fn find(&mut self, url: &str) -> Result<Vec<StoredPage>, DedupError> {
        if self.index.is_none() {
            self.index = Some(self.read_index()?);
        }
        let index = self.index.take().unwrap_or_default();
        let found = self.find_in(&index, url);
        self.index = Some(index);
        found
    }

    fn find_in(&mut self, index: &Index, url: &str) -> Result<Vec<StoredPage>, DedupError> {
        let mut pages = Vec::new();
        for place in index.places(url) {
            let &at = index.blocks.get(place.block).ok_or(misled())?;
            let mut block = Block::of(&self.part(Kind::Block, at)?).map_err(|broken| broken.at(at))?;
            // Another address may have the same hash.
            if block.heads().nth(place.page).is_none_or(|head| head.url != url) {
                continue;
            }
            if let Some(template) = block.template_of(place.page) {
                let &at = usize::try_from(template - 1)
                    .ok()
                    .and_then(|number| index.templates.get(number))
                    .ok_or(misled())?;
                let shared = shared(&self.part(Kind::Shared, at)?).map_err(|broken| broken.at(at))?;
                block.give(template, &Arc::new(shared));
            }
            let (head, bytes) = block
                .page(place.page)
                .map_err(|_| DedupError::Page(url.to_owned()))?;
            pages.push(StoredPage { head, bytes });
        }
        Ok(pages)
    }

    fn read_index(&mut self) -> Result<Index, DedupError> {
        const END: usize = 8 + END_MAGIC.len();
        let len = self.input.seek(SeekFrom::End(0))?;
        let at = len.checked_sub(END as u64).ok_or(DedupError::Truncated(len))?;
        self.input.seek(SeekFrom::Start(at))?;
        let mut end = [0; END];
        self.input
            .read_exact(&mut end)
            .map_err(|cause| cut_off(cause, at))?;
        let [index_at @ .., _, _, _, _, _, _, _, _] = end;
        if !end.ends_with(END_MAGIC) {
            return Err(DedupError::Truncated(len));
        }
        let at = u64::from_le_bytes(index_at);
        Index::of(&self.part(Kind::Index, at)?).map_err(|broken| broken.at(at))
    }

    /// A part that must be of a kind.
    fn part(&mut self, kind: Kind, at: u64) -> Result<Vec<u8>, DedupError> {
        self.input.seek(SeekFrom::Start(at))?;
        match read_part(&mut self.input, at)? {
            (found, held) if found == kind => Ok(held),
            _ => Err(misled()),
        }
    }

    fn next_page(&mut self) -> Result<Option<StoredPage>, DedupError> {
        loop {
            if let Some((block, next)) = &mut self.block
                && *next < block.heads().len()
            {
                let place = *next;
                *next += 1;
                let url = block.heads().nth(place).map(|head| head.url.clone());
                let page = block.page(place);
                let (head, bytes) = page.map_err(|_| DedupError::Page(url.unwrap_or_default()))?;
                return Ok(Some(StoredPage { head, bytes }));
            }
            match self.next_block()? {
                Some(block) => self.block = Some((block, 0)),
                None => return Ok(None),
            }
        }
    }
}

impl<R: Read + Seek> Iterator for DedupReader<R> {
    type Item = Result<StoredPage, DedupError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let page = self.next_page().transpose();
        // One page that is damaged does not take the others of its block with it; behind anything else nothing is safe.
        self.has_ended = !matches!(page, Some(Ok(_) | Err(DedupError::Page(_))));
        page
    }
}

fn misled() -> DedupError {
    broken("the index leads to something else").at(0)
}

/// What a site shares, as it lies in a file behind the site's name.
fn shared(held: &[u8]) -> Result<Vec<u8>, Broken> {
    let mut taker = Taker::new(held);
    taker.bytes()?;
    let len = taker.number()?;
    if len > MOST_SHARED as u64 {
        return Err(broken("a template is larger than any that is written"));
    }
    unpack(taker.bytes()?, len)
}
