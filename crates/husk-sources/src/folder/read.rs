//! Reads regular files up to a size limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use husk::dom::Dom;

use crate::mime_type::{self, HEAD};
use crate::source::LoadError;

pub(super) fn read_page(file: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    let bytes = read_file(file, limit)?;
    match mime_type::other_than_page(&bytes, extension(file).as_deref()) {
        Some(kind) => Err(LoadError::NotAPage {
            object: file.display().to_string(),
            kind,
        }),
        None => Ok(bytes),
    }
}

/// Reads a file.
///
/// Anything but a regular file is rejected before it is opened, since opening a pipe would wait for its writer.
pub(crate) fn read_file(file: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    let object = || file.display().to_string();
    let not_a_page = |kind| {
        Err(LoadError::NotAPage {
            object: object(),
            kind,
        })
    };
    let failed = |cause| LoadError::Io {
        path: file.to_owned(),
        cause,
    };
    let metadata = fs::metadata(file).map_err(failed)?;
    if metadata.is_dir() {
        return not_a_page("a folder without index page");
    }
    if !metadata.is_file() {
        return not_a_page("a device or pipe");
    }
    let bytes = read_at_most(file, limit.saturating_add(1)).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(LoadError::TooLarge {
            object: object(),
            limit,
        });
    }
    Ok(bytes)
}

pub(super) fn parse_page(file: &Path, limit: u64) -> Result<Dom, LoadError> {
    Ok(Dom::from_bytes(&read_page(file, limit)?, None))
}

/// Whether a file is a page, by its name or else by its first bytes.
pub(super) fn is_page(file: &Path) -> bool {
    let is_regular = fs::metadata(file).is_ok_and(|found| found.is_file());
    let has_page_extension = matches!(
        extension(file).as_deref(),
        Some("html" | "htm" | "xhtml" | "shtml")
    );
    let head = || read_at_most(file, HEAD as u64).unwrap_or_default();
    is_regular && (has_page_extension || mime_type::begins_as_page(&head()))
}

/// Reads the first bytes of a file.
pub(crate) fn read_at_most(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(file)?;
    // One more byte, so that the end is met without another look for room.
    let size = file.metadata()?.len().min(limit) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The extension of a file in lower case.
pub(crate) fn extension(file: &Path) -> Option<String> {
    Some(file.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_pages_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.html");
        fs::write(&file, "<p>12345").unwrap();
        assert_eq!(read_page(&file, 8).unwrap(), b"<p>12345");
        let error = read_page(&file, 7).unwrap_err();
        assert!(matches!(error, LoadError::TooLarge { limit: 7, .. }), "{error}");
    }

    #[test]
    fn refuses_what_is_no_page() {
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("a.html");
        fs::write(&image, b"\x89PNG\r\n\x1a\n").unwrap();
        assert!(matches!(
            read_page(&image, 100),
            Err(LoadError::NotAPage {
                kind: "a PNG image",
                ..
            })
        ));
        assert!(matches!(
            read_page(folder.path(), 100),
            Err(LoadError::NotAPage { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn refuses_devices_without_waiting() {
        let error = read_page(Path::new("/dev/zero"), 100).unwrap_err();
        assert!(
            matches!(
                error,
                LoadError::NotAPage {
                    kind: "a device or pipe",
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn knows_pages_by_name_or_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, text: &str, expect: bool| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            assert_eq!(is_page(&file), expect, "{name}");
        };
        check("a.HTML", "words", true);
        check("about", "<!doctype html>", true);
        check("item.php?id=1", "<html>", true);
        check("notes.txt", "words", false);
        check("style.css", "p {}", false);
        assert!(!is_page(folder.path()));
        assert!(!is_page(Path::new("/dev/zero")));
    }
}
