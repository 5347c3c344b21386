//! Loads the style sheets of a page.

use std::collections::BTreeSet;
use std::time::Duration;

use husk::dom::decode;
use husk::output::{Resource, Resources, imported_style_sheets, style_sheets};
use husk::{Page, Url};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::Http;
use super::file::FileAccess;
use crate::capture::{MediaType, decoded};
use crate::source::LoadError;

/// The most style sheets of a page.
const MAX_SHEETS: usize = 24;

/// The most bytes of all style sheets.
const MAX_BYTES: usize = 4 << 20;

/// How deep imports are followed.
const MAX_IMPORT_DEPTH: usize = 2;

impl Http {
    /// Loads the style sheets of a page, as many as the time limit allows. Those that cannot be loaded are left out.
    ///
    /// They may be on any host, within [`Reach`](super::Reach) and what `robots.txt` allows.
    pub async fn style_sheets(&self, page: &Page, within: Duration) -> Resources {
        let end = Instant::now() + within;
        let mut wanted = style_sheets(page);
        let (mut seen, mut found, mut bytes) = (BTreeSet::new(), Vec::new(), 0);
        for _ in 0..=MAX_IMPORT_DEPTH {
            wanted.retain(|url| seen.len() < MAX_SHEETS && seen.insert(url.clone()));
            let mut imported = Vec::new();
            for (url, text) in self.style_sheets_at(std::mem::take(&mut wanted), end).await {
                bytes += text.len();
                if bytes > MAX_BYTES {
                    break;
                }
                imported.extend(imported_style_sheets(&text, &url));
                found.push((url, Resource::StyleSheet(text)));
            }
            wanted = imported;
        }
        found.into_iter().collect()
    }

    /// The style sheets that arrive before `end`.
    async fn style_sheets_at(&self, urls: Vec<Url>, end: Instant) -> Vec<(Url, String)> {
        // Dropping the set cancels what is still loading.
        let mut under_way = JoinSet::new();
        for url in urls {
            let web = self.clone();
            under_way.spawn(async move {
                let text = web.style_sheet(&url).await.ok().flatten()?;
                Some((url, text))
            });
        }
        let mut found = Vec::new();
        while let Ok(Some(done)) = timeout_at(end, under_way.join_next()).await {
            found.extend(done.ok().flatten());
        }
        found
    }

    /// None if the file is not a style sheet for browsers.
    async fn style_sheet(&self, url: &Url) -> Result<Option<String>, LoadError> {
        let capture = self.file(url, FileAccess::WithPage).await?;
        let media_type = MediaType::of(&capture);
        if media_type
            .as_ref()
            .is_some_and(|media_type| !media_type.is_style_sheet())
        {
            return Ok(None);
        }
        let bytes = decoded(&capture, self.shared.options.max_bytes)?;
        let charset = media_type.as_ref().and_then(MediaType::charset);
        Ok(Some(decode(&bytes, charset).text.into_owned()))
    }
}
