//! From PAGE and the flags that say where its site is to the key page and the source of its siblings.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::bail;
use husk::dom::{NodeKind, name};
use husk::output::{Relocation, Resources};
use husk::{Page, SameSite, Url, needs_rendering};
use husk_sources::{
    Archive, Around, Folder, LoadError, SavedPage, Snapshot, Snapshots, Source, WithList, read_page_from,
    read_sitemap,
};

use crate::args::PlaceArgs;
use crate::failure::Failure;
use crate::live::{Live, SharedRecorder};
use crate::loading::Loading;
use crate::output::Notes;

/// The key page, and where its siblings come from.
pub(crate) struct Opened {
    pub(crate) key_page: Page,
    pub(crate) source: Box<dyn Source>,
    /// Where the site's files are, if its address was guessed.
    pub(crate) relocation: Option<Relocation>,
    /// What was saved along with the page, in the same file.
    pub(crate) resources: Option<Resources>,
    pub(crate) siblings: Siblings,
}

/// Where siblings come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// The folder of a saved site.
    Folder,
    /// The web, where every page takes a while.
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
    /// What else may help if there are none, behind a message.
    pub(crate) fn remedy(self, nothing_was_tried: bool) -> &'static str {
        match self {
            Self::Folder if nothing_was_tried => "",
            Self::Folder => "; --site and --base-url say where its site is",
            Self::Web { has_list: false } => "; --sitemap looks for further pages in the site's own list",
            Self::Web { has_list: true } | Self::Rendered | Self::Elsewhere => "",
        }
    }
}

impl Opened {
    fn new(key_page: Page, source: impl Source + 'static, siblings: Siblings) -> Self {
        Self {
            key_page,
            source: Box::new(source),
            relocation: None,
            resources: None,
            siblings,
        }
    }
}

/// What opening a page depends on beside its own flags.
pub(crate) struct Opening<'a> {
    pub(crate) place: &'a PlaceArgs,
    pub(crate) loading: Loading<'a>,
    pub(crate) same_site: SameSite,
    pub(crate) recorder: Option<SharedRecorder>,
    pub(crate) notes: Notes,
}

/// What PAGE is.
enum Kind {
    Address(Url),
    File(PathBuf),
    StandardInput,
}

