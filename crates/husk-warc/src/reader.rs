//! Reads one record after the other, and continues after damage.

use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::decompress::{DecompressError, Decompressor, FileCompression, Position};
use crate::error::{self, ReadError, WarcError};
use crate::fields::{self, MAX_HEADER};
use crate::record::{Block, Record};

/// Skipped blocks up to this size are read into memory, to check whether they end where they should.
const MAX_CHECKED_SKIP: u64 = 1 << 20;

/// A file without a record in its first bytes is not a WARC file.
const MAX_BYTES_BEFORE_FIRST: u64 = 1 << 20;

/// Nor is a file that starts with this many errors.
const MAX_ERRORS_BEFORE_FIRST: usize = 100;

/// The block that follows.
#[derive(Debug, Clone, Copy)]
struct NextBlock {
    /// The record's `Content-Length`.
    length: Option<u64>,
    record: Position,
}

/// Where a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockEnd {
    /// Where the record says.
    Expected,
    /// Earlier, since another record starts.
    NextRecord,
    /// Earlier, since the file ends.
    File,
}

/// Reads the records of a WARC file in order, one at a time.
///
/// The compression is detected. Damage is returned as an error, and reading continues with the next record.
///
/// ```
/// use husk_warc::{RecordReader, RecordType};
/// # use husk_warc::{Compression, WarcWriter};
/// # let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip);
/// # writer.set_info(&[("software", "example")]);
/// # let file = writer.finish()?;
///
/// let mut records = RecordReader::new(&file[..])?;
/// let record = records.next_record().unwrap()?;
/// assert_eq!(record.record_type(), Some(RecordType::Warcinfo));
/// let block = records.read_block(1 << 20)?.unwrap();
/// assert_eq!(block.bytes, b"software: example\r\n");
/// assert!(records.next_record().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RecordReader<R> {
    decompressor: Decompressor<R>,
    path: PathBuf,
    next_block: Option<NextBlock>,
    /// An error to return before the next record.
    pending: Option<ReadError>,
    has_found: bool,
    /// What was read to check that there are records at all.
    read_ahead: VecDeque<Result<Record, ReadError>>,
}

impl<R: Read> RecordReader<R> {
    /// Reads from anything. Fails if there is no record in it.
    pub fn new(reader: R) -> Result<Self, WarcError> {
        Self::of_file(reader, Path::new("the archive"))
    }

    /// Reads a file from its beginning. Fails if there is no record in it.
    pub(crate) fn of_file(reader: R, path: &Path) -> Result<Self, WarcError> {
        let mut records = Self::from_start(reader, path).map_err(|error| error.in_file(path))?;
        match records.find_first() {
            Ok(None) => Ok(records),
            Ok(Some(head)) => Err(error::not_warc(path, &head)),
            Err(error) => Err(error.in_file(path)),
        }
    }

    fn from_start(reader: R, path: &Path) -> Result<Self, ReadError> {
        Ok(Self::with(Decompressor::new(reader)?, path))
    }

    /// Starts at a record; the reader's next byte must be at the offset of its position.
    pub(crate) fn at(
        reader: R,
        path: &Path,
        position: Position,
        compression: FileCompression,
    ) -> Result<Self, ReadError> {
        let mut decompressor = Decompressor::at(reader, position.offset, compression)?;
        let mut left = position.within;
        if left > 0 {
            decompressor.next_member()?;
        }
        while left > 0 {
            let chunk = decompressor.fill(1)?.len();
            if chunk == 0 {
                break;
            }
            let step = left.min(chunk as u64);
            decompressor.consume(step as usize);
            left -= step;
        }
        Ok(Self::with(decompressor, path))
    }

    /// Continues at an offset that [`resume_offset`](Self::resume_offset) returned.
    pub(crate) fn resume(
        reader: R,
        path: &Path,
        offset: u64,
        compression: FileCompression,
    ) -> Result<Self, ReadError> {
        let mut records = Self::at(reader, path, Position { offset, within: 0 }, compression)?;
        records.has_found = true;
        Ok(records)
    }

    fn with(decompressor: Decompressor<R>, path: &Path) -> Self {
        Self {
            decompressor,
            path: path.to_owned(),
            next_block: None,
            pending: None,
            has_found: false,
            read_ahead: VecDeque::new(),
        }
    }

