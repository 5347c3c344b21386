//! Where a page is, and where the other pages of its site are.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use husk::{Page, Url};

use crate::file_url;
use crate::folder::Folder;
use crate::source::Admission;

/// Where a page is.
#[non_exhaustive]
pub enum PageLocation {
    /// A URL, to be loaded from the site's folder, its archive or the web.
    Url(Url),
    /// A file: a page of a saved site, or one saved as MHTML or by SingleFile.
    File(PathBuf),
    /// A stream of HTML or MHTML, such as standard input.
    Stream(Box<dyn Read>),
    /// A page that is parsed already.
    Parsed(Box<Page>),
    /// The only page of an archive.
    OnlyPage,
}

/// Where the other pages of a site are.
#[non_exhaustive]
pub enum SiteLocation {
    /// Around the page: beside its file, or on the web if it has none.
    Around,
    /// A folder.
    Folder(PathBuf),
    /// Web archives.
    Archive(ArchiveLocation),
    /// The web.
    Web,
    /// Pages that the caller has.
    Given {
        /// The pages.
        pages: Vec<Page>,
        /// What error messages call them, such as `the request`.
        name: &'static str,
    },
}

/// Web archives, read as one.
#[derive(Debug, Clone)]
pub struct ArchiveLocation {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The largest page that is read, in bytes.
    pub max_bytes: u64,
    /// Which pages are parsed.
    pub admission: Admission,
    /// What error messages call the archive instead of by its file.
    pub name: Option<&'static str>,
}

impl From<Vec<PathBuf>> for ArchiveLocation {
    fn from(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            max_bytes: Folder::MAX_BYTES,
            admission: Admission::default(),
            name: None,
        }
    }
}

/// A URL whose scheme is not supported.
#[derive(Debug, thiserror::Error)]
#[error("unsupported URL scheme `{}` in {url}: expected http://, https:// or file://", .url.scheme())]
pub struct UnsupportedScheme {
    /// The URL.
    pub url: Url,
}

impl PageLocation {
    /// Reads what a user typed: a URL or the path of a file.
    pub fn parse(typed: &OsStr) -> Result<Self, UnsupportedScheme> {
        let url = typed.to_str().and_then(|typed| Url::parse(typed).ok());
        match url {
            Some(url) if is_web_url(&url) => Ok(Self::Url(url)),
            Some(url) if url.scheme() == "file" => {
                let path = file_url::to_path(&url).unwrap_or_else(|| PathBuf::from(typed));
                Ok(Self::File(path))
            }
            // `C:\page.html` and `note:1.html` are files.
            Some(url) if url.has_authority() => Err(UnsupportedScheme { url }),
            _ => Ok(Self::File(PathBuf::from(typed))),
        }
    }
}

/// Whether the scheme of a URL is `http` or `https`.
pub fn is_web_url(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Whether the name of a file is that of a web archive.
pub fn names_archive(file: &Path) -> bool {
    let name = file.to_string_lossy().to_lowercase();
    [".warc", ".warc.gz", ".warc.zst"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// The URL that was probably meant by the name of a missing file: `example.org/a` is not a file, but a host and a path.
pub(crate) fn suggest_url(file: &Path) -> Option<String> {
    let typed = file.to_str()?;
    let (host, _) = typed.split_once('/').unwrap_or((typed, ""));
    let (host, port) = host.split_once(':').unwrap_or((host, "80"));
    let (name, last) = host.rsplit_once('.')?;
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let is_file_name = FILE_EXTENSIONS.contains(&last.to_ascii_lowercase().as_str());
    let is_host = name.split('.').all(is_label)
        && last.len() >= 2
        && last.chars().all(char::is_alphabetic)
        && port.parse::<u16>().is_ok();
    (is_host && !is_file_name).then(|| format!("https://{typed}"))
}

/// Endings that are more likely those of a mistyped file than top-level domains.
const FILE_EXTENSIONS: [&str; 14] = [
    "html", "htm", "xhtml", "mhtml", "mht", "php", "asp", "aspx", "jsp", "txt", "md", "xml", "json", "pdf",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_are_recognised() {
        let check = |typed: &str, expected: Option<&str>| {
            assert_eq!(suggest_url(Path::new(typed)).as_deref(), expected, "{typed}");
        };
        check("example.org", Some("https://example.org"));
        check(
            "www.example.org/a/b.html",
            Some("https://www.example.org/a/b.html"),
        );
        check("example.org:8080/a", Some("https://example.org:8080/a"));
        check("bücher.example", Some("https://bücher.example"));
        for file in [
            "page.html",
            "a.b.htm",
            "page",
            "docs/page.html",
            "./example.org",
            "../a.org",
            "/a.org",
            "",
            ".org",
            "a..org",
            "v1.2",
            "example.org:x",
        ] {
            check(file, None);
        }
    }

    #[test]
    fn what_is_typed_is_a_url_or_a_file() {
        let check = |typed: &str, expected: &str| {
            let found = match PageLocation::parse(OsStr::new(typed)) {
                Ok(PageLocation::Url(url)) => format!("url {url}"),
                Ok(PageLocation::File(file)) => format!("file {}", file.display()),
                Ok(_) => "other".to_owned(),
                Err(cause) => cause.to_string(),
            };
            assert_eq!(found, expected, "{typed}");
        };
        check("https://example.org", "url https://example.org/");
        check("page.html", "file page.html");
        check("note:1.html", "file note:1.html");
        #[cfg(unix)]
        check("file:///a%20b.html", "file /a b.html");
        check(
            "ftp://example.org/a",
            "unsupported URL scheme `ftp` in ftp://example.org/a: expected http://, https:// or file://",
        );
    }
}
