//! What stands in for Zstandard where it was left out.

use std::io::{self, Read};

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
