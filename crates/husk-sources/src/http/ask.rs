//! Gets the response for a URL: checks `robots.txt`, then the cache, then sends a request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use husk::Url;
use reqwest::header::{HeaderName, HeaderValue};

use super::Http;
use super::cache::CachedResponse;
use super::politeness::Pace;
use super::retry::{Retries, is_busy, retry_after};
use super::robots::{self, Known, Rules};
use super::transfer::{Clock, Failure, Request, ResponseUse};
use crate::capture::{Capture, LoadLimits, RedirectChain};
use crate::source::LoadError;

/// A URL to get.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) url: &'a Url,
    pub(super) response_use: ResponseUse,
    /// Whether it was requested before on the way to the same page. Then the cache is skipped: a cookie may have been set.
    pub(super) is_return: bool,
}

impl Http {
    /// The response for a URL, if the site allows it.
    pub(super) async fn ask(&self, wanted: &Target<'_>, clock: &mut Clock) -> Result<Capture, LoadError> {
        let mut between_pages = Duration::ZERO;
        if self.shared.options.obey_robots {
            between_pages = self.rules(wanted.url).await.admit(wanted.url)?;
        }
        let pace = self.pace(between_pages);
        let answer = self.get(wanted, pace, clock).await;
        answer.map_err(|failure| failure.cause)
    }

    pub(super) fn pace(&self, between_pages: Duration) -> Pace {
        Pace {
            own: self.shared.options.delay,
            between_pages,
            is_robots: false,
        }
    }

    /// The `robots.txt` rules of a page's site.
    pub(super) async fn rules(&self, page: &Url) -> Arc<Rules> {
        let site = self.shared.sites.of(page);
        let mut known = site.lock().await;
        if let Some(rules) = known.as_ref().and_then(Known::rules) {
            return rules;
        }
        let rules = Arc::new(self.read_rules(page).await);
        *known = Some(Known::now(rules.clone()));
        rules
    }

    async fn read_rules(&self, page: &Url) -> Rules {
        let options = &self.shared.options;
        let mut clock = Clock::new(options.timeout);
        let mut chain = match RedirectChain::new(&robots::address(page), LoadLimits::default()) {
            Ok(chain) => chain,
            Err(cause) => return Rules::Unknown(cause.into()),
        };
        let pace = Pace {
            is_robots: true,
            ..self.pace(Duration::ZERO)
        };
        let mut redirects = 0;
        loop {
            let wanted = Target {
                url: chain.at(),
                response_use: ResponseUse::Robots,
                is_return: chain.is_return(),
            };
            let capture = match self.get(&wanted, pace, &mut clock).await {
                Ok(capture) => capture,
                Err(failure) => {
                    return Rules::Unknown(Failure {
                        // An unreachable target of a redirect says nothing about the pages of this host.
                        is_unreachable: failure.is_unreachable && redirects == 0,
                        ..failure
                    });
                }
            };
            // A redirect that cannot be followed counts as a missing file.
            if redirects < robots::MAX_REDIRECTS && chain.follow(&capture).unwrap_or(false) {
                redirects += 1;
                continue;
            }
            return Rules::of(&capture, options.product_token(), options.max_bytes)
                .unwrap_or_else(|cause| Rules::Unknown(cause.into()));
        }
    }

    /// The response for a URL, from the cache or the server. `robots.txt` is not checked here.
    pub(super) async fn get(
        &self,
        wanted: &Target<'_>,
        pace: Pace,
        clock: &mut Clock,
    ) -> Result<Capture, Failure> {
        let cached = self.cached(wanted);
        if let Some(cached) = &cached
            && cached.is_fresh(self.max_age(wanted), SystemTime::now())
        {
            self.set_cookies(&cached.capture);
            self.record_response(&cached.capture);
            return Ok(cached.capture.clone());
        }
        let conditions = cached
            .as_ref()
            .map(CachedResponse::conditions)
            .unwrap_or_default();
        let request = Request {
            url: wanted.url,
            response_use: wanted.response_use,
            fields: fields(&conditions),
        };
        let answer = self.send(&request, pace, clock).await?;
        let capture = match cached {
            Some(cached) if answer.status == 304 && !request.fields.is_empty() => cached.confirmed(&answer),
            _ => answer,
        };
        if let Some(cache) = &self.shared.cache {
            cache.keep(&capture, SystemTime::now());
        }
        self.record_response(&capture);
        Ok(capture)
    }

