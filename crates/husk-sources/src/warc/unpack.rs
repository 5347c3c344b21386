//! Undoes the packing of a WARC file: its gzip members or Zstandard frames, one after the other.
//!
//! Mostly each record is a member of its own, so a record is found again by the offset of its member. Where members are
//! broken, or something else lies between them, the next one that can be read is looked for.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::{Decompress, FlushDecompress};

use super::input::Input;
use crate::zstandard::{self, Frames};

const GZIP: &[u8] = b"\x1F\x8B\x08";
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// The frame of Zstandard that holds the dictionary for all others; it is the first.
const DICTIONARY: &[u8] = b"\x5D\x2A\x4D\x18";

/// Dictionaries have about 100 KiB.
const MOST_DICTIONARY: usize = 8 << 20;

/// The largest window of Zstandard, as a power of two: 128 MiB, which its strongest level uses.
const ZSTD_WINDOW_LOG: u32 = 27;

/// How much is unpacked at once.
const UNPACKED: usize = 128 * 1024;

/// Bytes may be read again only for so many that were read before, and these to begin with. So hostile files cost no
/// more than twice their size, whatever is broken in them.
const FIRST_CREDIT: u64 = 64 << 20;

/// How a file is packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd { dictionary: Arc<[u8]> },
}

impl Packing {
    /// Reads off the beginning of a file how it is packed.
    pub(super) fn of<R: Read>(input: &mut Input<R>) -> Result<Self, Broken> {
        let head = input.need(8)?;
        if head.starts_with(GZIP) {
            return Ok(Self::Gzip);
        }
        if is_zstd(head) && head.starts_with(DICTIONARY) {
            return dictionary(input);
        }
        Ok(if is_zstd(head) {
            Self::Zstd {
                dictionary: Arc::default(),
            }
        } else {
            Self::None
        })
    }

    fn unpacking(&self) -> Result<Unpacking, Broken> {
        Ok(match self {
            Self::None => Unpacking::None,
            Self::Gzip => Unpacking::Gzip(Decompress::new_gzip(15)),
            Self::Zstd { dictionary } => Unpacking::Zstd(Frames::new(dictionary, ZSTD_WINDOW_LOG)?),
        })
    }
}

/// Whether a file begins as Zstandard's do, if that can be unpacked at all.
fn is_zstd(head: &[u8]) -> bool {
    zstandard::IS_KNOWN && (head.starts_with(ZSTD) || skippable(head).is_some())
}

/// The length of a frame without data, if one begins here.
fn skippable(head: &[u8]) -> Option<usize> {
    match head {
        [0x50..=0x5F, 0x2A, 0x4D, 0x18, length @ ..] => {
            let length = u32::from_le_bytes(length.get(..4)?.try_into().ok()?);
            usize::try_from(length).ok()?.checked_add(8)
        }
        _ => None,
    }
}

/// Reads the frame with the dictionary, which may be packed itself.
fn dictionary<R: Read>(input: &mut Input<R>) -> Result<Packing, Broken> {
    let damaged = |cause: &str| Broken::Damaged {
        member: 0,
        cause: format!("its dictionary {cause}"),
    };
    let length = skippable(input.rest()).ok_or_else(|| damaged("breaks off"))?;
    if length > MOST_DICTIONARY {
        return Err(damaged("is too large"));
    }
    let frame = input.need(length)?.get(8..length);
    let bytes = frame.ok_or_else(|| damaged("breaks off"))?;
    let bytes = if bytes.starts_with(ZSTD) {
        let mut unpacked = Vec::new();
        let limit = MOST_DICTIONARY as u64;
        let read = zstandard::reader(bytes, ZSTD_WINDOW_LOG)
            .and_then(|reader| reader.take(limit).read_to_end(&mut unpacked));
        read.map_err(|cause| damaged(&format!("cannot be unpacked ({cause})")))?;
        unpacked
    } else {
        bytes.to_vec()
    };
    Ok(Packing::Zstd {
        dictionary: bytes.into(),
    })
}

/// Why there are no more bytes, for now: the next call goes on behind what is broken.
#[derive(Debug)]
pub(super) enum Broken {
    /// The system cannot read on.
    Io(io::Error),
    /// A member cannot be unpacked.
    Damaged { member: u64, cause: String },
    /// The file ends within a member.
    CutOff { member: u64 },
    /// Something that is no member lies between two of them.
    Junk { offset: u64, length: u64 },
}

impl From<io::Error> for Broken {
    fn from(cause: io::Error) -> Self {
        Self::Io(cause)
    }
}

/// A place in an archive: where its member begins, and how many unpacked bytes of that lie before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Position {
    pub(super) member: u64,
    pub(super) within: u64,
}

