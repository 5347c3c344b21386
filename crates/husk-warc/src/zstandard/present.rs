//! Zstandard by its own library.

use std::io::{self, Read, Write};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::Progress;

/// The library's default.
const LEVEL: i32 = 3;

/// Decompresses bytes that are all in memory. Refuses windows larger than 2 to the power of `window_log`.
pub(crate) fn reader(compressed: &[u8], window_log: u32) -> io::Result<impl Read + '_> {
    let mut decoder = zstd::Decoder::with_buffer(compressed)?;
    decoder.window_log_max(window_log)?;
    Ok(decoder)
}

/// Compresses `parts` as one frame, and returns the writer.
pub(crate) fn compress<W: Write>(parts: &[&[u8]], out: W) -> io::Result<W> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    parts.iter().try_for_each(|part| encoder.write_all(part))?;
    encoder.finish()
}

/// Decompresses one frame after the other, in steps.
pub(crate) struct FrameDecoder(Decoder<'static>);

impl FrameDecoder {
    pub(crate) fn new(dictionary: &[u8], window_log: u32) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(window_log))?;
        Ok(Self(decoder))
    }

    /// Prepares for the next frame.
    pub(crate) fn reset(&mut self) -> io::Result<()> {
        self.0.reinit()
    }

    /// Decompresses as much as fits into `out`.
    pub(crate) fn decompress(&mut self, compressed: &[u8], out: &mut [u8]) -> io::Result<Progress> {
        let done = self.0.run_on_buffers(compressed, out)?;
        Ok(Progress {
            read: done.bytes_read,
            written: done.bytes_written,
            has_ended: done.remaining == 0,
        })
    }
}
