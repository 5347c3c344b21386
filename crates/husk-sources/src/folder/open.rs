//! Opens the folder of a saved site.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use husk::Url;

use crate::file_url;

use super::{Folder, host};

/// Why a folder could not be opened.
///
/// The message contains the cause, so `source()` returns none: printing the chain would repeat it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFolderError {
    /// There is no such folder.
    #[error("no folder {}: check the path", .root.display())]
    NotFound {
        /// The folder.
        root: PathBuf,
    },
    /// It is a file.
    #[error("{} is not a folder: expected the folder of the site", .root.display())]
    NotAFolder {
        /// The file.
        root: PathBuf,
    },
    /// The URL cannot be that of a site.
    #[error("unsupported URL scheme `{}` in {url}: expected http://, https:// or file://", .url.scheme())]
    NotASite {
        /// The URL.
        url: Url,
    },
    /// The folder could not be opened.
    #[error("cannot open {}: {cause}; check that the folder is readable", .root.display())]
    Io {
        /// The folder.
        root: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
}

/// See [`Folder::open`].
pub(super) fn open(root: &Path, base_url: Option<Url>) -> Result<Folder, OpenFolderError> {
    let opened = canonical_folder(root)?;
    let Some(url) = base_url else {
        let base = file_url::of_folder(&opened);
        let base = base.ok_or_else(|| OpenFolderError::NotAFolder {
            root: root.to_owned(),
        })?;
        return Ok(Folder::at(opened, base));
    };
    if !matches!(url.scheme(), "http" | "https" | "file") {
        return Err(OpenFolderError::NotASite { url });
    }
    match host_folder(&opened, &url) {
        Some(root) => Ok(Folder {
            opened,
            ..Folder::at(root, root_of_host(url))
        }),
        None => Ok(Folder::at(opened, as_folder(url))),
    }
}

fn canonical_folder(root: &Path) -> Result<PathBuf, OpenFolderError> {
    let path = || root.to_owned();
    match fs::canonicalize(root) {
        Ok(real) if real.is_dir() => Ok(real),
        Ok(_) => Err(OpenFolderError::NotAFolder { root: path() }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            Err(OpenFolderError::NotFound { root: path() })
        }
        Err(cause) => Err(OpenFolderError::Io { root: path(), cause }),
    }
}

/// The folder that a mirroring tool named after the host: one in `opened`, or `opened` itself if it contains the path of the
/// URL.
fn host_folder(opened: &Path, base: &Url) -> Option<PathBuf> {
    let names = host::folder_names(base);
    let path = base.path().trim_start_matches('/');
    let is_host = opened
        .file_name()
        .is_some_and(|own| names.iter().any(|name| own == name.as_str()));
    if is_host && !path.is_empty() && opened.join(path).exists() {
        return Some(opened.to_owned());
    }
    let folder = names
        .iter()
        .map(|name| opened.join(name))
        .find(|folder| folder.is_dir())?;
    // A symbolic link is followed only if it stays inside.
    fs::canonicalize(folder)
        .ok()
        .filter(|real| real.starts_with(opened))
}

fn root_of_host(mut url: Url) -> Url {
    url.set_path("/");
    without_query(url)
}

/// A URL as that of a folder: `/docs` is `/docs/`, and so is `/docs/index.html`.
fn as_folder(mut url: Url) -> Url {
    let path = url.path().to_owned();
    let (folder, last) = path.rsplit_once('/').unwrap_or(("", &path));
    let extension = last
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("html" | "htm" | "xhtml" | "shtml" | "php" | "asp" | "aspx") => {
            url.set_path(&format!("{folder}/"))
        }
        _ if last.is_empty() => {}
        _ => url.set_path(&format!("{path}/")),
    }
    without_query(url)
}

fn without_query(mut url: Url) -> Url {
    url.set_query(None);
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes folders, opens one of them with an address, and compares root and address of the site.
    fn check(folders: &[&str], open: &str, address: &str, expect: (&str, &str)) {
        let top = tempfile::tempdir().unwrap();
        let top = top.path().canonicalize().unwrap();
        for folder in folders {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let site = Folder::open(&top.join(open), Some(Url::parse(address).unwrap())).unwrap();
        let root = site.root().strip_prefix(&top).unwrap().to_str().unwrap();
        assert_eq!((root, site.base_url().as_str()), expect, "{open} from {address}");
    }

    #[test]
    fn a_folder_has_its_address() {
        check(&["site"], "site", "https://e.org", ("site", "https://e.org/"));
        check(
            &["site"],
            "site",
            "https://e.org/docs",
            ("site", "https://e.org/docs/"),
        );
        check(
            &["site"],
            "site",
            "https://e.org/docs/?x#y",
            ("site", "https://e.org/docs/"),
        );
        check(
            &["site"],
            "site",
            "https://e.org/docs/index.html",
            ("site", "https://e.org/docs/"),
        );
        check(
            &["site"],
            "site",
            "https://e.org/v1.2",
            ("site", "https://e.org/v1.2/"),
        );
    }

    #[test]
    fn mirrors_keep_a_host_in_its_own_folder() {
        check(
            &["m/e.org"],
            "m",
            "https://e.org/docs/",
            ("m/e.org", "https://e.org/"),
        );
        check(
            &["m/www.e.org"],
            "m",
            "https://e.org/",
            ("m/www.e.org", "https://e.org/"),
        );
        check(
            &["m/e.org"],
            "m",
            "https://www.e.org/",
            ("m/e.org", "https://www.e.org/"),
        );
        for folder in [
            "m/127.0.0.1:80",
            "m/127.0.0.1:8000",
            "m/127.0.0.1+8000",
            "m/127.0.0.1_8000",
        ] {
            let port = &folder["m/127.0.0.1:".len()..];
            let address = format!("https://127.0.0.1:{port}/");
            check(&[folder], "m", &address, (folder, &address));
        }
        check(&["m/other.org"], "m", "https://e.org/", ("m", "https://e.org/"));
    }

    #[test]
    fn the_host_folder_itself() {
        check(
            &["m/e.org/docs"],
            "m/e.org",
            "https://e.org/docs/",
            ("m/e.org", "https://e.org/"),
        );
        check(
            &["m/e.org"],
            "m/e.org",
            "https://e.org/docs/",
            ("m/e.org", "https://e.org/docs/"),
        );
    }

    #[test]
    fn without_address_the_one_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let site = Folder::open(folder.path(), None).unwrap();
        let expect = Url::from_directory_path(folder.path().canonicalize().unwrap()).unwrap();
        assert_eq!(*site.base_url(), expect);
    }

    #[test]
    fn the_cause_is_said_once() {
        let error = OpenFolderError::Io {
            root: "/site".into(),
            cause: io::ErrorKind::PermissionDenied.into(),
        };
        assert!(error.to_string().contains("permission denied"));
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn what_cannot_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.html");
        fs::write(&file, "").unwrap();
        let message = |root: &Path, url: Option<&str>| {
            let url = url.map(|url| Url::parse(url).unwrap());
            Folder::open(root, url)
                .unwrap_err()
                .to_string()
                .replace(folder.path().to_str().unwrap(), "/top")
        };
        assert_eq!(
            message(&folder.path().join("gone"), None),
            "no folder /top/gone: check the path"
        );
        assert_eq!(
            message(&file, None),
            "/top/a.html is not a folder: expected the folder of the site"
        );
        assert_eq!(
            message(folder.path(), Some("mailto:a@e.org")),
            "unsupported URL scheme `mailto` in mailto:a@e.org: expected http://, https:// or file://"
        );
    }
}
