//! Pages saved one by one, each in one file: MHTML, SingleFile and the like, and what browsers save.
//!
//! Such a file says where its page comes from, and its links lead there, not to other files. So its siblings are the files
//! in the same folder that come from the URLs it links to.

mod mime;

mod saved;

mod inline;

mod listing;

mod mhtml;

mod beside;

mod index;

use std::fs;
use std::path::{Path, PathBuf};

use husk::dom::{Dom, decode};
use husk::output::Resources;
use husk::{Address, Page, SameSite, Url};

use crate::file_url;
use crate::folder::{Folder, extension, hrefs, read_file};
use crate::mime_type;
use crate::source::{LoadError, Source};
use beside::ResourceFolder;
use index::Index;
pub(crate) use mhtml::is_mhtml;
use mhtml::{Mhtml, as_ascii};
use saved::Origin;

/// A page saved in one file, and the others in the same folder.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The page.
    pub key_page: Page,
    /// Whether its URL was given by the caller, rather than claimed by the file, which is untrusted.
    pub is_url_given: bool,
    /// Its images, fonts and style sheets.
    pub resources: Resources,
    /// The pages in the same folder.
    pub site: Snapshots,
}

/// A folder of pages that were saved each in one file.
///
/// A page is found by the URL it says it comes from, whatever its file is called. What the program that saved it recorded
/// takes precedence over what the page declares (`<link rel=canonical>`, `og:url`). Of two files with one URL, the one saved
/// last is used, or else the first by name. Files named as HTML or MHTML are read, in the folder and in those directly in
/// it, at most five thousand. Only their URLs are kept in memory.
#[derive(Debug, Clone)]
pub struct Snapshots {
    folder: PathBuf,
    max_bytes: u64,
    /// The file that was opened, if its URL was given.
    given: Option<(PathBuf, Url)>,
    /// Built when first needed.
    index: Option<Index>,
}

impl Snapshots {
    /// Opens a folder of saved pages.
    pub fn open(folder: &Path) -> Result<Self, LoadError> {
        let real = fs::canonicalize(folder).map_err(|cause| LoadError::Io {
            path: folder.to_owned(),
            cause,
        })?;
        Ok(Self {
            folder: real,
            max_bytes: Folder::MAX_BYTES,
            given: None,
            index: None,
        })
    }

    /// Sets the largest file that is read, in bytes.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// The page in a file, and those saved in the same folder; none if the file is an ordinary page of a saved site or does not
    /// exist, for which [`Folder::around`] is made.
    ///
    /// MHTML is always a snapshot; HTML is one if the program that saved it left a comment that says so, and if its links do
    /// not lead to files. Its URL is the given one, else the one it says it was saved from, else that of the file.
    ///
    /// ```
    /// use husk_sources::Snapshots;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("page.html");
    /// # std::fs::write(&file, "<!-- saved from url=(0021)https://example.org/a --><p>Hello").unwrap();
    /// let snapshot = Snapshots::around(&file, None)?.unwrap();
    /// assert_eq!(snapshot.key_page.url.as_str(), "https://example.org/a");
    /// # Ok::<(), husk_sources::LoadError>(())
    /// ```
    pub fn around(file: &Path, base_url: Option<&Url>) -> Result<Option<Snapshot>, LoadError> {
        // `Folder` reports a missing file.
        let Ok(file) = fs::canonicalize(file) else {
            return Ok(None);
        };
        let Some(folder) = file.parent().filter(|_| file.is_file()) else {
            return Ok(None);
        };
        let mut site = Self::open(folder)?;
        let bytes = read_file(&file, site.max_bytes)?;
        let Some(saved) = Saved::snapshot(&file, &bytes, base_url)? else {
            return Ok(None);
        };
        // By the URL it claims, it would be found as a sibling of itself.
        site.given = base_url.map(|url| (file, url.clone()));
        Ok(Some(Snapshot {
            key_page: saved.page,
            is_url_given: saved.is_url_given,
            resources: saved.resources,
            site,
        }))
    }

    /// The folder of the pages, without symbolic links.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that contains the page at a URL.
    pub fn file_of(&mut self, url: &Url) -> Option<PathBuf> {
        let entry = self.index().find(url)?;
        Some(entry.file.clone())
    }

    fn index(&mut self) -> &Index {
        let given = self.given.as_ref();
        self.index.get_or_insert_with(|| Index::of(&self.folder, given))
    }
}

impl Source for Snapshots {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let root = self.folder.clone();
        let entry = self.index().find(url).ok_or_else(|| LoadError::NotFound {
            object: url.to_string(),
            root,
        })?;
        let (file, url) = (entry.file.clone(), entry.url.clone());
        let bytes = read_file(&file, self.max_bytes)?;
        let dom = page_in(&bytes, &file.display().to_string(), extension(&file).as_deref())?;
        let renamed = ResourceFolder::of(&file, &dom).map(|beside| beside.renamed(&dom));
        Ok(Page::new(url, renamed.unwrap_or(dom)))
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        Some(self.index().page_urls())
    }
}

