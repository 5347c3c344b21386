//! Pages from the web: as servers send them, or as a browser makes them.

use std::sync::{Arc, Mutex};

use husk::{Page, SameSite, Url};
use husk_sources::{Blocking, Http, LoadError, Recorder, Rendered, Source};

use crate::loading::Loading;
use crate::output::Notes;

/// Who is told of every answer.
pub(crate) type SharedRecorder = Arc<Mutex<dyn Recorder + Send>>;

/// The web.
pub(crate) struct Live {
    way: Way,
    notes: Notes,
}

/// How pages come from it.
enum Way {
    AsSent(Blocking<Http>),
    Rendered(Box<Blocking<Rendered>>),
}

impl Live {
    /// The web; the host of an address that the user typed may be anywhere.
    pub(crate) fn new(
        loading: Loading<'_>,
        typed: Option<&Url>,
        recorder: Option<SharedRecorder>,
        notes: Notes,
    ) -> anyhow::Result<Self> {
        let typed: Vec<&Url> = typed.into_iter().collect();
        let way = if loading.flags.render {
            let mut rendered = Rendered::new(loading.render(&typed))?;
            for note in rendered.notes() {
                notes.say(&note);
            }
            if let Some(recorder) = recorder {
                rendered.record(recorder);
            }
            Way::Rendered(Box::new(Blocking::new(rendered)?))
        } else {
            let mut http = Http::new(loading.http(&typed))?;
            if let Some(recorder) = recorder {
                http.record(recorder);
            }
            Way::AsSent(Blocking::new(http)?)
        };
        Ok(Self { way, notes })
    }

    /// From now on redirects must not leave the site.
    pub(crate) fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        match &mut self.way {
            Way::AsSent(http) => http.inner().stay_on(key_page, same_site),
            Way::Rendered(rendered) => rendered.inner().stay_on(key_page, same_site),
        }
    }

    fn source(&mut self) -> &mut dyn Source {
        match &mut self.way {
            Way::AsSent(http) => http,
            Way::Rendered(rendered) => &mut **rendered,
        }
    }
}

impl Source for Live {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.source().load(url)
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        let addresses = self.source().addresses();
        if let Way::AsSent(http) = &mut self.way {
            for note in http.inner().take_notes() {
                self.notes.say(&note);
            }
        }
        addresses
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        self.source().load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        self.source().loaded_in_vain()
    }
}
