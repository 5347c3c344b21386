//! What the slots of a folder's sites take beside the same pages packed otherwise: `dedup FOLDER [LEVEL]`.
//!
//! Every folder in FOLDER is a site, with its pages in `pages` if it is one of a corpus. Every page is put together
//! again and compared.
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use husk_bulk::dedup::{Compared, DedupReader, DedupTotals, DedupWriter, PageHead, SharedBytes, Slots};

/// How many pages tell what a site shares.
const SAMPLE: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder of sites")?;
    let level = arguments.next().map_or(Ok(9), |level| level.parse())?;
    println!(
        "{:<24}{:>6}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}",
        "site", "pages", "bytes", "gzip", "zstd", "solid -3", "solid same", "slots"
    );
    let mut sum = DedupTotals::default();
    let mut sites: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    sites.sort();
    for site in sites.iter().filter(|site| site.is_dir()) {
        let pages = site.join("pages");
        let totals = measure(if pages.is_dir() { &pages } else { site }, level)?;
        print_row(&site.file_name().unwrap_or_default().to_string_lossy(), &totals);
        sum.add(&totals);
    }
    print_row("all", &sum);
    println!("{}", sum.summary());
    println!(
        "templates {} bytes, slots {} bytes before packing",
        sum.template_bytes, sum.slot_bytes
    );
    Ok(())
}

fn print_row(name: &str, totals: &DedupTotals) {
    let rivals = totals.rivals.unwrap_or_default();
    println!(
        "{name:<24}{:>6}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}",
        totals.pages,
        totals.bytes,
        rivals.gzip,
        rivals.zstd,
        rivals.zstd_solid,
        rivals.zstd_solid_same_level,
        totals.packed
    );
}

fn measure(folder: &Path, level: i32) -> Result<DedupTotals, Box<dyn Error>> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    let pages: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<Result<_, _>>()?;
    let count = pages.len().min(SAMPLE);
    let sample: Vec<&[u8]> = (0..count)
        .map(|nth| pages[nth * pages.len() / count].as_slice())
        .collect();
    let shared = SharedBytes::of_pages(&sample);
    let mut writer = DedupWriter::new(Vec::new())?.with_level(level);
    writer.site("site", &shared)?;
    for (file, page) in files.iter().zip(&pages) {
        let head = PageHead {
            url: format!("https://site.example/{}", file.strip_prefix(folder)?.display()),
            status: 200,
            content_type: Some("text/html".to_owned()),
            ..PageHead::default()
        };
        writer.page(&head, &Slots::of(page, &shared), Some(&Compared::of(page)?))?;
    }
    let (file, totals) = writer.finish()?;
    let mut read = DedupReader::new(Cursor::new(file))?;
    for page in &pages {
        let stored = read.next().ok_or("a page is missing")??;
        if stored.bytes != *page {
            return Err(format!("{} did not come back", stored.head.url).into());
        }
    }
    Ok(totals)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            walk(&entry, files)?;
        } else {
            files.push(entry);
        }
    }
    Ok(())
}
