//! Templates to strip pages with: those of one site in a file, or those of many sites in a store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use husk::{SameSite, SiteTemplates, Url};
use husk_bulk::TemplateSource;
use husk_store::{StoreReader, is_store};

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

    /// The templates for a page. A site that is not in the store has none.
    fn of_page(&self, page: &Url) -> anyhow::Result<Arc<SiteTemplates>> {
        let store = match self {
            Self::File(templates) => return Ok(templates.clone()),
            Self::Store(store) => store,
        };
        let names = [SameSite::Host, SameSite::Domain].map(|same_site| same_site.name_of(page));
        for name in &names {
            if let Some(found) = store.site(name)? {
                return Ok(Arc::new(found.templates));
            }
        }
        let [host, _] = names;
        Ok(Arc::new(SiteTemplates::new(host)))
    }
}

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
