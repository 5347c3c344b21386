//! Where results and notes go.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use husk::Url;

use crate::args::OutputArgs;

/// Writes a result to the file that was named, or to standard output.
pub(crate) fn write(result: &str, output: &OutputArgs) -> anyhow::Result<()> {
    match output.file() {
        Some(file) => write_file(result, file),
        None => {
            let mut out = io::stdout().lock();
            out.write_all(result.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}

/// Writes a text to a file, as [`write_bytes`] does.
pub(crate) fn write_file(result: &str, file: &Path) -> anyhow::Result<()> {
    write_bytes(result.as_bytes(), file)
}

/// Writes beside the file first and moves it there, so that a file of that name is whole at any time.
///
/// Links, devices and pipes are written as they stand: what they lead to is meant, not they themselves.
pub(crate) fn write_bytes(result: &[u8], file: &Path) -> anyhow::Result<()> {
    let written = if is_special(file) {
        fs::write(file, result)
    } else {
        replace(file, result)
    };
    written.with_context(|| format!("cannot write {}", file.display()))
}

fn is_special(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| !metadata.is_file())
}

fn replace(file: &Path, result: &[u8]) -> io::Result<()> {
    let mut beside = Beside::of(file)?;
    beside.written.write_all(result)?;
    beside.persist()
}

/// A result that is written bit by bit, to a file that is whole in the end or not there at all, or to standard output.
pub(crate) struct Stream<'a> {
    file: Option<&'a Path>,
    beside: Option<Beside<'a>>,
    out: Box<dyn Write>,
}

impl<'a> Stream<'a> {
    pub(crate) fn to(output: &'a OutputArgs) -> anyhow::Result<Self> {
        let Some(file) = output.file() else {
            return Ok(Self {
                file: None,
                beside: None,
                out: Box::new(BufWriter::new(io::stdout().lock())),
            });
        };
        let begin = || -> io::Result<(Option<Beside<'a>>, fs::File)> {
            if is_special(file) {
                return Ok((None, fs::File::create(file)?));
            }
            let beside = Beside::of(file)?;
            let handle = beside.handle()?;
            Ok((Some(beside), handle))
        };
        let (beside, handle) = begin().with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Self {
            file: Some(file),
            beside,
            out: Box::new(BufWriter::new(handle)),
        })
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let written = self.out.write_all(line.as_bytes());
        with_file(written.and_then(|()| self.out.write_all(b"\n")), self.file)
    }

    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.out.flush();
        let put = || self.beside.map_or(Ok(()), Beside::persist);
        with_file(flushed.and_then(|()| put()), self.file)
    }
}

/// What went wrong, with the file that it went wrong with; a reader of standard output who has left is no error.
fn with_file(done: io::Result<()>, file: Option<&Path>) -> anyhow::Result<()> {
    match file {
        Some(file) => done.with_context(|| format!("cannot write {}", file.display())),
        None => Ok(done?),
    }
}

/// A file that is written beside the one it is to replace, so that this one is whole at any time.
pub(crate) struct Beside<'a> {
    file: &'a Path,
    written: tempfile::NamedTempFile,
}

impl<'a> Beside<'a> {
    pub(crate) fn of(file: &'a Path) -> io::Result<Self> {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // Asked first, since otherwise the message would name the file beside.
        fs::metadata(folder)?;
        let written = beside(file).tempfile_in(folder)?;
        Ok(Self { file, written })
    }

    /// What is written to it is in the file later.
    pub(crate) fn handle(&self) -> io::Result<fs::File> {
        self.written.reopen()
    }

    /// Puts it in the place of the other.
    pub(crate) fn persist(self) -> io::Result<()> {
        self.written.persist(self.file)?;
        Ok(())
    }
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

/// Writes HTML where it was wanted, else to a file that outlives us, and shows that in the user's browser.
pub(crate) fn open_in_browser(html: &str, what: &str, output: &OutputArgs) -> anyhow::Result<()> {
    let file = shown_file(what, output);
    write_file(html, &file)?;
    open::that_detached(&file).map_err(|cause| {
        anyhow!(
            "cannot start a browser: {cause}; open {} yourself",
            file.display()
        )
    })?;
    Notes::new(output).say(&format!("showing {}", file.display()));
    Ok(())
}

/// The file that is shown in a browser.
fn shown_file(what: &str, output: &OutputArgs) -> PathBuf {
    match output.file() {
        Some(file) => file.to_owned(),
        None => std::env::temp_dir().join(format!("husk-{what}-{}.html", std::process::id())),
    }
}

/// The `file:` URL of the document that a command writes; none if it goes to standard output.
pub(crate) fn place_of(what: &str, is_opened: bool, output: &OutputArgs) -> Option<Url> {
    let file = match is_opened {
        true => shown_file(what, output),
        false => output.file()?.to_owned(),
    };
    // Symbolic links are followed, as in the paths of saved sites.
    let folder = match file.parent()? {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let file = folder.canonicalize().ok()?.join(file.file_name()?);
    Url::from_file_path(file).ok()
}

/// Refuses to write a result over the page that it is made from.
pub(crate) fn spare(input: &Path, output: &OutputArgs) -> anyhow::Result<()> {
    let Some(file) = output.file() else { return Ok(()) };
    match (input.canonicalize(), file.canonicalize()) {
        (Ok(input), Ok(output)) if input == output => Err(anyhow!(
            "{} is the page itself: name another file to write to",
            file.display()
        )),
        _ => Ok(()),
    }
}

/// Messages on standard error, as far as the user wants them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Notes {
    quiet: bool,
    verbose: bool,
}

impl Notes {
    pub(crate) fn new(output: &OutputArgs) -> Self {
        Self::as_loud_as(output.quiet, output.verbose)
    }

    pub(crate) fn as_loud_as(quiet: bool, verbose: bool) -> Self {
        Self { quiet, verbose }
    }

    /// Whether only errors are wanted.
    pub(crate) fn are_quiet(self) -> bool {
        self.quiet
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
