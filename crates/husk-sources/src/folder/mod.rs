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

mod declared;

mod page_url;

mod guess_root;

mod guess_base;

mod around;

mod captures;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use husk::dom::Dom;
use husk::output::Relocation;
use husk::{Page, Url};

use crate::capture::Capture;
use crate::file_url;
use crate::source::{LoadError, Source};
use lookup::Listings;
use request::{NotInSite, Request};

pub(crate) use declared::{declared_url, declared_urls};
pub(crate) use links::hrefs;
pub(crate) use read::{extension, read_at_most, read_file};

pub use around::{OpenFileError, SiteAround};
pub use guess_base::{BaseGuess, Evidence};
pub use open::OpenFolderError;

/// A saved site: a mirror made by wget or HTTrack, the output of a site generator, a corpus.
///
/// # From URL to file
///
/// A URL belongs to the folder if it has the host of the base URL (`www.`, http or https and their default ports make no
/// difference) and is below its path. The page is the first of these files that exists, with every name percent-decoded:
///
/// | URL | files, in this order |
/// |---|---|
/// | `/a/` | `a/index.html`, `a/index.htm` and other index names, `a.html`, `a.htm` |
/// | `/a` | `a`, `a.html`, `a.htm`, `a/index.html` and other index names |
/// | `/a.php` | the same, then `a.html` (HTTrack) |
/// | `/a.php?x=1` | `a.php?x=1`, `a.php?x=1.html` (wget), `a.php@x=1`, `a.php@x=1.html` (wget for Windows), `a` + four digits of the query's MD5 + `.html` (HTTrack) |
/// | `/a/?x=1` | the same, with `a/index.html` for `a.php` |
///
/// If there is none, the names are tried as written in the URL, as `wget --restrict-file-names=windows` writes them, and as
/// HTTrack writes them; finally in any letter case, if exactly one file matches.
///
/// A file that was saved without the query is another page and not returned for a URL with one; but a link that HTTrack
/// rewrote, `a681a.html?id=1`, finds its file. wget truncates names of more than 236 bytes, and HTTrack numbers equal names
/// (`a-2.html`): such pages are found by the links of the mirror, but not by their original URLs. A link that HTTrack
/// rewrote to the target of a redirect keeps the query of the first URL, and is not found.
///
/// # From file to URL
///
/// A page's URL is its file's path below the base URL, and an index page has the URL of its folder. But if the page links to
/// itself only by another URL of the same folder, it has that one, since the rest of the site uses it too. So a page
/// always has the same URL, however it was requested, as after a redirect.
///
/// # What is never read
///
/// Files outside the folder, even through symbolic links; devices and pipes; files larger than a limit, 64 MiB by default;
/// files that are certainly not pages.
#[derive(Debug, Clone)]
pub struct Folder {
    /// The folder that was opened, without symbolic links.
    opened: PathBuf,
    /// The root of the site: the opened folder, or the one in it that is named after the host.
    root: PathBuf,
    /// The URL of `root`; its path ends with a slash.
    base: Url,
    max_bytes: u64,
}

impl Folder {
    /// The default limit for the size of a page.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Opens the folder of a site that was saved from `base_url`; without it, pages have `file:` URLs.
    ///
    /// If the folder contains one named after the host of the base URL, as mirrors of wget and HTTrack do, that one is the
    /// root, and its URL the root of the host; likewise if the folder itself has that name and contains the path of the base
    /// URL.
    pub fn open(root: &Path, base_url: Option<Url>) -> Result<Self, OpenFolderError> {
        open::open(root, base_url)
    }

    /// `root` must be canonical, and `base` end with a slash.
    fn at(root: PathBuf, base: Url) -> Self {
        Self {
            opened: root.clone(),
            root,
            base,
            max_bytes: Self::MAX_BYTES,
        }
    }

    /// Sets the largest page that is read, in bytes.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// The root of the site, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The URL of the root.
    pub fn base_url(&self) -> &Url {
        &self.base
    }

    /// Rewrites URLs of the site to those of its files.
    pub fn relocation(&self) -> Option<Relocation> {
        Some(Relocation {
            from: self.base.clone(),
            to: file_url::of_folder(&self.root)?,
        })
    }

    /// The page in a file: an absolute path, or one relative to the working directory or to the root. For a folder, its index
    /// page.
    pub fn page(&self, file: &Path) -> Result<Page, LoadError> {
        self.read(&self.page_file(file)?)
    }

    /// The page in one of [`Folder::files`].
    pub fn listed_page(&self, file: &Path) -> Result<Page, LoadError> {
        self.read(file)
    }

    /// The URL of a file, which is given as for [`Folder::page`].
    ///
    /// The URL of `a/index.html` is `a/`, unless that would find another file, such as `a/index.htm`. The URL of `a.php?x=1` has
    /// the query `x=1`; but a page `a.php?x=1.html` comes from a mirror with rewritten links, which lead to
    /// `a.php%3Fx=1.html`.
    pub fn url_of(&self, file: &Path) -> Result<Url, LoadError> {
        let file = self.locate(file)?;
        Ok(page_url::of_file(self, &file))
    }

    /// The file that contains the page at a URL, by the rules above.
    pub fn file_of(&self, url: &Url) -> Option<PathBuf> {
        self.find(url).ok()
    }

