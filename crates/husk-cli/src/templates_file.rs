//! The file that templates are stored in.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use husk::SiteTemplates;
use husk_bulk::{TemplatesError, pack_templates, read_templates};

use crate::output;

/// Reads templates, packed or not.
pub(crate) fn read(file: &Path) -> anyhow::Result<SiteTemplates> {
    let name = file.display();
    if file.is_dir() {
        bail!("{name} is a folder: name the file that husk learn wrote");
    }
    let opened = File::open(file).with_context(|| format!("cannot read {name}"))?;
    read_templates(opened).map_err(|cause| match cause {
        TemplatesError::Io(cause) => anyhow!("cannot read {name}: {cause}"),
        cause => anyhow!("{name} {cause}"),
    })
}

/// Writes templates, whole or not at all; the same ones are the same bytes. Gives the size of the file.
pub(crate) fn write(templates: &SiteTemplates, file: &Path) -> anyhow::Result<u64> {
    let packed = pack_templates(templates)?;
    output::write_bytes(&packed, file)?;
    Ok(packed.len() as u64)
}
