//! Templates as they are stored: packed JSON, of which `docs/templates.md` tells all.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use husk::{FormatError, SiteTemplates};

/// So much is unpacked at most: the largest sites have a few megabytes.
const MOST_BYTES: u64 = 256 << 20;

/// How packed files begin.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Why there are no templates to be had. The messages follow the name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplatesError {
    /// It cannot be unpacked.
    #[error("is damaged or no file of templates ({0}): husk learn writes one anew")]
    Damaged(io::Error),
    /// It is too large.
    #[error("has more than {} MiB unpacked: that is no file of templates", MOST_BYTES >> 20)]
    TooLarge,
    /// It cannot be read at all.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It holds something else.
    #[error("holds {0}; husk learn writes such files")]
    Format(FormatError),
}

/// Reads templates, packed or not.
pub fn read_templates(from: impl Read) -> Result<SiteTemplates, TemplatesError> {
    let json = unpacked(from).map_err(|cause| match cause.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            TemplatesError::Damaged(cause)
        }
        io::ErrorKind::FileTooLarge => TemplatesError::TooLarge,
        _ => TemplatesError::Io(cause),
    })?;
    SiteTemplates::from_json(&json).map_err(TemplatesError::Format)
}

fn unpacked(from: impl Read) -> io::Result<String> {
    let mut from = BufReader::new(from);
    let is_packed = from.fill_buf()?.starts_with(&GZIP);
    let mut bytes = Vec::new();
    let limit = MOST_BYTES + 1;
    if is_packed {
        MultiGzDecoder::new(from).take(limit).read_to_end(&mut bytes)?;
    } else {
        from.take(limit).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text"))
}

/// Templates as they are stored; the same ones are the same bytes.
pub fn pack_templates(templates: &SiteTemplates) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(templates.to_json().as_bytes())?;
    packer.finish()
}
