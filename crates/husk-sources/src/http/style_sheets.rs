//! The style sheets of a page, for those who show it to somebody.

use std::collections::BTreeSet;
use std::time::Duration;

use husk::dom::decode;
use husk::output::{Resource, Resources, imported_style_sheets, style_sheets};
use husk::{Page, Url};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::Http;
use super::file::Manner;
use crate::capture::{MediaType, decoded};
use crate::source::LoadError;

/// No page needs more style sheets to be told by its looks.
const MOST_SHEETS: usize = 24;

/// The most bytes of them all together.
const MOST_BYTES: usize = 4 << 20;

/// Style sheets that import others are followed so far.
const DEEPEST_IMPORT: usize = 2;

impl Http {
    /// The style sheets that a page is shown with, as far as they can be had in so much time. Each that cannot be had is left
    /// out: the page can be looked at all the same.
    ///
    /// They may be on any host, as they are for browsers, within the reach and what `robots.txt` allows there.
    pub async fn style_sheets(&self, page: &Page, within: Duration) -> Resources {
        let end = Instant::now() + within;
        let mut wanted = style_sheets(page);
        let (mut seen, mut found, mut bytes) = (BTreeSet::new(), Vec::new(), 0);
        for _ in 0..=DEEPEST_IMPORT {
            wanted.retain(|url| seen.len() < MOST_SHEETS && seen.insert(url.clone()));
            let mut imported = Vec::new();
            for (url, text) in self.style_sheets_at(std::mem::take(&mut wanted), end).await {
                bytes += text.len();
                if bytes > MOST_BYTES {
                    break;
                }
                imported.extend(imported_style_sheets(&text, &url));
                found.push((url, Resource::StyleSheet(text)));
            }
            wanted = imported;
        }
        found.into_iter().collect()
    }

    /// Those of some style sheets that arrive in time.
    async fn style_sheets_at(&self, urls: Vec<Url>, end: Instant) -> Vec<(Url, String)> {
        // What is still under way is given up when this is dropped.
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

    /// None if what stands there is something else, as browsers see it.
    async fn style_sheet(&self, url: &Url) -> Result<Option<String>, LoadError> {
        let capture = self.file(url, Manner::WithPage).await?;
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