    /// The cached response, if it may be used.
    fn cached(&self, wanted: &Target<'_>) -> Option<CachedResponse> {
        let cache = self.shared.cache.as_ref().filter(|_| !wanted.is_return)?;
        let cached = cache.find(wanted.url)?;
        let capture = &cached.capture;
        // The body of a video, for example, is cached only in part.
        let is_enough = capture.is_whole || wanted.response_use != ResponseUse::File;
        // Others may have been allowed to connect to more hosts.
        let is_in_reach = capture.ip.is_none_or(|ip| {
            self.shared
                .transport
                .resolver
                .check_answer(&capture.url, ip)
                .is_ok()
        });
        if !is_enough || !is_in_reach {
            return None;
        }
        Some(cached)
    }

    /// Sets the cookies of a cached response.
    fn set_cookies(&self, capture: &Capture) {
        let is_cookie = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("set-cookie");
        for (_, cookie) in capture.headers.iter().filter(is_cookie) {
            self.shared.cookies.add_cookie_str(cookie, &capture.url);
        }
    }

    fn max_age(&self, wanted: &Target<'_>) -> Duration {
        match wanted.response_use {
            ResponseUse::Robots => self.shared.options.max_age.min(robots::MAX_AGE),
            ResponseUse::Page | ResponseUse::File => self.shared.options.max_age,
        }
    }

    /// Sends a request when it is its turn, and repeats it if that may help.
    async fn send(&self, request: &Request<'_>, pace: Pace, clock: &mut Clock) -> Result<Capture, Failure> {
        let url = request.url;
        let host = self.shared.hosts.of(url);
        let mut retries = Retries::new(if host.is_overloaded() {
            0
        } else {
            self.shared.options.retries
        });
        self.shared.transport.admit(url, clock).await?;
        loop {
            let turn = host.turn(pace).await;
            // The host may have been closed while this request waited.
            host.check_open(url).map_err(Failure::of_the_host)?;
            self.count_request();
            let answer = self.shared.transport.ask(request, clock).await;
            drop(turn);
            let is_late = |failure: &Failure| matches!(failure.cause, LoadError::Timeout { .. });
            host.answered(!answer.as_ref().is_err_and(is_late));
            match answer {
                Ok(capture) if is_busy(&capture) => {
                    let asked = retry_after(&capture, SystemTime::now());
                    let Some(wait) = retries.after_busy(asked) else {
                        host.give_up(capture.status, asked);
                        host.check_open(url).map_err(Failure::of_the_host)?;
                        return Err(busy(&capture, asked).into());
                    };
                    host.pause(wait);
                }
                Err(failure) if failure.is_lost && retries.after_loss() => (),
                other => return other,
            }
        }
    }

    pub(super) fn count_request(&self) {
        self.shared.requests.fetch_add(1, Ordering::SeqCst);
        if let Some(own) = &self.own_requests {
            own.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn fields(conditions: &[(&'static str, String)]) -> Vec<(HeaderName, HeaderValue)> {
    let fields = conditions.iter().filter_map(|(name, value)| {
        let value = HeaderValue::from_str(value).ok()?;
        Some((HeaderName::from_static(name), value))
    });
    fields.collect()
}

fn busy(capture: &Capture, retry_after: Option<Duration>) -> LoadError {
    LoadError::Busy {
        object: capture.url.to_string(),
        status: capture.status,
        retry_after,
    }
}
