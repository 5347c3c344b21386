//! The pages that a site lists itself, in its sitemaps.

use husk::Url;

use super::file::Manner;
use super::options::SitemapChoice;
use super::{Http, lock};
use crate::capture::decoded;
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

    async fn sitemap(&self, file: &Url, is_named: bool) -> Result<Vec<u8>, LoadError> {
        let manner = if is_named { Manner::Named } else { Manner::AsPage };
        let capture = self.file(file, manner).await?;
        Ok(decoded(&capture, self.shared.options.max_bytes)?.into_owned())
    }
}
