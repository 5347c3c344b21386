//! Schedules the requests to a host: one after the other, with a delay.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use husk::Url;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::reach::plain;
use crate::source::LoadError;

/// The most requests to one host at once, if there is no delay.
pub(super) const MAX_CONCURRENT: u32 = 4;

/// The state of the hosts that were contacted.
#[derive(Debug, Default)]
pub(super) struct Hosts(Mutex<BTreeMap<String, Arc<Host>>>);

impl Hosts {
    pub(super) fn of(&self, url: &Url) -> Arc<Host> {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = plain(url.host_str().unwrap_or_default());
        if hosts.len() >= MAX_REMEMBERED && !hosts.contains_key(&name) {
            hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.is_to_be_remembered());
        }
        hosts.entry(name).or_default().clone()
    }
}

/// If there are more hosts, those that were not contacted for some time are forgotten.
const MAX_REMEMBERED: usize = 4096;

/// A host that was or will be contacted.
#[derive(Debug)]
pub(super) struct Host {
    places: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Last>,
    /// When the host may be contacted again, if it asked for a pause.
    paused_until: Option<Instant>,
    closed: Option<Closed>,
    is_overloaded: bool,
    /// How many requests in a row timed out.
    silences: usize,
    last_silence: Option<Instant>,
}

/// The last request.
#[derive(Debug, Clone, Copy)]
struct Last {
    begun: Instant,
    is_robots: bool,
}

/// The response after which no more requests are sent.
#[derive(Debug, Clone, Copy)]
struct Closed {
    status: u16,
    retry_after: Option<Duration>,
    since: Instant,
}

/// How long no requests are sent to a host that answered 429 repeatedly, unless it names a longer time.
const MIN_CLOSED: Duration = Duration::from_secs(10 * 60);

/// After so many timeouts in a row, no more requests are sent to a host.
const MAX_TIMEOUTS: usize = 4;

impl Closed {
    fn is_over(&self) -> bool {
        self.since.elapsed() > self.retry_after.unwrap_or_default().max(MIN_CLOSED)
    }
}

/// The delays between requests to a host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The delay between requests that the options demand.
    pub(super) own: Duration,
    /// The delay between pages, which the site may demand.
    pub(super) between_pages: Duration,
    /// Whether the request is for `robots.txt`, which is not a page.
    pub(super) is_robots: bool,
}

impl Pace {
    fn after(self, last: Last) -> Duration {
        if last.is_robots || self.is_robots {
            self.own
        } else {
            self.own.max(self.between_pages)
        }
    }

    fn places(self) -> u32 {
        let is_free = self.own.is_zero() && self.between_pages.is_zero();
        if is_free { 1 } else { MAX_CONCURRENT }
    }
}

impl Default for Host {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAX_CONCURRENT as usize)),
            state: Mutex::default(),
        }
    }
}

