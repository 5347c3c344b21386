//! Pages from the web: as servers send them, or as a browser renders them.

use std::error::Error;
use std::sync::{Arc, Mutex};

use husk::Url;
use husk_sources::{Blocking, Http, Recorder, Rendered, Source};

use crate::loading::Loading;

/// Receives every response.
pub(crate) type SharedRecorder = Arc<Mutex<dyn Recorder + Send>>;

/// Makes a source of pages on the web. Only the host of the URL that the user typed may be private.
pub(crate) fn connect(
    loading: Loading<'_>,
    typed: Option<&Url>,
    recorder: Option<SharedRecorder>,
) -> Result<Box<dyn Source>, Box<dyn Error + Send + Sync>> {
    let typed: Vec<&Url> = typed.into_iter().collect();
    if loading.flags.render {
        let mut rendered = Rendered::new(loading.render(&typed))?;
        if let Some(recorder) = recorder {
            rendered.record(recorder);
        }
        return Ok(Box::new(Blocking::new(rendered)?));
    }
    let mut http = Http::new(loading.http(&typed))?;
    if let Some(recorder) = recorder {
        http.record(recorder);
    }
    Ok(Box::new(Blocking::new(http)?))
}
