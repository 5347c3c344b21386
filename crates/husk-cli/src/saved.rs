//! Pages that are at hand, one after the other: of HTML files, folders and archives. What `husk learn` and `husk strip` share.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::bail;
use husk::output::Relocation;
use husk::{Page, Url};
use husk_bulk::{Input, InputKind, PageInfo, SavedPage, SavedPages, SkippedPage};
use husk_sources::{
    Folder, LoadError, PageLocation, SiteAround, Snapshot, Snapshots, names_archive, read_page_from,
};

use crate::failure::Failure;
use crate::output::Notes;
use crate::pages::page_location;

/// How many complaints are said unless all are wanted.
const FIRST_COMPLAINTS: usize = 10;

/// What is wrong with single pages: the first few are said, or all.
pub(crate) struct Complaints {
    notes: Notes,
    are_all_said: bool,
    count: Cell<usize>,
}

impl Complaints {
    pub(crate) fn new(notes: Notes, are_all_said: bool) -> Self {
        let count = Cell::new(0);
        Self {
            notes,
            are_all_said,
            count,
        }
    }

    pub(crate) fn say(&self, complaint: &str) {
        let before = self.count.replace(self.count.get() + 1);
        if before < FIRST_COMPLAINTS || self.are_all_said {
            self.notes.say(complaint);
        } else if before == FIRST_COMPLAINTS {
            self.notes.say("further messages are hidden (-v shows all)");
        }
    }

    /// Says why something is no page. Pictures, redirects and errors are in every crawl.
    pub(crate) fn of_page(&self, input: &Path, cause: &LoadError) {
        if !matches!(cause, LoadError::Status { .. } | LoadError::NotAPage { .. }) {
            self.say(&format!("{}: {cause}", input.display()));
        }
    }
}

/// Something that holds pages.
pub(crate) enum Saved {
    Input(Input),
    File(PathBuf),
    StandardInput,
}

impl Saved {
    /// What a name stands for.
    pub(crate) fn named(
        name: &OsStr,
        base_url: Option<&Url>,
        complaints: &Complaints,
    ) -> anyhow::Result<Vec<Self>> {
        if name == "-" {
            return Ok(vec![Self::StandardInput]);
        }
        let path = match page_location(name)? {
            PageLocation::File(path) => path,
            _ => PathBuf::from(name),
        };
        if !path.is_dir() && !names_archive(&path) {
            return Ok(vec![Self::File(path)]);
        }
        let found = Input::find(&path, base_url, &|note| complaints.say(note))?;
        Ok(found.into_iter().map(Self::Input).collect())
    }

    /// Whether it is a folder that nothing says the URL of.
    pub(crate) fn is_of_unknown_site(&self) -> bool {
        matches!(self, Self::Input(input) if input.unknown_site().is_some())
    }
}

fn file_info(page: &Page, file: &Path) -> Result<PageInfo, LoadError> {
    PageInfo::of_file(&page.url, file).map_err(|cause| LoadError::Io {
        path: file.to_owned(),
        cause,
    })
}

/// Meets every page of an input, in its order.
pub(crate) fn walk(
    input: &Input,
    complaints: &Complaints,
    meet: &mut dyn FnMut(SavedPage) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for page in SavedPages::of(input)? {
        match page {
            Ok(page) => meet(page)?,
            Err(SkippedPage::Unreadable(cause)) => return Err((*cause).into()),
            Err(cause) if cause.is_notable() => complaints.say(&cause.to_string()),
            Err(_) => {}
        }
    }
    Ok(())
}

/// A page that was read.
pub(crate) struct ReadPage {
    pub(crate) info: PageInfo,
    pub(crate) page: Page,
    /// Where the site's files are, if its address was guessed.
    pub(crate) relocation: Option<Relocation>,
}

