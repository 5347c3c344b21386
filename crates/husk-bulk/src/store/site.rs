//! Sites, one after the other by name, with their pages from all runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::run::{Extent, IndexReader, pages_name};
use crate::error::BulkError;
use crate::lot::Lot;
use crate::place::Place;

/// All sites of some runs, by name.
pub(crate) struct Sites {
    readers: Vec<IndexReader>,
    /// The next site of each run, the first one on top; of the same site, that of the earlier run.
    next: BinaryHeap<Reverse<(String, usize)>>,
    /// Its pages, by run.
    extents: Vec<Option<Extent>>,
    paths: Vec<PathBuf>,
}

impl Sites {
    pub(crate) fn of(place: &Place, runs: usize) -> Result<Self, BulkError> {
        let mut sites = Self {
            readers: (0..runs).map(|run| IndexReader::new(place, run)).collect(),
            next: BinaryHeap::new(),
            extents: vec![None; runs],
            paths: (0..runs).map(|run| place.work(&pages_name(run))).collect(),
        };
        for run in 0..runs {
            sites.read(run)?;
        }
        Ok(sites)
    }

    fn read(&mut self, run: usize) -> Result<(), BulkError> {
        if let Some((site, extent)) = self.readers[run].next()? {
            self.extents[run] = Some(extent);
            self.next.push(Reverse((site, run)));
        }
        Ok(())
    }

    /// The next site.
    pub(crate) fn next(&mut self) -> Result<Option<SitePages>, BulkError> {
        let mut found: Option<SitePages> = None;
        while let Some(Reverse((site, _))) = self.next.peek()
            && found.as_ref().is_none_or(|found| found.name == *site)
        {
            let Some(Reverse((site, run))) = self.next.pop() else {
                break;
            };
            let pages = found.get_or_insert_with(|| SitePages::new(site));
            if let Some(extent) = self.extents[run].take() {
                pages.add(extent, self.paths[run].clone());
            }
            self.read(run)?;
        }
        Ok(found)
    }
}

/// The pages of a site on disk, in the order in which they were met.
#[derive(Debug)]
pub(crate) struct SitePages {
    pub(crate) name: String,
    extents: Vec<(Extent, PathBuf)>,
    count: usize,
}

impl SitePages {
    fn new(name: String) -> Self {
        Self {
            name,
            extents: Vec::new(),
            count: 0,
        }
    }

    fn add(&mut self, extent: Extent, path: PathBuf) {
        self.count += extent.pages.len();
        self.extents.push((extent, path));
    }

    /// One of the files that they are in, for messages.
    pub(crate) fn path(&self) -> &Path {
        self.extents.first().map_or(Path::new(""), |(_, path)| path)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How many bytes each of them has, unpacked.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        self.lots().map(|(_, bytes)| bytes)
    }

    /// The lot of each of them, and how many bytes it has, unpacked.
    pub(crate) fn lots(&self) -> impl Iterator<Item = (Lot, u64)> {
        let pages = self.extents.iter().flat_map(|(extent, _)| &extent.pages);
        pages.map(|page| (page.lot, u64::from(page.unpacked)))
    }

    /// Reads some of them, as they are stored; their numbers ascend.
    pub(crate) fn read(&self, numbers: impl IntoIterator<Item = usize>) -> Result<Vec<Vec<u8>>, BulkError> {
        let mut numbers = numbers.into_iter().peekable();
        let mut pages = Vec::new();
        let mut first = 0;
        for (extent, path) in &self.extents {
            let end = first + extent.pages.len();
            let own = std::iter::from_fn(|| numbers.next_if(|&number| number < end));
            read_extent(extent, path, own.map(|number| number - first), &mut pages)
                .map_err(BulkError::io("read", path))?;
            first = end;
        }
        Ok(pages)
    }
}

/// Reads some pages of an extent; their numbers in it ascend. The file is opened only if there are any.
fn read_extent(
    extent: &Extent,
    path: &Path,
    numbers: impl Iterator<Item = usize>,
    pages: &mut Vec<Vec<u8>>,
) -> io::Result<()> {
    let mut opened: Option<File> = None;
    let (mut at, mut offset) = (0, extent.offset);
    for number in numbers {
        let between = &extent.pages[at..number];
        offset += between.iter().map(|page| u64::from(page.stored)).sum::<u64>();
        let file = match &mut opened {
            Some(file) => file,
            None => opened.insert(File::open(path)?),
        };
        if !between.is_empty() || at == 0 {
            file.seek(SeekFrom::Start(offset))?;
        }
        let stored = extent.pages[number].stored;
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
        let folder = tempfile::tempdir().unwrap();
        let place = Place::claim(folder.path()).unwrap();
        for (number, names) in runs.iter().enumerate() {
            let mut buffer = RunBuffer::default();
            for name in *names {
                let site = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
                buffer.push(site.to_owned(), name.as_bytes().to_vec(), 7, Lot::least(name));
            }
            buffer.write(&place, number).unwrap();
            assert!(buffer.is_empty());
        }
        let mut sites = Sites::of(&place, runs.len()).unwrap();
        let mut told = Vec::new();
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
            told.push(format!("{}: {}", site.name, pages.join(" ")));
        }
        told
    }

    #[test]
    fn sites_come_by_name_and_their_pages_in_order() {
        let told = sites(&[&["b9", "a1", "b2", "a0"], &["c3"], &[], &["b1", "c4", "a5"]]);
        assert_eq!(told, ["a: a1 a0 a5", "b: b9 b2 b1", "c: c3 c4"]);
        assert_eq!(sites(&[]), [""; 0]);
    }

    #[test]
    fn long_indexes_are_read_piece_by_piece() {
        let names: Vec<String> = (b'a'..=b'z')
            .flat_map(|one| (b'a'..=b'z').map(move |two| format!("{}{}1", one as char, two as char)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let told = sites(&[&names, &names[100..]]);
        assert_eq!(told.len(), names.len());
        assert_eq!(told[99], "dv: dv1");
        assert_eq!(told[100], "dw: dw1 dw1");
    }
}