enum Unpacking {
    None,
    Gzip(Decompress),
    Zstd(Frames),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a member, or at the end of the file.
    Between,
    Within,
    /// Behind something broken: the next member has to be looked for.
    Lost,
}

/// Gives the bytes of one member after the other.
pub(super) struct Unpacker<R> {
    input: Input<R>,
    packing: Packing,
    unpacking: Unpacking,
    state: State,
    /// Unpacked bytes of this member, of which those from `next` on were not consumed.
    unpacked: Vec<u8>,
    next: usize,
    /// Where this member begins.
    member: u64,
    /// How many of its bytes were consumed.
    within: u64,
    /// How many bytes may be read again.
    credit: u64,
    /// Up to where bytes were read for the first time.
    furthest: u64,
    /// What was met while a member was looked for, and comes behind its bytes.
    ahead: Option<Broken>,
}

impl<R: Read> Unpacker<R> {
    /// From the beginning of a file.
    pub(super) fn new(reader: R) -> Result<Self, Broken> {
        let mut input = Input::at(reader, 0);
        let packing = Packing::of(&mut input)?;
        Self::with(input, packing)
    }

    /// From a reader that stands where a member begins.
    pub(super) fn at(reader: R, offset: u64, packing: Packing) -> Result<Self, Broken> {
        Self::with(Input::at(reader, offset), packing)
    }

    fn with(input: Input<R>, packing: Packing) -> Result<Self, Broken> {
        Ok(Self {
            unpacking: packing.unpacking()?,
            packing,
            state: State::Between,
            unpacked: Vec::new(),
            next: 0,
            member: input.offset(),
            within: 0,
            credit: FIRST_CREDIT,
            furthest: input.offset(),
            ahead: None,
            input,
        })
    }

    pub(super) fn packing(&self) -> &Packing {
        &self.packing
    }

    pub(super) fn is_packed(&self) -> bool {
        self.packing != Packing::None
    }

    /// The first bytes of the file, packed as they are.
    pub(super) fn packed_head(&mut self) -> io::Result<&[u8]> {
        self.input.need(512)
    }

    /// Where the next byte is.
    pub(super) fn position(&self) -> Position {
        if self.is_packed() {
            Position {
                member: self.member,
                within: self.within,
            }
        } else {
            Position {
                member: self.input.offset(),
                within: 0,
            }
        }
    }

    /// The offset in the file up to which it was read.
    pub(super) fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// Whether this member has nothing more.
    pub(super) fn is_between(&self) -> bool {
        self.state == State::Between && self.rest().is_empty()
    }

    fn rest(&self) -> &[u8] {
        if self.is_packed() {
            &self.unpacked[self.next..]
        } else {
            self.input.rest()
        }
    }

    /// The next bytes of this member, at least so many if it has them; none at its end.
    pub(super) fn fill(&mut self, at_least: usize) -> Result<&[u8], Broken> {
        if self.rest().len() < at_least {
            if self.is_packed() {
                let unpacked = self.unpack(at_least);
                if let Err(Broken::Damaged { .. }) = unpacked {
                    // What is left of a damaged member is not to be trusted.
                    self.unpacked.clear();
                    self.next = 0;
                }
                unpacked?;
            } else {
                while self.input.rest().len() < at_least && self.input.read_more(self.input.offset())? {}
                self.earn();
            }
        }
        Ok(self.rest())
    }

    pub(super) fn consume(&mut self, count: usize) {
        if self.is_packed() {
            self.next += count;
            self.within += count as u64;
        } else {
            self.input.consume(count);
        }
    }

    /// Gives bytes of a file that is not packed once more. False if they were given too often already.
    pub(super) fn take_back(&mut self, bytes: &[u8]) -> bool {
        let is_possible = !self.is_packed() && self.credit >= bytes.len() as u64;
        if is_possible {
            self.credit -= bytes.len() as u64;
            self.input.take_back(bytes);
        }
        is_possible
    }

    /// Goes on to the next member, whatever is left of this one. False at the end of the file.
    pub(super) fn next_member(&mut self) -> Result<bool, Broken> {
        if !self.is_packed() {
            return Ok(!self.fill(1)?.is_empty());
        }
        if self.state == State::Within {
            self.drain()?;
        }
        if self.state == State::Lost {
            return self.search(self.member + 1);
        }
        self.unpacked.clear();
        self.next = 0;
        self.skip_empty_frames()?;
        let head = self.input.need(4)?;
        if head.is_empty() {
            return Ok(false);
        }
        // Some tools fill the last block of a file.
        let is_filling = head.iter().all(|&byte| byte == 0);
        if !self.begins_here() {
            let from = self.input.offset();
            self.member = from;
            let is_found = self.search(from)?;
            return match (is_found, is_filling) {
                (false, true) => Ok(false),
                (false, false) => Err(self.junk(from, self.input.offset())),
                (true, _) => Err(self.junk(from, self.member)),
            };
        }
        self.begin()?;
        Ok(true)
    }

