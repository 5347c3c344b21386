//! Reads one record after the other, and finds the next behind what is broken.

use std::collections::VecDeque;
use std::io::Read;

use super::fault::Fault;
use super::fields;
use super::unpack::{Broken, Packing, Position, Unpacker};

/// The longest head of a record or an answer that is read.
pub(super) const MOST_HEAD: usize = 64 * 1024;

/// Blocks that nobody wants are held up to this size, to see whether they end where they should.
const MOST_UNWANTED: u64 = 1 << 20;

/// A file without a record in so many bytes has none.
const MOST_BEFORE_FIRST: u64 = 1 << 20;

/// Where nothing but broken records is found, the search ends.
const MOST_FAULTS_BEFORE_FIRST: usize = 100;

/// The head of a record.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) fields: Vec<(String, String)>,
    /// Where it begins.
    pub(super) position: Position,
}

impl Record {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        fields::get(&self.fields, name)
    }
}

/// What follows the head of a record.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// Whether it ended where it should have.
    pub(super) is_whole: bool,
}

/// The block that is to be read next.
#[derive(Debug, Clone, Copy)]
struct Ahead {
    /// What the record says its length is.
    length: Option<u64>,
    /// Where its record begins.
    record: Position,
}

/// Where a block was found to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Where its record said.
    Expected,
    /// Before that, for another record begins.
    NextRecord,
    /// Before that, with the file.
    File,
}

/// The records of a file.
pub(super) struct Records<R> {
    unpacker: Unpacker<R>,
    ahead: Option<Ahead>,
    /// What is to be told before the next record.
    pending: Option<Fault>,
    has_found: bool,
    /// What was read to see whether there are records at all.
    first: VecDeque<Result<Record, Fault>>,
}

impl<R: Read> Records<R> {
    /// From the beginning of a file.
    pub(super) fn new(reader: R) -> Result<Self, Fault> {
        Unpacker::new(reader).map(Self::of).map_err(told)
    }

    /// From a reader that stands where the member of a record begins.
    pub(super) fn at(reader: R, position: Position, packing: Packing) -> Result<Self, Fault> {
        let mut unpacker = Unpacker::at(reader, position.member, packing).map_err(told)?;
        let mut left = position.within;
        if left > 0 {
            unpacker.next_member().map_err(told)?;
        }
        while left > 0 {
            let chunk = unpacker.fill(1).map_err(told)?.len();
            if chunk == 0 {
                break;
            }
            let step = left.min(chunk as u64);
            unpacker.consume(step as usize);
            left -= step;
        }
        Ok(Self::of(unpacker))
    }

    /// From a reader that stands at an offset of [`resume_offset`](Self::resume_offset).
    pub(super) fn resumed(reader: R, offset: u64, packing: Packing) -> Result<Self, Fault> {
        let position = Position {
            member: offset,
            within: 0,
        };
        let mut records = Self::at(reader, position, packing)?;
        records.has_found = true;
        Ok(records)
    }

    /// Where in the file reading may begin anew, with all told that lies before and nothing that lies behind; none within
    /// a member, or where something is still to be told.
    pub(super) fn resume_offset(&self) -> Option<u64> {
        let is_settled = self.first.is_empty() && self.ahead.is_none() && self.pending.is_none();
        let is_at_member = !self.unpacker.is_packed() || self.unpacker.is_between();
        (is_settled && is_at_member).then(|| self.unpacker.offset())
    }

    fn of(unpacker: Unpacker<R>) -> Self {
        Self {
            unpacker,
            ahead: None,
            pending: None,
            has_found: false,
            first: VecDeque::new(),
        }
    }

    pub(super) fn packing(&self) -> &Packing {
        self.unpacker.packing()
    }

    /// The first bytes of the file as they are, as long as nothing else was read.
    pub(super) fn packed_head(&mut self) -> Result<Vec<u8>, Fault> {
        self.unpacker.packed_head().map(<[u8]>::to_vec).map_err(Fault::Io)
    }

    /// How many bytes of the file a record takes whose block was read; 0 if it shares its member with others.
    pub(super) fn length_of(&self, record: &Record) -> u64 {
        let shares = record.position.within > 0 || !self.unpacker.is_between();
        if self.unpacker.is_packed() && shares {
            return 0;
        }
        self.unpacker.offset().saturating_sub(record.position.member)
    }

