//! The sites of an evaluation: a whole corpus, or half of it.

use super::digest::digest;
use super::{CorpusError, Site, Split};

/// Sites to measure on.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// The name of the corpus.
    pub name: String,
    /// The half of it; none for all sites.
    pub split: Option<Split>,
    /// A hash of the pages and labels of these sites.
    pub digest: String,
    /// The sites.
    pub sites: Vec<Site>,
}

impl Sample {
    /// The sites of a corpus, or those in a half of it.
    ///
    /// Every file is read for the digest. The system caches them, so that later times do not include the disk.
    pub fn new(name: String, mut sites: Vec<Site>, split: Option<Split>) -> Result<Self, CorpusError> {
        if let Some(split) = split {
            sites.retain(|site| Split::of(&site.name) == split);
            if sites.is_empty() {
                return Err(CorpusError::EmptySplit(name, split));
            }
        }
        Ok(Self {
            digest: digest(&sites)?,
            name,
            split,
            sites,
        })
    }

    /// The name of the corpus, and which half of it.
    pub fn title(&self) -> String {
        match self.split {
            Some(split) => format!("half {split} of {}", self.name),
            None => self.name.clone(),
        }
    }

    /// How many key pages the sites have.
    pub fn key_pages(&self) -> usize {
        self.sites.iter().map(|site| site.key_pages.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::test_sites::TestFolder;

    #[test]
    fn halves_make_the_whole() {
        let mut folder = TestFolder::new();
        for number in 0..9 {
            let name = format!("site-{number}");
            folder = folder
                .site(&name, r#"{"key": "index.html"}"#)
                .file(&format!("{name}/pages/index.html"), "");
        }
        let sites = Corpus::read(folder.path()).unwrap().sites;
        let sample = |split| Sample::new("nine".to_owned(), sites.clone(), split).unwrap();
        let (all, a, b) = (sample(None), sample(Some(Split::A)), sample(Some(Split::B)));
        assert_eq!(all.key_pages(), 9);
        assert_eq!(a.key_pages() + b.key_pages(), 9);
        assert!(a.digest != b.digest && a.digest != all.digest);
        // A site is in its half whatever else is there.
        for site in &a.sites {
            let alone = Sample::new(String::new(), vec![site.clone()], Some(Split::A)).unwrap();
            assert_eq!(alone.sites[0].name, site.name);
        }
    }

    #[test]
    fn a_half_without_sites_is_an_error() {
        let cause = Sample::new("sites".to_owned(), Vec::new(), Some(Split::B)).unwrap_err();
        assert_eq!(cause.to_string(), "sites: no site belongs to half b");
    }
}
