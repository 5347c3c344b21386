//! `husk restore`: pages that were stored as slots, as they were.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use husk::Url;
use husk_bulk::dedup::{DedupError, DedupReader, EXTENSION, PageHead, StoredPage};
use husk_sources::ArchiveWriter;

use super::pack::compression_of;
use crate::args::RestoreArgs;
use crate::failure::Failure;
use crate::output::{Beside, Notes};

pub(crate) fn run(args: &RestoreArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(args.quiet, false);
    let stored = Stored::find(&args.stored)?;
    if args.list {
        return stored.list();
    }
    match (&args.output, args.urls.as_slice()) {
        (None, [url]) => stored.print(url, notes),
        (None, []) => {
            usage("name the address of a page, or a web archive or folder by --output for all pages")
        }
        (None, _) => {
            usage("several pages do not go to standard output: name a web archive or folder by --output")
        }
        (Some(output), urls) if is_archive(output) => {
            let compression = compression_of(output)?;
            let cannot_write = || format!("cannot write {}", output.display());
            let beside = Beside::of(output).with_context(cannot_write)?;
            let mut writer = ArchiveWriter::new(BufWriter::new(beside.handle()?), compression);
            writer.info(&[("software", concat!("husk/", env!("CARGO_PKG_VERSION")))]);
            let restored = stored.each(urls, notes, &mut |page| {
                let url = page.head.url.clone();
                let capture = page
                    .into_capture()
                    .ok_or_else(|| anyhow!("{url} is no address"))?;
                writer.write(&capture).with_context(cannot_write)
            })?;
            writer.finish()?.flush().with_context(cannot_write)?;
            beside.persist().with_context(cannot_write)?;
            restored.tell(output, notes)
        }
        (Some(output), urls) => {
            let mut folder = PageFolder::new(output);
            let restored = stored.each(urls, notes, &mut |page| folder.write(&page))?;
            restored.tell(output, notes)
        }
    }
}

fn usage(message: &str) -> anyhow::Result<()> {
    Err(Failure::Usage(message.to_owned()).into())
}

fn is_archive(output: &Path) -> bool {
    let name = output
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    [".warc", ".warc.gz", ".warc.zst"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// The files that pages are stored in, in their order.
struct Stored {
    files: Vec<PathBuf>,
}

impl Stored {
    fn find(place: &Path) -> anyhow::Result<Self> {
        let metadata = fs::metadata(place).with_context(|| format!("cannot read {}", place.display()))?;
        if !metadata.is_dir() {
            return Ok(Self {
                files: vec![place.to_owned()],
            });
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                files.push(path);
            }
        }
        files.sort();
        if files.is_empty() {
            bail!(
                "there is no .{EXTENSION} file in {}: name a folder that husk bulk --dedup wrote",
                place.display()
            );
        }
        Ok(Self { files })
    }

    fn list(&self) -> anyhow::Result<()> {
        let mut out = BufWriter::new(io::stdout().lock());
        for file in &self.files {
            let mut reader = open(file)?;
            while let Some(block) = reader.next_block().with_context(|| in_file(file))? {
                for (place, head) in block.heads().enumerate() {
                    writeln!(out, "{}", listed(head, block.bytes_of(place)))?;
                }
            }
        }
        Ok(out.flush()?)
    }

    /// Writes the last capture of a page to standard output.
    fn print(&self, url: &str, notes: Notes) -> anyhow::Result<()> {
        let mut captures = self.find_page(url)?;
        let count = captures.len();
        let page = captures.pop().ok_or_else(|| not_stored(&[url.to_owned()]))?;
        if count > 1 {
            notes.say(&format!("{url} was captured {count} times; this is the last"));
        }
        let mut out = io::stdout().lock();
        out.write_all(&page.bytes)?;
        Ok(out.flush()?)
    }

    /// All captures of a page.
    fn find_page(&self, url: &str) -> anyhow::Result<Vec<StoredPage>> {
        let as_browsers_write_it = Url::parse(url).map(String::from);
        let mut captures = Vec::new();
        for file in &self.files {
            let mut reader = open(file)?;
            let mut found = reader.find(url).with_context(|| in_file(file))?;
            if let Ok(other) = &as_browsers_write_it
                && found.is_empty()
            {
                found = reader.find(other).with_context(|| in_file(file))?;
            }
            captures.append(&mut found);
        }
        Ok(captures)
    }

    /// Hands on all pages, or those that are named. One that is damaged does not keep others back.
    fn each(
        &self,
        urls: &[String],
        notes: Notes,
        take: &mut dyn FnMut(StoredPage) -> anyhow::Result<()>,
    ) -> anyhow::Result<Restored> {
        let mut restored = Restored::default();
        for url in urls {
            let captures = self.find_page(url)?;
            if captures.is_empty() {
                restored.missing.push(url.clone());
            }
            for page in captures {
                take(page)?;
                restored.pages += 1;
            }
        }
        if !urls.is_empty() {
            return Ok(restored);
        }
        for file in &self.files {
            for page in open(file)? {
                match page {
                    Ok(page) => {
                        take(page)?;
                        restored.pages += 1;
                    }
                    Err(DedupError::Page(url)) => {
                        notes.say(&format!("{}: {}", in_file(file), DedupError::Page(url)));
                        restored.damaged += 1;
                    }
                    Err(cause) => return Err(cause).with_context(|| in_file(file)),
                }
            }
        }
        Ok(restored)
    }
}

fn open(file: &Path) -> anyhow::Result<DedupReader<BufReader<File>>> {
    let input = File::open(file).with_context(|| in_file(file))?;
    DedupReader::new(BufReader::new(input)).with_context(|| in_file(file))
}

fn in_file(file: &Path) -> String {
    format!("cannot restore from {}", file.display())
}

fn not_stored(urls: &[String]) -> anyhow::Error {
    anyhow!("not stored: {}; --list tells what is", urls.join(", "))
}

fn listed(head: &PageHead, bytes: u64) -> String {
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "{}\t{}\t{bytes}\t{}",
        head.url,
        known(&head.date),
        known(&head.layout)
    )
}

