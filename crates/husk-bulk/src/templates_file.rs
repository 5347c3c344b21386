//! Files of templates, compressed. docs/templates.md describes them.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use husk::{FormatError, SiteTemplates};

/// Limit on the decompressed size. The largest sites have a few megabytes.
const MAX_BYTES: u64 = 256 << 20;

/// First bytes of compressed files.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Why templates can't be read. The messages follow the file name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplatesError {
    /// Decompression failed.
    #[error("is damaged or not a templates file ({0}): create it with husk learn")]
    Damaged(io::Error),
    /// Too large.
    #[error("is larger than {} MiB decompressed: not a templates file", MAX_BYTES >> 20)]
    TooLarge,
    /// Reading failed.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// Unknown contents.
    #[error("holds {0}; create it with husk learn")]
    Format(FormatError),
}

/// Reads templates, compressed or not.
pub fn read_templates(from: impl Read) -> Result<SiteTemplates, TemplatesError> {
    let bytes = unpacked(from).map_err(|cause| match cause.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            TemplatesError::Damaged(cause)
        }
        io::ErrorKind::FileTooLarge => TemplatesError::TooLarge,
        _ => TemplatesError::Io(cause),
    })?;
    SiteTemplates::from_bytes(&bytes).map_err(TemplatesError::Format)
}

fn unpacked(from: impl Read) -> io::Result<Vec<u8>> {
    let mut from = BufReader::new(from);
    let is_compressed = from.fill_buf()?.starts_with(&GZIP);
    let mut bytes = Vec::new();
    let limit = MAX_BYTES + 1;
    if is_compressed {
        MultiGzDecoder::new(from).take(limit).read_to_end(&mut bytes)?;
    } else {
        from.take(limit).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Templates as the bytes of a file. The same templates give the same bytes.
pub fn pack_templates(templates: &SiteTemplates) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&templates.to_bytes())?;
    encoder.finish()
}