    /// Whether there is a record in this file; the error is what is broken instead.
    pub(super) fn is_archive(&mut self) -> Result<bool, Fault> {
        while self.first.len() < MOST_FAULTS_BEFORE_FIRST {
            match self.next_one() {
                Some(Err(Fault::Io(cause))) => return Err(Fault::Io(cause)),
                Some(Err(fault)) => self.first.push_back(Err(fault)),
                Some(Ok(record)) => {
                    self.first.push_back(Ok(record));
                    return Ok(true);
                }
                None => break,
            }
        }
        match self.first.pop_front() {
            Some(Err(fault)) => Err(fault),
            _ => Ok(false),
        }
    }

    /// The next record, or something broken before it: then more may follow.
    pub(super) fn next(&mut self) -> Option<Result<Record, Fault>> {
        self.first.pop_front().or_else(|| self.next_one())
    }

    fn next_one(&mut self) -> Option<Result<Record, Fault>> {
        if let Err(fault) = self.block(MOST_UNWANTED) {
            return Some(Err(fault));
        }
        if let Some(fault) = self.pending.take() {
            return Some(Err(fault));
        }
        self.record().transpose()
    }

    fn record(&mut self) -> Result<Option<Record>, Fault> {
        let Some((position, junk)) = self.first_line()? else {
            return Ok(None);
        };
        if let Some(from) = junk {
            self.pending = Some(Fault::At(from, "there is no record here: left out".to_owned()));
        }
        let fields = self.head(position)?;
        let length = fields::get(&fields, "content-length").and_then(|text| text.parse().ok());
        self.ahead = Some(Ahead {
            length,
            record: position,
        });
        self.has_found = true;
        Ok(Some(Record { fields, position }))
    }

    /// Reads on to the line that a record begins with. Says where that is, and where junk before it begins.
    fn first_line(&mut self) -> Result<Option<(Position, Option<u64>)>, Fault> {
        let mut junk = None;
        let mut passed = 0;
        let mut line = Vec::new();
        while self.skip_to_line()? {
            let mut position = self.unpacker.position();
            line.clear();
            self.read_line(&mut line)?;
            if let Some(at) = version_in(&line) {
                if self.unpacker.is_packed() {
                    position.within += at as u64;
                } else {
                    position.member += at as u64;
                }
                return Ok(Some((position, junk)));
            }
            passed += line.len() as u64;
            junk.get_or_insert(position.member);
            if !self.has_found && passed > MOST_BEFORE_FIRST {
                return Ok(None);
            }
        }
        match junk {
            Some(from) if self.has_found => {
                Err(Fault::At(from, "there is no record here: left out".to_owned()))
            }
            _ => Ok(None),
        }
    }

    /// Skips the ends of lines and of members. False at the end of the file.
    fn skip_to_line(&mut self) -> Result<bool, Fault> {
        loop {
            let chunk = self.unpacker.fill(1).map_err(told)?;
            let is_empty = chunk.is_empty();
            let count = newlines(chunk);
            let has_line = count < chunk.len();
            self.unpacker.consume(count);
            if has_line {
                return Ok(true);
            }
            if is_empty && !self.unpacker.next_member().map_err(told)? {
                return Ok(false);
            }
        }
    }

