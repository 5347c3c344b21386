//! Translates PAGE and the flags that say where its site is into a [`PageRequest`], and opens it.

use std::ffi::OsStr;
use std::io;

use husk::{Page, SameSite, Url, needs_rendering};
use husk_sources::{
    LoadError, OpenEvent, OpenPageError, OpenedPage, PageLocation, PageRequest, SiteLocation, SiteOrigin,
    Source, check_content, open_page,
};

use crate::args::PlaceArgs;
use crate::failure::Failure;
use crate::live::{SharedRecorder, connect};
use crate::loading::Loading;
use crate::output::Notes;

/// The key page, and where its siblings come from.
pub(crate) struct Opened {
    pub(crate) page: OpenedPage,
    pub(crate) siblings: Siblings,
}

/// Where siblings come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// The folder of a saved site.
    Folder,
    /// The web, where loading a page takes a while.
    Web {
        /// Whether a list of the site's pages is looked for.
        has_list: bool,
    },
    /// The web, through a browser.
    Rendered,
    /// Archives, pages saved one by one.
    Elsewhere,
}

impl Siblings {
    /// What else may help if there are none, to be appended to a message.
    pub(crate) fn remedy(self, nothing_was_tried: bool) -> &'static str {
        match self {
            Self::Folder if nothing_was_tried => "",
            Self::Folder => "; set its site with --site and --base-url",
            Self::Web { has_list: false } => "; --sitemap finds further pages in the site's own list",
            Self::Web { has_list: true } | Self::Rendered | Self::Elsewhere => "",
        }
    }
}

/// What opening a page depends on beside its own flags.
pub(crate) struct Opening<'a> {
    pub(crate) place: &'a PlaceArgs,
    pub(crate) loading: Loading<'a>,
    pub(crate) same_site: SameSite,
    /// Whether the page is not compared with others.
    pub(crate) is_alone: bool,
    pub(crate) recorder: Option<SharedRecorder>,
    pub(crate) notes: Notes,
}

impl Opening<'_> {
    /// Opens the page and the source of its siblings.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        let notes = self.notes;
        let request = self.request()?;
        let connect = |typed: Option<&Url>| connect(self.loading, typed, self.recorder.clone());
        let page =
            open_page(request, Box::new(connect), &mut |event| report(&event, notes)).map_err(to_failure)?;
        check_content(&page.key_page)?;
        let opened = Opened {
            siblings: self.siblings(page.origin),
            page: OpenedPage {
                source: Box::new(ReportingSource {
                    source: page.source,
                    notes,
                }),
                ..page
            },
        };
        self.note_oddities(&opened);
        Ok(opened)
    }

    fn request(&self) -> anyhow::Result<PageRequest> {
        let place = self.place;
        let page = match place.page.as_os_str() {
            typed if typed == "-" => PageLocation::Stream(Box::new(io::stdin())),
            typed => page_location(typed)?,
        };
        if matches!(page, PageLocation::File(_)) && self.loading.flags.render && !place.live {
            let message = "--render loads pages from the web: give the URL of the page, or add --live to load the \
                           siblings of a file";
            return Err(Failure::Usage(message.to_owned()).into());
        }
        let site = match &place.site {
            Some(folder) => SiteLocation::Folder(folder.clone()),
            None if !place.warc.is_empty() => SiteLocation::Archive(place.warc.clone().into()),
            None if self.is_alone && !matches!(page, PageLocation::Url(_)) => SiteLocation::Given {
                pages: Vec::new(),
                name: "--alone",
            },
            None if place.live => SiteLocation::Web,
            None => SiteLocation::Around,
        };
        Ok(PageRequest {
            page,
            site,
            base_url: place.base_url.clone(),
            same_site: self.same_site,
            page_list: self.loading.sitemap_file().map(Into::into),
        })
    }

    fn siblings(&self, origin: SiteOrigin) -> Siblings {
        let flags = self.loading.flags;
        match origin {
            SiteOrigin::Folder => Siblings::Folder,
            SiteOrigin::Web if flags.render => Siblings::Rendered,
            SiteOrigin::Web => Siblings::Web {
                has_list: flags.sitemap.is_some(),
            },
            _ => Siblings::Elsewhere,
        }
    }

    /// Prints what may explain a poor result.
    fn note_oddities(&self, opened: &Opened) {
        let key_page = &opened.page.key_page;
        let is_saved = matches!(opened.siblings, Siblings::Folder | Siblings::Elsewhere);
        if let Some(reason) = needs_rendering(key_page).filter(|_| !self.loading.flags.render) {
            let remedy = if is_saved {
                "save it as a browser shows it, or load it from the web with --render"
            } else {
                "--render loads it through a browser"
            };
            self.notes.say(&format!("{}: {reason}; {remedy}", key_page.url));
        }
        for note in key_page.dom.notes() {
            self.notes.say(&format!("{}: {note}", key_page.url));
        }
        if is_saved && self.loading.flags.sitemap.is_some() && self.loading.sitemap_file().is_none() {
            self.notes
                .say("--sitemap is for pages from the web; --sitemap=FILE reads a list from a file");
        }
    }
}

/// The URL or file that the user typed.
pub(crate) fn page_location(typed: &OsStr) -> Result<PageLocation, Failure> {
    PageLocation::parse(typed).map_err(|cause| Failure::Usage(cause.to_string()))
}

fn report(event: &OpenEvent<'_>, notes: Notes) {
    match event {
        // A user name or password is not printed; loading such a URL fails.
        OpenEvent::Loading(url) if url.password().is_none() => notes.say(&format!("loading {url}")),
        OpenEvent::SavedFrom(url) => notes.detail(&format!("the page was saved from {url}")),
        OpenEvent::GuessedBaseUrl(guess) => notes.say(&format!(
            "assuming that the site was saved from {guess}; set it with --base-url"
        )),
        OpenEvent::OpenedFolder(folder) => notes.detail(&format!(
            "the site's folder is {}, its URL {}",
            folder.root().display(),
            folder.base_url()
        )),
        OpenEvent::Warning(warning) => notes.say(warning),
        _ => {}
    }
}

fn to_failure(cause: OpenPageError) -> anyhow::Error {
    if cause.is_usage_error() {
        Failure::Usage(cause.to_string()).into()
    } else {
        cause.into()
    }
}

/// A source that prints its warnings as soon as there are any.
struct ReportingSource {
    source: Box<dyn Source>,
    notes: Notes,
}

impl ReportingSource {
    fn report(&mut self) {
        for warning in self.source.take_warnings() {
            self.notes.say(&warning);
        }
    }
}

impl Source for ReportingSource {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let page = self.source.load(url);
        self.report();
        page
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        let urls = self.source.page_urls();
        self.report();
        urls
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source.load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        self.source.unused_pages()
    }
}