/// What became of the pages that were wanted.
#[derive(Default)]
struct Restored {
    pages: u64,
    damaged: u64,
    missing: Vec<String>,
}

impl Restored {
    fn tell(&self, output: &Path, notes: Notes) -> anyhow::Result<()> {
        notes.say(&format!("{} pages in {}", self.pages, output.display()));
        if !self.missing.is_empty() {
            return Err(not_stored(&self.missing));
        }
        match self.damaged {
            0 => Ok(()),
            damaged => bail!("{damaged} pages are damaged and were left out"),
        }
    }
}

/// Pages as files, as a mirror of their sites.
struct PageFolder<'a> {
    root: &'a Path,
    /// Names that are taken, in one letter case, since some file systems know only one.
    taken: HashSet<String>,
}

impl<'a> PageFolder<'a> {
    fn new(root: &'a Path) -> Self {
        Self {
            root,
            taken: HashSet::new(),
        }
    }

    fn write(&mut self, page: &StoredPage) -> anyhow::Result<()> {
        let name = self.free_name(&file_name(&page.head.url));
        let file = self.root.join(&name);
        let written = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| fs::write(&file, &page.bytes));
        written.with_context(|| format!("cannot write {}", file.display()))
    }

    /// The name, or the first with a number that is free.
    fn free_name(&mut self, name: &str) -> String {
        let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
        let numbered = (2..).map(|number| format!("{stem}~{number}.{end}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| self.taken.insert(name.to_lowercase()));
        free.unwrap_or_default()
    }
}

/// The longest part of a name that is kept; file systems take 255 bytes.
const MOST_NAME: usize = 120;

/// Where the page of an address stands in a folder: `example.org/about/index.html`. What has a query has it in its name.
fn file_name(url: &str) -> String {
    let Ok(url) = Url::parse(url) else {
        return format!("other/{}.html", plain(url));
    };
    let host = url.host_str().unwrap_or("other");
    let port = url.port().map(|port| format!("+{port}")).unwrap_or_default();
    let mut parts = vec![plain(host) + &port];
    let path = url.path().trim_matches('/');
    parts.extend(path.split('/').filter(|part| !part.is_empty()).map(plain));
    let query = url
        .query()
        .map(|query| format!("@{}", plain(query)))
        .unwrap_or_default();
    // Always a folder of its own, so that no page stands where another needs a folder.
    parts.push(format!("index{query}.html"));
    parts.join("/")
}

/// A part of an address that is harmless as a name.
fn plain(part: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.~%+=".contains(letter);
    let name: String = part
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    let name = name.get(..MOST_NAME).unwrap_or(&name);
    match name.trim_start_matches('.') {
        "" => "_".to_owned(),
        rest if rest.len() < name.len() => format!("_{rest}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_addresses_and_do_no_harm() {
        for (url, name) in [
            ("https://example.org/", "example.org/index.html"),
            ("https://example.org/a/b.html", "example.org/a/b.html/index.html"),
            (
                "http://example.org:81/a/?q=1&r=/..",
                "example.org+81/a/index@q=1_r=_...html",
            ),
            (
                "https://example.org/..%2F..%2Fetc/.x",
                "example.org/_%2F..%2Fetc/_x/index.html",
            ),
            ("https://[::1]/", "___1_/index.html"),
            ("/etc/passwd", "other/_etc_passwd.html"),
            ("..", "other/_.html"),
        ] {
            assert_eq!(file_name(url), name, "{url}");
        }
        let long = format!("https://example.org/{}", "x".repeat(5000));
        assert!(file_name(&long).len() < 300);
    }

    #[test]
    fn equal_names_are_numbered() {
        let mut folder = PageFolder::new(Path::new("."));
        let names = ["a/index.html", "A/index.html", "a/index.html"].map(|name| folder.free_name(name));
        assert_eq!(names, ["a/index.html", "A/index~2.html", "a/index~3.html"]);
    }
}
