//! The file that templates are stored in: packed JSON, of which `docs/templates.md` tells all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use husk::SiteTemplates;

use crate::output;

/// So much is unpacked at most: the largest sites have a few megabytes.
const MOST_BYTES: u64 = 256 << 20;

/// How packed files begin.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Reads templates, packed or not.
pub(crate) fn read(file: &Path) -> anyhow::Result<SiteTemplates> {
    let name = file.display();
    if file.is_dir() {
        bail!("{name} is a folder: name the file that husk learn wrote");
    }
    let opened = File::open(file).with_context(|| format!("cannot read {name}"))?;
    let json = unpacked(opened).map_err(|cause| match cause.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            anyhow!("{name} is damaged or no file of templates ({cause}): husk learn writes one anew")
        }
        io::ErrorKind::FileTooLarge => {
            anyhow!(
                "{name} has more than {} MiB unpacked: that is no file of templates",
                MOST_BYTES >> 20
            )
        }
        _ => anyhow!("cannot read {name}: {cause}"),
    })?;
    SiteTemplates::from_json(&json)
        .map_err(|cause| anyhow!("{name} holds {cause}; husk learn writes such files"))
}

fn unpacked(file: File) -> io::Result<String> {
    let mut file = BufReader::new(file);
    let is_packed = file.fill_buf()?.starts_with(&GZIP);
    let mut bytes = Vec::new();
    let limit = MOST_BYTES + 1;
    if is_packed {
        MultiGzDecoder::new(file).take(limit).read_to_end(&mut bytes)?;
    } else {
        file.take(limit).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text"))
}

/// Writes templates, whole or not at all; the same ones are the same bytes. Gives the size of the file.
pub(crate) fn write(templates: &SiteTemplates, file: &Path) -> anyhow::Result<u64> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(templates.to_json().as_bytes())?;
    let packed = packer.finish()?;
    output::write_bytes(&packed, file)?;
    Ok(packed.len() as u64)
}
