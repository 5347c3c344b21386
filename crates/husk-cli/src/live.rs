//! Pages from the web: as servers send them, or as a browser makes them.

use std::sync::{Arc, Mutex};

use husk::{Page, SameSite, Url};
use husk_sources::{Blocking, Http, LoadError, Recorder, Rendered, Source};

use crate::loading::Loading;

/// Who is told of every answer.
pub(crate) type SharedRecorder = Arc<Mutex<dyn Recorder + Send>>;

/// The web.
pub(crate) enum Live {
    AsSent(Blocking<Http>),
    Rendered(Box<Blocking<Rendered>>),
}

impl Live {
    /// The web as seen from an address that the user typed.
    pub(crate) fn new(
        loading: Loading<'_>,
        typed: &Url,
        recorder: Option<SharedRecorder>,
    ) -> anyhow::Result<Self> {
        if loading.flags.render {
            let mut rendered = Rendered::new(loading.render(&[typed]))?;
            if let Some(recorder) = recorder {
                rendered.record(recorder);
            }
            return Ok(Self::Rendered(Box::new(Blocking::new(rendered)?)));
        }
        let mut http = Http::new(loading.http(&[typed]))?;
        if let Some(recorder) = recorder {
            http.record(recorder);
        }
        Ok(Self::AsSent(Blocking::new(http)?))
    }

    /// From now on redirects must not leave the site.
    pub(crate) fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        match self {
            Self::AsSent(http) => http.inner().stay_on(key_page, same_site),
            Self::Rendered(rendered) => rendered.inner().stay_on(key_page, same_site),
        }
    }

    fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::AsSent(http) => http,
            Self::Rendered(rendered) => &mut **rendered,
        }
    }
}

impl Source for Live {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source().load(url)
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        self.source().addresses()
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source().load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.source().loaded_in_vain()
    }
}
