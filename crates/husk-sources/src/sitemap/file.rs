//! Reads sitemaps from files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use husk::Url;

use super::{MAX_BYTES, MAX_URLS, Sitemap, parse};
use crate::file_url;
use crate::folder::read_file;
use crate::source::LoadError;

/// How many sitemaps an index may refer to.
const MAX_SITEMAPS: usize = 1_000;

/// The pages listed in a file: a sitemap in XML, also compressed with gzip, a feed, or one URL per line.
///
/// A sitemap index stands for those of its sitemaps that are in the same folder and can be read.
pub fn read_sitemap(file: &Path) -> Result<Vec<Url>, LoadError> {
    let Sitemap { pages, sitemaps } = read(file)?;
    let is_list = pages.is_empty() && !sitemaps.is_empty();
    let mut all = pages;
    let mut seen: BTreeSet<Url> = all.iter().cloned().collect();
    let beside: BTreeSet<PathBuf> = sitemaps.iter().filter_map(|url| beside(file, url)).collect();
    let mut failure = None;
    for other in beside.iter().filter(|other| *other != file).take(MAX_SITEMAPS) {
        match read(other) {
            Ok(other) => {
                let new = other.pages.into_iter();
                all.extend(new.filter(|url| seen.insert(url.clone())));
                all.truncate(MAX_URLS);
            }
            // The others are useful without it.
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
            "it lists other sitemaps, none of which is in the same folder"
        } else {
            "neither URLs in a sitemap or feed, nor one URL per line, were found"
        },
    })
}

fn read(file: &Path) -> Result<Sitemap, LoadError> {
    let bytes = read_file(file, MAX_BYTES)?;
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let base = file_url::of_file(&path).ok_or_else(|| LoadError::UnknownUrl {
        object: file.display().to_string(),
    })?;
    Ok(parse(&bytes, &base))
}

/// The file in the same folder that is named like the last segment of a URL.
fn beside(file: &Path, url: &Url) -> Option<PathBuf> {
    let name = url.path_segments()?.next_back()?;
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '%']);
    let path = file.parent()?.join(name);
    (is_name && path.is_file()).then_some(path)
}
