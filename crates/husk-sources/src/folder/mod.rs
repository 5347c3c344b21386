//! A site saved in a folder.

mod host;

mod spelling;

mod httrack;

mod request;

mod names;

mod lookup;

mod read;

mod walk;

mod open;

mod links;

mod address;

mod guess_root;

mod guess_base;

mod around;

mod captures;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use husk::dom::Dom;
use husk::{Page, Url};

use crate::capture::Capture;
use crate::source::{LoadError, Source};
use lookup::Listings;
use request::{Elsewhere, Request};

pub(crate) use guess_base::own_address;
pub(crate) use links::hrefs;
pub(crate) use read::{extension, read_at_most, read_file};

pub use around::{Around, AroundError};
pub use guess_base::{BaseGuess, Evidence};
pub use open::OpenError;

/// A site saved in a folder: a mirror made by wget or HTTrack, the output of a site generator, a corpus.
///
/// # From address to file
///
/// An address belongs to the folder if it is on the host of the base URL (`www.`, http or https and their
/// default ports make no difference) and below its path. The page is then the first of these files, with every
/// name percent-decoded:
///
/// | address | files, in this order |
/// |---|---|
/// | `/a/` | `a/index.html`, `a/index.htm` and other index names, `a.html`, `a.htm` |
/// | `/a` | `a`, `a.html`, `a.htm`, `a/index.html` and other index names |
/// | `/a.php` | the same, then `a.html` (HTTrack) |
/// | `/a.php?x=1` | `a.php?x=1`, `a.php?x=1.html` (wget), `a.php@x=1`, `a.php@x=1.html` (wget for Windows), `a` + four digits of the query's MD5 + `.html` (HTTrack) |
/// | `/a/?x=1` | the same, with `a/index.html` for `a.php` |
///
/// If there is none, the same is tried with the names as they are written in the address, with those that
/// `wget --restrict-file-names=windows` writes, with those of HTTrack; and at last with any letter case, if
/// exactly one file matches then.
///
/// A file that was saved without the query is another page and not returned for an address with one; but a
/// link that HTTrack rewrote, `a681a.html?id=1`, finds its file. wget cuts names of more than 236 bytes, and
/// HTTrack numbers namesakes (`a-2.html`): from their original addresses such pages are not found, by the
/// links of a mirror they are. A link that HTTrack rewrote to where a redirect led keeps the query of the first
/// address, and is not found.
///
/// # From file to address
///
/// A page's address is its file's place below the base URL, and an index page has its folder's address. But if
/// the page links to itself by another address of the same folder only, it has that: the rest of the site will
/// know it by the same one. So a page has always the same address, however it was asked for, as if a redirect had led there.
///
/// # What is never read
///
/// Files outside of the folder, also behind symbolic links; devices and pipes; more than a limit, 64 MiB unless
/// set otherwise; what is surely no page.
#[derive(Debug, Clone)]
pub struct Folder {
    /// The folder that was opened, without symbolic links.
    opened: PathBuf,
    /// The folder of the site: the opened one, or the one in it that is named after the host.
    root: PathBuf,
    /// The address of `root`; its path ends with a slash.
    base: Url,
    max_bytes: u64,
}

impl Folder {
    /// The most bytes of a page unless set otherwise.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Opens the folder of a site that was saved from `base_url`; without one, pages have `file:` addresses.
    ///
    /// If the folder holds one named after the host of the base URL, as mirrors of wget and HTTrack do, that is
    /// the site's, and its address is the root of the host; so it is if the folder itself has that name and
    /// holds the path of the base URL.
    pub fn open(root: &Path, base_url: Option<Url>) -> Result<Self, OpenError> {
        open::open(root, base_url)
    }

    /// A folder whose path is canonical, and its address, which ends with a slash.
    fn at(root: PathBuf, base: Url) -> Self {
        Self {
            opened: root.clone(),
            root,
            base,
            max_bytes: Self::MAX_BYTES,
        }
    }

    /// Sets the most bytes that a page may have.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// The folder of the site, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The address of the site's folder.
    pub fn base_url(&self) -> &Url {
        &self.base
    }

    /// The page in a file: an absolute path, or one relative to the working folder or to the site's. For a
    /// folder its index page.
    pub fn page(&self, file: &Path) -> Result<Page, LoadError> {
        self.read(&self.page_file(file)?)
    }

    /// The address of a file, which is named as for [`Folder::page`].
    ///
    /// That of `a/index.html` is `a/`, unless that would find another file, such as `a/index.htm` beside it.
    /// That of `a.php?x=1` has the query `x=1`; but a page `a.php?x=1.html` comes from a mirror with rewritten
    /// links, which lead to `a.php%3Fx=1.html`.
    pub fn address_of(&self, file: &Path) -> Result<Url, LoadError> {
        let file = self.locate(file)?;
        Ok(address::of_file(self, &file))
    }

    /// The file that holds the page of an address, by the rules above.
    pub fn file_of(&self, url: &Url) -> Option<PathBuf> {
        self.find(url).ok()
    }

