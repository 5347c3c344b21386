//! A page as it is stored in a run: what is known of it, then its bytes, packed.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use husk::Url;
use husk_sources::{Capture, LoadError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};

/// Fast, and small enough: it is undone once and thrown away.
const LEVEL: i32 = 1;

/// What is known of a page beside its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its address.
    pub url: String,
    /// When it was captured, in the form of RFC 3339.
    pub date: Option<String>,
    /// The charset that its server says and its bytes do not belie.
    pub charset: Option<String>,
    /// How many bytes it has, unpacked.
    pub bytes: usize,
}

impl About {
    /// What is known of the page that was answered, and its unpacked bytes, no more of them than allowed.
    pub fn of_capture(capture: &Capture, max_bytes: u64) -> Result<(Self, Cow<'_, [u8]>), LoadError> {
        let (bytes, charset) = capture.page_bytes(max_bytes)?;
        let about = Self {
            url: capture.url.to_string(),
            date: date_of(capture.date),
            charset,
            bytes: bytes.len(),
        };
        Ok((about, bytes))
    }

    /// What is known of a page that was saved in a file.
    pub fn of_file(url: &Url, file: &Path) -> io::Result<Self> {
        let found = std::fs::metadata(file)?;
        Ok(Self {
            url: url.to_string(),
            date: found.modified().ok().and_then(date_of),
            charset: None,
            bytes: usize::try_from(found.len()).unwrap_or(usize::MAX),
        })
    }
}

/// None if nobody knows.
fn date_of(date: SystemTime) -> Option<String> {
    if date == SystemTime::UNIX_EPOCH {
        return None;
    }
    Some(Timestamp::try_from(date).ok()?.to_string())
}

/// Packs pages; one for each thread.
pub(crate) struct PagePacker {
    compressor: Compressor<'static>,
    /// Room for a packed page, used again for the next one.
    packed: Vec<u8>,
}

impl PagePacker {
    pub(crate) fn new() -> io::Result<Self> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.include_checksum(true)?;
        Ok(Self {
            compressor,
            packed: Vec::new(),
        })
    }

    pub(crate) fn pack(&mut self, about: &About, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let about = serde_json::to_vec(about)?;
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor.compress_to_buffer(bytes, &mut self.packed)?;
        let length = u32::try_from(about.len()).map_err(io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &about, &self.packed].concat())
    }
}

/// Unpacks pages; one for each thread.
pub(crate) struct PageUnpacker(Decompressor<'static>);

impl PageUnpacker {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Decompressor::new()?))
    }

    pub(crate) fn unpack(&mut self, stored: &[u8]) -> io::Result<(About, Vec<u8>)> {
        let (length, rest) = stored.split_first_chunk().ok_or_else(cut_off)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (about, packed) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let about: About = serde_json::from_slice(about)?;
        // Even of nothing there is a frame.
        let bytes = match packed {
            [] => return Err(cut_off()),
            packed => self.0.decompress(packed, about.bytes)?,
        };
        Ok((about, bytes))
    }
}

/// A page with all that is known of it, to be sent to another process.
pub fn pack_page(about: &About, bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static PACKER: RefCell<Option<PagePacker>> = const { RefCell::new(None) };
    }
    PACKER.with_borrow_mut(|packer| match packer {
        Some(packer) => packer.pack(about, bytes),
        None => packer.insert(PagePacker::new()?).pack(about, bytes),
    })
}

/// What was packed by [`pack_page`].
pub fn unpack_page(packed: &[u8]) -> io::Result<(About, Vec<u8>)> {
    PageUnpacker::new()?.unpack(packed)
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "a stored page is cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_sent() {
        let about = About {
            url: "https://example.org/".to_owned(),
            date: Some("2026-11-17T10:00:00Z".to_owned()),
            charset: None,
            bytes: 4,
        };
        for bytes in [&b"<p>a"[..], b"<p>b"] {
            let packed = pack_page(&about, bytes).unwrap();
            assert_eq!(unpack_page(&packed).unwrap(), (about.clone(), bytes.to_vec()));
        }
        assert!(unpack_page(b"no page").is_err());
    }

    #[test]
    fn pages_come_back() {
        let (mut packer, mut unpacker) = (PagePacker::new().unwrap(), PageUnpacker::new().unwrap());
        for bytes in [&b""[..], b"<p>caf\xE9", &[b'x'; 100_000]] {
            let about = About {
                url: "https://example.org/\u{e9}".to_owned(),
                date: None,
                charset: Some("windows-1252".to_owned()),
                bytes: bytes.len(),
            };
            let stored = packer.pack(&about, bytes).unwrap();
            assert_eq!(unpacker.unpack(&stored).unwrap(), (about, bytes.to_vec()));
            for cut in 0..stored.len() {
                assert!(unpacker.unpack(&stored[..cut]).is_err(), "cut at {cut}");
            }
        }
    }
}
