//! The addresses of files and folders, on systems that have any.

use std::path::Path;

use husk::Url;

/// The address of a file, if it has one: its path is absolute, and this is no system without files.
pub(crate) fn of_file(path: &Path) -> Option<Url> {
    url_of(path)
}

#[cfg(any(unix, windows))]
fn url_of(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

#[cfg(not(any(unix, windows)))]
fn url_of(_path: &Path) -> Option<Url> {
    None
}

/// The address of a folder, likewise, which ends in a slash.
pub(crate) fn of_folder(path: &Path) -> Option<Url> {
    let mut url = of_file(path)?;
    if !url.path().ends_with('/') {
        url.path_segments_mut().ok()?.push("");
    }
    Some(url)
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