    fn junk(&self, from: u64, to: u64) -> Broken {
        Broken::Junk {
            offset: from,
            length: to - from,
        }
    }

    /// Unpacks the rest of this member for nothing, to find its end.
    fn drain(&mut self) -> Result<(), Broken> {
        while self.state == State::Within {
            self.within += (self.unpacked.len() - self.next) as u64;
            self.unpacked.clear();
            self.next = 0;
            self.unpack(1)?;
        }
        Ok(())
    }

    fn skip_empty_frames(&mut self) -> io::Result<()> {
        while let (Packing::Zstd { .. }, Some(length)) = (&self.packing, skippable(self.input.need(8)?)) {
            let mut left = length;
            while left > 0 && !self.input.need(1)?.is_empty() {
                let step = left.min(self.input.rest().len());
                self.input.consume(step);
                left -= step;
            }
        }
        Ok(())
    }

    /// Whether a member may begin at the next byte.
    fn begins_here(&self) -> bool {
        let head = self.input.rest();
        match self.packing {
            Packing::None => true,
            // The upper bits of the flags are not used.
            Packing::Gzip => head.starts_with(GZIP) && head.get(3).is_some_and(|flags| flags & 0xE0 == 0),
            Packing::Zstd { .. } => head.starts_with(ZSTD),
        }
    }

    fn begin(&mut self) -> Result<(), Broken> {
        match &mut self.unpacking {
            Unpacking::None => {}
            // Only a decoder without gzip's header can be used again.
            Unpacking::Gzip(inflate) => *inflate = Decompress::new_gzip(15),
            Unpacking::Zstd(frames) => frames.begin()?,
        }
        self.member = self.input.offset();
        self.within = 0;
        self.unpacked.clear();
        self.next = 0;
        self.ahead = None;
        self.state = State::Within;
        Ok(())
    }

    /// Looks for a member from an offset on, or as near behind it as bytes are held. Not everything that begins as a
    /// member is one: it has to be a record, or whole.
    fn search(&mut self, from: u64) -> Result<bool, Broken> {
        let mut from = from;
        loop {
            self.approach(from);
            if !self.find_magic()? {
                self.state = State::Between;
                self.unpacked.clear();
                self.next = 0;
                return Ok(false);
            }
            self.begin()?;
            let is_good = match self.unpack(UNPACKED) {
                Ok(()) => self.state == State::Between || self.rest().starts_with(b"WARC/"),
                Err(Broken::Io(cause)) => return Err(Broken::Io(cause)),
                // What breaks off may have a good beginning.
                Err(broken) => {
                    self.ahead = Some(broken);
                    self.rest().starts_with(b"WARC/")
                }
            };
            if is_good {
                return Ok(true);
            }
            from = self.member + 1;
        }
    }

    /// Goes to an offset, or back as far as can be.
    fn approach(&mut self, offset: u64) {
        let at = self.input.offset();
        if at < offset {
            self.input.consume((offset - at) as usize);
        } else if self.credit >= at - offset {
            self.credit -= self.input.go_back(offset);
        }
    }

    /// Moves to the next bytes that a member may begin with.
    fn find_magic(&mut self) -> io::Result<bool> {
        let first = match self.packing {
            Packing::Gzip => GZIP[0],
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
            self.earn();
        }
    }

    /// What is read for the first time pays for reading something again.
    fn earn(&mut self) {
        let offset = self.input.offset();
        self.credit += offset.saturating_sub(self.furthest);
        self.furthest = self.furthest.max(offset);
    }

    /// Unpacks until so many bytes are there, or the member ends.
    fn unpack(&mut self, at_least: usize) -> Result<(), Broken> {
        if let Some(broken) = self.ahead.take() {
            return Err(broken);
        }
        self.unpacked.drain(..self.next);
        self.next = 0;
        while self.state == State::Within && self.unpacked.len() < at_least {
            let has_input = !self.input.rest().is_empty() || self.input.read_more(self.member)?;
            let step = self.step(at_least);
            self.earn();
            let member = self.member;
            let broken = match step {
                Ok(Step::Ended) => {
                    self.state = State::Between;
                    continue;
                }
                Ok(Step::Further) => continue,
                Ok(Step::Stuck) if !has_input => Broken::CutOff { member },
                Ok(Step::Stuck) => Broken::Damaged {
                    member,
                    cause: "nothing more comes out of it".to_owned(),
                },
                Err(cause) => Broken::Damaged { member, cause },
            };
            self.state = State::Lost;
            return Err(broken);
        }
        Ok(())
    }