/// Reads pages, one at a time.
pub(crate) struct Reading<'a> {
    pub(crate) site: Option<&'a Path>,
    pub(crate) base_url: Option<&'a Url>,
    pub(crate) notes: Notes,
    pub(crate) complaints: Complaints,
    /// The site around the last file, which is most likely that of the next one, too.
    around: Option<(Folder, Option<Relocation>)>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(
        site: Option<&'a Path>,
        base_url: Option<&'a Url>,
        notes: Notes,
        complaints: Complaints,
    ) -> Self {
        Self {
            site,
            base_url,
            notes,
            complaints,
            around: None,
        }
    }

    /// Reads every page that something holds. A file that was named must be a page; of the others, what is none is passed.
    pub(crate) fn each(
        &mut self,
        saved: &Saved,
        take: &mut dyn FnMut(ReadPage) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match saved {
            Saved::StandardInput => take(self.standard_input()?),
            Saved::File(file) => take(self.file(file)?),
            Saved::Input(input) => walk(input, &self.complaints, &mut |met| match met.read() {
                Ok((info, page)) => take(ReadPage {
                    info,
                    page,
                    relocation: None,
                }),
                Err(cause) => {
                    self.complaints.of_page(&input.path, &cause);
                    Ok(())
                }
            }),
        }
    }

    fn standard_input(&self) -> anyhow::Result<ReadPage> {
        let mut bytes = Vec::new();
        let stdin = io::stdin().lock();
        stdin.take(Folder::MAX_BYTES + 1).read_to_end(&mut bytes)?;
        let saved =
            read_page_from(&bytes[..], self.base_url, Folder::MAX_BYTES).map_err(|cause| match cause {
                LoadError::UnknownUrl { .. } => Failure::Usage(cause.to_string()).into(),
                cause => anyhow::Error::from(cause),
            })?;
        Ok(ReadPage {
            info: PageInfo::new(saved.page.url.as_str(), bytes.len()),
            page: saved.page,
            relocation: None,
        })
    }

    fn file(&mut self, file: &Path) -> anyhow::Result<ReadPage> {
        if self.site.is_none()
            && let Some(Snapshot { key_page, .. }) = Snapshots::around(file, self.base_url)?
        {
            return Ok(ReadPage {
                info: file_info(&key_page, file)?,
                page: key_page,
                relocation: None,
            });
        }
        let (page, relocation) = self.page_of_site(file)?;
        Ok(ReadPage {
            info: file_info(&page, file)?,
            page,
            relocation,
        })
    }

    fn page_of_site(&mut self, file: &Path) -> anyhow::Result<(Page, Option<Relocation>)> {
        let real = file.canonicalize().ok();
        if let (Some((folder, relocation)), Some(real)) = (&self.around, real)
            && real.starts_with(folder.root())
        {
            return Ok((folder.page(&real)?, relocation.clone()));
        }
        let SiteAround {
            folder,
            key_page,
            guess,
        } = Folder::around(file, self.site, self.base_url.cloned())?;
        if let Some(guess) = &guess {
            self.notes.say(&format!(
                "assuming that the site was saved from {guess}; set it with --base-url"
            ));
        }
        let relocation = guess.and_then(|_| folder.relocation());
        self.around = Some((folder, relocation.clone()));
        Ok((key_page, relocation))
    }
}

/// Fails if what is written would lie in what is read.
pub(crate) fn refuse_within(saved: &[Saved], out: &Path) -> anyhow::Result<()> {
    let real = |path: &Path| match path.as_os_str().is_empty() {
        true => Path::new(".").canonicalize().ok(),
        false => path.canonicalize().ok(),
    };
    // What is written need not be there yet.
    let Some(place) = out.ancestors().find_map(real) else {
        return Ok(());
    };
    for saved in saved {
        if let Saved::Input(Input {
            kind: InputKind::Site(folder),
            ..
        }) = saved
            && place.starts_with(folder.root())
        {
            bail!(
                "{} lies in the site's folder {}: write to another place",
                out.display(),
                folder.root().display()
            );
        }
    }
    Ok(())
}
