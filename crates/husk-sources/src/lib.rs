//! Loads pages for the engine, which does no I/O itself.
//!
//! A [`Source`] loads the [`Page`](husk::Page) at a URL: [`Http`] from the web, [`Rendered`] through a browser, [`Archive`]
//! from WARC files, [`Folder`] from a site on disk (a mirror made by wget or HTTrack, the output of a site generator, a
//! corpus), [`Snapshots`] from pages saved one by one. [`WithList`] adds a sitemap to any source. [`open_page`] finds the
//! right source for a page, and [`run_session`] extracts the page's template with it.
//!
//! ```
//! use husk::Url;
//! use husk_sources::{Folder, Source};
//!
//! # let root = tempfile::tempdir().unwrap();
//! # std::fs::create_dir(root.path().join("about")).unwrap();
//! # std::fs::write(root.path().join("about/index.html"), "<p>Who we are").unwrap();
//! let mut site = Folder::open(root.path(), Some(Url::parse("https://example.org/").unwrap()))?;
//! let page = site.load(&Url::parse("http://www.example.org/about").unwrap())?;
//! assert_eq!(page.url.as_str(), "https://example.org/about/");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod source;

mod mime_type;

mod zstandard;

mod file_url;

mod capture;

mod folder;

mod archive;

mod snapshot;

mod stream;

mod sitemap;

mod open;

#[cfg(feature = "http")]
mod http;

#[cfg(feature = "render")]
mod render;

#[cfg(feature = "http")]
mod blocking;

mod session;

pub use archive::{Archive, ArchiveNote, ArchiveWriter, ArchivedCapture, Captures, SkippedRecords};
#[cfg(feature = "http")]
pub use blocking::Blocking;
pub use capture::{Capture, page_charset};
pub use folder::{BaseGuess, Evidence, Folder, OpenFileError, OpenFolderError, SiteAround};
#[cfg(feature = "http")]
#[doc(hidden)]
pub use http::Lookup;
#[cfg(feature = "http")]
pub use http::{Http, HttpError, HttpOptions, Private, ProxyChoice, Reach, Recorder, SitemapChoice};
pub use husk_warc::{Compression, WarcError};
pub use open::{
    ArchiveLocation, Connect, NoContent, OpenEvent, OpenPageError, OpenedPage, PageLocation, PageRequest,
    SiteLocation, SiteOrigin, UnsupportedScheme, check_content, is_web_url, names_archive, open_page,
};
#[cfg(feature = "render")]
pub use render::{RenderError, RenderOptions, Rendered};
pub use session::{Event, run_session, run_session_async};
pub use sitemap::{Listing, WithList, read_sitemap};
pub use snapshot::{Snapshot, Snapshots};
pub use source::{Admission, AsyncSource, LoadError, RedirectFault, Source};
pub use stream::{SavedPage, read_page_from};

/// The examples of docs/library.md are tests.
#[cfg(all(doctest, feature = "http"))]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryGuide;
