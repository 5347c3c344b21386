//! A stored page: metadata as JSON, then its bytes, compressed.

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

/// Fast: pages are decompressed once and deleted.
const LEVEL: i32 = 1;

/// Metadata of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageInfo {
    /// URL.
    pub url: String,
    /// Capture date (RFC 3339).
    pub date: Option<String>,
    /// Charset that the server declared, unless the bytes contradict it.
    pub charset: Option<String>,
    /// Size, decompressed.
    pub bytes: usize,
}

impl PageInfo {
    /// Metadata and decompressed bytes of a response; an error if it is not a page or too large.
    pub fn of_capture(capture: &Capture, max_bytes: u64) -> Result<(Self, Cow<'_, [u8]>), LoadError> {
        let (bytes, charset) = capture.page_bytes(max_bytes)?;
        let info = Self {
            url: capture.url.to_string(),
            date: date_of(capture.date),
            charset,
            bytes: bytes.len(),
        };
        Ok((info, bytes))
    }

    /// Metadata of a page in a file.
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

/// The epoch stands for an unknown date.
fn date_of(date: SystemTime) -> Option<String> {
    if date == SystemTime::UNIX_EPOCH {
        return None;
    }
    Some(Timestamp::try_from(date).ok()?.to_string())
}

/// Packs pages; one per thread.
pub(crate) struct PagePacker {
    compressor: Compressor<'static>,
    /// Reused buffer.
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

    pub(crate) fn pack(&mut self, info: &PageInfo, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let info = serde_json::to_vec(info)?;
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor.compress_to_buffer(bytes, &mut self.packed)?;
        let length = u32::try_from(info.len()).map_err(io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &info, &self.packed].concat())
    }
}

/// Unpacks pages; one per thread.
pub(crate) struct PageUnpacker(Decompressor<'static>);

impl PageUnpacker {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Decompressor::new()?))
    }

    pub(crate) fn unpack(&mut self, stored: &[u8]) -> io::Result<(PageInfo, Vec<u8>)> {
        let (length, rest) = stored.split_first_chunk().ok_or_else(truncated)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (info, packed) = rest.split_at_checked(length).ok_or_else(truncated)?;
        let info: PageInfo = serde_json::from_slice(info)?;
        // An empty page is still a frame.
        let bytes = match packed {
            [] => return Err(truncated()),
            packed => self.0.decompress(packed, info.bytes)?,
        };
        Ok((info, bytes))
    }
}

/// A page with its metadata, compressed, to be sent to another process.
pub fn pack_page(info: &PageInfo, bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static PACKER: RefCell<Option<PagePacker>> = const { RefCell::new(None) };
    }
    PACKER.with_borrow_mut(|packer| match packer {
        Some(packer) => packer.pack(info, bytes),
        None => packer.insert(PagePacker::new()?).pack(info, bytes),
    })
}

/// The inverse of [`pack_page`].
pub fn unpack_page(packed: &[u8]) -> io::Result<(PageInfo, Vec<u8>)> {
    PageUnpacker::new()?.unpack(packed)
}

fn truncated() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "a stored page is truncated")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_pages_are_unpacked() {
        let info = PageInfo {
            url: "https://example.org/".to_owned(),
            date: Some("2026-11-17T10:00:00Z".to_owned()),
            charset: None,
            bytes: 4,
        };
        for bytes in [&b"<p>a"[..], b"<p>b"] {
            let packed = pack_page(&info, bytes).unwrap();
            assert_eq!(unpack_page(&packed).unwrap(), (info.clone(), bytes.to_vec()));
        }
        assert!(unpack_page(b"no page").is_err());
    }

    #[test]
    fn stored_pages_are_read_back() {
        let (mut packer, mut unpacker) = (PagePacker::new().unwrap(), PageUnpacker::new().unwrap());
        for bytes in [&b""[..], b"<p>caf\xE9", &[b'x'; 100_000]] {
            let info = PageInfo {
                url: "https://example.org/\u{e9}".to_owned(),
                date: None,
                charset: Some("windows-1252".to_owned()),
                bytes: bytes.len(),
            };
            let stored = packer.pack(&info, bytes).unwrap();
            assert_eq!(unpacker.unpack(&stored).unwrap(), (info, bytes.to_vec()));
            for cut in 0..stored.len() {
                assert!(unpacker.unpack(&stored[..cut]).is_err(), "cut at {cut}");
            }
        }
    }
}
