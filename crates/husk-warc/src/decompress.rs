//! Decompresses a WARC file: its gzip members or Zstandard frames (both called members here), one after the other.
//!
//! Usually each record is a member of its own, so the offset of the member is enough to find the record again. After a
//! damaged member, or other bytes between members, the next readable member is searched.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::{Decompress, FlushDecompress};

use crate::input::Input;
use crate::zstandard::{self, FrameDecoder};

const GZIP: &[u8] = b"\x1F\x8B\x08";
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// The first frame of a Zstandard file may hold the dictionary for all others.
const DICTIONARY: &[u8] = b"\x5D\x2A\x4D\x18";

/// Real dictionaries have about 100 KiB.
const MAX_DICTIONARY: usize = 8 << 20;

/// The largest accepted window of Zstandard, as a power of two: 128 MiB, which its highest level uses.
const ZSTD_WINDOW_LOG: u32 = 27;

/// How many bytes are decompressed at once.
const STEP_BYTES: usize = 128 * 1024;

/// How many bytes may be read again, at first; every byte read for the first time allows one more. So a hostile file costs
/// at most twice its size.
const INITIAL_REREAD_BYTES: u64 = 64 << 20;

/// How a file is compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileCompression {
    None,
    Gzip,
    Zstd { dictionary: Arc<[u8]> },
}

impl FileCompression {
    /// Detects the compression from the first bytes of a file.
    pub(crate) fn detect<R: Read>(input: &mut Input<R>) -> Result<Self, DecompressError> {
        let head = input.need(8)?;
        if head.starts_with(GZIP) {
            return Ok(Self::Gzip);
        }
        if is_zstd(head) && head.starts_with(DICTIONARY) {
            return read_dictionary(input);
        }
        Ok(if is_zstd(head) {
            Self::Zstd {
                dictionary: Arc::default(),
            }
        } else {
            Self::None
        })
    }

    fn decoder(&self) -> Result<Decoder, DecompressError> {
        Ok(match self {
            Self::None => Decoder::None,
            Self::Gzip => Decoder::Gzip(Decompress::new_gzip(15)),
            Self::Zstd { dictionary } => Decoder::Zstd(FrameDecoder::new(dictionary, ZSTD_WINDOW_LOG)?),
        })
    }
}

/// Whether a file starts with a Zstandard frame, and this build can read it.
fn is_zstd(head: &[u8]) -> bool {
    zstandard::IS_SUPPORTED && (head.starts_with(ZSTD) || skippable_len(head).is_some())
}

/// The length of the skippable frame that starts here, if one does.
fn skippable_len(head: &[u8]) -> Option<usize> {
    match head {
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, length @ ..] => {
            let length = u32::from_le_bytes(length.get(..4)?.try_into().ok()?);
            usize::try_from(length).ok()?.checked_add(8)
        }
        _ => None,
    }
}

/// Reads the frame with the dictionary, which may be compressed itself.
fn read_dictionary<R: Read>(input: &mut Input<R>) -> Result<FileCompression, DecompressError> {
    let damaged = |cause: &str| DecompressError::Damaged {
        member: 0,
        cause: format!("the Zstandard dictionary {cause}"),
    };
    let length = skippable_len(input.rest()).ok_or_else(|| damaged("is cut off"))?;
    if length > MAX_DICTIONARY {
        return Err(damaged("is too large"));
    }
    let frame = input.need(length)?.get(8..length);
    let bytes = frame.ok_or_else(|| damaged("is cut off"))?;
    let bytes = if bytes.starts_with(ZSTD) {
        let mut decompressed = Vec::new();
        let limit = MAX_DICTIONARY as u64;
        let read = zstandard::reader(bytes, ZSTD_WINDOW_LOG)
            .and_then(|reader| reader.take(limit).read_to_end(&mut decompressed));
        read.map_err(|cause| damaged(&format!("cannot be decompressed ({cause})")))?;
        decompressed
    } else {
        bytes.to_vec()
    };
    Ok(FileCompression::Zstd {
        dictionary: bytes.into(),
    })
}

