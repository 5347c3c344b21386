//! Opens a page and the source of its siblings, in the same way for every program.
//!
//! A [`PageRequest`] in, an [`OpenedPage`] out. How the web is reached is up to the caller.

mod archive;

mod given;

mod location;

mod content_check;

use std::io::Read;
use std::path::{Path, PathBuf};

use husk::output::{Relocation, Resources};
use husk::{Page, SameSite, Url};

use crate::folder::{BaseGuess, Folder, OpenFileError, OpenFolderError, SiteAround};
use crate::sitemap::{WithList, read_sitemap};
use crate::snapshot::{Snapshot, Snapshots};
use crate::source::{LoadError, Source};
use crate::stream::{SavedPage, read_page_alone, read_page_from};
use archive::ArchiveSource;
pub use content_check::{NoContent, check_content};
use given::GivenPages;
pub(crate) use location::suggest_url;
pub use location::{
    ArchiveLocation, PageLocation, SiteLocation, UnsupportedScheme, is_web_url, names_archive,
};

/// A page to open, and where the other pages of its site are.
pub struct PageRequest {
    /// The page.
    pub page: PageLocation,
    /// The other pages of its site.
    pub site: SiteLocation,
    /// The URL that the site or the page was saved from.
    pub base_url: Option<Url>,
    /// Which pages belong to one site.
    pub same_site: SameSite,
    /// A file that lists further pages of the site: a sitemap, a feed, or one URL per line.
    pub page_list: Option<PathBuf>,
}

/// A page, and the source of its siblings.
pub struct OpenedPage {
    /// The page.
    pub key_page: Page,
    /// The source of its siblings. Redirects do not leave the site of the page.
    pub source: Box<dyn Source>,
    /// What kind of source that is.
    pub origin: SiteOrigin,
    /// From the site's URL to its folder, if that URL was guessed.
    pub relocation: Option<Relocation>,
    /// Images, fonts and style sheets that were saved in the page's own file.
    pub resources: Option<Resources>,
}

/// What kind of source the siblings of a page come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SiteOrigin {
    /// The folder of a saved site.
    Folder,
    /// Pages saved one by one, such as MHTML files.
    Snapshots,
    /// Web archives.
    Archive,
    /// The web.
    Web,
    /// Pages given by the caller.
    Given,
}

