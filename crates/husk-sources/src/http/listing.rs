//! The pages that a site lists itself, in its sitemaps.

use std::time::Duration;

use husk::Url;

use super::ask::Wanted;
use super::options::SitemapChoice;
use super::transfer::{Clock, Use};
use super::{Http, lock};
use crate::capture::{Boundary, Capture, Chase, decoded};
use crate::sitemap::Listing;
use crate::source::LoadError;

impl Http {
    /// The pages of the site, if somebody wants to know.
    pub(super) async fn listed(&self) -> Option<Vec<Url>> {
        let mut listing = self.listing().await?;
        while let Some(file) = listing.next_wanted().cloned() {
            let note = match self.sitemap(&file, listing.is_named()).await {
                Ok(bytes) => (!listing.give(&bytes)).then(|| format!("{file} lists no pages")),
                // What cannot be read lists nothing.
                Err(cause) => {
                    listing.give_up();
                    Some(format!("no list of pages: {cause}"))
                }
            };
            lock(&self.shared.notes).extend(note);
        }
        Some(listing.finish())
    }

    async fn listing(&self) -> Option<Listing> {
        match self.shared.options.use_sitemap.as_ref()? {
            SitemapChoice::At(url) => Some(Listing::by_user(self.site.clone(), url.clone())),
            SitemapChoice::FromRobots => {
                let (site, same_site) = self.site.as_ref()?;
                let rules = self.rules(site).await;
                Some(Listing::by_robots(site, *same_site, rules.sitemaps().to_vec()))
            }
        }
    }

    /// The bytes of a file, which may be elsewhere. That the site or the user named it is leave to read it.
    async fn sitemap(&self, file: &Url, is_named: bool) -> Result<Vec<u8>, LoadError> {
        let max_bytes = self.shared.options.max_bytes;
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chase = Chase::new(file, Boundary::default())?;
        loop {
            let wanted = Wanted {
                url: chase.at(),
                answer_use: Use::File,
                is_return: chase.is_return(),
            };
            let capture = self.ask_file(&wanted, is_named, &mut clock).await?;
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
