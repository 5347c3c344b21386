//! Measures what reading an archive costs, for `benchmarks/warc/run`.
//!
//! ```text
//! throughput make FOLDER ARCHIVE BYTES     writes the pages below a folder to an archive, again and again, up to a size
//! throughput compare FOLDER ARCHIVE TIMES  plain unpacking, plain parsing, and reading of such an archive, by turns
//! throughput read ARCHIVE                  reads an archive and parses its pages; says how much memory that took
//! throughput open ARCHIVE                  the same for opening it as a source
//! ```

#![allow(clippy::print_stdout, reason = "a program that prints what it measures")]

use std::env;
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use flate2::bufread::MultiGzDecoder;
use husk::Url;
use husk::dom::Dom;
use husk_sources::{Archive, ArchiveWriter, Capture, Captures, Compression, Folder, Source};

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> Done<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", folder, archive, bytes] => make(Path::new(folder), Path::new(archive), bytes.parse()?),
        ["compare", folder, archive, times] => compare(Path::new(folder), Path::new(archive), times.parse()?),
        ["read", archive] => {
            let read = read(Path::new(archive))?;
            println!("{} pages, {} MiB of memory at most", read.pages, most_memory()?);
            Ok(())
        }
        ["open", archive] => {
            let pages = Archive::open(&[PathBuf::from(archive)])?
                .page_urls()
                .unwrap_or_default();
            println!(
                "{} addresses, {} MiB of memory at most",
                pages.len(),
                most_memory()?
            );
            Ok(())
        }
        _ => Err(
            "usage: throughput make FOLDER ARCHIVE BYTES | compare FOLDER ARCHIVE TIMES | read|open ARCHIVE"
                .into(),
        ),
    }
}

/// The bytes of all pages below a folder, in the order of their names.
fn pages(folder: &Path) -> Done<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "html" || ending == "htm")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let pages = files.iter().map(fs::read).collect::<io::Result<Vec<_>>>()?;
    match pages.is_empty() {
        true => Err("there are no pages in that folder".into()),
        false => Ok(pages),
    }
}

fn make(folder: &Path, archive: &Path, bytes: u64) -> Done<()> {
    let pages = pages(folder)?;
    let mut writer = ArchiveWriter::new(BufWriter::new(File::create(archive)?), Compression::Gzip);
    let (mut written, mut number) = (0, 0);
    while written < bytes {
        let body = &pages[number % pages.len()];
        writer.write_capture(&Capture {
            url: Url::parse(&format!("https://example.org/{number}"))?,
            status: 200,
            headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
            body: body.clone(),
            is_whole: true,
            date: SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64),
            ip: None,
            is_rendered: false,
        })?;
        written += body.len() as u64;
        number += 1;
    }
    writer.finish()?.flush()?;
    let size = fs::metadata(archive)?.len();
    println!(
        "{number} pages of {} MB, packed {} MB",
        written / 1_000_000,
        size / 1_000_000
    );
    Ok(())
}

/// What was read, so that nothing is left out by the compiler, and all ways can be seen to do the same.
#[derive(Debug, Default, PartialEq, Eq)]
struct Work {
    pages: usize,
    nodes: usize,
}

fn compare(folder: &Path, archive: &Path, times: usize) -> Done<()> {
    let pages = pages(folder)?;
    let count = Captures::open(archive)?.count();
    let (mut costs, mut clock_costs) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let (unpack, _) = timed(|| unpack(archive))?;
        let (parse, parsed) = timed(|| Ok(parse(&pages, count)))?;
        let (read, work) = timed(|| read(archive))?;
        assert_eq!(parsed, work, "both parsed the same");
        println!("unpacking {unpack}, parsing {parse}, reading {read}");
        costs.push(read.processor / (unpack.processor + parse.processor));
        clock_costs.push(read.clock / (unpack.clock + parse.clock));
    }
    let median = median(costs);
    println!("reading costs {median:.3} times unpacking plus parsing by processor time (median of {times})");
    println!(
        "and {:.3} times by the clock, which other programs delay",
        self::median(clock_costs)
    );
    match median <= 1.3 {
        true => Ok(()),
        false => Err("that is more than 1.3".into()),
    }
}

/// How long something took.
struct Time {
    /// The time in which this program really ran: on a machine that does other things, only this can be compared.
    processor: f64,
    clock: f64,
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.2} s ({:.2} s by the clock)", self.processor, self.clock)
    }
}

fn timed<T>(work: impl FnOnce() -> Done<T>) -> Done<(Time, T)> {
    let (start, before) = (Instant::now(), processor_seconds()?);
    let done = work()?;
    let time = Time {
        processor: processor_seconds()? - before,
        clock: start.elapsed().as_secs_f64(),
    };
    Ok((time, done))
}

/// How long this program has run on a processor so far; it has one thread.
fn processor_seconds() -> Done<f64> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("the system does not say")?;
    Ok(nanoseconds.parse::<f64>()? / 1e9)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Unpacks a file with the same library, for nothing.
fn unpack(archive: &Path) -> Done<u64> {
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(64 * 1024, File::open(archive)?));
    let mut buffer = vec![0; 128 * 1024];
    let mut length = 0;
    loop {
        match decoder.read(&mut buffer)? {
            0 => return Ok(length),
            count => length += count as u64,
        }
    }
}

/// Parses pages from memory, as many as the archive has.
fn parse(pages: &[Vec<u8>], count: usize) -> Work {
    let mut work = Work::default();
    for page in pages.iter().cycle().take(count) {
        work.nodes += Dom::from_bytes(page, None).len();
        work.pages += 1;
    }
    work
}

/// Reads an archive and parses its pages.
fn read(archive: &Path) -> Done<Work> {
    let mut work = Work::default();
    for entry in Captures::open(archive)? {
        let page = entry?.capture.page(Folder::MAX_BYTES)?;
        work.nodes += page.dom.len();
        work.pages += 1;
    }
    Ok(work)
}

/// The most memory that this process had, in MiB.
fn most_memory() -> Done<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("the system does not say")?;
    Ok(kib.parse::<u64>()? / 1024)
}
