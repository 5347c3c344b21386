//! Zstandard by its own library.

use std::io::{self, Read};

/// Unpacks what is all there; windows larger than this power of two are refused.
pub(crate) fn reader(packed: &[u8], window_log: u32) -> io::Result<impl Read + '_> {
    let mut decoder = zstd::Decoder::with_buffer(packed)?;
    decoder.window_log_max(window_log)?;
    Ok(decoder)
}