    /// The file that is read, for error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn compression(&self) -> &FileCompression {
        self.decompressor.compression()
    }

    /// The next record, or an error for something damaged before it: then reading can continue, unless it is
    /// [`WarcError::Io`]. `None` at the end of the file.
    pub fn next_record(&mut self) -> Option<Result<Record, WarcError>> {
        let next = self.read_ahead.pop_front().or_else(|| self.next_one())?;
        Some(next.map_err(|error| error.in_file(&self.path)))
    }

    /// Reads the block of the record that was returned last. `None` if it is larger than `max_bytes`, or was read already.
    pub fn read_block(&mut self, max_bytes: u64) -> Result<Option<Block>, WarcError> {
        self.block(max_bytes).map_err(|error| error.in_file(&self.path))
    }

    /// The offset at which [`WarcFile::resume`](crate::WarcFile::resume) continues exactly after what was read so far.
    /// `None` within a compressed member, or while an error is still to be reported.
    pub fn resume_offset(&self) -> Option<u64> {
        let is_settled = self.read_ahead.is_empty() && self.next_block.is_none() && self.pending.is_none();
        let is_at_member = !self.decompressor.is_compressed() || self.decompressor.is_between();
        (is_settled && is_at_member).then(|| self.decompressor.offset())
    }

    /// How many bytes of the file a record takes, once its block was read. `None` if it shares a compressed member with
    /// other records.
    pub fn stored_len(&self, record: &Record) -> Option<u64> {
        let is_shared = record.position.within > 0 || !self.decompressor.is_between();
        if self.decompressor.is_compressed() && is_shared {
            return None;
        }
        Some(self.decompressor.offset().saturating_sub(record.position.offset))
    }

    /// Reads up to the first record. If there is none, returns the first bytes of the file, or what is damaged.
    fn find_first(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let head = self.decompressor.raw_head().map_err(ReadError::Io)?.to_vec();
        while self.read_ahead.len() < MAX_ERRORS_BEFORE_FIRST {
            match self.next_one() {
                Some(Err(ReadError::Io(cause))) => return Err(ReadError::Io(cause)),
                Some(Err(error)) => self.read_ahead.push_back(Err(error)),
                Some(Ok(record)) => {
                    self.read_ahead.push_back(Ok(record));
                    return Ok(None);
                }
                None => break,
            }
        }
        match self.read_ahead.pop_front() {
            Some(Err(error)) => Err(error),
            _ => Ok(Some(head)),
        }
    }

    fn next_one(&mut self) -> Option<Result<Record, ReadError>> {
        if let Err(error) = self.block(MAX_CHECKED_SKIP) {
            return Some(Err(error));
        }
        if let Some(error) = self.pending.take() {
            return Some(Err(error));
        }
        self.record().transpose()
    }

    fn record(&mut self) -> Result<Option<Record>, ReadError> {
        let Some((position, junk)) = self.first_line()? else {
            return Ok(None);
        };
        if let Some(from) = junk {
            self.pending = Some(ReadError::Damaged(from, NO_RECORD.to_owned()));
        }
        let fields = self.read_header(position)?;
        let length = fields::get(&fields, "content-length").and_then(|text| text.parse().ok());
        self.next_block = Some(NextBlock {
            length,
            record: position,
        });
        self.has_found = true;
        Ok(Some(Record { fields, position }))
    }

    /// Reads up to the first line of a record. Returns its position, and the offset of junk before it.
    fn first_line(&mut self) -> Result<Option<(Position, Option<u64>)>, ReadError> {
        let mut junk = None;
        let mut skipped = 0;
        let mut line = Vec::new();
        while self.skip_to_line()? {
            let mut position = self.decompressor.position();
            line.clear();
            self.read_line(&mut line)?;
            if let Some(at) = version_in(&line) {
                if self.decompressor.is_compressed() {
                    position.within += at as u64;
                } else {
                    position.offset += at as u64;
                }
                return Ok(Some((position, junk)));
            }
            skipped += line.len() as u64;
            junk.get_or_insert(position.offset);
            if !self.has_found && skipped > MAX_BYTES_BEFORE_FIRST {
                return Ok(None);
            }
        }
        match junk {
            Some(from) if self.has_found => Err(ReadError::Damaged(from, NO_RECORD.to_owned())),
            _ => Ok(None),
        }
    }

    /// Skips line ends and ends of members. False at the end of the file.
    fn skip_to_line(&mut self) -> Result<bool, ReadError> {
        loop {
            let chunk = self.decompressor.fill(1)?;
            let is_empty = chunk.is_empty();
            let count = newlines(chunk);
            let has_line = count < chunk.len();
            self.decompressor.consume(count);
            if has_line {
                return Ok(true);
            }
            if is_empty && !self.decompressor.next_member()? {
                return Ok(false);
            }
        }
    }

    /// Reads a line with its end, up to the maximum length of a header.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<(), ReadError> {
        let limit = line.len() + MAX_HEADER;
        while line.len() < limit {
            let chunk = self.decompressor.fill(1)?;
            if chunk.is_empty() {
                if !self.continues_in_next_member()? {
                    return Ok(());
                }
                continue;
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let count = end.map_or(chunk.len().min(limit - line.len()), |end| end + 1);
            line.extend_from_slice(&chunk[..count]);
            self.decompressor.consume(count);
            if end.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Moves to the next member. True if a record continues there, which it does unless another one starts.
    fn continues_in_next_member(&mut self) -> Result<bool, ReadError> {
        let is_there = self.decompressor.is_compressed() && self.decompressor.next_member()?;
        Ok(is_there && !self.decompressor.fill(5)?.starts_with(b"WARC/"))
    }

    /// Reads the fields of a record, up to an empty line.
    fn read_header(&mut self, position: Position) -> Result<Vec<(String, String)>, ReadError> {
        let mut head = Vec::new();
        loop {
            let start = head.len();
            self.read_line(&mut head)?;
            match &head[start..] {
                b"\n" | b"\r\n" => return Ok(fields::parse(&head[..start])),
                line if head.len() > MAX_HEADER || !line.ends_with(b"\n") => {
                    let cause = if head.len() > MAX_HEADER {
                        format!("the header of this record is longer than {MAX_HEADER} bytes: skipped")
                    } else {
                        "the header of this record is cut off: skipped".to_owned()
                    };
                    return Err(ReadError::Damaged(position.offset, cause));
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, max_bytes: u64) -> Result<Option<Block>, ReadError> {
        let Some(block) = self.next_block.take() else {
            return Ok(None);
        };
        let Some(length) = block.length else {
            self.defer(
                block,
                "this record has no valid Content-Length: it ends where the next one starts",
            );
            return self.block_to_next_record(Vec::new(), max_bytes);
        };
        if length > max_bytes {
            let lost = |problem: &str| ReadError::Damaged(block.record.offset, format!("{problem}: skipped"));
            return match self.skip(length)? {
                BlockEnd::Expected => self.skip_newlines().map(|_| None),
                BlockEnd::NextRecord => Err(lost("the Content-Length of this record is wrong")),
                BlockEnd::File => Err(lost(CUT_OFF)),
            };
        }
        let mut bytes = Vec::with_capacity(length.min(MAX_CHECKED_SKIP) as usize);
        match self.read(&mut bytes, length)? {
            BlockEnd::Expected => self.check_end(block, bytes, max_bytes),
            BlockEnd::NextRecord => {
                self.defer(block, WRONG_LENGTH);
                Ok(Some(complete_block(bytes)))
            }
            BlockEnd::File => Ok(Some(self.cut_off_block(block, bytes))),
        }
    }

    /// Reads a block. The end of the file within it is not an error.
    fn read(&mut self, bytes: &mut Vec<u8>, length: u64) -> Result<BlockEnd, ReadError> {
        while (bytes.len() as u64) < length {
            let chunk = match self.decompressor.fill(1) {
                Err(DecompressError::CutOff { .. }) => return Ok(BlockEnd::File),
                other => other?,
            };
            if chunk.is_empty() {
                match self.end_of_member()? {
                    None => continue,
                    Some(end) => return Ok(end),
                }
            }
            let count = chunk.len().min((length - bytes.len() as u64) as usize);
            bytes.extend_from_slice(&chunk[..count]);
            self.decompressor.consume(count);
        }
        Ok(BlockEnd::Expected)
    }

    /// Skips a block. In an uncompressed file, a record that starts within it ends it: skipped bytes cannot be read
    /// again, so one wrong length would lose the rest of the file.
    fn skip(&mut self, length: u64) -> Result<BlockEnd, ReadError> {
        let mut left = length;
        let mut before = Vec::new();
        while left > 0 {
            let is_compressed = self.decompressor.is_compressed();
            let chunk = self.decompressor.fill(2 * START_LEN)?;
            if chunk.is_empty() {
                match self.end_of_member()? {
                    None => continue,
                    Some(end) => return Ok(end),
                }
            }
            // The last bytes are searched again, together with those that follow.
            let searched = chunk.len().checked_sub(START_LEN).filter(|&count| count > 0);
            let searched = searched.unwrap_or(chunk.len());
            let count = searched.min(usize::try_from(left).unwrap_or(usize::MAX));
            let next = next_record(&before, chunk, count).filter(|_| !is_compressed);
            let count = next.unwrap_or(count);
            before.extend_from_slice(&chunk[count.saturating_sub(EMPTY_LINE_LEN)..count]);
            before.drain(..before.len().saturating_sub(EMPTY_LINE_LEN));
            self.decompressor.consume(count);
            if next.is_some() {
                return Ok(BlockEnd::NextRecord);
            }
            left -= count as u64;
        }
        Ok(BlockEnd::Expected)
    }

    /// What the end of a member within a block means. `None` if the block continues in the next member.
    fn end_of_member(&mut self) -> Result<Option<BlockEnd>, ReadError> {
        if self.continues_in_next_member()? {
            return Ok(None);
        }
        let has_more = self.decompressor.is_compressed() && !self.decompressor.is_between();
        Ok(Some(if has_more {
            BlockEnd::NextRecord
        } else {
            BlockEnd::File
        }))
    }

    /// Checks that two line ends follow a block of the expected length. Otherwise the length is wrong.
    fn check_end(
        &mut self,
        block: NextBlock,
        mut bytes: Vec<u8>,
        max_bytes: u64,
    ) -> Result<Option<Block>, ReadError> {
        let tail = match self.skip_newlines() {
            Ok(tail) => tail,
            // The block itself is complete.
            Err(ReadError::Damaged(offset, problem)) if problem == CUT_OFF => {
                self.pending = Some(ReadError::Damaged(offset, problem));
                return Ok(Some(Block {
                    bytes,
                    is_complete: true,
                }));
            }
            Err(error) => return Err(error),
        };
        let lines = tail.iter().filter(|&&byte| byte == b'\n').count();
        let next = self.decompressor.fill(5)?;
        if lines >= 2 || next.is_empty() || next.starts_with(b"WARC/") {
            return Ok(Some(Block {
                bytes,
                is_complete: true,
            }));
        }
        self.defer(block, WRONG_LENGTH);
        bytes.extend(tail);
        match self.cut_at_next_record(&mut bytes) {
            true => Ok(Some(complete_block(bytes))),
            false => self.block_to_next_record(bytes, max_bytes),
        }
    }

    fn cut_off_block(&mut self, block: NextBlock, mut bytes: Vec<u8>) -> Block {
        if self.cut_at_next_record(&mut bytes) {
            self.defer(block, WRONG_LENGTH);
            return complete_block(bytes);
        }
        self.defer(block, CUT_OFF);
        Block {
            bytes,
            is_complete: false,
        }
    }

    /// Ends a block where another record starts within it, and puts that record back. Only in uncompressed files:
    /// elsewhere members mark the ends of records.
    fn cut_at_next_record(&mut self, bytes: &mut Vec<u8>) -> bool {
        let Some(at) = embedded_record(bytes) else {
            return false;
        };
        let is_put_back = self.decompressor.put_back(&bytes[at..]);
        if is_put_back {
            bytes.truncate(at);
        }
        is_put_back
    }

    /// Skips line ends within this member, and returns the first of them.
    fn skip_newlines(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut skipped = Vec::new();
        loop {
            let chunk = self.decompressor.fill(1)?;
            let count = newlines(chunk);
            let is_end = count < chunk.len() || chunk.is_empty();
            if skipped.len() < 4 {
                skipped.extend_from_slice(&chunk[..count]);
            }
            self.decompressor.consume(count);
            if is_end {
                return Ok(skipped);
            }
        }
    }

    /// Reads a block that ends where the next record starts, or with its member.
    fn block_to_next_record(
        &mut self,
        mut bytes: Vec<u8>,
        max_bytes: u64,
    ) -> Result<Option<Block>, ReadError> {
        loop {
            let starts_member = self.decompressor.is_compressed() && self.decompressor.position().within == 0;
            let chunk = self.decompressor.fill(8)?;
            let may_start = bytes.is_empty() || starts_member || ends_with_empty_line(&bytes);
            if may_start && starts_record(chunk) {
                return Ok(Some(complete_block(bytes)));
            }
            let before = bytes.len();
            self.read_line(&mut bytes)?;
            if bytes.len() as u64 > max_bytes {
                return Ok(None);
            }
            if bytes.len() == before {
                return Ok(Some(complete_block(bytes)));
            }
        }
    }

    fn defer(&mut self, block: NextBlock, problem: &str) {
        self.pending = Some(ReadError::Damaged(block.record.offset, problem.to_owned()));
    }
}

const CUT_OFF: &str = "the file ends within this record";
const WRONG_LENGTH: &str = "the Content-Length of this record is wrong: it ends where the next one starts";
const NO_RECORD: &str = "not a record: skipped";

impl From<DecompressError> for ReadError {
    fn from(error: DecompressError) -> Self {
        match error {
            DecompressError::Io(cause) => Self::Io(cause),
            DecompressError::Damaged { member, cause } => Self::Damaged(
                member,
                format!("this record cannot be decompressed ({cause}): skipped"),
            ),
            DecompressError::CutOff { member } => Self::Damaged(member, CUT_OFF.to_owned()),
            DecompressError::Junk { offset, length } => {
                Self::Damaged(offset, format!("{length} bytes that are not a record: skipped"))
            }
        }
    }
}

/// A block without the line ends after it.
fn complete_block(mut bytes: Vec<u8>) -> Block {
    for _ in 0..2 {
        let end = bytes
            .strip_suffix(b"\n")
            .map(|rest| rest.strip_suffix(b"\r").unwrap_or(rest).len());
        bytes.truncate(end.unwrap_or(bytes.len()));
    }
    Block {
        bytes,
        is_complete: true,
    }
}

fn newlines(chunk: &[u8]) -> usize {
    let is_newline = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    chunk.iter().take_while(is_newline).count()
}

fn starts_record(bytes: &[u8]) -> bool {
    matches!(bytes, [b'W', b'A', b'R', b'C', b'/', b'0' | b'1', b'.', digit, ..] if digit.is_ascii_digit())
}

/// Where in a line a record starts, if one does. Junk may come before it.
fn version_in(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    // The longest is `WARC/0.18`.
    let from = line.len().saturating_sub(9);
    if starts_record(line) && line.len() <= 9 {
        return Some(0);
    }
    (from..line.len()).find(|&at| starts_record(&line[at..]))
}

/// Where within a block another record starts, after an empty line.
fn embedded_record(bytes: &[u8]) -> Option<usize> {
    let starts = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'W');
    let mut starts = starts.map(|(at, _)| at);
    starts.find(|&at| starts_record(&bytes[at..]) && ends_with_empty_line(&bytes[..at]))
}

/// How many bytes identify the start of a record.
const START_LEN: usize = 8;

/// How many bytes identify an empty line before it.
const EMPTY_LINE_LEN: usize = 3;

/// Where among the first `count` bytes of a chunk a record starts, after an empty line that may be in `before`.
fn next_record(before: &[u8], chunk: &[u8], count: usize) -> Option<usize> {
    let starts = chunk[..count]
        .iter()
        .enumerate()
        .filter(|&(_, &byte)| byte == b'W');
    let mut starts = starts.map(|(at, _)| at);
    starts.find(|&at| {
        starts_record(&chunk[at..])
            && match at {
                0..EMPTY_LINE_LEN => ends_with_empty_line(&[before, &chunk[..at]].concat()),
                _ => ends_with_empty_line(&chunk[..at]),
            }
    })
}

fn ends_with_empty_line(bytes: &[u8]) -> bool {
    bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn record(name: &str, length: &str, block: &str) -> String {
        format!("WARC/1.0\r\nName: {name}\r\n{length}\r\n\r\n{block}\r\n\r\n")
    }

    fn good(name: &str, block: &str) -> String {
        record(name, &format!("Content-Length: {}", block.len()), block)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Every record as name and block, every error as its message.
    fn read(file: &[u8]) -> Vec<String> {
        let mut records = RecordReader::from_start(file, Path::new("")).unwrap();
        let mut found = Vec::new();
        while let Some(next) = records.next_one() {
            let text = match next.and_then(|record| Ok((record, records.block(1000)?))) {
                Ok((record, Some(block))) => {
                    let name = record.get("name").unwrap_or("?").to_owned();
                    let cut = if block.is_complete { "" } else { " (cut)" };
                    format!("{name} {}{cut}", block.bytes.escape_ascii())
                }
                Ok((record, None)) => format!("{} too large", record.get("name").unwrap_or("?")),
                Err(ReadError::Damaged(offset, problem)) => format!("{offset}: {problem}"),
                Err(ReadError::Io(cause)) => panic!("{cause}"),
            };
            found.push(text);
            assert!(found.len() < 100, "too many records: {found:?}");
        }
        found
    }

    fn check(file: &str, expect: &[&str]) {
        assert_eq!(read(file.as_bytes()), expect, "{file}");
    }

    #[test]
    fn reads_records() {
        let file = [good("a", "one"), good("b", ""), good("c", "three")].concat();
        check(&file, &["a one", "b ", "c three"]);
        check(&file.replace("\r\n", "\n"), &["a one", "b ", "c three"]);
        assert_eq!(read(&gzip(file.as_bytes())), ["a one", "b ", "c three"]);
        let members: Vec<u8> = ["a", "b"]
            .iter()
            .flat_map(|name| gzip(good(name, "x").as_bytes()))
            .collect();
        assert_eq!(read(&members), ["a x", "b x"]);
        // bgzip ends members anywhere.
        let blocks: Vec<u8> = file.as_bytes().chunks(7).flat_map(gzip).collect();
        assert_eq!(read(&blocks), ["a one", "b ", "c three"]);
    }

    #[test]
    fn wrong_lengths_do_not_lose_other_records() {
        let wrong = "0: the Content-Length of this record is wrong: it ends where the next one starts";
        for length in ["2", "30", "70", "80", "999"] {
            let bad = record("a", &format!("Content-Length: {length}"), "one two");
            let file = [bad.clone(), good("b", "x"), good("c", "y")].concat();
            check(&file, &["a one two", wrong, "b x", "c y"]);
            let compressed: Vec<u8> = [bad, good("b", "x")]
                .iter()
                .flat_map(|text| gzip(text.as_bytes()))
                .collect();
            assert_eq!(read(&compressed), ["a one two", wrong, "b x"], "{length}");
        }
        for length in ["Content-Length: many", "Content-Length: -1", "X: y"] {
            let file = [record("a", length, "one"), good("b", "x")].concat();
            let missing = "0: this record has no valid Content-Length: it ends where the next one starts";
            check(&file, &["a one", missing, "b x"]);
        }
    }

    #[test]
    fn junk_is_skipped() {
        let junk = NO_RECORD;
        let (a, b) = (good("a", "one"), good("b", "two"));
        let at = a.len();
        let file = format!("{a}some junk\r\nmore of it{b}");
        check(&file, &["a one", "b two", &format!("{at}: {junk}")]);
        check(&format!("\n\n{a}\n\n\n\n{b}\n\n\n"), &["a one", "b two"]);
        check(
            &format!("{a}{b}trailing"),
            &["a one", "b two", &format!("{}: {junk}", at + b.len())],
        );
        check("no record at all", &[]);
    }

    #[test]
    fn long_headers_and_large_blocks_are_skipped() {
        let long = record("a", &format!("X: {}", "y".repeat(70_000)), "one");
        let found = read(format!("{long}{}", good("b", "two")).as_bytes());
        assert!(
            found[0].contains("0: the header of this record is longer"),
            "{found:?}"
        );
        assert!(found.contains(&"b two".to_owned()), "{found:?}");
        let large = good("a", &"x".repeat(2000));
        check(&format!("{large}{}", good("b", "two")), &["a too large", "b two"]);
    }

    #[test]
    fn cut_off_records_are_reported() {
        let file = [good("a", "one"), good("b", "two three")].concat();
        let at = good("a", "one").len();
        let cut = &file[..file.len() - 8];
        let message = format!("{at}: the file ends within this record");
        check(cut, &["a one", "b two t (cut)", &message]);
    }
}
