use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use husk::Url;
use husk_bulk::{BulkError, FinishedRun, InputNames, Progress, Row, Settings, bulk};
use husk_sources::{ArchiveWriter, Capture, Compression};

/// A page of a synthetic site: the menu of its site, and unique text.
pub(crate) fn page(site: &str, number: usize) -> Capture {
    let menu: String = (0..5)
        .map(|entry| format!("<li><a href=/{entry}>Part {entry} of {site}</a></li>"))
        .collect();
    let text: String = (0..4)
        .map(|line| {
            let word = (number * 7919 + line * 104_729) % 9973;
            format!(
                "<p>Nobody but page {number} says w{word}, and it says so at some length, in line {line}.</p>"
            )
        })
        .collect();
    let html = format!(
        "<!DOCTYPE html><html lang=en><title>Page {number}</title><nav><ul>{menu}</ul></nav>\
         <main><h1>All about {number}</h1>{text}</main><footer>Made by the people of {site}</footer>"
    );
    response(
        &format!("https://{site}/{number}"),
        200,
        "text/html",
        html.as_bytes(),
    )
}

/// A page of the same site after a redesign: other elements, classes and menu.
pub(crate) fn redesigned(site: &str, number: usize) -> Capture {
    let menu: String = ["shop", "blog", "jobs", "help"]
        .iter()
        .map(|entry| format!("<div class=tile><a class=link href=/{entry}>Our {entry}</a></div>"))
        .collect();
    let text: String = (0..5)
        .map(|line| {
            let word = (number * 6007 + line * 15_485_863) % 9973;
            format!("<div class=para><span>Line {line} of {number} is w{word}, which is said nowhere else on the site.</span></div>")
        })
        .collect();
    let html = format!(
        "<!DOCTYPE html><html lang=en><title>Page {number}</title><body class=v2><section class=top>{menu}</section>\
         <section class=card><h2 class=name>More on {number}</h2>{text}</section>\
         <section class=end><table class=facts><tr><td>Run by</td><td>the new owners of {site}</td></tr></table></section>"
    );
    response(
        &format!("https://{site}/{number}"),
        200,
        "text/html",
        html.as_bytes(),
    )
}

pub(crate) fn response(url: &str, status: u16, media_type: &str, body: &[u8]) -> Capture {
    Capture {
        url: Url::parse(url).unwrap(),
        status,
        headers: vec![("Content-Type".to_owned(), media_type.to_owned())],
        body: body.to_vec(),
        is_whole: true,
        date: SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        ip: None,
        is_rendered: false,
    }
}

/// Interleaved pages of a few sites.
pub(crate) fn pages(count: usize) -> Vec<Capture> {
    let sites = [
        "b.example",
        "www.a.example",
        "large.example",
        "large.example",
        "large.example",
    ];
    (0..count)
        .map(|number| page(sites[number % sites.len()], number))
        .collect()
}

pub(crate) fn archive(captures: &[Capture], compression: Compression) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new(), compression);
    writer.set_info(&[("software", "a test")]);
    for capture in captures {
        writer.write_capture(capture).unwrap();
    }
    writer.finish().unwrap()
}

/// A temporary folder with a crawl.
pub(crate) struct Crawl {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) inputs: Vec<PathBuf>,
}

impl Crawl {
    pub(crate) fn new(files: &[(&str, Vec<u8>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut inputs = Vec::new();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            inputs.push(path);
        }
        Self { folder, inputs }
    }

    pub(crate) fn of(captures: &[Capture]) -> Self {
        Self::new(&[("crawl.warc.gz", archive(captures, Compression::Gzip))])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Adds an archive, as the only input.
    pub(crate) fn next(&mut self, name: &str, captures: &[Capture]) {
        let path = self.path(name);
        fs::write(&path, archive(captures, Compression::Gzip)).unwrap();
        self.inputs = vec![path];
    }

    pub(crate) fn run(&self, out: &str, settings: &Settings) -> Result<FinishedRun, BulkError> {
        let inputs = InputNames {
            names: self.inputs.iter().map(Into::into).collect(),
            ..InputNames::default()
        };
        bulk(&inputs, &self.path(out), settings, &Progress::default(), &|_| {})
    }
}

/// Settings that cut even small crawls into many runs, batches and parts.
pub(crate) fn small_pieces() -> Settings {
    let mut settings = Settings {
        part_rows: 7,
        threads: 2,
        ..Settings::default()
    };
    settings.tuning.run_bytes = 8_000;
    settings.tuning.chunk_bytes = 4_000;
    settings.tuning.batch_pages = 3;
    settings.tuning.sample_pages = 5;
    // Some of the pages.
    settings.tuning.large_page_bytes = 500;
    settings
}

/// The same with a report. Some parts of [`pages`] end where a site does.
pub(crate) fn everything() -> Settings {
    Settings {
        part_rows: 6,
        report: true,
        ..small_pieces()
    }
}

/// The rows of a finished run, in order.
pub(crate) fn rows(out: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, bytes) in files(out) {
        if name.ends_with(".jsonl.zst") {
            let text = zstd::decode_all(&bytes[..]).unwrap();
            let lines = String::from_utf8(text).unwrap();
            rows.extend(
                lines
                    .lines()
                    .map(|line| serde_json::from_str::<Row>(line).unwrap()),
            );
        }
    }
    rows
}

/// All files below a folder by name.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let below = files(&entry.path()).into_iter();
            found.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}