impl Opening<'_> {
    /// Opens the page that is meant, and the source of its siblings.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        let mut opened = match self.kind()? {
            Kind::Address(url) => self.by_address(&url)?,
            Kind::File(file) => self.by_file(&file)?,
            Kind::StandardInput => self.by_standard_input()?,
        };
        require_something(&opened.key_page)?;
        self.tell_of_scripts(&opened);
        for note in opened.key_page.dom.notes() {
            self.notes.say(&format!("{}: {note}", opened.key_page.url));
        }
        if self.loading.flags.sitemap.is_some()
            && self.loading.sitemap_file().is_none()
            && matches!(opened.siblings, Siblings::Folder | Siblings::Elsewhere)
        {
            self.notes
                .say("--sitemap counts for pages of the web only; --sitemap=FILE takes a list from a file");
        }
        if let Some(file) = self.loading.sitemap_file() {
            opened.source = Box::new(WithList::new(opened.source, read_sitemap(file)?));
        }
        Ok(opened)
    }

    /// Says why there may be little to find.
    fn tell_of_scripts(&self, opened: &Opened) {
        if self.loading.flags.render {
            return;
        }
        if let Some(reason) = needs_rendering(&opened.key_page) {
            let remedy = match opened.siblings {
                Siblings::Web { .. } | Siblings::Rendered => "--render loads it through a browser",
                Siblings::Folder | Siblings::Elsewhere => {
                    "save it as a browser shows it, or load it from the web with --render"
                }
            };
            self.notes
                .say(&format!("{}: {reason}; {remedy}", opened.key_page.url));
        }
    }

    fn kind(&self) -> Result<Kind, Failure> {
        let page = &self.place.page;
        if page == "-" {
            return Ok(Kind::StandardInput);
        }
        match address(page) {
            Some(url) if is_of_the_web(&url) => Ok(Kind::Address(url)),
            Some(url) if url.scheme() != "file" && url.has_authority() => Err(Failure::Usage(format!(
                "{url} is no address of a page: http:, https: and file: addresses are"
            ))),
            _ => Ok(Kind::File(file_path(page))),
        }
    }

    fn by_address(&self, url: &Url) -> anyhow::Result<Opened> {
        if let Some(site) = &self.place.site {
            let base = self.place.base_url.clone().or_else(|| url.join("/").ok());
            let mut folder = self.folder(site, base)?;
            let key_page = folder.load(url)?;
            return Ok(Opened::new(key_page, folder, Siblings::Folder));
        }
        if !self.place.warc.is_empty() {
            let mut archive = self.archive()?;
            let key_page = archive.load(url)?;
            archive.stay_on(&key_page.url, self.same_site);
            return Ok(Opened::new(key_page, archive, Siblings::Elsewhere));
        }
        let mut live = self.live(Some(url))?;
        if url.password().is_none() {
            self.notes.say(&format!("loading {url}"));
        }
        let key_page = live.load(url)?;
        live.stay_on(&key_page.url, self.same_site);
        Ok(Opened::new(key_page, live, self.web()))
    }

    fn by_file(&self, file: &Path) -> anyhow::Result<Opened> {
        let place = self.place;
        if self.loading.flags.render && !place.live {
            let message = "--render loads pages from the web: name the page by its address, or add --live for its siblings";
            return Err(Failure::Usage(message.to_owned()).into());
        }
        require_no_archive(file)?;
        if place.site.is_none()
            && let Some(snapshot) = Snapshots::around(file, place.base_url.as_ref())?
        {
            return self.with_snapshot(snapshot);
        }
        let Around {
            folder,
            key_page,
            guess,
        } = Folder::around(file, place.site.as_deref(), place.base_url.clone())?;
        if place.live || !place.warc.is_empty() {
            return self.with_siblings_elsewhere(key_page);
        }
        if let Some(guess) = &guess {
            self.notes.say(&format!(
                "taking {} for the site's address, since {}; --base-url says otherwise",
                guess.url, guess.evidence
            ));
        }
        self.tell_of_folder(&folder);
        // An address that nobody gave helps to find pages, but who opens the template wants to see the files.
        let relocation = guess.and_then(|_| to_files(&folder));
        Ok(Opened {
            relocation,
            ..Opened::new(key_page, folder, Siblings::Folder)
        })
    }

    /// A page that says itself where it is from.
    fn with_snapshot(&self, snapshot: Snapshot) -> anyhow::Result<Opened> {
        let Snapshot {
            key_page,
            resources,
            site,
            ..
        } = snapshot;
        let resources = Some(resources);
        if self.place.live || !self.place.warc.is_empty() {
            let opened = self.with_siblings_elsewhere(key_page)?;
            return Ok(Opened { resources, ..opened });
        }
        self.notes
            .detail(&format!("the page was saved from {}", key_page.url));
        Ok(Opened {
            resources,
            ..Opened::new(key_page, site, Siblings::Elsewhere)
        })
    }

    fn by_standard_input(&self) -> anyhow::Result<Opened> {
        let base = self.place.base_url.as_ref();
        let saved = read_page_from(io::stdin().lock(), base, Folder::MAX_BYTES);
        let SavedPage {
            page: key_page,
            resources,
            ..
        } = saved.map_err(|cause| match cause {
            LoadError::NoAddress { .. } => Failure::Usage(cause.to_string()).into(),
            cause => anyhow::Error::from(cause),
        })?;
        let opened = match &self.place.site {
            Some(site) => {
                let folder = self.folder(site, key_page.url.join("/").ok())?;
                Opened::new(key_page, folder, Siblings::Folder)
            }
            None => self.with_siblings_elsewhere(key_page)?,
        };
        Ok(Opened {
            resources: Some(resources),
            ..opened
        })
    }

    /// Takes the siblings of a page that is at hand from an archive or the web.
    fn with_siblings_elsewhere(&self, key_page: Page) -> anyhow::Result<Opened> {
        if !is_of_the_web(&key_page.url) {
            let message = "--base-url must say where the page is from, to find its siblings there".to_owned();
            return Err(Failure::Usage(message).into());
        }
        if !self.place.warc.is_empty() {
            let mut archive = self.archive()?;
            archive.stay_on(&key_page.url, self.same_site);
            return Ok(Opened::new(key_page, archive, Siblings::Elsewhere));
        }
        // Where a page says it is from may be a lie: only what the user typed may be a private address.
        let mut live = self.live(self.place.base_url.as_ref())?;
        live.stay_on(&key_page.url, self.same_site);
        Ok(Opened::new(key_page, live, self.web()))
    }

    fn folder(&self, root: &Path, base: Option<Url>) -> anyhow::Result<Folder> {
        let folder = Folder::open(root, base)?;
        self.tell_of_folder(&folder);
        Ok(folder)
    }

    fn tell_of_folder(&self, folder: &Folder) {
        self.notes.detail(&format!(
            "{} is the site's folder, its address {}",
            folder.root().display(),
            folder.base_url()
        ));
    }

    fn archive(&self) -> anyhow::Result<TellingArchive> {
        let archive = Archive::open(&self.place.warc)?;
        let mut telling = TellingArchive {
            archive,
            told: 0,
            notes: self.notes,
        };
        telling.tell();
        Ok(telling)
    }

    fn web(&self) -> Siblings {
        if self.loading.flags.render {
            return Siblings::Rendered;
        }
        Siblings::Web {
            has_list: self.loading.flags.sitemap.is_some(),
        }
    }

    fn live(&self, typed: Option<&Url>) -> anyhow::Result<Live> {
        Live::new(self.loading, typed, self.recorder.clone(), self.notes)
    }
}