    /// Reads a line with its end, or as much of it as a head may have.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<(), Fault> {
        let limit = line.len() + MOST_HEAD;
        while line.len() < limit {
            let chunk = self.unpacker.fill(1).map_err(told)?;
            if chunk.is_empty() {
                if !self.goes_on_in_next_member()? {
                    return Ok(());
                }
                continue;
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let count = end.map_or(chunk.len().min(limit - line.len()), |end| end + 1);
            line.extend_from_slice(&chunk[..count]);
            self.unpacker.consume(count);
            if end.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether what ends with this member goes on in the next: not if that begins with a record.
    fn goes_on_in_next_member(&mut self) -> Result<bool, Fault> {
        let is_there = self.unpacker.is_packed() && self.unpacker.next_member().map_err(told)?;
        Ok(is_there && !self.unpacker.fill(5).map_err(told)?.starts_with(b"WARC/"))
    }

    /// The fields of a record, up to an empty line.
    fn head(&mut self, position: Position) -> Result<Vec<(String, String)>, Fault> {
        let mut head = Vec::new();
        loop {
            let start = head.len();
            self.read_line(&mut head)?;
            match &head[start..] {
                b"\n" | b"\r\n" => return Ok(fields::parse(&head[..start])),
                line if head.len() > MOST_HEAD || !line.ends_with(b"\n") => {
                    let cause = if head.len() > MOST_HEAD {
                        format!("the head of this record is longer than {MOST_HEAD} bytes: left out")
                    } else {
                        "the head of this record breaks off: left out".to_owned()
                    };
                    return Err(Fault::At(position.member, cause));
                }
                _ => {}
            }
        }
    }

    /// The block of the record that was found last; none if it is larger than that.
    pub(super) fn block(&mut self, max_bytes: u64) -> Result<Option<Block>, Fault> {
        let Some(ahead) = self.ahead.take() else {
            return Ok(None);
        };
        let Some(length) = ahead.length else {
            self.tell(
                ahead,
                "this record does not say its length: it ends where the next begins",
            );
            return self.block_to_next_record(Vec::new(), max_bytes);
        };
        if length > max_bytes {
            let lost = |what: &str| Fault::At(ahead.record.member, format!("{what}: left out"));
            return match self.skip(length)? {
                End::Expected => self.skip_newlines().map(|_| None),
                End::NextRecord => Err(lost("this record says a wrong length")),
                End::File => Err(lost(CUT_OFF)),
            };
        }
        let mut bytes = Vec::with_capacity(length.min(MOST_UNWANTED) as usize);
        match self.read(&mut bytes, length)? {
            End::Expected => self.check_end(ahead, bytes, max_bytes),
            End::NextRecord => {
                self.tell(ahead, WRONG_LENGTH);
                Ok(Some(whole(bytes)))
            }
            End::File => Ok(Some(self.broken_off(ahead, bytes))),
        }
    }

    /// Reads a block. What is cut off by the end of the file is no error.
    fn read(&mut self, bytes: &mut Vec<u8>, length: u64) -> Result<End, Fault> {
        while (bytes.len() as u64) < length {
            let chunk = match self.unpacker.fill(1) {
                Err(Broken::CutOff { .. }) => return Ok(End::File),
                other => other.map_err(told)?,
            };
            if chunk.is_empty() {
                match self.end_of_member()? {
                    None => continue,
                    Some(end) => return Ok(end),
                }
            }
            let count = chunk.len().min((length - bytes.len() as u64) as usize);
            bytes.extend_from_slice(&chunk[..count]);
            self.unpacker.consume(count);
        }
        Ok(End::Expected)
    }

    /// Skips a block. Where nothing is packed, a record that begins in it ends it: what is skipped cannot be read
    /// again, so one wrong length would cost all that follows.
    fn skip(&mut self, length: u64) -> Result<End, Fault> {
        let mut left = length;
        let mut before = Vec::new();
        while left > 0 {
            let is_packed = self.unpacker.is_packed();
            let chunk = self.unpacker.fill(2 * BEGINNING).map_err(told)?;
            if chunk.is_empty() {
                match self.end_of_member()? {
                    None => continue,
                    Some(end) => return Ok(end),
                }
            }
            // The last bytes are looked at again with those behind them.
            let passed = chunk.len().checked_sub(BEGINNING).filter(|&count| count > 0);
            let passed = passed.unwrap_or(chunk.len());
            let count = passed.min(usize::try_from(left).unwrap_or(usize::MAX));
            let next = next_record(&before, chunk, count).filter(|_| !is_packed);
            let count = next.unwrap_or(count);
            before.extend_from_slice(&chunk[count.saturating_sub(EMPTY_LINE)..count]);
            before.drain(..before.len().saturating_sub(EMPTY_LINE));
            self.unpacker.consume(count);
            if next.is_some() {
                return Ok(End::NextRecord);
            }
            left -= count as u64;
        }
        Ok(End::Expected)
    }

    /// What the end of a member means within a block: nothing, if the block goes on in the next.
    fn end_of_member(&mut self) -> Result<Option<End>, Fault> {
        if self.goes_on_in_next_member()? {
            return Ok(None);
        }
        let has_more = self.unpacker.is_packed() && !self.unpacker.is_between();
        Ok(Some(if has_more { End::NextRecord } else { End::File }))
    }

    /// Looks at what follows a block of the expected length: two ends of lines, or else the length is wrong.
    fn check_end(
        &mut self,
        ahead: Ahead,
        mut bytes: Vec<u8>,
        max_bytes: u64,
    ) -> Result<Option<Block>, Fault> {
        let tail = match self.skip_newlines() {
            Ok(tail) => tail,
            // All of the block is there.
            Err(Fault::At(offset, cause)) if cause == CUT_OFF => {
                self.pending = Some(Fault::At(offset, cause));
                return Ok(Some(Block {
                    bytes,
                    is_whole: true,
                }));
            }
            Err(fault) => return Err(fault),
        };
        let lines = tail.iter().filter(|&&byte| byte == b'\n').count();
        let next = self.unpacker.fill(5).map_err(told)?;
        if lines >= 2 || next.is_empty() || next.starts_with(b"WARC/") {
            return Ok(Some(Block {
                bytes,
                is_whole: true,
            }));
        }
        self.tell(ahead, WRONG_LENGTH);
        bytes.extend(tail);
        match self.cut_at_embedded(&mut bytes) {
            true => Ok(Some(whole(bytes))),
            false => self.block_to_next_record(bytes, max_bytes),
        }
    }

    fn broken_off(&mut self, ahead: Ahead, mut bytes: Vec<u8>) -> Block {
        if self.cut_at_embedded(&mut bytes) {
            self.tell(ahead, WRONG_LENGTH);
            return whole(bytes);
        }
        self.tell(ahead, CUT_OFF);
        Block {
            bytes,
            is_whole: false,
        }
    }

    /// Cuts a block off where another record begins in it, and gives that back. Only where nothing is packed: members
    /// are a better sign.
    fn cut_at_embedded(&mut self, bytes: &mut Vec<u8>) -> bool {
        let Some(at) = embedded_record(bytes) else {
            return false;
        };
        let is_given_back = self.unpacker.take_back(&bytes[at..]);
        if is_given_back {
            bytes.truncate(at);
        }
        is_given_back
    }

    /// The ends of lines at this place of this member.
    fn skip_newlines(&mut self) -> Result<Vec<u8>, Fault> {
        let mut skipped = Vec::new();
        loop {
            let chunk = self.unpacker.fill(1).map_err(told)?;
            let count = newlines(chunk);
            let is_end = count < chunk.len() || chunk.is_empty();
            if skipped.len() < 4 {
                skipped.extend_from_slice(&chunk[..count]);
            }
            self.unpacker.consume(count);
            if is_end {
                return Ok(skipped);
            }
        }
    }

    /// Reads a block that ends where the next record begins, or with its member.
    fn block_to_next_record(&mut self, mut bytes: Vec<u8>, max_bytes: u64) -> Result<Option<Block>, Fault> {
        loop {
            let begins_member = self.unpacker.is_packed() && self.unpacker.position().within == 0;
            let chunk = self.unpacker.fill(8).map_err(told)?;
            let may_begin = bytes.is_empty() || begins_member || ends_with_empty_line(&bytes);
            if may_begin && begins_as_record(chunk) {
                return Ok(Some(whole(bytes)));
            }
            let before = bytes.len();
            self.read_line(&mut bytes)?;
            if bytes.len() as u64 > max_bytes {
                return Ok(None);
            }
            if bytes.len() == before {
                return Ok(Some(whole(bytes)));
            }
        }
    }

    fn tell(&mut self, ahead: Ahead, what: &str) {
        self.pending = Some(Fault::At(ahead.record.member, what.to_owned()));
    }
}

const CUT_OFF: &str = "the file ends within this record";
const WRONG_LENGTH: &str = "this record says a wrong length: it ends where the next begins";

fn told(broken: Broken) -> Fault {
    match broken {
        Broken::Io(cause) => Fault::Io(cause),
        Broken::Damaged { member, cause } => Fault::At(
            member,
            format!("this record cannot be unpacked ({cause}): left out"),
        ),
        Broken::CutOff { member } => Fault::At(member, CUT_OFF.to_owned()),
        Broken::Junk { offset, length } => {
            Fault::At(offset, format!("{length} bytes here are no record: left out"))
        }
    }
}

/// A block without the ends of lines behind it.
fn whole(mut bytes: Vec<u8>) -> Block {
    for _ in 0..2 {
        let end = bytes
            .strip_suffix(b"\n")
            .map(|rest| rest.strip_suffix(b"\r").unwrap_or(rest).len());
        bytes.truncate(end.unwrap_or(bytes.len()));
    }
    Block {
        bytes,
        is_whole: true,
    }
}

fn newlines(chunk: &[u8]) -> usize {
    let is_newline = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    chunk.iter().take_while(is_newline).count()
}

fn begins_as_record(bytes: &[u8]) -> bool {
    matches!(bytes, [b'W', b'A', b'R', b'C', b'/', b'0' | b'1', b'.', digit, ..] if digit.is_ascii_digit())
}

/// Where in its first line a record begins, if it does. Junk may stand before it.
fn version_in(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    // The longest is `WARC/0.18`.
    let from = line.len().saturating_sub(9);
    if begins_as_record(line) && line.len() <= 9 {
        return Some(0);
    }
    (from..line.len()).find(|&at| begins_as_record(&line[at..]))
}

/// Where within a block another record begins, behind an empty line.
fn embedded_record(bytes: &[u8]) -> Option<usize> {
    let starts = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'W');
    let mut starts = starts.map(|(at, _)| at);
    starts.find(|&at| begins_as_record(&bytes[at..]) && ends_with_empty_line(&bytes[..at]))
}

/// How many bytes tell that a record begins.
const BEGINNING: usize = 8;

/// How many bytes tell that there is an empty line before it.
const EMPTY_LINE: usize = 3;

/// Where among the first bytes of a chunk a record begins, behind an empty line that may be in what came before.
fn next_record(before: &[u8], chunk: &[u8], count: usize) -> Option<usize> {
    let starts = chunk[..count]
        .iter()
        .enumerate()
        .filter(|&(_, &byte)| byte == b'W');
    let mut starts = starts.map(|(at, _)| at);
    starts.find(|&at| {
        begins_as_record(&chunk[at..])
            && match at {
                0..EMPTY_LINE => ends_with_empty_line(&[before, &chunk[..at]].concat()),
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

    /// Every record as name and block, everything broken as its message.
    fn read(file: &[u8]) -> Vec<String> {
        let mut records = Records::new(file).unwrap();
        let mut found = Vec::new();
        while let Some(next) = records.next() {
            let text = match next.and_then(|record| Ok((record, records.block(1000)?))) {
                Ok((record, Some(block))) => {
                    let name = record.get("name").unwrap_or("?").to_owned();
                    let cut = if block.is_whole { "" } else { " (cut)" };
                    format!("{name} {}{cut}", block.bytes.escape_ascii())
                }
                Ok((record, None)) => format!("{} too large", record.get("name").unwrap_or("?")),
                Err(Fault::At(offset, what)) => format!("{offset}: {what}"),
                Err(Fault::Io(cause)) => panic!("{cause}"),
            };
            found.push(text);
            assert!(found.len() < 100, "it does not end: {found:?}");
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
        // As bgzip does it: members end anywhere.
        let blocks: Vec<u8> = file.as_bytes().chunks(7).flat_map(gzip).collect();
        assert_eq!(read(&blocks), ["a one", "b ", "c three"]);
    }

    #[test]
    fn wrong_lengths_do_not_cost_other_records() {
        let wrong = "0: this record says a wrong length: it ends where the next begins";
        for length in ["2", "30", "70", "80", "999"] {
            let bad = record("a", &format!("Content-Length: {length}"), "one two");
            let file = [bad.clone(), good("b", "x"), good("c", "y")].concat();
            check(&file, &["a one two", wrong, "b x", "c y"]);
            let packed: Vec<u8> = [bad, good("b", "x")]
                .iter()
                .flat_map(|text| gzip(text.as_bytes()))
                .collect();
            assert_eq!(read(&packed), ["a one two", wrong, "b x"], "{length}");
        }
        for length in ["Content-Length: many", "Content-Length: -1", "X: y"] {
            let file = [record("a", length, "one"), good("b", "x")].concat();
            let untold = "0: this record does not say its length: it ends where the next begins";
            check(&file, &["a one", untold, "b x"]);
        }
    }

    #[test]
    fn junk_is_left_out() {
        let junk = "there is no record here: left out";
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
    fn long_heads_and_large_blocks_are_skipped() {
        let long = record("a", &format!("X: {}", "y".repeat(70_000)), "one");
        let found = read(format!("{long}{}", good("b", "two")).as_bytes());
        assert!(
            found[0].contains("0: the head of this record is longer"),
            "{found:?}"
        );
        assert!(found.contains(&"b two".to_owned()), "{found:?}");
        let large = good("a", &"x".repeat(2000));
        check(&format!("{large}{}", good("b", "two")), &["a too large", "b two"]);
    }

    #[test]
    fn what_is_cut_off_is_told() {
        let file = [good("a", "one"), good("b", "two three")].concat();
        let at = good("a", "one").len();
        let cut = &file[..file.len() - 8];
        let told = format!("{at}: the file ends within this record");
        check(cut, &["a one", "b two t (cut)", &told]);
    }
}
