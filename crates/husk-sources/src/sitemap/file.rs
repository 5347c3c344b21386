//! Sitemaps that the user has as files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use husk::Url;

use super::{MOST_ADDRESSES, MOST_BYTES, Sitemap, parse};
use crate::file_address;
use crate::folder::read_file;
use crate::source::LoadError;

/// So many sitemaps beside their list are read.
const MOST_SITEMAPS: usize = 1_000;

/// The pages that a sitemap in a file lists: XML, also packed by gzip, a feed, or one address a line.
///
/// A list of sitemaps stands for those of them that lie beside it and can be read.
pub fn read_sitemap(file: &Path) -> Result<Vec<Url>, LoadError> {
    let Sitemap { pages, sitemaps } = read(file)?;
    let is_list = pages.is_empty() && !sitemaps.is_empty();
    let mut all = pages;
    let mut seen: BTreeSet<Url> = all.iter().cloned().collect();
    let beside: BTreeSet<PathBuf> = sitemaps.iter().filter_map(|url| beside(file, url)).collect();
    let mut failure = None;
    for other in beside.iter().filter(|other| *other != file).take(MOST_SITEMAPS) {
        match read(other) {
            Ok(other) => {
                let new = other.pages.into_iter();
                all.extend(new.filter(|url| seen.insert(url.clone())));
                all.truncate(MOST_ADDRESSES);
            }
            // The others are of use without it.
            Err(cause) => failure = failure.or(Some(cause)),
        }
    }
    if !all.is_empty() {
        return Ok(all);
    }
    if let Some(cause) = failure {
        return Err(cause);
    }
    Err(LoadError::NotASitemap {
        object: file.display().to_string(),
        cause: if is_list {
            "it lists other sitemaps, none of which lies beside it"
        } else {
            "neither addresses in a sitemap or feed, nor one on each line, were found"
        },
    })
}

fn read(file: &Path) -> Result<Sitemap, LoadError> {
    let bytes = read_file(file, MOST_BYTES)?;
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let base = file_address::of_file(&path).ok_or_else(|| LoadError::NoAddress {
        object: file.display().to_string(),
    })?;
    Ok(parse(&bytes, &base))
}

/// The file beside another one that is named like the last step of an address.
fn beside(file: &Path, url: &Url) -> Option<PathBuf> {
    let name = url.path_segments()?.next_back()?;
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '%']);
    let path = file.parent()?.join(name);
    (is_name && path.is_file()).then_some(path)
}
