//! What stands in for Zstandard where it was left out.

use std::io::{self, Read, Write};

use super::Progress;

fn unknown() -> io::Error {
    let cause = "this build of Husk has no Zstandard; ask for another coding, or use a build that has it";
    io::Error::new(io::ErrorKind::Unsupported, cause)
}

/// Reads nothing but the error, so that callers can still take what was never packed as it is.
pub(crate) fn reader(_packed: &[u8], _window_log: u32) -> io::Result<impl Read + '_> {
    Ok(Unreadable)
}

struct Unreadable;

impl Read for Unreadable {
    fn read(&mut self, _room: &mut [u8]) -> io::Result<usize> {
        Err(unknown())
    }
}

pub(crate) fn pack<W: Write>(_parts: &[&[u8]], _out: W) -> io::Result<W> {
    Err(unknown())
}

/// There are none.
pub(crate) enum Frames {}

impl Frames {
    pub(crate) fn new(_dictionary: &[u8], _window_log: u32) -> io::Result<Self> {
        Err(unknown())
    }

    pub(crate) fn begin(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn unpack(&mut self, _packed: &[u8], _room: &mut [u8]) -> io::Result<Progress> {
        match *self {}
    }
}
