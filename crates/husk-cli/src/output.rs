//! Where results and notes go.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use crate::args::OutputArgs;

/// Writes a result to the file that was named, or to standard output.
pub(crate) fn write(result: &str, output: &OutputArgs) -> anyhow::Result<()> {
    match &output.output {
        Some(file) => write_file(result, file),
        None => {
            let mut out = io::stdout().lock();
            out.write_all(result.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}

/// Writes beside the file first and moves it there, so that a file of that name is whole at any time.
pub(crate) fn write_file(result: &str, file: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    // A device or pipe is written as it stands.
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(file, result).with_context(cannot);
    }
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut beside = beside(file).tempfile_in(folder).with_context(cannot)?;
    beside.write_all(result.as_bytes()).with_context(cannot)?;
    beside.persist(file).with_context(cannot)?;
    Ok(())
}

/// A file beside another, to take its place: with its permissions, or those that new files have.
fn beside(file: &Path) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".husk-");
    if let Ok(metadata) = file.metadata() {
        builder.permissions(metadata.permissions());
    } else {
        // Temporary files are private otherwise; the umask still counts.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder
}

/// Notes on standard error, as loud as the user wants them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notes {
    quiet: bool,
    verbose: bool,
}

impl Notes {
    pub(crate) fn new(output: &OutputArgs) -> Self {
        Self {
            quiet: output.quiet,
            verbose: output.verbose,
        }
    }

    /// Something worth knowing.
    pub(crate) fn say(self, note: &str) {
        if !self.quiet {
            // Nothing can be done if standard error is gone.
            let _ = writeln!(io::stderr(), "husk: {note}");
        }
    }

    /// Something for those who want to follow every step.
    pub(crate) fn detail(self, note: &str) {
        if self.verbose {
            self.say(note);
        }
    }
}
