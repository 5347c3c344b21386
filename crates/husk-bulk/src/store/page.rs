//! A stored page: metadata as JSON with a checksum, then its bytes, compressed.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::time::SystemTime;

use husk::Url;
use husk_sources::{ArchivedCapture, Capture, LoadError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::{Compressor, Decompressor};

/// Fast: pages are decompressed once and deleted.
const LEVEL: i32 = 1;

/// Metadata of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageInfo {
    /// URL as it was given.
    pub url: String,
    /// The caller's id of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Capture date (RFC 3339).
    pub date: Option<String>,
    /// Charset that the server declared, unless the bytes contradict it.
    pub charset: Option<String>,
    /// Size, decompressed.
    pub bytes: usize,
    /// Where it is in an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<WarcRecord>,
}

/// Where a page is in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarcRecord {
    /// The path of the archive as it was given.
    pub file: String,
    /// The offset of the record.
    pub offset: u64,
    /// Its id.
    pub id: Option<String>,
    /// The digest of the page that it states.
    pub digest: Option<String>,
}

impl PageInfo {
    /// Metadata of a page that is in no archive.
    pub fn new(url: impl Into<String>, bytes: usize) -> Self {
        Self {
            url: url.into(),
            id: None,
            date: None,
            charset: None,
            bytes,
            record: None,
        }
    }

    /// The URL, parsed and without a fragment, which names a place on the page.
    pub fn parsed_url(&self) -> Result<Url, UrlError> {
        parse_page_url(&self.url)
    }

    /// Metadata and decompressed bytes of a response in an archive; an error if it is not a page or too large.
    pub fn of_archived<'a>(
        archived: &'a ArchivedCapture,
        file: &Path,
        max_bytes: u64,
    ) -> Result<(Self, Cow<'a, [u8]>), LoadError> {
        let (info, bytes) = Self::of_capture(&archived.capture, max_bytes)?;
        let info = Self {
            url: archived.target_uri.clone(),
            record: Some(WarcRecord {
                file: file.to_string_lossy().into_owned(),
                offset: archived.offset,
                id: archived.record_id.clone(),
                digest: archived.digest.clone(),
            }),
            ..info
        };
        Ok((info, bytes))
    }

    /// Metadata and decompressed bytes of a response; an error if it is not a page or too large.
    pub fn of_capture(capture: &Capture, max_bytes: u64) -> Result<(Self, Cow<'_, [u8]>), LoadError> {
        let (bytes, charset) = capture.page_bytes(max_bytes)?;
        let info = Self {
            date: date_of(capture.date),
            charset,
            ..Self::new(capture.url.as_str(), bytes.len())
        };
        Ok((info, bytes))
    }

    /// Metadata of a page in a file.
    pub fn of_file(url: &Url, file: &Path) -> io::Result<Self> {
        let found = std::fs::metadata(file)?;
        let bytes = usize::try_from(found.len()).unwrap_or(usize::MAX);
        Ok(Self {
            date: found.modified().ok().and_then(date_of),
            ..Self::new(url.as_str(), bytes)
        })
    }
}

/// Why a text is not a URL.
type UrlError = <Url as FromStr>::Err;

/// Parses the URL of a page and drops its fragment, which names a place on the page.
pub fn parse_page_url(url: &str) -> Result<Url, UrlError> {
    let mut url = Url::parse(url)?;
    url.set_fragment(None);
    Ok(url)
}

/// A date as RFC 3339. The epoch stands for an unknown one.
pub(crate) fn date_of(date: SystemTime) -> Option<String> {
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
        let checksum = xxh3_64(&info).to_le_bytes();
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor.compress_to_buffer(bytes, &mut self.packed)?;
        let length = u32::try_from(info.len()).map_err(io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &checksum, &info, &self.packed].concat())
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
        let (checksum, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (info, packed) = rest.split_at_checked(length).ok_or_else(truncated)?;
        if xxh3_64(info) != u64::from_le_bytes(*checksum) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a stored page is damaged",
            ));
        }
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
            id: Some("7".to_owned()),
            date: Some("2026-11-17T10:00:00Z".to_owned()),
            record: Some(WarcRecord {
                file: "a.warc".to_owned(),
                offset: 12,
                id: Some("<urn:uuid:1>".to_owned()),
                digest: None,
            }),
            ..PageInfo::new("https://example.org", 4)
        };
        assert_eq!(info.parsed_url().unwrap().as_str(), "https://example.org/");
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
                charset: Some("windows-1252".to_owned()),
                ..PageInfo::new("https://example.org/\u{e9}", bytes.len())
            };
            let stored = packer.pack(&info, bytes).unwrap();
            assert_eq!(unpacker.unpack(&stored).unwrap(), (info, bytes.to_vec()));
            for cut in 0..stored.len() {
                assert!(unpacker.unpack(&stored[..cut]).is_err(), "cut at {cut}");
            }
        }
    }
}
