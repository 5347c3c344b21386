//! Loads files other than pages: sitemaps, style sheets.

use std::time::Duration;

use husk::Url;

use super::Http;
use super::ask::Target;
use super::politeness::Pace;
use super::transfer::{Clock, ResponseUse};
use crate::capture::{Capture, LoadLimits, RedirectChain};
use crate::source::LoadError;

/// Which rules apply to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileAccess {
    /// Those of a page.
    AsPage,
    /// The site or the user named it, so it may be read whatever `robots.txt` says.
    Named,
    /// It belongs to a page, so it may be requested at once, without the delay between pages.
    WithPage,
}

impl Http {
    /// The response with a file, which may be on any site.
    pub(super) async fn file(&self, url: &Url, access: FileAccess) -> Result<Capture, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chain = RedirectChain::new(url, LoadLimits::default())?;
        loop {
            let wanted = Target {
                url: chain.at(),
                response_use: ResponseUse::File,
                is_return: chain.is_return(),
            };
            let capture = self.ask_file(&wanted, access, &mut clock).await?;
            if chain.follow(&capture)? {
                continue;
            }
            if !(200..300).contains(&capture.status) {
                return Err(LoadError::Status {
                    object: capture.url.to_string(),
                    status: capture.status,
                });
            }
            return Ok(capture);
        }
    }

    async fn ask_file(
        &self,
        wanted: &Target<'_>,
        access: FileAccess,
        clock: &mut Clock,
    ) -> Result<Capture, LoadError> {
        let mut pace = self.pace(Duration::ZERO);
        if self.shared.options.obey_robots {
            let rules = self.rules(wanted.url).await;
            pace.between_pages = match access {
                FileAccess::Named => rules.delay(),
                FileAccess::AsPage | FileAccess::WithPage => rules.admit(wanted.url)?,
            };
        }
        if access == FileAccess::WithPage {
            pace = Pace {
                own: Duration::ZERO,
                between_pages: Duration::ZERO,
                ..pace
            };
        }
        let answer = self.get(wanted, pace, clock).await;
        answer.map_err(|failure| failure.cause)
    }
}
