//! How far a long run has come: a line that moves on a terminal, else a line now and then.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use husk_bulk::{Progress, ProgressSnapshot, Stage};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Notes;

/// How often the line of a terminal changes.
const ON_TERMINAL: Duration = Duration::from_millis(200);

/// How often a line is said elsewhere.
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Watches a run.
pub(crate) struct Watch<'a> {
    progress: &'a Progress,
    notes: Notes,
    /// The line of the terminal, if there is one and it is wanted.
    bar: Option<ProgressBar>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(progress: &'a Progress, notes: Notes) -> Self {
        let is_wanted = !notes.are_quiet() && io::stderr().is_terminal();
        let bar = is_wanted.then(|| {
            let bar = ProgressBar::no_length();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { progress, notes, bar }
    }

    /// Something worth knowing, above the line.
    pub(crate) fn say(&self, note: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.notes.say(note)),
            None => self.notes.say(note),
        }
    }

    /// Shows how far something has come while it is done.
    pub(crate) fn during<T>(&self, run: impl FnOnce() -> T) -> T {
        if self.notes.are_quiet() {
            return run();
        }
        // Nothing is ever sent: that the sender is gone ends the wait at once.
        let (is_running, has_ended) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || self.show(&has_ended));
            let done = run();
            drop(is_running);
            done
        })
    }

    fn show(&self, has_ended: &mpsc::Receiver<()>) {
        let pause = match self.bar {
            Some(_) => ON_TERMINAL,
            None => ELSEWHERE,
        };
        let mut pace = Pace::default();
        while has_ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            let Some(line) = pace.line(self.progress.snapshot(), Instant::now()) else {
                continue;
            };
            match &self.bar {
                Some(bar) => {
                    bar.set_message(line);
                    bar.tick();
                }
                None => self.notes.say(&line),
            }
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How fast a stage goes.
#[derive(Default)]
struct Pace {
    /// When it was first snapshot, and what was done by then.
    since: Option<(Instant, ProgressSnapshot)>,
}

impl Pace {
    /// How far it has come, in words.
    fn line(&mut self, snapshot: ProgressSnapshot, now: Instant) -> Option<String> {
        let (start, first) = match self.since {
            Some(since) if since.1.stage == snapshot.stage => since,
            _ => *self.since.insert((now, snapshot)),
        };
        let seconds = (now - start).as_secs_f64();
        let rate = |done: u64, first: u64| done.saturating_sub(first) as f64 / seconds.max(0.001);
        let pages_a_second = rate(snapshot.pages, first.pages);
        let bytes_a_second = rate(snapshot.bytes, first.bytes);
        let speed = match seconds {
            0.0 => String::new(),
            _ => format!(
                ", {} pages/s, {}/s",
                grouped(pages_a_second as u64),
                size(bytes_a_second as u64)
            ),
        };
        let left = |all: u64, done: u64, rate: f64| {
            let is_known = rate > 0.0 && all >= done;
            let left = is_known.then(|| Duration::from_secs_f64((all - done) as f64 / rate));
            left.map_or(String::new(), |left| format!(", {} left", time(left)))
        };
        match snapshot.stage {
            Stage::Start | Stage::Done => None,
            Stage::Gather => Some(format!(
                "gathering: {} of {}, {} pages{speed}{}",
                size(snapshot.bytes),
                size(snapshot.all_bytes),
                grouped(snapshot.pages),
                left(snapshot.all_bytes, snapshot.bytes, bytes_a_second)
            )),
            Stage::Extract => Some(format!(
                "extracting: {} of {} pages, {} sites{speed}{}",
                grouped(snapshot.pages),
                grouped(snapshot.all_pages),
                grouped(snapshot.sites),
                left(snapshot.all_pages, snapshot.pages, pages_a_second)
            )),
        }
    }
}

/// A number of things: 1 page, 2 pages.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!(
        "{} {what}{}",
        grouped(count as u64),
        if count == 1 { "" } else { "s" }
    )
}

/// A number with its thousands apart: 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of bytes as people say it.
pub(crate) fn size(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if amount < 1000.0 {
            return match unit {
                "bytes" => format!("{bytes} bytes"),
                _ => format!("{amount:.1} {unit}"),
            };
        }
        amount /= 1000.0;
    }
    format!("{amount:.1} TB")
}

/// A time as people say it.
fn time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [17, 1500, 2_340_000_000, 5_000_000_000_000].map(size),
            ["17 bytes", "1.5 kB", "2.3 GB", "5.0 TB"]
        );
        assert_eq!(
            [7, 61, 7260].map(|seconds| time(Duration::from_secs(seconds))),
            ["7 s", "1 min 1 s", "2 h 1 min"]
        );
    }

    #[test]
    fn the_time_left_follows_from_the_pace() {
        let progress = Progress::default();
        let mut pace = Pace::default();
        let start = Instant::now();
        let mut snapshot = progress.snapshot();
        assert_eq!(pace.line(snapshot, start), None);
        snapshot.stage = Stage::Extract;
        (snapshot.pages, snapshot.all_pages) = (100, 1100);
        assert_eq!(
            pace.line(snapshot, start).as_deref(),
            Some("extracting: 100 of 1,100 pages, 0 sites")
        );
        (snapshot.pages, snapshot.bytes, snapshot.sites) = (300, 5000, 2);
        let line = pace.line(snapshot, start + Duration::from_secs(2));
        assert_eq!(
            line.as_deref(),
            Some("extracting: 300 of 1,100 pages, 2 sites, 100 pages/s, 2.5 kB/s, 8 s left")
        );
    }
}
