//! Merges runs: sites in order of their names, with their pages from all runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::run::{IndexReader, SiteRange, pages_name};
use crate::error::BulkError;
use crate::output_folder::OutputFolder;
use crate::sample_key::SampleKey;

/// The sites of all runs, by name.
pub(crate) struct Sites {
    readers: Vec<IndexReader>,
    /// The next site of each run; earlier runs come first.
    next: BinaryHeap<Reverse<(String, usize)>>,
    /// Pages of the next site of each run.
    ranges: Vec<Option<SiteRange>>,
    paths: Vec<PathBuf>,
}

impl Sites {
    pub(crate) fn of(folder: &OutputFolder, runs: usize) -> Result<Self, BulkError> {
        let mut sites = Self {
            readers: (0..runs).map(|run| IndexReader::new(folder, run)).collect(),
            next: BinaryHeap::new(),
            ranges: vec![None; runs],
            paths: (0..runs).map(|run| folder.work(&pages_name(run))).collect(),
        };
        for run in 0..runs {
            sites.read(run)?;
        }
        Ok(sites)
    }

    fn read(&mut self, run: usize) -> Result<(), BulkError> {
        if let Some((site, range)) = self.readers[run].next()? {
            self.ranges[run] = Some(range);
            self.next.push(Reverse((site, run)));
        }
        Ok(())
    }

    pub(crate) fn next(&mut self) -> Result<Option<SitePages>, BulkError> {
        let mut found: Option<SitePages> = None;
        while let Some(Reverse((site, _))) = self.next.peek()
            && found.as_ref().is_none_or(|found| found.name == *site)
        {
            let Some(Reverse((site, run))) = self.next.pop() else {
                break;
            };
            let pages = found.get_or_insert_with(|| SitePages::new(site));
            if let Some(range) = self.ranges[run].take() {
                pages.add(range, self.paths[run].clone());
            }
            self.read(run)?;
        }
        Ok(found)
    }
}

/// The pages of a site on disk, in the order of the inputs.
#[derive(Debug)]
pub(crate) struct SitePages {
    pub(crate) name: String,
    ranges: Vec<(SiteRange, PathBuf)>,
    count: usize,
}

impl SitePages {
    fn new(name: String) -> Self {
        Self {
            name,
            ranges: Vec::new(),
            count: 0,
        }
    }

    fn add(&mut self, range: SiteRange, path: PathBuf) {
        self.count += range.pages.len();
        self.ranges.push((range, path));
    }

    /// One of their files, for messages.
    pub(crate) fn path(&self) -> &Path {
        self.ranges.first().map_or(Path::new(""), |(_, path)| path)
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The size of each page, decompressed.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        self.sample_keys().map(|(_, bytes)| bytes)
    }

    /// The sample key and the size of each page.
    pub(crate) fn sample_keys(&self) -> impl Iterator<Item = (SampleKey, u64)> {
        let pages = self.ranges.iter().flat_map(|(range, _)| &range.pages);
        pages.map(|page| (page.key, u64::from(page.unpacked)))
    }

    /// Reads stored pages; their numbers must ascend.
    pub(crate) fn read(&self, numbers: impl IntoIterator<Item = usize>) -> Result<Vec<Vec<u8>>, BulkError> {
        let mut numbers = numbers.into_iter().peekable();
        let mut pages = Vec::new();
        let mut first = 0;
        for (range, path) in &self.ranges {
            let end = first + range.pages.len();
            let own = std::iter::from_fn(|| numbers.next_if(|&number| number < end));
            read_range(range, path, own.map(|number| number - first), &mut pages)
                .map_err(BulkError::io("read", path))?;
            first = end;
        }
        Ok(pages)
    }
}

/// Reads pages of a range; their numbers in it must ascend. The file is opened only if there are any.
fn read_range(
    range: &SiteRange,
    path: &Path,
    numbers: impl Iterator<Item = usize>,
    pages: &mut Vec<Vec<u8>>,
) -> io::Result<()> {
    let mut opened: Option<File> = None;
    let (mut at, mut offset) = (0, range.offset);
    for number in numbers {
        let between = &range.pages[at..number];
        offset += between.iter().map(|page| u64::from(page.stored)).sum::<u64>();
        let file = match &mut opened {
            Some(file) => file,
            None => opened.insert(File::open(path)?),
        };
        if !between.is_empty() || at == 0 {
            file.seek(SeekFrom::Start(offset))?;
        }
        let stored = range.pages[number].stored;
        let mut page = vec![0; stored as usize];
        file.read_exact(&mut page)?;
        pages.push(page);
        (at, offset) = (number + 1, offset + u64::from(stored));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::run::RunBuffer;
    use super::*;

    /// Writes runs of pages, each named by its site and a number, and reads them back site by site.
    fn sites(runs: &[&[&str]]) -> Vec<String> {
        let temporary = tempfile::tempdir().unwrap();
        let folder = OutputFolder::claim(temporary.path()).unwrap();
        for (number, names) in runs.iter().enumerate() {
            let mut buffer = RunBuffer::default();
            for name in *names {
                let site = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
                buffer.push(
                    site.to_owned(),
                    name.as_bytes().to_vec(),
                    7,
                    SampleKey::lowest_of_url(name),
                );
            }
            buffer.write(&folder, number).unwrap();
            assert!(buffer.is_empty());
        }
        let mut sites = Sites::of(&folder, runs.len()).unwrap();
        let mut listed = Vec::new();
        while let Some(site) = sites.next().unwrap() {
            let all = site.read(0..site.count()).unwrap();
            for (number, page) in all.iter().enumerate() {
                assert_eq!(site.read([number]).unwrap(), std::slice::from_ref(page));
            }
            let some: Vec<Vec<u8>> = all.iter().step_by(2).cloned().collect();
            assert_eq!(site.read((0..site.count()).step_by(2)).unwrap(), some);
            assert_eq!(site.sizes().count(), site.count());
            let pages: Vec<String> = all
                .into_iter()
                .map(|page| String::from_utf8(page).unwrap())
                .collect();
            listed.push(format!("{}: {}", site.name, pages.join(" ")));
        }
        listed
    }

    #[test]
    fn sites_are_merged_by_name() {
        let listed = sites(&[&["b9", "a1", "b2", "a0"], &["c3"], &[], &["b1", "c4", "a5"]]);
        assert_eq!(listed, ["a: a1 a0 a5", "b: b9 b2 b1", "c: c3 c4"]);
        assert_eq!(sites(&[]), [""; 0]);
    }

    #[test]
    fn long_indexes_are_read_in_pieces() {
        let names: Vec<String> = (b'a'..=b'z')
            .flat_map(|one| (b'a'..=b'z').map(move |two| format!("{}{}1", one as char, two as char)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let listed = sites(&[&names, &names[100..]]);
        assert_eq!(listed.len(), names.len());
        assert_eq!(listed[99], "dv: dv1");
        assert_eq!(listed[100], "dw: dw1 dw1");
    }
}