/// Why decompression stopped. The next call continues after the damage.
#[derive(Debug)]
pub(crate) enum DecompressError {
    Io(io::Error),
    /// A member cannot be decompressed.
    Damaged {
        member: u64,
        cause: String,
    },
    /// The file ends within a member.
    CutOff {
        member: u64,
    },
    /// Bytes between members that belong to none.
    Junk {
        offset: u64,
        length: u64,
    },
}

impl From<io::Error> for DecompressError {
    fn from(cause: io::Error) -> Self {
        Self::Io(cause)
    }
}

/// Where in a file a record starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// The offset in the file: of the record, or of the gzip member or Zstandard frame that holds it.
    pub offset: u64,
    /// How many decompressed bytes of that member come before the record. 0 if each record is a member of its own.
    pub within: u64,
}

enum Decoder {
    None,
    Gzip(Decompress),
    Zstd(FrameDecoder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a member, or at the end of the file.
    Between,
    Within,
    /// After damage: the next member has to be searched.
    Damaged,
}

/// Decompresses one member after the other.
pub(crate) struct Decompressor<R> {
    input: Input<R>,
    compression: FileCompression,
    decoder: Decoder,
    state: State,
    /// Decompressed bytes of this member; those from `next` on are not consumed yet.
    decompressed: Vec<u8>,
    next: usize,
    /// File offset of this member.
    member: u64,
    /// How many of its decompressed bytes were consumed.
    within: u64,
    /// How many bytes may be read again.
    reread_bytes: u64,
    /// File offset up to which bytes were read at least once.
    furthest: u64,
    /// An error met during the search for a member, to be reported after its bytes.
    deferred: Option<DecompressError>,
}

impl<R: Read> Decompressor<R> {
    /// Starts at the beginning of a file.
    pub(crate) fn new(reader: R) -> Result<Self, DecompressError> {
        let mut input = Input::at(reader, 0);
        let compression = FileCompression::detect(&mut input)?;
        Self::with(input, compression)
    }

    /// Starts at a member; the reader's next byte must be at `offset`.
    pub(crate) fn at(reader: R, offset: u64, compression: FileCompression) -> Result<Self, DecompressError> {
        Self::with(Input::at(reader, offset), compression)
    }

    fn with(input: Input<R>, compression: FileCompression) -> Result<Self, DecompressError> {
        Ok(Self {
            decoder: compression.decoder()?,
            compression,
            state: State::Between,
            decompressed: Vec::new(),
            next: 0,
            member: input.offset(),
            within: 0,
            reread_bytes: INITIAL_REREAD_BYTES,
            furthest: input.offset(),
            deferred: None,
            input,
        })
    }

    pub(crate) fn compression(&self) -> &FileCompression {
        &self.compression
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.compression != FileCompression::None
    }

    /// The first bytes of the file, not decompressed.
    pub(crate) fn raw_head(&mut self) -> io::Result<&[u8]> {
        self.input.need(512)
    }

    /// Position of the next byte.
    pub(crate) fn position(&self) -> Position {
        if self.is_compressed() {
            Position {
                offset: self.member,
                within: self.within,
            }
        } else {
            Position {
                offset: self.input.offset(),
                within: 0,
            }
        }
    }

    /// File offset up to which bytes were consumed.
    pub(crate) fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// Whether this member is fully consumed.
    pub(crate) fn is_between(&self) -> bool {
        self.state == State::Between && self.rest().is_empty()
    }

    fn rest(&self) -> &[u8] {
        if self.is_compressed() {
            &self.decompressed[self.next..]
        } else {
            self.input.rest()
        }
    }

    /// The next bytes of this member, at least `at_least` if it has as many; empty at its end.
    pub(crate) fn fill(&mut self, at_least: usize) -> Result<&[u8], DecompressError> {
        if self.rest().len() < at_least {
            if self.is_compressed() {
                let decompressed = self.decompress(at_least);
                if let Err(DecompressError::Damaged { .. }) = decompressed {
                    // The rest of a damaged member cannot be trusted.
                    self.decompressed.clear();
                    self.next = 0;
                }
                decompressed?;
            } else {
                while self.input.rest().len() < at_least && self.input.read_more(self.input.offset())? {}
                self.count_new_bytes();
            }
        }
        Ok(self.rest())
    }

    pub(crate) fn consume(&mut self, count: usize) {
        if self.is_compressed() {
            self.next += count;
            self.within += count as u64;
        } else {
            self.input.consume(count);
        }
    }

