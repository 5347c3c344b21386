//! Whose turn it is: so many extractions at once, so many more that wait, and nobody else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::{Kind, Problem};

/// The line of those who want an extraction.
#[derive(Debug, Clone)]
pub(crate) struct Queue(Arc<Line>);

#[derive(Debug)]
struct Line {
    places: Arc<Semaphore>,
    at_once: usize,
    most_waiting: usize,
    waiting: AtomicUsize,
    under_way: AtomicUsize,
    /// How long an extraction takes of late, in milliseconds.
    usual_time: AtomicU64,
}

/// Somebody who waits, or no longer.
struct Waiting(Arc<Line>);

/// Somebody's turn, which lasts until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    line: Arc<Line>,
    since: Instant,
    _place: OwnedSemaphorePermit,
}

/// Nobody is sent away for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

impl Queue {
    pub(crate) fn new(at_once: usize, most_waiting: usize) -> Self {
        let at_once = at_once.max(1);
        Self(Arc::new(Line {
            places: Arc::new(Semaphore::new(at_once)),
            at_once,
            most_waiting,
            waiting: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            usual_time: AtomicU64::new(1000),
        }))
    }

    /// Waits for a turn, unless too many do so already. Whoever has to wait is told how many are before.
    pub(crate) async fn turn(&self, tell: impl FnOnce(usize)) -> Result<Turn, Problem> {
        let line = &self.0;
        if let Ok(place) = line.places.clone().try_acquire_owned() {
            return Ok(Turn::begin(line, place));
        }
        let waiting = Waiting::begin(line).ok_or_else(|| self.too_busy())?;
        tell(line.waiting.load(Ordering::SeqCst).saturating_sub(1));
        let place = line.places.clone().acquire_owned().await;
        drop(waiting);
        // The places are never closed.
        place
            .map(|place| Turn::begin(line, place))
            .map_err(Problem::internal)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.0.waiting.load(Ordering::SeqCst)
    }

    pub(crate) fn under_way(&self) -> usize {
        self.0.under_way.load(Ordering::SeqCst)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.waiting() >= self.0.most_waiting && self.0.places.available_permits() == 0
    }

    fn too_busy(&self) -> Problem {
        let line = &self.0;
        let usual = Duration::from_millis(line.usual_time.load(Ordering::Relaxed));
        let rounds = (self.waiting() / line.at_once) as u32 + 1;
        let wait = (usual * rounds).clamp(Duration::from_secs(1), LONGEST_WAIT);
        let seconds = wait.as_secs_f64().ceil() as u64;
        let mut problem = Problem::new(
            Kind::TooBusy,
            format!(
                "{} extractions are under way and {} wait: try again in {seconds} s",
                self.under_way(),
                self.waiting()
            ),
        );
        problem.retry_after = Some(seconds);
        problem
    }
}

impl Waiting {
    fn begin(line: &Arc<Line>) -> Option<Self> {
        let joined = line
            .waiting
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |waiting| {
                (waiting < line.most_waiting).then_some(waiting + 1)
            });
        joined.ok().map(|_| Self(line.clone()))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Turn {
    fn begin(line: &Arc<Line>, place: OwnedSemaphorePermit) -> Self {
        line.under_way.fetch_add(1, Ordering::SeqCst);
        Self {
            line: line.clone(),
            since: Instant::now(),
            _place: place,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.line.under_way.fetch_sub(1, Ordering::SeqCst);
        let took = self.since.elapsed().as_millis() as u64;
        let usual = self.line.usual_time.load(Ordering::Relaxed);
        // The last few count most.
        self.line
            .usual_time
            .store((usual * 7 + took) / 8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn so_many_at_once_so_many_waiting_nobody_else() {
        let queue = Queue::new(2, 1);
        let one = queue.turn(|_| panic!("there is room")).await.unwrap();
        let _two = queue.turn(|_| panic!("there is room")).await.unwrap();
        assert_eq!((queue.under_way(), queue.is_full()), (2, false));
        let other = queue.clone();
        let (told, before) = tokio::sync::oneshot::channel();
        let third = tokio::spawn(async move { other.turn(|ahead| told.send(ahead).unwrap()).await });
        assert_eq!(before.await, Ok(0));
        assert!(queue.is_full());
        let fourth = queue.turn(|_| ()).await.unwrap_err();
        assert_eq!((fourth.status, &*fourth.kind), (429, "/problems/too-busy"));
        assert!(
            fourth
                .retry_after
                .is_some_and(|seconds| (1..=60).contains(&seconds))
        );
        drop(one);
        let third = third.await.unwrap().unwrap();
        assert_eq!((queue.under_way(), queue.waiting()), (2, 0));
        drop(third);
        assert_eq!(queue.under_way(), 1);
    }

    #[tokio::test]
    async fn who_leaves_waits_no_longer() {
        let queue = Queue::new(1, 1);
        let _one = queue.turn(|_| ()).await.unwrap();
        let waiting = tokio::time::timeout(Duration::from_millis(20), queue.turn(|_| ())).await;
        assert!(waiting.is_err());
        assert_eq!(queue.waiting(), 0);
    }
}
