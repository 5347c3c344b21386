//! Decides whether and when a request is repeated.

use std::time::{Duration, SystemTime};

use crate::capture::Capture;

/// The longest total waiting time for one page.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The first wait if the server does not say how long; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Whether a server is overloaded, or limits the rate of requests.
pub(super) fn is_busy(capture: &Capture) -> bool {
    matches!(capture.status, 429 | 503)
}

/// How long a server asks to wait: seconds, or a date.
pub(super) fn retry_after(capture: &Capture, now: SystemTime) -> Option<Duration> {
    let value = capture.header("retry-after")?;
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// How often a request was repeated.
#[derive(Debug)]
pub(super) struct Retries {
    left: usize,
    next_wait: Duration,
    waited: Duration,
    was_lost: bool,
}

impl Retries {
    pub(super) fn new(most: usize) -> Self {
        Self {
            left: most,
            next_wait: FIRST_WAIT,
            waited: Duration::ZERO,
            was_lost: false,
        }
    }

    /// How long to wait for a busy server; none if there are no retries left.
    pub(super) fn after_busy(&mut self, retry_after: Option<Duration>) -> Option<Duration> {
        let wait = retry_after.unwrap_or(self.next_wait);
        self.left = self.left.checked_sub(1)?;
        self.next_wait = self.next_wait.saturating_mul(2);
        self.waited = self.waited.saturating_add(wait);
        (self.waited <= MAX_WAIT).then_some(wait)
    }

    /// Whether to repeat a request over a new connection: once.
    pub(super) fn after_loss(&mut self) -> bool {
        self.left > 0 && !std::mem::replace(&mut self.was_lost, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::capture;

    const SECOND: Duration = Duration::from_secs(1);

    fn asked(value: &str) -> Option<u64> {
        let capture = capture("https://example.org/", 429, &[("Retry-After", value)], b"");
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        retry_after(&capture, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn servers_say_how_long_to_wait() {
        assert_eq!(asked("120"), Some(120));
        assert_eq!(asked(" 0 "), Some(0));
        assert_eq!(asked("Sun, 06 Nov 1994 08:50:00 GMT"), Some(23));
        assert_eq!(asked("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0), "long ago");
        assert_eq!(asked("soon"), None);
        assert_eq!(asked("-1"), None);
        assert_eq!(asked("99999999999999999999999"), None);
    }

    #[test]
    fn waits_grow() {
        let mut retries = Retries::new(3);
        assert_eq!(retries.after_busy(None), Some(SECOND));
        assert_eq!(retries.after_busy(Some(9 * SECOND)), Some(9 * SECOND));
        assert_eq!(retries.after_busy(None), Some(4 * SECOND));
        assert_eq!(retries.after_busy(None), None);
        assert_eq!(Retries::new(0).after_busy(None), None);
    }

    #[test]
    fn nobody_waits_forever() {
        assert_eq!(Retries::new(3).after_busy(Some(61 * SECOND)), None);
        assert_eq!(Retries::new(3).after_busy(Some(Duration::MAX)), None);
        let mut retries = Retries::new(9);
        assert!(retries.after_busy(Some(40 * SECOND)).is_some());
        assert_eq!(retries.after_busy(Some(40 * SECOND)), None);
        let mut retries = Retries::new(usize::MAX);
        let waits = std::iter::from_fn(|| retries.after_busy(None));
        assert!(waits.sum::<Duration>() <= MAX_WAIT);
    }

    #[test]
    fn a_lost_connection_is_replaced_once() {
        let mut retries = Retries::new(3);
        assert!(retries.after_loss());
        assert!(!retries.after_loss());
        assert!(!Retries::new(0).after_loss());
    }
}