    /// Puts consumed bytes of an uncompressed file back. False if too many bytes were read again already.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) -> bool {
        let is_possible = !self.is_compressed() && self.reread_bytes >= bytes.len() as u64;
        if is_possible {
            self.reread_bytes -= bytes.len() as u64;
            self.input.put_back(bytes);
        }
        is_possible
    }

    /// Moves to the next member, skipping the rest of this one. False at the end of the file.
    pub(crate) fn next_member(&mut self) -> Result<bool, DecompressError> {
        if !self.is_compressed() {
            return Ok(!self.fill(1)?.is_empty());
        }
        if self.state == State::Within {
            self.drain()?;
        }
        if self.state == State::Damaged {
            return self.search(self.member + 1);
        }
        self.decompressed.clear();
        self.next = 0;
        self.skip_skippable_frames()?;
        let head = self.input.need(4)?;
        if head.is_empty() {
            return Ok(false);
        }
        // Some tools pad the last block of a file with zeros.
        let is_padding = head.iter().all(|&byte| byte == 0);
        if !self.begins_here() {
            let from = self.input.offset();
            self.member = from;
            let is_found = self.search(from)?;
            return match (is_found, is_padding) {
                (false, true) => Ok(false),
                (false, false) => Err(self.junk(from, self.input.offset())),
                (true, _) => Err(self.junk(from, self.member)),
            };
        }
        self.begin()?;
        Ok(true)
    }

    fn junk(&self, from: u64, to: u64) -> DecompressError {
        DecompressError::Junk {
            offset: from,
            length: to - from,
        }
    }

    /// Decompresses the rest of this member to find its end.
    fn drain(&mut self) -> Result<(), DecompressError> {
        while self.state == State::Within {
            self.within += (self.decompressed.len() - self.next) as u64;
            self.decompressed.clear();
            self.next = 0;
            self.decompress(1)?;
        }
        Ok(())
    }

    fn skip_skippable_frames(&mut self) -> io::Result<()> {
        while let (FileCompression::Zstd { .. }, Some(length)) =
            (&self.compression, skippable_len(self.input.need(8)?))
        {
            let mut left = length;
            while left > 0 && !self.input.need(1)?.is_empty() {
                let step = left.min(self.input.rest().len());
                self.input.consume(step);
                left -= step;
            }
        }
        Ok(())
    }

    /// Whether a member may start at the next byte.
    fn begins_here(&self) -> bool {
        let head = self.input.rest();
        match self.compression {
            FileCompression::None => true,
            // The upper three flags are reserved and must be 0.
            FileCompression::Gzip => {
                head.starts_with(GZIP) && head.get(3).is_some_and(|flags| flags & 0xE0 == 0)
            }
            FileCompression::Zstd { .. } => head.starts_with(ZSTD),
        }
    }

    fn begin(&mut self) -> Result<(), DecompressError> {
        match &mut self.decoder {
            Decoder::None => {}
            // A decoder that parses gzip headers cannot be reset.
            Decoder::Gzip(inflate) => *inflate = Decompress::new_gzip(15),
            Decoder::Zstd(frames) => frames.reset()?,
        }
        self.member = self.input.offset();
        self.within = 0;
        self.decompressed.clear();
        self.next = 0;
        self.deferred = None;
        self.state = State::Within;
        Ok(())
    }

    /// Searches a member from an offset on, or from the first byte after it that is still kept. Random bytes may look like
    /// the start of a member, so it must hold a record or decompress completely.
    fn search(&mut self, from: u64) -> Result<bool, DecompressError> {
        let mut from = from;
        loop {
            self.move_towards(from);
            if !self.find_magic()? {
                self.state = State::Between;
                self.decompressed.clear();
                self.next = 0;
                return Ok(false);
            }
            self.begin()?;
            let is_good = match self.decompress(STEP_BYTES) {
                Ok(()) => self.state == State::Between || self.rest().starts_with(b"WARC/"),
                Err(DecompressError::Io(cause)) => return Err(DecompressError::Io(cause)),
                // A truncated member may still start with a record.
                Err(error) => {
                    self.deferred = Some(error);
                    self.rest().starts_with(b"WARC/")
                }
            };
            if is_good {
                return Ok(true);
            }
            from = self.member + 1;
        }
    }

