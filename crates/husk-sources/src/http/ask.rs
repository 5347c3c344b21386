//! From an address to an answer: what the site allows, what is kept, and only then a request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use husk::Url;
use reqwest::header::{HeaderName, HeaderValue};

use super::Http;
use super::cache::Kept;
use super::politeness::Pace;
use super::retry::{Retries, is_busy, retry_after};
use super::robots::{self, Known, Rules};
use super::transfer::{Clock, Failure, Request, Use};
use crate::capture::{Boundary, Capture, Chase};
use crate::source::LoadError;

/// An answer that is wanted.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) url: &'a Url,
    pub(super) answer_use: Use,
    /// Whether it was asked for before on the way to one page, so that a kept answer is no use: a cookie may have been set.
    pub(super) is_return: bool,
}

impl Http {
    /// The answer for an address, if the site allows it.
    pub(super) async fn ask(&self, wanted: &Wanted<'_>, clock: &mut Clock) -> Result<Capture, LoadError> {
        let mut between_pages = Duration::ZERO;
        if self.shared.options.obey_robots {
            between_pages = self.rules(wanted.url).await.admit(wanted.url)?;
        }
        let pace = self.pace(between_pages);
        let answer = self.get(wanted, pace, clock).await;
        answer.map_err(|failure| failure.cause)
    }

    /// The pace of a site that wants so much time between its pages.
    pub(super) fn pace(&self, between_pages: Duration) -> Pace {
        Pace {
            own: self.shared.options.delay,
            between_pages,
            is_robots: false,
        }
    }

    /// What the site of a page wants of us.
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
        let mut chase = match Chase::new(&robots::address(page), Boundary::default()) {
            Ok(chase) => chase,
            Err(cause) => return Rules::Unknown(cause.into()),
        };
        let pace = Pace {
            is_robots: true,
            ..self.pace(Duration::ZERO)
        };
        let mut redirects = 0;
        loop {
            let wanted = Wanted {
                url: chase.at(),
                answer_use: Use::Robots,
                is_return: chase.is_return(),
            };
            let capture = match self.get(&wanted, pace, &mut clock).await {
                Ok(capture) => capture,
                Err(failure) => {
                    return Rules::Unknown(Failure {
                        // Of another host that a redirect leads to, this says nothing about the pages of this one.
                        is_unreachable: failure.is_unreachable && redirects == 0,
                        ..failure
                    });
                }
            };
            // A redirect that leads nowhere is as good as no file.
            if redirects < robots::MOST_REDIRECTS && chase.follow(&capture).unwrap_or(false) {
                redirects += 1;
                continue;
            }
            return Rules::of(&capture, options.product_token(), options.max_bytes)
                .unwrap_or_else(|cause| Rules::Unknown(cause.into()));
        }
    }

    /// The answer for an address, kept or new. Nobody asks here whether the site allows it.
    pub(super) async fn get(
        &self,
        wanted: &Wanted<'_>,
        pace: Pace,
        clock: &mut Clock,
    ) -> Result<Capture, Failure> {
        let kept = self.kept(wanted);
        if let Some(kept) = &kept
            && kept.is_fresh(self.max_age(wanted), SystemTime::now())
        {
            self.set_cookies(&kept.capture);
            self.hand_over(&kept.capture);
            return Ok(kept.capture.clone());
        }
        let conditions = kept.as_ref().map(Kept::conditions).unwrap_or_default();
        let request = Request {
            url: wanted.url,
            answer_use: wanted.answer_use,
            fields: fields(&conditions),
        };
        let answer = self.send(&request, pace, clock).await?;
        let capture = match kept {
            Some(kept) if answer.status == 304 && !request.fields.is_empty() => kept.confirmed(&answer),
            _ => answer,
        };
        if let Some(cache) = &self.shared.cache {
            cache.keep(&capture, SystemTime::now());
        }
        self.hand_over(&capture);
        Ok(capture)
    }

    /// The answer that is kept, if it may be used.
    fn kept(&self, wanted: &Wanted<'_>) -> Option<Kept> {
        let cache = self.shared.cache.as_ref().filter(|_| !wanted.is_return)?;
        let kept = cache.find(wanted.url)?;
        let capture = &kept.capture;
        // A film is kept without its end, as far as pages go.
        let is_enough = capture.is_whole || wanted.answer_use != Use::File;
        // Others may have been allowed more.
        let is_in_reach = capture
            .ip
            .is_none_or(|ip| self.shared.line.resolver.check_answer(&capture.url, ip).is_ok());
        if !is_enough || !is_in_reach {
            return None;
        }
        Some(kept)
    }

    /// Sets the cookies of an answer that is used again.
    fn set_cookies(&self, capture: &Capture) {
        let is_cookie = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("set-cookie");
        for (_, cookie) in capture.headers.iter().filter(is_cookie) {
            self.shared.cookies.add_cookie_str(cookie, &capture.url);
        }
    }

    fn max_age(&self, wanted: &Wanted<'_>) -> Duration {
        match wanted.answer_use {
            Use::Robots => self.shared.options.max_age.min(robots::LONGEST_AGE),
            Use::Page | Use::File => self.shared.options.max_age,
        }
    }

    /// Sends a request when it is our turn, again if that may help.
    async fn send(&self, request: &Request<'_>, pace: Pace, clock: &mut Clock) -> Result<Capture, Failure> {
        let url = request.url;
        let host = self.shared.hosts.of(url);
        let mut retries = Retries::new(if host.is_tired() {
            0
        } else {
            self.shared.options.retries
        });
        self.shared.line.admit(url, clock).await?;
        loop {
            let turn = host.turn(pace).await;
            // Others may have been told to stay away while we waited.
            host.check_open(url).map_err(Failure::of_the_host)?;
            self.count_request();
            let answer = self.shared.line.ask(request, clock).await;
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
        if let Some(tally) = &self.tally {
            tally.fetch_add(1, Ordering::SeqCst);
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
