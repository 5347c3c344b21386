//! Errors of reading a corpus.

use std::path::PathBuf;
use std::{fmt, io};

use super::Split;
use crate::css::SelectorError;

/// Why a corpus cannot be read, with the file or folder.
#[derive(Debug)]
pub enum CorpusError {
    /// The file or folder cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file is larger than this limit.
    TooLarge(PathBuf, u64),
    /// The file is not JSON, or not of the form expected.
    Json(PathBuf, serde_json::Error),
    /// The file has a label that is not a valid selector.
    Selector(PathBuf, SelectorError),
    /// The file has a `base_url` that is not a URL of a site.
    BaseUrl(PathBuf, String),
    /// The `gold.json` has no key page.
    NoEntry(PathBuf),
    /// The `gold.json` has a key page that does not exist: this one.
    NoPage(PathBuf, PathBuf),
    /// The folder of a site lacks this file or folder.
    Missing(PathBuf, &'static str),
    /// The folder contains no site.
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
            Self::TooLarge(file, limit) => write!(out, "{}: larger than {limit} bytes", file.display()),
            Self::Json(file, cause) => write!(out, "{}: {cause}", file.display()),
            Self::Selector(file, cause) => write!(out, "{}: {cause}", file.display()),
            Self::BaseUrl(file, url) => {
                write!(out, "{}: base_url {url:?} is not a URL of a site", file.display())
            }
            Self::NoEntry(file) => write!(out, "{}: has no key page", file.display()),
            Self::NoPage(file, page) => write!(
                out,
                "{}: key page {} does not exist",
                file.display(),
                page.display()
            ),
            Self::Missing(folder, part) => write!(out, "{}: {part} is missing", folder.display()),
            Self::NoSite(folder) => write!(out, "{}: contains no site", folder.display()),
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

// Messages include their causes. With a `source`, a printed chain would repeat them.
impl std::error::Error for CorpusError {}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::iter;

    use super::*;
    use crate::css::Selector;

    /// The error and all its sources, as the command prints them.
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
