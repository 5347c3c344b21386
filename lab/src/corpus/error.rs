//! What can be wrong with a corpus.

use std::path::PathBuf;
use std::{fmt, io};

use super::Split;
use crate::css::SelectorError;

/// A corpus that cannot be read, and which file or folder of it is at fault.
#[derive(Debug)]
pub enum CorpusError {
    /// The file or folder cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file is larger than the most bytes that are read.
    TooLarge(PathBuf, u64),
    /// The file is not JSON, or not of the form expected.
    Json(PathBuf, serde_json::Error),
    /// The file has a label that is no selector.
    Selector(PathBuf, SelectorError),
    /// The file has a `base_url` that is no address, or not one that pages can have.
    BaseUrl(PathBuf, String),
    /// The `gold.json` has no key page.
    NoEntry(PathBuf),
    /// The `gold.json` has a key page that is no file: this one.
    NoPage(PathBuf, PathBuf),
    /// The folder of a site lacks a part: a file or a folder.
    Missing(PathBuf, &'static str),
    /// The folder holds no site.
    NoSite(PathBuf),
    /// The half of the corpus has no site.
    EmptySplit(String, Split),
    /// The folder of a site in the TECO format is not named after a domain.
    NoDomain(PathBuf),
    /// The folder of a site in the TECO format has no page with labels.
    NoKeyPage(PathBuf),
    /// The folder of a site in the TECO format has more than one page with labels: these two at least.
    SeveralKeyPages(PathBuf, [PathBuf; 2]),
}

impl fmt::Display for CorpusError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, cause) => write!(out, "{}: {cause}", path.display()),
            Self::TooLarge(file, limit) => write!(out, "{}: is larger than {limit} bytes", file.display()),
            Self::Json(file, cause) => write!(out, "{}: {cause}", file.display()),
            Self::Selector(file, cause) => write!(out, "{}: {cause}", file.display()),
            Self::BaseUrl(file, url) => {
                write!(
                    out,
                    "{}: base_url {url:?} is not the address of a site",
                    file.display()
                )
            }
            Self::NoEntry(file) => write!(out, "{}: has no key page", file.display()),
            Self::NoPage(file, page) => write!(
                out,
                "{}: its key page {} is no file",
                file.display(),
                page.display()
            ),
            Self::Missing(folder, part) => write!(out, "{}: {part} is missing", folder.display()),
            Self::NoSite(folder) => write!(out, "{}: holds no site", folder.display()),
            Self::EmptySplit(name, split) => write!(out, "{name}: no site belongs to half {split}"),
            Self::NoDomain(folder) => write!(out, "{}: is not named after a domain", folder.display()),
            Self::NoKeyPage(folder) => write!(out, "{}: no page has TECO labels", folder.display()),
            Self::SeveralKeyPages(folder, [one, other]) => write!(
                out,
                "{}: several pages have TECO labels, such as {} and {}",
                folder.display(),
                one.display(),
                other.display()
            ),
        }
    }
}

// The messages hold their causes. A `source` too would say them twice where a whole chain is printed.
impl std::error::Error for CorpusError {}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::iter;

    use super::*;
    use crate::css::Selector;

    /// The error and all its sources, as `husk` prints them.
    fn chain(error: &CorpusError) -> String {
        let links: Vec<_> = iter::successors(Some(error as &(dyn Error + 'static)), |&error| error.source())
            .map(ToString::to_string)
            .collect();
        links.join(": ")
    }

    #[test]
    fn causes_are_told_once() {
        let file = || PathBuf::from("a/gold.json");
        let json = serde_json::from_str::<u8>("x").unwrap_err();
        let selector = Selector::parse("ul >").unwrap_err();
        let errors = [
            (json.to_string(), CorpusError::Json(file(), json)),
            (selector.to_string(), CorpusError::Selector(file(), selector)),
            (
                "permission denied".to_owned(),
                CorpusError::Unreadable(file(), io::ErrorKind::PermissionDenied.into()),
            ),
        ];
        for (cause, error) in errors {
            assert_eq!(chain(&error), format!("a/gold.json: {cause}"));
        }
    }
}
