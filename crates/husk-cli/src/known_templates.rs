//! Templates to strip pages with: those of one site in a file, or those of many sites in a store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use husk::{SameSite, SiteTemplates, Url};
use husk_bulk::TemplateSource;
use husk_store::{StoreReader, is_store};

use crate::progress::grouped;
use crate::templates_file;

/// Sites kept in memory: pages of several sites alternate in an archive.
const MAX_SITES: usize = 64;

pub(crate) enum KnownTemplates {
    File(Arc<SiteTemplates>),
    Store(StoreReader),
}

impl KnownTemplates {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        match is_store(path) {
            true => Ok(Self::Store(StoreReader::open(path)?)),
            false => Ok(Self::File(Arc::new(templates_file::read(path)?))),
        }
    }

    /// The only site; none if it is a store.
    pub(crate) fn only_site(&self) -> Option<&str> {
        match self {
            Self::File(templates) => Some(templates.site()),
            Self::Store(_) => None,
        }
    }

    pub(crate) fn source(&self) -> TemplateSource {
        match self {
            Self::File(_) => TemplateSource::Learned,
            Self::Store(_) => TemplateSource::Stored,
        }
    }

    /// The templates of a page's site; none if there are none of it.
    pub(crate) fn of_site(&self, page: &Url) -> anyhow::Result<Option<Arc<SiteTemplates>>> {
        let store = match self {
            Self::File(templates) => {
                let is_meant = may_be_of(templates.site(), page);
                return Ok(is_meant.then(|| templates.clone()));
            }
            Self::Store(store) => store,
        };
        for same_site in [SameSite::Host, SameSite::Domain] {
            if let Some(found) = store.site(&same_site.name_of(page))? {
                return Ok(Some(Arc::new(found.templates)));
            }
        }
        Ok(None)
    }

    /// The templates to strip a page with: those of a file for any page. A site that is not in the store has none.
    fn of_page(&self, page: &Url) -> anyhow::Result<Arc<SiteTemplates>> {
        if let Self::File(templates) = self {
            return Ok(templates.clone());
        }
        let host = || Arc::new(SiteTemplates::new(SameSite::Host.name_of(page)));
        Ok(self.of_site(page)?.unwrap_or_else(host))
    }
}

/// Whether a page belongs to a site, by host or by domain.
pub(crate) fn is_of(site: &str, page: &Url) -> bool {
    [SameSite::Host, SameSite::Domain]
        .iter()
        .any(|same_site| same_site.name_of(page) == site)
        || (page.scheme() == "file" && page.as_str().starts_with(site))
}

/// Whether a page may belong to a site: nothing says the site of a file.
fn may_be_of(site: &str, page: &Url) -> bool {
    is_of(site, page) || page.scheme() == "file" || site.starts_with("file:")
}

/// Pages of sites without templates, by site.
#[derive(Default)]
pub(crate) struct OtherSites(BTreeMap<String, u64>);

impl OtherSites {
    pub(crate) fn add(&mut self, page: &Url) {
        *self.0.entry(SameSite::Host.name_of(page)).or_default() += 1;
    }

    pub(crate) fn pages(&self) -> u64 {
        self.0.values().sum()
    }

    /// The sites with their numbers of pages, the first few by name; none if there are none.
    pub(crate) fn listed(&self) -> Option<String> {
        let named = self.0.iter().take(NAMED_SITES).map(|(site, &pages)| {
            let ending = if pages == 1 { "" } else { "s" };
            let site = if site.is_empty() { "file: URLs" } else { site };
            format!("{site} ({} page{ending})", grouped(pages))
        });
        let mut listed = named.collect::<Vec<_>>().join(", ");
        if self.0.len() > NAMED_SITES {
            listed += &format!(" and {} more sites", grouped((self.0.len() - NAMED_SITES) as u64));
        }
        (!listed.is_empty()).then_some(listed)
    }
}

/// How many sites a message names.
const NAMED_SITES: usize = 5;

/// One of something for each site, such as a stripper, made when it is needed.
pub(crate) struct PerSite<'a, T> {
    known: &'a KnownTemplates,
    make: Box<dyn Fn(Arc<SiteTemplates>) -> T + 'a>,
    /// By host, since a file may be used for pages of other sites.
    made: BTreeMap<String, T>,
}

impl<'a, T> PerSite<'a, T> {
    pub(crate) fn new(known: &'a KnownTemplates, make: impl Fn(Arc<SiteTemplates>) -> T + 'a) -> Self {
        Self {
            known,
            make: Box::new(make),
            made: BTreeMap::new(),
        }
    }

    pub(crate) fn of_page(&mut self, page: &Url) -> anyhow::Result<&mut T> {
        let key = match self.known {
            KnownTemplates::File(_) => String::new(),
            KnownTemplates::Store(_) => SameSite::Host.name_of(page),
        };
        if !self.made.contains_key(&key) {
            if self.made.len() >= MAX_SITES {
                self.made.clear();
            }
            let made = (self.make)(self.known.of_page(page)?);
            self.made.insert(key.clone(), made);
        }
        self.made
            .get_mut(&key)
            .ok_or_else(|| anyhow::anyhow!("no templates of {page}"))
    }
}