    /// The page in a file, and the site around it. What is not given is guessed.
    ///
    /// With `site`, the file is given as for [`Folder::page`]. Without, its symbolic links are followed first.
    ///
    /// # The root of the site
    ///
    /// In this order: the folder beside HTTrack's cache; the one for which most of the page's URLs speak, which are links that
    /// lead to files and begin with a slash or the host of the site, and the URL that the page declares, if it ends like the
    /// path of the file; the outermost one that the page's relative links lead to, and from there upwards to further index
    /// pages, in the next folder or with links to a file below. Never above a folder that is named like a host, nor the home
    /// directory, the directory for temporary files or the root of the disk.
    ///
    /// # The URL of the site
    ///
    /// Links relative to the page work with `file:` URLs; those that begin with a slash or a host do not. A guess counts only
    /// if such a link, on the page itself or on one of the first others, leads to a file of the site. Tried are: the URLs that
    /// the pages declare (`<link rel=canonical>`, `og:url`); the folder's name, if it looks like a host; the hosts that the
    /// pages link to; `http://localhost/`, as if a server ran there. The URL that most pages declare and most links to files
    /// begin with is taken. A declared URL of a private host counts only if no other is possible.
    pub fn around(
        file: &Path,
        site: Option<&Path>,
        base_url: Option<Url>,
    ) -> Result<SiteAround, OpenFileError> {
        around::around(file, site, base_url)
    }

    /// The page in a file, with the URL of the file: the files around it are not searched for its site.
    pub fn page_alone(file: &Path) -> Result<Page, OpenFileError> {
        around::page_alone(file)
    }

    /// The responses of a server of the site: every page, and a redirect for every other URL by which the pages link to it.
    /// After a file that cannot be read, iteration continues.
    pub fn captures(&self) -> impl Iterator<Item = Result<Capture, LoadError>> {
        captures::Captures::of(self)
    }

    /// The files of all pages: those of a folder before those of its subfolders, index pages first, the others by name.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        walk::Pages::below(&self.root)
    }

    /// The response of a server with the page in a file, which is one of [`Folder::files`].
    pub fn capture(&self, file: &Path) -> Result<Capture, LoadError> {
        captures::capture(self, file).map(|(capture, _)| capture)
    }

    /// The URL that a folder's name stands for, if it looks like a host, as in mirrors.
    pub fn host_in_name(folder: &Path) -> Option<Url> {
        host::url_of_folder(folder)
    }

    /// Whether a file is a page, by its name or else by its first bytes.
    pub fn is_page(file: &Path) -> bool {
        read::is_page(file)
    }

    fn find(&self, url: &Url) -> Result<PathBuf, LoadError> {
        self.find_by(&mut Listings::default(), url)
    }

    /// Whether a URL leads to a file, with a cache of listings.
    fn leads_to_file(&self, listings: &mut Listings, url: &Url) -> bool {
        self.find_by(listings, url).is_ok()
    }

    fn find_by(&self, listings: &mut Listings, url: &Url) -> Result<PathBuf, LoadError> {
        let not_found = || LoadError::NotFound {
            object: url.to_string(),
            root: self.root.clone(),
        };
        let request = Request::below(&self.base, url).map_err(|cause| match cause {
            NotInSite::OtherHost => LoadError::OtherSite {
                object: url.to_string(),
                site: self.base.to_string(),
            },
            NotInSite::OtherPath => not_found(),
        })?;
        lookup::find_by(listings, &self.root, &names::names_of(&request))?.ok_or_else(not_found)
    }

    /// Whether a URL is below that of the site, rather than that of the site itself.
    fn is_deeper(&self, url: &Url) -> bool {
        Request::below(&self.base, url)
            .is_ok_and(|request| !request.steps.is_empty() || request.query.is_some())
    }

    /// Whether the page at a URL is in this file. Most URLs need no access to the disk.
    fn is_file_of(&self, file: &Path, url: &Url) -> bool {
        let Ok(request) = Request::below(&self.base, url) else {
            return false;
        };
        let Ok(relative) = file.strip_prefix(&self.root) else {
            return false;
        };
        // Nearly all URLs are of other files, and building all names for one costs as much as parsing a small page.
        if !names::may_be_of(&request, relative) {
            return false;
        }
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let relative = lower(relative);
        let is_possible = names::names_of(&request)
            .iter()
            .any(|name| lower(name) == relative);
        is_possible && self.file_of(url).is_some_and(|found| found == file)
    }

    /// The file below the root that is meant by a path to a file, or to a folder with an index page.
    fn page_file(&self, file: &Path) -> Result<PathBuf, LoadError> {
        let file = self.locate(file)?;
        lookup::inside(&self.root, index_of(&file)?.unwrap_or(file))
    }

    /// The path of a file below the root.
    fn locate(&self, file: &Path) -> Result<PathBuf, LoadError> {
        let root = self.root.clone();
        let mut outside = None;
        // Joining an absolute path to a folder yields that path.
        for path in [file.to_owned(), self.root.join(file), self.opened.join(file)] {
            match real_path(&path) {
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

    fn read(&self, file: &Path) -> Result<Page, LoadError> {
        Ok(self.page_of(file, read::parse_page(file, self.max_bytes)?))
    }

    fn page_of(&self, file: &Path, dom: Dom) -> Page {
        let page = Page::new(page_url::of_file(self, file), dom);
        match page_url::of_self_link(self, file, &page) {
            Some(url) => Page { url, ..page },
            None => page,
        }
    }
}

impl Source for Folder {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.read(&self.find(url)?)
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        Some(
            walk::Pages::below(&self.root)
                .map(|file| page_url::of_file(self, &file))
                .collect(),
        )
    }
}

/// The index page, if this is a folder and has one.
fn index_of(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    if !folder.is_dir() {
        return Ok(None);
    }
    lookup::find(folder, &names::INDEX.map(PathBuf::from))
}

/// The path after following the symbolic links of its folder; the file itself may be a link.
fn real_path(file: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(file)?;
    match (file.parent(), file.file_name()) {
        (Some(folder), Some(name)) if !real.is_dir() => {
            Ok(fs::canonicalize(Path::new(".").join(folder))?.join(name))
        }
        _ => Ok(real),
    }
}
