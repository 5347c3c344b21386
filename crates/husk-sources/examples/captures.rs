//! Prints what is in WARC files, an answer per line, as JSON: where it stands, address, status, type, length and SHA-1 of
//! the body.
//!
//! ```sh
//! cargo run -p husk-sources --example captures -- site.warc.gz
//! ```
//!
//! With `--load`, each address of the files that may be a page is loaded as a source does it, repetitions resolved and
//! redirects followed; the line holds the address of the page and its text. With `--copy FILE`, what is read is written
//! to another archive, packed as its name says. What is broken goes to standard error.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints what it finds"
)]

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use husk_sources::{Archive, ArchiveWriter, ArchivedCapture, Captures, Compression, Source};
use serde_json::json;
use sha1::{Digest, Sha1};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--load", ref files @ ..] if !files.is_empty() => load(files),
        ["--copy", into, from] => copy(Path::new(from), Path::new(into)),
        ref files if !files.is_empty() => files.iter().try_for_each(|file| list(Path::new(file))),
        _ => Err("usage: captures [--load | --copy FILE] FILE...".into()),
    }
}

fn list(file: &Path) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    for entry in Captures::open(file)? {
        match entry {
            Ok(entry) => writeln!(out, "{}", line(&entry))?,
            Err(cause) => eprintln!("{cause}"),
        }
    }
    Ok(out.flush()?)
}

fn line(entry: &ArchivedCapture) -> serde_json::Value {
    let capture = &entry.capture;
    json!({
        "offset": entry.offset,
        "url": capture.url.as_str(),
        "status": capture.status,
        "type": capture.header("content-type"),
        "length": capture.body.len(),
        "sha1": HEXLOWER.encode(&Sha1::digest(&capture.body)),
        "is_whole": capture.is_whole,
    })
}

fn load(files: &[&str]) -> Result<(), Box<dyn Error>> {
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let mut archive = Archive::open(&files)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for url in archive.page_urls().unwrap_or_default() {
        let line = match archive.load(&url) {
            Ok(page) => json!({
                "url": url.as_str(),
                "found_at": page.url.as_str(),
                "text": page.dom.text_of(page.dom.document()),
            }),
            Err(cause) => json!({ "url": url.as_str(), "error": cause.to_string() }),
        };
        writeln!(out, "{line}")?;
    }
    for note in archive.notes() {
        eprintln!("{note}");
    }
    Ok(out.flush()?)
}

fn copy(from: &Path, into: &Path) -> Result<(), Box<dyn Error>> {
    let compression = match into.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => Compression::Gzip,
        Some("zst") => Compression::Zstd,
        _ => Compression::None,
    };
    let mut writer = ArchiveWriter::new(BufWriter::new(File::create(into)?), compression);
    writer.set_info(&[("software", concat!("husk ", env!("CARGO_PKG_VERSION")))]);
    for entry in Captures::open(from)? {
        match entry {
            Ok(entry) => writer.write_capture(&entry.capture)?,
            Err(cause) => eprintln!("{cause}"),
        }
    }
    let name = into
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    println!("{}", writer.index(name).trim_end());
    Ok(writer.finish()?.flush()?)
}
