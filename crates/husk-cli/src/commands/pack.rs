//! `husk pack`: pages into a web archive.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use husk::{Page, Url};
use husk_sources::{
    ArchiveWriter, Capture, Compression, Event, Folder, LoadError, Recorder, SiteAround, Source,
};

use crate::args::{PackArgs, PlaceArgs};
use crate::config::Config;
use crate::extract::{engine_options, report_event};
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{self, Notes};
use crate::pages::{Opened, Opening};
use crate::saved::Complaints;

pub(crate) fn run(args: &PackArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(args.quiet, args.verbose);
    let file = args.output.as_path();
    let compression = compression_of(file)?;
    let config = Config::find(args.method.engine.config.as_deref(), notes)?;
    let cannot_write = || format!("cannot write {}", file.display());
    let beside = output::Beside::of(file).with_context(cannot_write)?;
    let writer = ArchiveWriter::new(BufWriter::new(beside.handle()?), compression);
    let pack = Arc::new(Mutex::new(Pack::new(writer)));
    let packing = Packing { args, config, notes };
    let mut failed = None;
    for input in &args.inputs {
        // What could not be packed does not take the rest with it.
        if let Err(cause) = packing.pack(input, &pack) {
            if args.inputs.len() == 1 {
                return Err(cause);
            }
            notes.say(&format!("{cause:#}"));
            failed = Some(Path::new(input));
        }
    }
    let (index, count) = lock(&pack).finish(file).with_context(cannot_write)?;
    if count == 0 {
        let names: Vec<String> = args
            .inputs
            .iter()
            .map(|input| Path::new(input).display().to_string())
            .collect();
        bail!(
            "nothing to pack in {}: expected folders with files of a site, or URLs of pages",
            names.join(", ")
        );
    }
    beside.persist().with_context(cannot_write)?;
    if args.index {
        output::write_file(&index, &index_of(file))?;
    }
    notes.say(&format!("{count} answers in {}", file.display()));
    match failed {
        Some(input) => bail!("{} holds all but {}", file.display(), input.display()),
        None => Ok(()),
    }
}

/// How the archive is packed, by its name.
pub(crate) fn compression_of(file: &Path) -> Result<Compression, Failure> {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    if name.ends_with(".warc.gz") {
        Ok(Compression::Gzip)
    } else if name.ends_with(".warc.zst") {
        Ok(Compression::Zstd)
    } else if name.ends_with(".warc") {
        Ok(Compression::None)
    } else {
        Err(Failure::Usage(format!(
            "{}: the name of an archive ends in .warc.gz, .warc.zst or .warc",
            file.display()
        )))
    }
}

/// Where the index of an archive is looked for.
fn index_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".cdxj");
    name.into()
}

/// The archive while it grows.
struct Pack {
    writer: Option<ArchiveWriter<BufWriter<File>>>,
    /// The first error, reported when loading is done.
    failed: Option<io::Error>,
    count: usize,
}

impl Pack {
    fn new(writer: ArchiveWriter<BufWriter<File>>) -> Self {
        Self {
            writer: Some(writer),
            failed: None,
            count: 0,
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut ArchiveWriter<BufWriter<File>>) -> io::Result<()>) {
        if self.failed.is_none()
            && let Some(writer) = &mut self.writer
        {
            self.failed = write(writer).err();
        }
    }

    /// Ends the archive; gives its index and how many answers are in it.
    fn finish(&mut self, file: &Path) -> io::Result<(String, usize)> {
        if let Some(cause) = self.failed.take() {
            return Err(cause);
        }
        let Some(writer) = self.writer.take() else {
            return Ok((String::new(), 0));
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let index = writer.index(&name);
        writer.finish()?.flush()?;
        Ok((index, self.count))
    }
}

impl Recorder for Pack {
    fn captured(&mut self, capture: &Capture) {
        self.count += 1;
        self.write(|writer| writer.write_capture(capture));
    }
}

/// A recorder that was left in the middle of an answer says so when it is asked to finish.
fn lock(pack: &Mutex<Pack>) -> std::sync::MutexGuard<'_, Pack> {
    pack.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is needed to pack one thing after the other.
struct Packing<'a> {
    args: &'a PackArgs,
    config: Config,
    notes: Notes,
}

impl Packing<'_> {
    fn pack(&self, input: &OsStr, pack: &Arc<Mutex<Pack>>) -> anyhow::Result<()> {
        let url = input.to_str().and_then(|text| Url::parse(text).ok());
        let of_the_web = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        match of_the_web {
            Some(_) => self.pack_page(input, pack),
            None if Path::new(input).is_dir() => self.pack_folder(Path::new(input), &mut lock(pack)),
            None => bail!(
                "{} is neither an address of the web nor a folder",
                Path::new(input).display()
            ),
        }
    }

    /// What an extraction loads.
    fn pack_page(&self, page: &OsStr, pack: &Arc<Mutex<Pack>>) -> anyhow::Result<()> {
        let options = engine_options(&self.config, &self.args.method, self.notes);
        let place = PlaceArgs {
            page: page.to_owned(),
            ..PlaceArgs::default()
        };
        let opening = Opening {
            place: &place,
            loading: Loading {
                flags: &self.args.loading,
                config: &self.config.loading,
            },
            same_site: options.same_site,
            is_alone: false,
            recorder: Some(pack.clone()),
            notes: self.notes,
        };
        let Opened { mut page, siblings } = opening.open()?;
        let mut source = Noting {
            source: &mut *page.source,
            listed: Vec::new(),
        };
        husk_sources::run_session(page.key_page, options, &mut source, |event: Event<'_>| {
            report_event(&event, siblings, self.notes);
            if let Event::Failed { url, cause } = &event {
                lock(pack).write(|writer| writer.write_failure(url, &cause.to_string()));
            }
        });
        let listed = source.listed;
        lock(pack).write(|writer| writer.write_page_list(&listed));
        Ok(())
    }

    /// Every page of a folder.
    fn pack_folder(&self, root: &Path, pack: &mut Pack) -> anyhow::Result<()> {
        let mut folder = match &self.args.base_url {
            Some(base) => Folder::open(root, Some(base.clone()))?,
            None => {
                let SiteAround { folder, guess, .. } = Folder::around(root, Some(root), None)?;
                if let Some(guess) = guess {
                    self.notes.say(&format!(
                        "assuming that {} was saved from {guess}; set it with --base-url",
                        root.display()
                    ));
                }
                folder
            }
        };
        if folder.base_url().scheme() == "file" {
            let message = format!(
                "--base-url must say which address {} was saved from",
                root.display()
            );
            return Err(Failure::Usage(message).into());
        }
        let complaints = Complaints::new(self.notes, self.args.verbose);
        for capture in folder.captures() {
            match capture {
                Ok(capture) => pack.captured(&capture),
                Err(cause) => complaints.say(&cause.to_string()),
            }
        }
        let listed = folder.page_urls().unwrap_or_default();
        pack.write(|writer| writer.write_page_list(&listed));
        Ok(())
    }
}

/// A source that notes which pages it listed.
struct Noting<'a> {
    source: &'a mut dyn Source,
    listed: Vec<Url>,
}

impl Source for Noting<'_> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source.load(url)
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let addresses = self.source.page_urls();
        self.listed.extend(addresses.iter().flatten().cloned());
        addresses
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.source.unused_pages()
    }
}
