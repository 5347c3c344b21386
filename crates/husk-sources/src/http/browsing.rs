//! Applies the rules for requests to a browser that sends them itself.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, SystemTime};

use husk::{SameSite, Url};

use super::Http;
use super::reach::plain;
use super::retry::{Retries, is_busy, retry_after};
use super::transfer::Clock;
use crate::capture::Capture;
use crate::source::LoadError;

/// How often a page of a busy server may be requested again.
#[derive(Debug)]
pub(crate) struct RetryBudget(Retries);

impl Http {
    /// Waits until a page may be requested; fails if it never may.
    pub(crate) async fn permission(&self, url: &Url) -> Result<(), LoadError> {
        let mut between_pages = Duration::ZERO;
        if self.shared.options.obey_robots {
            between_pages = self.rules(url).await.admit(url)?;
        }
        self.admit(url).await?;
        let host = self.shared.hosts.of(url);
        // The permit is released at once: a browser loads one page after the other anyway.
        host.turn(self.pace(between_pages)).await;
        host.check_open(url)?;
        self.count_request();
        Ok(())
    }

    /// Checks whether the host of a page may be connected to.
    async fn admit(&self, url: &Url) -> Result<(), LoadError> {
        let mut clock = Clock::new(self.shared.options.timeout);
        let admitted = self.shared.transport.admit(url, &mut clock).await;
        admitted.map_err(|failure| failure.cause)
    }

    /// The IP addresses at which the server of a page may be connected to. They are the same each time.
    pub(crate) async fn addresses_of(&self, url: &Url) -> Result<Vec<SocketAddr>, LoadError> {
        self.admit(url).await?;
        let host = plain(url.host_str().unwrap_or_default());
        let port = url.port_or_known_default().unwrap_or_default();
        if let Ok(ip) = host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(ip, port)]);
        }
        let mut addresses = self.shared.transport.resolver.pinned(&host).unwrap_or_default();
        for address in addresses.iter_mut().filter(|address| address.port() == 0) {
            address.set_port(port);
        }
        Ok(addresses)
    }

    /// How often a page may be requested again: never if that did not help before.
    pub(crate) fn retry_budget(&self, url: &Url) -> RetryBudget {
        let is_overloaded = self.shared.hosts.of(url).is_overloaded();
        RetryBudget(Retries::new(if is_overloaded {
            0
        } else {
            self.shared.options.retries
        }))
    }

    /// Records whether the server of a page answered in time.
    pub(crate) fn answered(&self, url: &Url, is_in_time: bool) {
        self.shared.hosts.of(url).answered(is_in_time);
    }

    /// Whether to request a page again because its server is busy; fails if there are no retries left.
    pub(crate) fn is_busy(&self, capture: &Capture, again: &mut RetryBudget) -> Result<bool, LoadError> {
        if !is_busy(capture) {
            return Ok(false);
        }
        let host = self.shared.hosts.of(&capture.url);
        let asked = retry_after(capture, SystemTime::now());
        let Some(wait) = again.0.after_busy(asked) else {
            host.give_up(capture.status, asked);
            return Err(LoadError::Busy {
                object: capture.url.to_string(),
                status: capture.status,
                retry_after: asked,
            });
        };
        host.pause(wait);
        Ok(true)
    }

    /// The site that redirects must not leave.
    pub(crate) fn site(&self) -> Option<(Url, SameSite)> {
        self.site.clone()
    }

    /// Passes a response that a browser received to the recorder.
    pub(crate) fn record_rendered(&self, capture: &Capture) {
        self.record_response(capture);
    }
}
