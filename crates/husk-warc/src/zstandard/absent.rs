//! Replaces Zstandard in builds without it.

use std::io::{self, Read, Write};

use super::Progress;

fn unsupported() -> io::Error {
    let cause = "this build does not support Zstandard: turn on the feature `zstd`, or use gzip";
    io::Error::new(io::ErrorKind::Unsupported, cause)
}

pub(crate) fn reader(_compressed: &[u8], _window_log: u32) -> io::Result<impl Read + '_> {
    Err::<io::Empty, _>(unsupported())
}

pub(crate) fn compress<W: Write>(_parts: &[&[u8]], _out: W) -> io::Result<W> {
    Err(unsupported())
}

/// Has no values.
pub(crate) enum FrameDecoder {}

impl FrameDecoder {
    pub(crate) fn new(_dictionary: &[u8], _window_log: u32) -> io::Result<Self> {
        Err(unsupported())
    }

    pub(crate) fn reset(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn decompress(&mut self, _compressed: &[u8], _out: &mut [u8]) -> io::Result<Progress> {
        match *self {}
    }
}