    /// Moves to an offset, or back as far as possible.
    fn move_towards(&mut self, offset: u64) {
        let at = self.input.offset();
        if at < offset {
            self.input.consume((offset - at) as usize);
        } else if self.reread_bytes >= at - offset {
            self.reread_bytes -= self.input.go_back(offset);
        }
    }

    /// Moves to the next bytes that a member may start with.
    fn find_magic(&mut self) -> io::Result<bool> {
        let first = match self.compression {
            FileCompression::Gzip => GZIP[0],
            _ => ZSTD[0],
        };
        loop {
            if self.input.need(4)?.is_empty() {
                return Ok(false);
            }
            if self.begins_here() {
                return Ok(true);
            }
            let rest = self.input.rest();
            let ahead = rest.iter().skip(1).position(|&byte| byte == first);
            let count = ahead.map_or(rest.len(), |at| at + 1);
            self.input.consume(count);
            self.count_new_bytes();
        }
    }

    /// Every byte read for the first time allows another one to be read again.
    fn count_new_bytes(&mut self) {
        let offset = self.input.offset();
        self.reread_bytes += offset.saturating_sub(self.furthest);
        self.furthest = self.furthest.max(offset);
    }

    /// Decompresses until `at_least` bytes are there, or the member ends.
    fn decompress(&mut self, at_least: usize) -> Result<(), DecompressError> {
        if let Some(error) = self.deferred.take() {
            return Err(error);
        }
        self.decompressed.drain(..self.next);
        self.next = 0;
        while self.state == State::Within && self.decompressed.len() < at_least {
            let has_input = !self.input.rest().is_empty() || self.input.read_more(self.member)?;
            let step = self.step(at_least);
            self.count_new_bytes();
            let member = self.member;
            let error = match step {
                Ok(Step::Ended) => {
                    self.state = State::Between;
                    continue;
                }
                Ok(Step::Further) => continue,
                Ok(Step::Stuck) if !has_input => DecompressError::CutOff { member },
                Ok(Step::Stuck) => DecompressError::Damaged {
                    member,
                    cause: "no progress".to_owned(),
                },
                Err(cause) => DecompressError::Damaged { member, cause },
            };
            self.state = State::Damaged;
            return Err(error);
        }
        Ok(())
    }

    /// Decompresses as much as fits into the buffer.
    fn step(&mut self, at_least: usize) -> Result<Step, String> {
        let filled = self.decompressed.len();
        let compressed = self.input.rest();
        let room = STEP_BYTES.max(at_least + STEP_BYTES / 2);
        let (read, has_ended) = match &mut self.decoder {
            Decoder::None => return Ok(Step::Ended),
            Decoder::Gzip(inflate) => {
                self.decompressed.reserve(room.saturating_sub(filled));
                let before = inflate.total_in();
                let status =
                    inflate.decompress_vec(compressed, &mut self.decompressed, FlushDecompress::None);
                let status = status.map_err(|cause| cause.to_string())?;
                let read = (inflate.total_in() - before) as usize;
                (read, status == flate2::Status::StreamEnd)
            }
            Decoder::Zstd(frames) => {
                self.decompressed.resize(room, 0);
                let progress = frames.decompress(compressed, &mut self.decompressed[filled..]);
                let written = progress.as_ref().map_or(0, |progress| progress.written);
                self.decompressed.truncate(filled + written);
                let progress = progress.map_err(|cause| cause.to_string())?;
                (progress.read, progress.has_ended)
            }
        };
        self.input.consume(read);
        Ok(match has_ended {
            true => Step::Ended,
            false if read == 0 && self.decompressed.len() == filled => Step::Stuck,
            false => Step::Further,
        })
    }
}

