//! Files that are no pages: lists of pages, style sheets.

use std::time::Duration;

use husk::Url;

use super::Http;
use super::ask::Wanted;
use super::politeness::Pace;
use super::transfer::{Clock, Use};
use crate::capture::{Boundary, Capture, Chase};
use crate::source::LoadError;

/// In what manner a file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As a page.
    AsPage,
    /// As one that the site or the user named: that is leave to read it, whatever `robots.txt` says.
    Named,
    /// As one that belongs to a page: whoever sends a page expects to be asked for these at once.
    WithPage,
}

impl Http {
    /// The answer with a file, which may be elsewhere.
    pub(super) async fn file(&self, url: &Url, manner: Manner) -> Result<Capture, LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let mut chase = Chase::new(url, Boundary::default())?;
        loop {
            let wanted = Wanted {
                url: chase.at(),
                answer_use: Use::File,
                is_return: chase.is_return(),
            };
            let capture = self.ask_file(&wanted, manner, &mut clock).await?;
            if chase.follow(&capture)? {
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
        wanted: &Wanted<'_>,
        manner: Manner,
        clock: &mut Clock,
    ) -> Result<Capture, LoadError> {
        let mut pace = self.pace(Duration::ZERO);
        if self.shared.options.obey_robots {
            let rules = self.rules(wanted.url).await;
            pace.between_pages = match manner {
                Manner::Named => rules.delay(),
                Manner::AsPage | Manner::WithPage => rules.admit(wanted.url)?,
            };
        }
        if manner == Manner::WithPage {
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