/// Fails if there is nothing on a page, or nothing but other pages.
fn require_something(page: &Page) -> anyhow::Result<()> {
    let dom = &page.dom;
    if let Some(frameset) = dom.part(&name!("frameset")) {
        let frames = dom
            .subtree(frameset)
            .filter(|&node| dom.is_element(node, &name!("frame")));
        let frames: Vec<&str> = frames
            .filter_map(|node| dom.attribute(node, &name!("src")))
            .collect();
        let which = match frames[..] {
            [] => String::new(),
            [one] => format!(": name {one}"),
            [ref others @ .., last] => format!(": name one of {} and {last}", others.join(", ")),
        };
        bail!(
            "{} is a set of frames, and what they show are pages of their own{which}",
            page.url
        );
    }
    let is_shown =
        |node| !matches!(dom.kind(node), NodeKind::Comment | NodeKind::Doctype) && !dom.is_blank_text(node);
    let frame = |node| {
        [name!("html"), name!("head"), name!("body")]
            .iter()
            .any(|name| dom.is_element(node, name))
    };
    let is_empty = dom.nodes().skip(1).all(|node| frame(node) || !is_shown(node));
    if is_empty {
        bail!("{} is empty: there is nothing on it to tell apart", page.url);
    }
    Ok(())
}

/// An archive that tells what is wrong with it as soon as that is known.
struct TellingArchive {
    archive: Archive,
    told: usize,
    notes: Notes,
}

impl TellingArchive {
    fn tell(&mut self) {
        let notes = self.archive.notes();
        for note in &notes[self.told.min(notes.len())..] {
            self.notes.say(&note.to_string());
        }
        self.told = notes.len();
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        self.archive.stay_on(key_page, same_site);
    }
}

impl Source for TellingArchive {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        let page = self.archive.load(url);
        self.tell();
        page
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        self.archive.addresses()
    }
}

/// Fails if an archive was named in the place of a page.
fn require_no_archive(file: &Path) -> Result<(), Failure> {
    if is_named_like_archive(file) {
        let file = file.display();
        let message = format!("{file} is an archive: name the address of a page in it, and --warc {file}");
        return Err(Failure::Usage(message));
    }
    Ok(())
}

pub(crate) fn is_named_like_archive(file: &Path) -> bool {
    let name = file.to_string_lossy().to_lowercase();
    [".warc", ".warc.gz", ".warc.zst"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// PAGE as an address, if it is one.
pub(crate) fn address(page: &OsStr) -> Option<Url> {
    Url::parse(page.to_str()?).ok()
}

pub(crate) fn is_of_the_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// From the site's address to its folder.
pub(crate) fn to_files(folder: &Folder) -> Option<Relocation> {
    let to = Url::from_directory_path(folder.root()).ok()?;
    Some(Relocation {
        from: folder.base_url().clone(),
        to,
    })
}

/// PAGE as a path; it may be written as a `file:` address too.
pub(crate) fn file_path(page: &OsStr) -> PathBuf {
    let url = address(page).filter(|url| url.scheme() == "file");
    url.and_then(|url| url.to_file_path().ok())
        .unwrap_or_else(|| PathBuf::from(page))
}