    /// A page that the user names by its file, and the site around it; what is not given is guessed.
    ///
    /// With `site` the file is named as for [`Folder::page`]. Without, it is taken from where it really lies,
    /// symbolic links followed.
    ///
    /// # The folder of the site
    ///
    /// In this order: the folder beside HTTrack's cache; the one from which most of the page's links that begin
    /// with a slash lead to files; the outermost one that the page's relative links lead to, and from there
    /// upwards as long as the next folder has an index page too. Never above a folder that is named like a host,
    /// nor the home folder, the folder of temporary files or the root of the disk.
    ///
    /// # The address of the site
    ///
    /// Links relative to the page work with `file:` addresses; those that begin with a slash or a host do not.
    /// A guess counts only if such a link, on the page itself or on one of the first others, leads to a file of
    /// the folder. Tried are: what the pages say of themselves (`<link rel=canonical>`, `og:url`); the folder's
    /// name, if it looks like that of a host; `http://localhost/`, as if a server stood there.
    pub fn around(file: &Path, site: Option<&Path>, base_url: Option<Url>) -> Result<Around, AroundError> {
        around::around(file, site, base_url)
    }

    /// What a server of the site would answer: every page, and a redirect for every other address that the pages link
    /// to them by. What cannot be read is an error, and the next one follows.
    pub fn captures(&self) -> impl Iterator<Item = Result<Capture, LoadError>> {
        captures::Captures::of(self)
    }

    /// The files of all pages: those of a folder before those of its subfolders, its index page first, the others by name.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        walk::Pages::below(&self.root)
    }

    /// What a server of the site would answer with the page in a file, which is one of [`Folder::files`].
    pub fn capture(&self, file: &Path) -> Result<Capture, LoadError> {
        captures::capture(self, file).map(|(capture, _)| capture)
    }

    /// Whether the name of a folder looks like that of a host, as those of mirrors do; the address it stands for then.
    pub fn host_in_name(folder: &Path) -> Option<Url> {
        host::address_of_folder(folder)
    }

    fn find(&self, url: &Url) -> Result<PathBuf, LoadError> {
        self.find_by(&mut Listings::default(), url)
    }

    /// Whether an address leads to a file, for one of many addresses at a time.
    fn leads_to_file(&self, listings: &mut Listings, url: &Url) -> bool {
        self.find_by(listings, url).is_ok()
    }

    fn find_by(&self, listings: &mut Listings, url: &Url) -> Result<PathBuf, LoadError> {
        let not_found = || LoadError::NotFound {
            object: url.to_string(),
            root: self.root.clone(),
        };
        let request = Request::below(&self.base, url).map_err(|cause| match cause {
            Elsewhere::OtherHost => LoadError::OtherSite {
                object: url.to_string(),
                site: self.base.to_string(),
            },
            Elsewhere::OtherPath => not_found(),
        })?;
        lookup::find_by(listings, &self.root, &names::names_of(&request))?.ok_or_else(not_found)
    }

    /// Whether the page of an address is in this file. Most addresses need no look at the disk.
    fn is_file_of(&self, file: &Path, url: &Url) -> bool {
        let Ok(request) = Request::below(&self.base, url) else {
            return false;
        };
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let Ok(relative) = file.strip_prefix(&self.root).map(lower) else {
            return false;
        };
        let is_possible = names::names_of(&request)
            .iter()
            .any(|name| lower(name) == relative);
        is_possible && self.file_of(url).is_some_and(|found| found == file)
    }

    /// The file below the root that is meant by a file, or by a folder with an index page.
    fn page_file(&self, file: &Path) -> Result<PathBuf, LoadError> {
        let file = self.locate(file)?;
        lookup::inside(&self.root, index_of(&file)?.unwrap_or(file))
    }

    /// The path of a file below the root, whichever way it was named.
    fn locate(&self, file: &Path) -> Result<PathBuf, LoadError> {
        let root = self.root.clone();
        let mut outside = None;
        // Joined to a folder, an absolute path stays what it is.
        for path in [file.to_owned(), self.root.join(file), self.opened.join(file)] {
            match real_place(&path) {
                Ok(place) if place.starts_with(&root) => return Ok(place),
                Ok(place) => outside = outside.or(Some(place)),
                Err(cause) if lookup::is_absence(&cause) => {}
                Err(cause) => return Err(LoadError::Io { path, cause }),
            }
        }
        Err(match outside {
            Some(file) => LoadError::Outside { file, root },
            None => LoadError::NotFound {
                object: file.display().to_string(),
                root,
            },
        })
    }

    /// The page in a file below the root.
    fn read(&self, file: &Path) -> Result<Page, LoadError> {
        Ok(self.page_of(file, read::parse_page(file, self.max_bytes)?))
    }

    /// The page that was parsed from a file below the root.
    fn page_of(&self, file: &Path, dom: Dom) -> Page {
        let page = Page::new(address::of_file(self, file), dom);
        match address::of_self_link(self, file, &page) {
            Some(url) => Page { url, ..page },
            None => page,
        }
    }
}

impl Source for Folder {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.read(&self.find(url)?)
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        Some(
            walk::Pages::below(&self.root)
                .map(|file| address::of_file(self, &file))
                .collect(),
        )
    }
}

/// The index page of a folder, if this is a folder and has one.
fn index_of(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    if !folder.is_dir() {
        return Ok(None);
    }
    lookup::find(folder, &names::INDEX.map(PathBuf::from))
}

/// Where a file is once the symbolic links to its folder are followed; a link in its own place stays.
fn real_place(file: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(file)?;
    match (file.parent(), file.file_name()) {
        (Some(folder), Some(name)) if !real.is_dir() => {
            Ok(fs::canonicalize(Path::new(".").join(folder))?.join(name))
        }
        _ => Ok(real),
    }
}
