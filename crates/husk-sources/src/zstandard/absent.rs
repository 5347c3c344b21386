//! The replacement for Zstandard in builds without it.

use std::io::{self, Read};

fn unknown() -> io::Error {
    let cause = "this build of Husk has no Zstandard; ask for another coding, or use a build that has it";
    io::Error::new(io::ErrorKind::Unsupported, cause)
}

/// Only yields the error, so that callers can still use data that was never compressed.
pub(crate) fn reader(_packed: &[u8], _window_log: u32) -> io::Result<impl Read + '_> {
    Ok(Unreadable)
}

struct Unreadable;

impl Read for Unreadable {
    fn read(&mut self, _room: &mut [u8]) -> io::Result<usize> {
        Err(unknown())
    }
}
