//! The parts that a file of slots is made of, and how large they may be.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::xxh3_64;

use super::fault::{Broken, DedupError, broken};

/// How the names of such files end.
pub const EXTENSION: &str = "slots";

/// What a file begins with.
pub(super) const MAGIC: &[u8; 8] = b"HUSKSLOT";

/// Behind that.
pub(super) const VERSION: u8 = 1;

/// What a file ends with, behind the place of its index.
pub(super) const END_MAGIC: &[u8; 8] = b"HUSKENDS";

/// No page is larger. Sources give none above 64 MiB.
pub(super) const MOST_PAGE: u64 = 256 << 20;

/// The pages of one block have templates of no more bytes, but for the last of them.
pub(super) const MOST_TEMPLATES: usize = 8 << 20;

/// No part is larger, packed or not: a page, what else is in its block, and some room.
const MOST_PART: u64 = MOST_PAGE + (64 << 20);

/// What a part holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What a site shares.
    Shared = b'T' as isize,
    /// Pages.
    Block = b'P' as isize,
    /// Where everything stands.
    Index = b'I' as isize,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        [Self::Shared, Self::Block, Self::Index]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }
}

/// The bytes before what a part holds.
pub(super) const PART_HEAD: usize = 13;

/// Writes a part: its kind, its length, its checksum, what it holds.
pub(super) fn write_part(out: &mut impl Write, kind: Kind, held: &[u8]) -> io::Result<u64> {
    let len = u32::try_from(held.len()).map_err(io::Error::other)?;
    out.write_all(&[kind as u8])?;
    out.write_all(&len.to_le_bytes())?;
    out.write_all(&xxh3_64(held).to_le_bytes())?;
    out.write_all(held)?;
    Ok((PART_HEAD + held.len()) as u64)
}

/// Reads a part that begins at a place of the file.
pub(super) fn read_part(input: &mut impl Read, at: u64) -> Result<(Kind, Vec<u8>), DedupError> {
    let mut head = [0; PART_HEAD];
    input.read_exact(&mut head).map_err(|cause| cut_off(cause, at))?;
    let [kind, a, b, c, d, hash @ ..] = head;
    let kind = Kind::of(kind).ok_or(broken("there is no part of a kind that is known").at(at))?;
    let len = u64::from(u32::from_le_bytes([a, b, c, d]));
    if len > MOST_PART {
        return Err(broken("a part is larger than any that is written").at(at));
    }
    // What is held grows with what is there, not with what is said to be.
    let mut held = Vec::new();
    input.take(len).read_to_end(&mut held)?;
    if (held.len() as u64) < len {
        return Err(DedupError::Truncated(at + (PART_HEAD + held.len()) as u64));
    }
    if xxh3_64(&held) != u64::from_le_bytes(hash) {
        return Err(broken("its checksum is wrong").at(at));
    }
    Ok((kind, held))
}

pub(super) fn cut_off(cause: io::Error, at: u64) -> DedupError {
    match cause.kind() {
        io::ErrorKind::UnexpectedEof => DedupError::Truncated(at),
        _ => DedupError::Io(cause),
    }
}

/// Packs by Zstandard.
pub(super) fn pack(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, level)
}

/// Unpacks what has a known length.
pub(super) fn unpack(packed: &[u8], len: u64) -> Result<Vec<u8>, Broken> {
    if len > MOST_PART {
        return Err(broken("a part is larger than any that is written"));
    }
    let unpacked = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let decoder = zstd::Decoder::with_buffer(packed)?;
        decoder.take(len + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = unpacked().map_err(|_| broken("it cannot be unpacked"))?;
    match bytes.len() as u64 == len {
        true => Ok(bytes),
        false => Err(broken("it is not as long as it should be")),
    }
}
