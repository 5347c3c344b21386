//! Zstandard by its own library.

use std::io::{self, Read, Write};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::Progress;

/// The level that it has by itself.
const LEVEL: i32 = 3;

/// Unpacks what is all there; windows larger than this power of two are refused.
pub(crate) fn reader(packed: &[u8], window_log: u32) -> io::Result<impl Read + '_> {
    let mut decoder = zstd::Decoder::with_buffer(packed)?;
    decoder.window_log_max(window_log)?;
    Ok(decoder)
}

/// Packs the parts of a frame one after the other, and gives back what they were written to.
pub(crate) fn pack<W: Write>(parts: &[&[u8]], out: W) -> io::Result<W> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    parts.iter().try_for_each(|part| encoder.write_all(part))?;
    encoder.finish()
}

/// Unpacks one frame after the other, piece by piece.
pub(crate) struct Frames(Decoder<'static>);

impl Frames {
    pub(crate) fn new(dictionary: &[u8], window_log: u32) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(window_log))?;
        Ok(Self(decoder))
    }

    /// Forgets the last frame.
    pub(crate) fn begin(&mut self) -> io::Result<()> {
        self.0.reinit()
    }

    /// Unpacks as much as there is room for.
    pub(crate) fn unpack(&mut self, packed: &[u8], room: &mut [u8]) -> io::Result<Progress> {
        let done = self.0.run_on_buffers(packed, room)?;
        Ok(Progress {
            read: done.bytes_read,
            written: done.bytes_written,
            has_ended: done.remaining == 0,
        })
    }
}
