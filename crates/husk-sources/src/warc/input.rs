//! The bytes of a file as they come, with their offsets, and some of those that went by.

use std::io::{self, Read};

/// How much is asked for at once.
const READ: usize = 64 * 1024;

/// How much of what went by is held at most.
const KEPT: usize = 256 * 1024;

/// A window that slides over a file from its beginning to its end.
#[derive(Debug)]
pub(super) struct Input<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Where in the buffer the next byte is.
    next: usize,
    /// The offset in the file of the buffer's first byte.
    base: u64,
    has_ended: bool,
}

impl<R: Read> Input<R> {
    /// From a reader that stands at an offset of its file.
    pub(super) fn at(reader: R, offset: u64) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            next: 0,
            base: offset,
            has_ended: false,
        }
    }

    /// What was read and not yet consumed.
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.next..]
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.buffer.len());
    }

    /// The offset in the file of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.next as u64
    }

    /// Reads more behind the rest; what lies before an offset may be forgotten. False at the end of the file.
    pub(super) fn read_more(&mut self, keep_from: u64) -> io::Result<bool> {
        if self.has_ended {
            return Ok(false);
        }
        if self.buffer.len() >= KEPT {
            self.forget(keep_from);
        }
        let filled = self.buffer.len();
        self.buffer.resize(filled + READ, 0);
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

    /// Reads until at least so many bytes are there, if the file has them.
    pub(super) fn need(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.rest().len() < count && self.read_more(self.offset())? {}
        Ok(self.rest())
    }

    fn forget(&mut self, keep_from: u64) {
        let keep = usize::try_from(keep_from.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let keep = if self.next.saturating_sub(keep) > KEPT {
            self.next
        } else {
            keep.min(self.next)
        };
        self.buffer.drain(..keep);
        self.next -= keep;
        self.base += keep as u64;
    }

    /// Returns to an offset that was passed, or as near to it as bytes are held. Says how far that was.
    pub(super) fn go_back(&mut self, offset: u64) -> u64 {
        let from = self.next;
        let to = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.next = to.min(from);
        (from - self.next) as u64
    }

    /// Takes bytes back that were consumed last.
    pub(super) fn take_back(&mut self, bytes: &[u8]) {
        self.base = self.offset().saturating_sub(bytes.len() as u64);
        self.buffer.splice(..self.next, bytes.iter().copied());
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_as_far_as_it_remembers() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
        let mut input = Input::at(&bytes[..], 0);
        assert_eq!(input.need(10).unwrap()[..10], bytes[..10]);
        input.consume(5);
        assert_eq!(input.go_back(0), 5);
        assert_eq!(input.offset(), 0);
        while input.read_more(100).unwrap() {
            input.consume(input.rest().len());
            assert!(input.buffer.len() <= 2 * (KEPT + READ), "{}", input.buffer.len());
        }
        assert_eq!(input.offset(), bytes.len() as u64);
        let back = input.go_back(100);
        assert!(back > 0);
        assert_eq!(
            input.rest(),
            &bytes[bytes.len() - back as usize..],
            "what it gives again is what was there"
        );
    }

    #[test]
    fn takes_back_what_was_consumed() {
        let mut input = Input::at(&b"abcdef"[..], 100);
        input.need(6).unwrap();
        input.consume(4);
        input.take_back(b"cd");
        assert_eq!((input.rest(), input.offset()), (&b"cdef"[..], 102));
    }
}
