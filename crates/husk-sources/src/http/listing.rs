//! The pages that a site lists itself, in its sitemaps.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use husk::Url;

use super::ask::Wanted;
use super::options::SitemapChoice;
use super::transfer::{Clock, Use};
use super::{Http, lock};
use crate::capture::{Boundary, Capture, Chase, decoded};
use crate::sitemap;
use crate::source::LoadError;

/// The most files that are read.
const MOST_FILES: usize = 20;

/// The most addresses that are taken.
const MOST_ADDRESSES: usize = 50_000;

/// A file to read.
#[derive(Debug)]
struct Sitemap {
    url: Url,
    /// Whether the site or the user named it, which is leave to read it.
    is_named: bool,
}

impl Http {
    /// The pages of the site, if somebody wants to know.
    pub(super) async fn listed(&self) -> Option<Vec<Url>> {
        let mut files = self.first_sitemaps().await?;
        let (mut read, mut pages) = (BTreeSet::new(), Vec::new());
        let mut known = BTreeSet::new();
        while let Some(file) = files.pop_front() {
            if read.len() == MOST_FILES || pages.len() >= MOST_ADDRESSES {
                break;
            }
            if !read.insert(file.url.clone()) {
                continue;
            }
            // What cannot be read lists nothing.
            let bytes = match self.sitemap(&file).await {
                Ok(bytes) => bytes,
                Err(cause) => {
                    lock(&self.shared.notes).push(format!("no list of pages: {cause}"));
                    continue;
                }
            };
            let sitemap::Sitemap {
                pages: listed,
                sitemaps: further,
            } = sitemap::parse(&bytes, &file.url);
            if listed.is_empty() && further.is_empty() {
                lock(&self.shared.notes).push(format!("{} lists no pages", file.url));
            }
            let of_site = listed.into_iter().filter(|page| self.is_of_site(page));
            pages.extend(of_site.filter(|page| known.insert(page.clone())));
            files.extend(further.into_iter().map(|url| Sitemap { url, is_named: false }));
        }
        pages.truncate(MOST_ADDRESSES);
        Some(pages)
    }

    async fn first_sitemaps(&self) -> Option<VecDeque<Sitemap>> {
        let named = |url| Sitemap { url, is_named: true };
        match self.shared.options.use_sitemap.as_ref()? {
            SitemapChoice::At(url) => Some(VecDeque::from([named(url.clone())])),
            SitemapChoice::FromRobots => {
                let (site, _) = self.site.as_ref()?;
                let rules = self.rules(site).await;
                let found: VecDeque<_> = rules.sitemaps().iter().cloned().map(named).collect();
                if !found.is_empty() {
                    return Some(found);
                }
                let url = site.join("/sitemap.xml").ok()?;
                Some(VecDeque::from([Sitemap { url, is_named: false }]))
            }
        }
    }

    fn is_of_site(&self, page: &Url) -> bool {
        let site = self.site.as_ref();
        site.is_none_or(|(site, same_site)| same_site.holds(site, page))
    }

    /// The bytes of a file, which may be elsewhere.
    async fn sitemap(&self, file: &Sitemap) -> Result<Vec<u8>, LoadError> {
        let max_bytes = self.shared.options.max_bytes;
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chase = Chase::new(&file.url, Boundary::default())?;
        loop {
            let wanted = Wanted {
                url: chase.at(),
                answer_use: Use::File,
                is_return: chase.is_return(),
            };
            let capture = self.ask_file(&wanted, file.is_named, &mut clock).await?;
            if !chase.follow(&capture)? {
                return read(&capture, max_bytes);
            }
        }
    }

    async fn ask_file(
        &self,
        wanted: &Wanted<'_>,
        is_named: bool,
        clock: &mut Clock,
    ) -> Result<Capture, LoadError> {
        if !is_named {
            return self.ask(wanted, clock).await;
        }
        let delay = if self.shared.options.obey_robots {
            self.rules(wanted.url).await.delay()
        } else {
            Duration::ZERO
        };
        let answer = self.get(wanted, self.pace(delay), clock).await;
        answer.map_err(|failure| failure.cause)
    }
}

fn read(capture: &Capture, max_bytes: u64) -> Result<Vec<u8>, LoadError> {
    if !(200..300).contains(&capture.status) {
        return Err(LoadError::Status {
            object: capture.url.to_string(),
            status: capture.status,
        });
    }
    Ok(decoded(capture, max_bytes)?.into_owned())
}