fn page_in(bytes: &[u8], object: &str, extension: Option<&str>) -> Result<Dom, LoadError> {
    if is_mhtml(bytes) {
        let bytes = as_ascii(bytes);
        return Ok(Dom::parse(&Mhtml::parse(&bytes, object)?.html(object)?));
    }
    match mime_type::other_than_page(bytes, extension) {
        Some(kind) => Err(LoadError::NotAPage {
            object: object.to_owned(),
            kind,
        }),
        None => Ok(Dom::from_bytes(bytes, None)),
    }
}

/// A page in bytes that say where it comes from.
pub(crate) struct Saved {
    pub(crate) page: Page,
    /// Whether its URL was given, rather than claimed by the bytes.
    pub(crate) is_url_given: bool,
    pub(crate) resources: Resources,
}

impl Saved {
    /// The page in a file, if it is a snapshot, at the URL `given`, if any.
    fn snapshot(file: &Path, bytes: &[u8], given: Option<&Url>) -> Result<Option<Self>, LoadError> {
        let object = file.display().to_string();
        if is_mhtml(bytes) {
            let own = file_url::of_file(file);
            return Self::from_mhtml(bytes, &object, given, own.as_ref()).map(Some);
        }
        if is_named_mhtml(file) {
            return Err(LoadError::Mhtml {
                object,
                cause: "it does not begin with MIME headers",
            });
        }
        let Some(origin) = origin_in(bytes) else {
            return Ok(None);
        };
        let page = Page::new(origin.url, page_in(bytes, &object, extension(file).as_deref())?);
        if !leads_to_its_site(&page, file) {
            return Ok(None);
        }
        // Its links lead to where it was saved, whatever URL it is given.
        let url = given.cloned().unwrap_or(page.url);
        let (page, resources) = match ResourceFolder::of(file, &page.dom) {
            Some(beside) => {
                let page = Page::new(url, beside.renamed(&page.dom));
                let resources = beside.resources(&page);
                (page, resources)
            }
            None => (Page::new(url, page.dom), Resources::default()),
        };
        Ok(Some(Self {
            page,
            is_url_given: given.is_some(),
            resources,
        }))
    }

    /// The page in MHTML: its URL is the `given` one, or where it was saved from, or the `last` resort.
    pub(crate) fn from_mhtml(
        bytes: &[u8],
        object: &str,
        given: Option<&Url>,
        last: Option<&Url>,
    ) -> Result<Self, LoadError> {
        let bytes = as_ascii(bytes);
        let mhtml = Mhtml::parse(&bytes, object)?;
        let url = given.or(mhtml.url.as_ref()).or(last);
        let url = url.cloned().ok_or_else(|| LoadError::UnknownUrl {
            object: object.to_owned(),
        })?;
        let dom = Dom::parse(&mhtml.html(object)?);
        // The parts have URLs relative to that of the saved page.
        let resources = mhtml.resources(mhtml.url.as_ref().unwrap_or(&url));
        Ok(Self {
            page: Page::new(url, dom),
            is_url_given: given.is_some(),
            resources,
        })
    }
}

/// The URL that an HTML page was saved from, if the program that saved it recorded it.
pub(crate) fn saved_from_url(bytes: &[u8]) -> Option<Url> {
    origin_in(bytes).map(|origin| origin.url)
}

fn origin_in(bytes: &[u8]) -> Option<Origin> {
    saved::recorded_origin(&decode(&bytes[..bytes.len().min(mhtml::HEAD)], None).text)
}

fn is_named_mhtml(file: &Path) -> bool {
    matches!(extension(file).as_deref(), Some("mhtml" | "mht"))
}

/// Whether the links of a page lead to the site it was saved from rather than to files, as in a mirror.
fn leads_to_its_site(page: &Page, file: &Path) -> bool {
    let (mut to_site, mut to_files) = (0, 0);
    for href in hrefs(&page.dom).take(MAX_LINKS) {
        match Url::parse(href) {
            Ok(url) => to_site += usize::from(SameSite::default().holds(&page.url, &url)),
            Err(_) => to_files += usize::from(is_file_beside(href, file)),
        }
    }
    to_site >= to_files
}

/// The most links of a page that are examined.
const MAX_LINKS: usize = 500;

fn is_file_beside(href: &str, file: &Path) -> bool {
    let path = href.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || path.starts_with('/') || path.len() > 1024 {
        return false;
    }
    let name = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    file.parent().is_some_and(|folder| folder.join(&*name).is_file())
}

/// The identity of a page; for a page shown by a web archive, that of the original page.
fn identity(url: &Url) -> Address {
    Address::of(saved::original_url(url).as_ref().unwrap_or(url))
}
