//! A sliding window over the bytes of a file, which can go back a little.

use std::io::{self, Read};

/// How many bytes are read at once.
const READ_BYTES: usize = 64 * 1024;

/// How many consumed bytes are kept at most.
const MAX_KEPT: usize = 256 * 1024;

#[derive(Debug)]
pub(crate) struct Input<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Index of the next byte in the buffer.
    next: usize,
    /// File offset of the buffer's first byte.
    base: u64,
    has_ended: bool,
}

impl<R: Read> Input<R> {
    /// Wraps a reader whose next byte is at `offset` of its file.
    pub(crate) fn at(reader: R, offset: u64) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            next: 0,
            base: offset,
            has_ended: false,
        }
    }

    /// The bytes that were read and not yet consumed.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.next..]
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.buffer.len());
    }

    /// File offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.next as u64
    }

    /// Reads more bytes; those before the offset `keep_from` may be dropped. False at the end of the file.
    pub(crate) fn read_more(&mut self, keep_from: u64) -> io::Result<bool> {
        if self.has_ended {
            return Ok(false);
        }
        if self.buffer.len() >= MAX_KEPT {
            self.drop_before(keep_from);
        }
        let filled = self.buffer.len();
        self.buffer.resize(filled + READ_BYTES, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[filled..]) {
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
        self.has_ended = !matches!(read, Ok(1..));
        read.map(|count| count > 0)
    }

    /// Reads until the rest has at least `count` bytes, if the file has as many.
    pub(crate) fn need(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.rest().len() < count && self.read_more(self.offset())? {}
        Ok(self.rest())
    }

    fn drop_before(&mut self, keep_from: u64) {
        let keep = usize::try_from(keep_from.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let keep = if self.next.saturating_sub(keep) > MAX_KEPT {
            self.next
        } else {
            keep.min(self.next)
        };
        self.buffer.drain(..keep);
        self.next -= keep;
        self.base += keep as u64;
    }

    /// Goes back to `offset`, or as far as bytes are kept. Returns the distance.
    pub(crate) fn go_back(&mut self, offset: u64) -> u64 {
        let from = self.next;
        let to = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.next = to.min(from);
        (from - self.next) as u64
    }

    /// Puts the bytes that were consumed last back in front.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        self.base = self.offset().saturating_sub(bytes.len() as u64);
        self.buffer.splice(..self.next, bytes.iter().copied());
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_as_far_as_bytes_are_kept() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
        let mut input = Input::at(&bytes[..], 0);
        assert_eq!(input.need(10).unwrap()[..10], bytes[..10]);
        input.consume(5);
        assert_eq!(input.go_back(0), 5);
        assert_eq!(input.offset(), 0);
        while input.read_more(100).unwrap() {
            input.consume(input.rest().len());
            assert!(
                input.buffer.len() <= 2 * (MAX_KEPT + READ_BYTES),
                "{}",
                input.buffer.len()
            );
        }
        assert_eq!(input.offset(), bytes.len() as u64);
        let back = input.go_back(100);
        assert!(back > 0);
        assert_eq!(input.rest(), &bytes[bytes.len() - back as usize..]);
    }

    #[test]
    fn puts_back_consumed_bytes() {
        let mut input = Input::at(&b"abcdef"[..], 100);
        input.need(6).unwrap();
        input.consume(4);
        input.put_back(b"cd");
        assert_eq!((input.rest(), input.offset()), (&b"cdef"[..], 102));
    }
}