impl Host {
    /// Waits for a turn, which lasts until the permit is dropped.
    pub(super) async fn turn(&self, pace: Pace) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        let permit = self.places.clone().acquire_many_owned(pace.places()).await.ok();
        while let Err(earliest) = self.begin(pace) {
            sleep_until(earliest).await;
        }
        permit
    }

    /// Whether the host was contacted, or asked for a pause, not long ago.
    fn is_to_be_remembered(&self) -> bool {
        let state = self.state();
        let is_recent = |time: Instant| time.elapsed() < MIN_CLOSED;
        state.last.is_some_and(|last| is_recent(last.begun))
            || state.paused_until.is_some_and(is_recent)
            || state.closed.is_some_and(|closed| !closed.is_over())
    }

    /// Begins a request now, or returns when it may begin.
    fn begin(&self, pace: Pace) -> Result<(), Instant> {
        let mut state = self.state();
        let now = Instant::now();
        let rested = state.last.map(|last| later(last.begun, pace.after(last)));
        match rested.max(state.paused_until).filter(|&earliest| earliest > now) {
            Some(earliest) => Err(earliest),
            None => {
                let is_robots = pace.is_robots;
                state.last = Some(Last {
                    begun: now,
                    is_robots,
                });
                Ok(())
            }
        }
    }

    /// Sends no requests for some time.
    pub(super) fn pause(&self, wait: Duration) {
        let until = later(Instant::now(), wait);
        let mut state = self.state();
        state.paused_until = state.paused_until.max(Some(until));
    }

    /// Records that a host was busy after all retries. Other pages are then requested once; after another 429, not at all.
    pub(super) fn give_up(&self, status: u16, retry_after: Option<Duration>) {
        let mut state = self.state();
        if status == 429 && state.is_overloaded {
            state.closed = Some(Closed {
                status,
                retry_after,
                since: Instant::now(),
            });
        }
        state.is_overloaded = true;
    }

    /// Whether the host was busy after all retries.
    pub(super) fn is_overloaded(&self) -> bool {
        self.state().is_overloaded
    }

    /// Records whether the host answered a request in time.
    pub(super) fn answered(&self, is_in_time: bool) {
        let mut state = self.state();
        state.silences = if is_in_time { 0 } else { state.silences + 1 };
        state.last_silence = (!is_in_time).then(Instant::now);
    }

    fn has_timed_out(&self) -> bool {
        let state = self.state();
        let is_recent = state
            .last_silence
            .is_some_and(|last| last.elapsed() <= MIN_CLOSED);
        is_recent && state.silences >= MAX_TIMEOUTS
    }

    /// Fails if no more requests are sent to the host.
    pub(super) fn check_open(&self, url: &Url) -> Result<(), LoadError> {
        if self.has_timed_out() {
            return Err(LoadError::Network {
                object: url.to_string(),
                cause: format!(
                    "the server timed out {MAX_TIMEOUTS} times in a row, so no more requests are sent to it"
                ),
            });
        }
        match self.state().closed.filter(|closed| !closed.is_over()) {
            None => Ok(()),
            Some(Closed {
                status, retry_after, ..
            }) => Err(LoadError::Closed {
                object: url.to_string(),
                status,
                retry_after,
            }),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a duration, if the clock reaches that far.
fn later(time: Instant, wait: Duration) -> Instant {
    const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    time + wait.min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pace(own: Duration, between_pages: Duration, is_robots: bool) -> Pace {
        Pace {
            own,
            between_pages,
            is_robots,
        }
    }

    /// How long a request has to wait after the last one.
    fn wait(host: &Host, pace: Pace) -> Duration {
        let last = host.state().last.map(|last| last.begun);
        match host.begin(pace) {
            Ok(()) => Duration::ZERO,
            Err(earliest) => earliest - last.unwrap(),
        }
    }

    #[test]
    fn requests_keep_their_distance() {
        let page = pace(2 * SECOND, Duration::ZERO, false);
        let host = Host::default();
        assert_eq!(wait(&host, page), Duration::ZERO);
        assert_eq!(wait(&host, page), 2 * SECOND);
        let free = pace(Duration::ZERO, Duration::ZERO, false);
        assert_eq!(wait(&host, free), Duration::ZERO);
    }

    #[test]
    fn the_site_may_ask_for_more_between_pages() {
        let slow = pace(2 * SECOND, 5 * SECOND, false);
        let robots = pace(2 * SECOND, Duration::ZERO, true);
        let host = Host::default();
        assert_eq!(wait(&host, slow), Duration::ZERO);
        assert_eq!(wait(&host, slow), 5 * SECOND);
        let host = Host::default();
        assert_eq!(wait(&host, robots), Duration::ZERO);
        assert_eq!(wait(&host, slow), 2 * SECOND, "robots.txt is no page");
        let quick = pace(2 * SECOND, SECOND, false);
        let host = Host::default();
        assert_eq!(wait(&host, quick), Duration::ZERO);
        assert_eq!(wait(&host, quick), 2 * SECOND, "but not for less");
    }

    #[test]
    fn requests_run_at_once_only_without_delay() {
        assert_eq!(pace(Duration::ZERO, Duration::ZERO, false).places(), 1);
        assert_eq!(pace(Duration::ZERO, SECOND, false).places(), MAX_CONCURRENT);
        assert_eq!(pace(SECOND, Duration::ZERO, false).places(), MAX_CONCURRENT);
        let host = Host::default();
        let turns: Vec<_> = (0..MAX_CONCURRENT)
            .map(|_| pollster::block_on(host.turn(pace(Duration::ZERO, Duration::ZERO, false))))
            .collect();
        assert_eq!(host.places.available_permits(), 0);
        drop(turns);
        assert_eq!(host.places.available_permits(), MAX_CONCURRENT as usize);
    }

    #[test]
    fn a_rest_is_for_all() {
        let host = Host::default();
        let free = pace(Duration::ZERO, Duration::ZERO, false);
        host.begin(free).unwrap();
        host.pause(70 * SECOND);
        host.pause(SECOND);
        assert!(wait(&host, free) >= 70 * SECOND);
        host.pause(Duration::MAX);
        assert!(wait(&host, pace(Duration::MAX, Duration::MAX, false)) > 99 * SECOND);
    }

    #[test]
    fn a_silent_host_is_not_waited_for_again_and_again() {
        let url = Url::parse("https://example.org/").unwrap();
        let host = Host::default();
        for _ in 1..MAX_TIMEOUTS {
            host.answered(false);
        }
        assert!(host.check_open(&url).is_ok());
        host.answered(true);
        host.answered(false);
        assert!(host.check_open(&url).is_ok(), "not in a row");
        for _ in 1..MAX_TIMEOUTS {
            host.answered(false);
        }
        let error = host.check_open(&url).unwrap_err().to_string();
        assert!(error.contains("timed out 4 times in a row"), "{error}");
    }

    #[test]
    fn a_host_that_had_enough_of_us_is_not_asked_again() {
        let url = Url::parse("https://example.org/").unwrap();
        let hosts = Hosts::default();
        hosts.of(&url).give_up(503, None);
        assert!(hosts.of(&url).is_overloaded());
        assert!(
            hosts.of(&url).check_open(&url).is_ok(),
            "other pages may be there"
        );
        hosts.of(&url).give_up(429, Some(90 * SECOND));
        let again = Url::parse("http://EXAMPLE.org.:8080/a").unwrap();
        let error = hosts.of(&again).check_open(&again).unwrap_err();
        assert_eq!(
            error.to_string(),
            "http://example.org.:8080/a was not requested: its server answers 429 Too Many Requests and asks to wait 90 s; try \
             again later"
        );
        let other = Url::parse("https://example.com/").unwrap();
        assert!(hosts.of(&other).check_open(&other).is_ok());
    }
}
