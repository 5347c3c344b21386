//! `file:` URLs, on systems that have them.

use std::path::{Path, PathBuf};

use husk::Url;

/// The URL of a file; none if its path is relative, or on a system without files.
#[cfg(any(unix, windows))]
pub(crate) fn of_file(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

/// The URL of a file; none if its path is relative, or on a system without files.
#[cfg(not(any(unix, windows)))]
pub(crate) fn of_file(_path: &Path) -> Option<Url> {
    None
}

/// The URL of a folder, which ends in a slash.
pub(crate) fn of_folder(path: &Path) -> Option<Url> {
    let mut url = of_file(path)?;
    if !url.path().ends_with('/') {
        url.path_segments_mut().ok()?.push("");
    }
    Some(url)
}

/// The path that a `file:` URL names.
#[cfg(any(unix, windows))]
pub(crate) fn to_path(url: &Url) -> Option<PathBuf> {
    url.to_file_path().ok()
}

/// The path that a `file:` URL names.
#[cfg(not(any(unix, windows)))]
pub(crate) fn to_path(_url: &Url) -> Option<PathBuf> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_end_in_a_slash() {
        let folder = |path: &str| of_folder(Path::new(path)).map(String::from);
        assert_eq!(folder("/"), Some("file:///".to_owned()));
        assert_eq!(folder("/a b/c"), Some("file:///a%20b/c/".to_owned()));
        assert_eq!(folder("/a/"), Some("file:///a/".to_owned()));
        assert_eq!(folder("a"), None);
    }
}
