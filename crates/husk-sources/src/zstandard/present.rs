//! Zstandard by its own library.

use std::io::{self, Read};

/// Decompresses a whole buffer; rejects windows larger than this power of two.
pub(crate) fn reader(packed: &[u8], window_log: u32) -> io::Result<impl Read + '_> {
    let mut decoder = zstd::Decoder::with_buffer(packed)?;
    decoder.window_log_max(window_log)?;
    Ok(decoder)
}