/// The result of one step of decompression.
enum Step {
    /// There may be more of the member.
    Further,
    /// The member ended.
    Ended,
    /// Nothing was read and nothing written.
    Stuck,
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Every member as its offset, start and length; every error as its debug form.
    fn members(file: &[u8]) -> Vec<String> {
        let mut decompressor = Decompressor::new(file).unwrap();
        let mut found = Vec::new();
        let mut text = Vec::new();
        loop {
            match decompressor.fill(1) {
                Ok([]) => {}
                Ok(bytes) => {
                    text.extend_from_slice(bytes);
                    let count = bytes.len();
                    decompressor.consume(count);
                    continue;
                }
                Err(error) => found.push(format!("{error:?}")),
            }
            if !text.is_empty() {
                let text = std::mem::take(&mut text);
                let (head, length) = (&text[..text.len().min(8)], text.len());
                let member = decompressor.position().offset;
                found.push(format!("{member}: {} {length}", head.escape_ascii()));
            }
            match decompressor.next_member() {
                Ok(true) => {}
                Ok(false) => return found,
                Err(error) => found.push(format!("{error:?}")),
            }
        }
    }

    type Compressor = fn(&[u8]) -> Vec<u8>;

    /// The compressors that this build can read.
    fn compressors() -> Vec<Compressor> {
        let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
        if zstandard::IS_SUPPORTED {
            vec![gzip, zstd]
        } else {
            vec![gzip]
        }
    }

    #[test]
    fn gives_members_with_their_offsets() {
        for compress in compressors() {
            let (one, two, three) = (
                compress(b"WARC/one"),
                compress(&[b'x'; 500_000]),
                compress(b"WARC/3"),
            );
            let file = [&one[..], &two, &three, &compress(b"")].concat();
            let third_offset = one.len() + two.len();
            let expect = [
                "0: WARC/one 8".to_owned(),
                format!("{}: xxxxxxxx 500000", one.len()),
                format!("{third_offset}: WARC/3 6"),
            ];
            assert_eq!(members(&file), expect);
        }
    }

    #[test]
    fn finds_the_next_member_after_damage() {
        for (compress, seed) in compressors().into_iter().zip(1..) {
            let noise: Vec<u8> = (0..20_000_u32)
                .map(|number| (number.wrapping_mul(2_654_435_761 + seed) >> 13) as u8)
                .collect();
            let (good, bad) = (compress(b"WARC/good"), compress(&noise));
            for damage in [Damage::Cut, Damage::Change, Damage::Remove] {
                let bad = damage.apply(&bad);
                let file = [&good[..], &bad, &good, &good].concat();
                let found = members(&file);
                assert!(found.len() >= 4, "{damage:?}: {found:?}");
                let last = [good.len() + bad.len(), 2 * good.len() + bad.len()];
                let last = last.map(|offset| format!("{offset}: WARC/goo 9"));
                assert_eq!(found[found.len() - 2..], last, "{damage:?}");
            }
        }
    }

    #[derive(Debug)]
    enum Damage {
        Cut,
        Change,
        Remove,
    }

    impl Damage {
        fn apply(&self, bytes: &[u8]) -> Vec<u8> {
            let mut bytes = bytes.to_vec();
            let middle = bytes.len() / 2;
            match self {
                Self::Cut => bytes.truncate(middle),
                Self::Change => bytes[middle..middle + 40].fill(0x55),
                Self::Remove => drop(bytes.drain(middle..middle + 200)),
            }
            bytes
        }
    }

    #[test]
    fn junk_is_reported() {
        let good = gzip(b"WARC/good");
        let file = [&good[..], b"<html>not a member \x1F\x8B\x08\0, really", &good].concat();
        let found = members(&file);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[1].starts_with("Junk"), "{found:?}");
        let padded = [&good[..], &[0; 300]].concat();
        assert_eq!(members(&padded), ["0: WARC/goo 9"]);
    }

    #[test]
    #[cfg(feature = "zstd")]
    fn reads_with_the_dictionary_of_the_file() {
        let dictionary = b"WARC/1.0 and other words that are in every record of this file".repeat(4);
        for is_compressed in [false, true] {
            let stored = if is_compressed {
                zstd::encode_all(&dictionary[..], 3).unwrap()
            } else {
                dictionary.clone()
            };
            let mut file = DICTIONARY.to_vec();
            file.extend((stored.len() as u32).to_le_bytes());
            file.extend(&stored);
            let offset = file.len() as u64;
            let mut encoder = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
            let text = b"WARC/1.0 and other words";
            file.extend(encoder.compress(text).unwrap());
            assert_eq!(members(&file), [format!("{offset}: WARC/1.0 {}", text.len())]);
            let cut = &file[..20];
            assert!(Decompressor::new(cut).is_err());
        }
    }
}