    /// Unpacks as much as there is room for.
    fn step(&mut self, at_least: usize) -> Result<Step, String> {
        let filled = self.unpacked.len();
        let packed = self.input.rest();
        let room = UNPACKED.max(at_least + UNPACKED / 2);
        let (read, has_ended) = match &mut self.unpacking {
            Unpacking::None => return Ok(Step::Ended),
            Unpacking::Gzip(inflate) => {
                self.unpacked.reserve(room.saturating_sub(filled));
                let before = inflate.total_in();
                let status = inflate.decompress_vec(packed, &mut self.unpacked, FlushDecompress::None);
                let status = status.map_err(|cause| cause.to_string())?;
                let read = (inflate.total_in() - before) as usize;
                (read, status == flate2::Status::StreamEnd)
            }
            Unpacking::Zstd(frames) => {
                self.unpacked.resize(room, 0);
                let progress = frames.unpack(packed, &mut self.unpacked[filled..]);
                let written = progress.as_ref().map_or(0, |progress| progress.written);
                self.unpacked.truncate(filled + written);
                let progress = progress.map_err(|cause| cause.to_string())?;
                (progress.read, progress.has_ended)
            }
        };
        self.input.consume(read);
        Ok(match has_ended {
            true => Step::Ended,
            false if read == 0 && self.unpacked.len() == filled => Step::Stuck,
            false => Step::Further,
        })
    }
}

/// What became of some unpacking.
enum Step {
    /// There may be more.
    Further,
    /// That was the last of the member.
    Ended,
    /// Nothing went in, and nothing came out.
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

    /// Every member as its offset and text, everything broken as a line.
    fn members(file: &[u8]) -> Vec<String> {
        let mut unpacker = Unpacker::new(file).unwrap();
        let mut found = Vec::new();
        let mut text = Vec::new();
        loop {
            match unpacker.fill(1) {
                Ok([]) => {}
                Ok(bytes) => {
                    text.extend_from_slice(bytes);
                    let count = bytes.len();
                    unpacker.consume(count);
                    continue;
                }
                Err(broken) => found.push(format!("{broken:?}")),
            }
            if !text.is_empty() {
                let text = std::mem::take(&mut text);
                let (head, length) = (&text[..text.len().min(8)], text.len());
                let member = unpacker.position().member;
                found.push(format!("{member}: {} {length}", head.escape_ascii()));
            }
            match unpacker.next_member() {
                Ok(true) => {}
                Ok(false) => return found,
                Err(broken) => found.push(format!("{broken:?}")),
            }
        }
    }

    type Packer = fn(&[u8]) -> Vec<u8>;

    /// What packs as can be undone here.
    fn packers() -> Vec<Packer> {
        let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
        if zstandard::IS_KNOWN {
            vec![gzip, zstd]
        } else {
            vec![gzip]
        }
    }

    #[test]
    fn gives_members_with_their_offsets() {
        for pack in packers() {
            let (one, two, three) = (pack(b"WARC/one"), pack(&[b'x'; 500_000]), pack(b"WARC/3"));
            let file = [&one[..], &two, &three, &pack(b"")].concat();
            let behind = one.len() + two.len();
            let expect = [
                "0: WARC/one 8".to_owned(),
                format!("{}: xxxxxxxx 500000", one.len()),
                format!("{behind}: WARC/3 6"),
            ];
            assert_eq!(members(&file), expect);
        }
    }

    #[test]
    fn finds_the_next_member_behind_what_is_broken() {
        for (pack, seed) in packers().into_iter().zip(1..) {
            let noise: Vec<u8> = (0..20_000_u32)
                .map(|number| (number.wrapping_mul(2_654_435_761 + seed) >> 13) as u8)
                .collect();
            let (good, bad) = (pack(b"WARC/good"), pack(&noise));
            for damage in [Damage::Cut, Damage::Change, Damage::Remove] {
                let bad = damage.done_to(&bad);
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
        fn done_to(&self, bytes: &[u8]) -> Vec<u8> {
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
    fn junk_is_told() {
        let good = gzip(b"WARC/good");
        let file = [&good[..], b"<html>not a member \x1F\x8B\x08\0, really", &good].concat();
        let found = members(&file);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[1].starts_with("Junk"), "{found:?}");
        let filled = [&good[..], &[0; 300]].concat();
        assert_eq!(members(&filled), ["0: WARC/goo 9"]);
    }

    #[test]
    #[cfg(feature = "zstd")]
    fn reads_with_the_dictionary_of_the_file() {
        let dictionary = b"WARC/1.0 and other words that are in every record of this file".repeat(4);
        for is_packed in [false, true] {
            let stored = if is_packed {
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
            assert!(Unpacker::new(cut).is_err());
        }
    }
}
