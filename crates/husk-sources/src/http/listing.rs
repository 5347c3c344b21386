//! Lists the pages of a site by its sitemaps.

use husk::Url;

use super::file::FileAccess;
use super::options::SitemapChoice;
use super::{Http, lock};
use crate::capture::decoded;
use crate::sitemap::Listing;
use crate::source::LoadError;

impl Http {
    /// The pages of the site, if the options ask for them.
    pub(super) async fn listed(&self) -> Option<Vec<Url>> {
        let mut listing = self.listing().await?;
        while let Some(file) = listing.next_wanted().cloned() {
            let warning = match self.sitemap(&file, listing.is_named()).await {
                Ok(bytes) => (!listing.give(&bytes)).then(|| format!("{file} lists no pages")),
                // A file that cannot be read lists nothing.
                Err(cause) => {
                    listing.give_up();
                    Some(format!("cannot read the sitemap: {cause}"))
                }
            };
            lock(&self.shared.warnings).extend(warning);
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
        let access = if is_named {
            FileAccess::Named
        } else {
            FileAccess::AsPage
        };
        let capture = self.file(file, access).await?;
        Ok(decoded(&capture, self.shared.options.max_bytes)?.into_owned())
    }
}