/// What happens while a page is opened, for progress messages.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenEvent<'a> {
    /// The page is about to be loaded from the web.
    Loading(&'a Url),
    /// The page was saved from this URL.
    SavedFrom(&'a Url),
    /// The URL of the site was guessed.
    GuessedBaseUrl(&'a BaseGuess),
    /// The site's folder was opened.
    OpenedFolder(&'a Folder),
    /// A warning of the source.
    Warning(String),
}

/// Why a page could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPageError {
    /// An archive was given instead of a page.
    #[error("{0} is an archive: give the URL of a page in it, and --warc {0}", .file.display())]
    ArchiveAsPage {
        /// The archive.
        file: PathBuf,
    },
    /// The URL of a saved page is unknown, so its siblings cannot be found.
    #[error("the URL of the page is unknown, so its siblings cannot be found: set it with --base-url")]
    UnknownSite,
    /// The archive contains no page.
    #[error("there is no page in the archive")]
    EmptyArchive,
    /// The archive contains several pages, and none was named.
    #[error("there are {} pages in the archive: name one", .pages.len())]
    AmbiguousPage {
        /// The pages.
        pages: Vec<Url>,
    },
    /// The archive could not be opened.
    #[error("{0}")]
    Archive(String),
    /// The folder of the site could not be opened.
    #[error(transparent)]
    Folder(#[from] OpenFolderError),
    /// The file of the page could not be opened.
    #[error(transparent)]
    File(#[from] OpenFileError),
    /// The page could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The web cannot be reached.
    #[error(transparent)]
    Web(Box<dyn std::error::Error + Send + Sync>),
}

impl OpenPageError {
    /// Whether the request itself is wrong, rather than what it led to.
    pub fn is_usage_error(&self) -> bool {
        matches!(
            self,
            Self::ArchiveAsPage { .. } | Self::UnknownSite | Self::Load(LoadError::UnknownUrl { .. })
        )
    }
}

/// Makes a source of pages on the web. Of all hosts only that of the given URL, which the user typed, may be private.
pub type Connect<'a> =
    Box<dyn FnOnce(Option<&Url>) -> Result<Box<dyn Source>, Box<dyn std::error::Error + Send + Sync>> + 'a>;

/// Opens a page and the source of its siblings.
pub fn open_page(
    request: PageRequest,
    connect: Connect<'_>,
    report: &mut dyn FnMut(OpenEvent<'_>),
) -> Result<OpenedPage, OpenPageError> {
    let PageRequest {
        page,
        site,
        base_url,
        same_site,
        page_list,
    } = request;
    let opening = Opening {
        site,
        base_url,
        same_site,
        connect,
        report,
    };
    let mut opened = match page {
        PageLocation::Url(url) => opening.open_url(&url)?,
        PageLocation::File(file) => opening.open_file(&file)?,
        PageLocation::Stream(stream) => opening.open_stream(stream)?,
        PageLocation::Parsed(page) => opening.find_siblings(*page)?,
        PageLocation::OnlyPage => opening.open_only_page()?,
    };
    if let Some(file) = page_list {
        opened.source = Box::new(WithList::new(opened.source, read_sitemap(&file)?));
    }
    Ok(opened)
}

struct Opening<'a, 'b> {
    site: SiteLocation,
    base_url: Option<Url>,
    same_site: SameSite,
    connect: Connect<'a>,
    report: &'b mut dyn FnMut(OpenEvent<'_>),
}

impl Opening<'_, '_> {
    fn open_url(mut self, url: &Url) -> Result<OpenedPage, OpenPageError> {
        if let SiteLocation::Folder(root) = &self.site {
            let base = self.base_url.clone().or_else(|| url.join("/").ok());
            let folder = open_folder(root, base, self.report)?;
            return self.load_key_page(url, Box::new(folder), SiteOrigin::Folder);
        }
        let (mut source, origin) = self.open_source(Some(url))?;
        if origin == SiteOrigin::Web {
            (self.report)(OpenEvent::Loading(url));
        }
        report_warnings(&mut *source, self.report);
        self.load_key_page(url, source, origin)
    }

    fn open_only_page(mut self) -> Result<OpenedPage, OpenPageError> {
        let (mut source, origin) = self.open_source(None)?;
        report_warnings(&mut *source, self.report);
        let pages = source.page_urls().unwrap_or_default();
        match &pages[..] {
            [] => Err(OpenPageError::EmptyArchive),
            [page] => self.load_key_page(page, source, origin),
            _ => Err(OpenPageError::AmbiguousPage { pages }),
        }
    }

    fn load_key_page(
        self,
        url: &Url,
        mut source: Box<dyn Source>,
        origin: SiteOrigin,
    ) -> Result<OpenedPage, OpenPageError> {
        let loaded = source.load(url);
        report_warnings(&mut *source, self.report);
        let key_page = loaded?;
        source.stay_on(&key_page.url, self.same_site);
        Ok(OpenedPage::new(key_page, source, origin))
    }

    fn open_file(self, file: &Path) -> Result<OpenedPage, OpenPageError> {
        if names_archive(file) {
            return Err(OpenPageError::ArchiveAsPage {
                file: file.to_owned(),
            });
        }
        let root = match &self.site {
            SiteLocation::Folder(root) => Some(root.as_path()),
            _ => None,
        };
        if root.is_none()
            && let Some(snapshot) = Snapshots::around(file, self.base_url.as_ref())?
        {
            return self.open_snapshot(snapshot);
        }
        // The site around the file is only needed for its pages, or for a page's path below a URL.
        if matches!(self.site, SiteLocation::Given { .. }) && self.base_url.is_none() {
            return self.find_siblings(Folder::page_alone(file)?);
        }
        let SiteAround {
            folder,
            key_page,
            guess,
        } = Folder::around(file, root, self.base_url.clone())?;
        if !matches!(self.site, SiteLocation::Around | SiteLocation::Folder(_)) {
            return self.find_siblings(key_page);
        }
        if let Some(guess) = &guess {
            (self.report)(OpenEvent::GuessedBaseUrl(guess));
        }
        (self.report)(OpenEvent::OpenedFolder(&folder));
        // A guessed URL helps to find pages, but a template that is opened should show the files.
        let relocation = guess.and_then(|_| folder.relocation());
        Ok(OpenedPage {
            relocation,
            ..OpenedPage::new(key_page, Box::new(folder), SiteOrigin::Folder)
        })
    }

    fn open_snapshot(self, snapshot: Snapshot) -> Result<OpenedPage, OpenPageError> {
        let Snapshot {
            key_page,
            resources,
            site,
            ..
        } = snapshot;
        let opened = if matches!(self.site, SiteLocation::Around) {
            (self.report)(OpenEvent::SavedFrom(&key_page.url));
            OpenedPage::new(key_page, Box::new(site), SiteOrigin::Snapshots)
        } else {
            self.find_siblings(key_page)?
        };
        Ok(OpenedPage {
            resources: Some(resources),
            ..opened
        })
    }

    fn open_stream(self, stream: Box<dyn Read>) -> Result<OpenedPage, OpenPageError> {
        let read = match self.site {
            SiteLocation::Given { .. } => read_page_alone,
            _ => read_page_from,
        };
        let SavedPage {
            page,
            is_url_given,
            resources,
        } = read(stream, self.base_url.as_ref(), Folder::MAX_BYTES)?;
        if !is_url_given && is_web_url(&page.url) {
            (self.report)(OpenEvent::SavedFrom(&page.url));
        }
        let opened = match &self.site {
            SiteLocation::Folder(root) => {
                let folder = open_folder(root, page.url.join("/").ok(), self.report)?;
                OpenedPage::new(page, Box::new(folder), SiteOrigin::Folder)
            }
            _ => self.find_siblings(page)?,
        };
        Ok(OpenedPage {
            resources: Some(resources),
            ..opened
        })
    }

    /// Opens the source of the siblings of a page that is loaded already.
    fn find_siblings(mut self, key_page: Page) -> Result<OpenedPage, OpenPageError> {
        if !matches!(self.site, SiteLocation::Given { .. }) && !is_web_url(&key_page.url) {
            return Err(OpenPageError::UnknownSite);
        }
        // The URL that a page Content-Encoding is from may be a lie: only one that the user typed may be private.
        let typed = self.base_url.clone();
        let (mut source, origin) = self.open_source(typed.as_ref())?;
        report_warnings(&mut *source, self.report);
        source.stay_on(&key_page.url, self.same_site);
        Ok(OpenedPage::new(key_page, source, origin))
    }

    /// Opens the archive, the given pages, or the web.
    fn open_source(&mut self, typed: Option<&Url>) -> Result<(Box<dyn Source>, SiteOrigin), OpenPageError> {
        match std::mem::replace(&mut self.site, SiteLocation::Web) {
            SiteLocation::Archive(location) => {
                let archive = ArchiveSource::open(location).map_err(OpenPageError::Archive)?;
                Ok((Box::new(archive), SiteOrigin::Archive))
            }
            SiteLocation::Given { pages, name } => {
                Ok((Box::new(GivenPages::new(pages, name)), SiteOrigin::Given))
            }
            SiteLocation::Around | SiteLocation::Folder(_) | SiteLocation::Web => {
                let connect =
                    std::mem::replace(&mut self.connect, Box::new(|_| Err("connected before".into())));
                let web = connect(typed).map_err(OpenPageError::Web)?;
                Ok((web, SiteOrigin::Web))
            }
        }
    }
}

impl OpenedPage {
    fn new(key_page: Page, source: Box<dyn Source>, origin: SiteOrigin) -> Self {
        Self {
            key_page,
            source,
            origin,
            relocation: None,
            resources: None,
        }
    }
}

fn open_folder(
    root: &Path,
    base_url: Option<Url>,
    report: &mut dyn FnMut(OpenEvent<'_>),
) -> Result<Folder, OpenFolderError> {
    let folder = Folder::open(root, base_url)?;
    report(OpenEvent::OpenedFolder(&folder));
    Ok(folder)
}

fn report_warnings(source: &mut dyn Source, report: &mut dyn FnMut(OpenEvent<'_>)) {
    for warning in source.take_warnings() {
        report(OpenEvent::Warning(warning));
    }
}

#[cfg(test)]
mod tests;
