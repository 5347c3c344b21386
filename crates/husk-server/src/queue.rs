//! Limits how many extractions run and how many requests wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::{Problem, ProblemType};

/// The queue of requests for an extraction.
#[derive(Debug, Clone)]
pub(crate) struct Queue(Arc<QueueState>);

#[derive(Debug)]
struct QueueState {
    slots: Arc<Semaphore>,
    concurrency: usize,
    max_queued: usize,
    queued: AtomicUsize,
    running: AtomicUsize,
    /// Moving average, in milliseconds.
    average_time: AtomicU64,
}

/// Counts a request as queued until dropped.
struct QueuedRequest(Arc<QueueState>);

/// Permission to run one extraction; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    state: Arc<QueueState>,
    since: Instant,
    _permit: OwnedSemaphorePermit,
}

/// Upper bound of `Retry-After`.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

impl Queue {
    pub(crate) fn new(concurrency: usize, max_queued: usize) -> Self {
        let concurrency = concurrency.max(1);
        Self(Arc::new(QueueState {
            slots: Arc::new(Semaphore::new(concurrency)),
            concurrency,
            max_queued,
            queued: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            average_time: AtomicU64::new(1000),
        }))
    }

    /// Waits for a slot, or fails if the queue is full. `on_queued` gets the number of requests ahead.
    pub(crate) async fn acquire(&self, on_queued: impl FnOnce(usize)) -> Result<Slot, Problem> {
        let state = &self.0;
        if let Ok(permit) = state.slots.clone().try_acquire_owned() {
            return Ok(Slot::new(state, permit));
        }
        let queued = QueuedRequest::enter(state).ok_or_else(|| self.queue_full())?;
        on_queued(self.queued().saturating_sub(1));
        let permit = state.slots.clone().acquire_owned().await;
        drop(queued);
        // The semaphore is never closed.
        permit
            .map(|permit| Slot::new(state, permit))
            .map_err(Problem::internal)
    }

    pub(crate) fn queued(&self) -> usize {
        self.0.queued.load(Ordering::SeqCst)
    }

    pub(crate) fn running(&self) -> usize {
        self.0.running.load(Ordering::SeqCst)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.queued() >= self.0.max_queued && self.0.slots.available_permits() == 0
    }

    fn queue_full(&self) -> Problem {
        let average = Duration::from_millis(self.0.average_time.load(Ordering::Relaxed));
        let rounds = (self.queued() / self.0.concurrency) as u32 + 1;
        let wait = (average * rounds).clamp(Duration::from_secs(1), MAX_RETRY_AFTER);
        let seconds = wait.as_secs_f64().ceil() as u64;
        let mut problem = Problem::new(
            ProblemType::QueueFull,
            format!(
                "{} extractions are running and {} requests are waiting: retry in {seconds} s",
                self.running(),
                self.queued()
            ),
        );
        problem.retry_after = Some(seconds);
        problem
    }
}

impl QueuedRequest {
    fn enter(state: &Arc<QueueState>) -> Option<Self> {
        let entered = state
            .queued
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |queued| {
                (queued < state.max_queued).then_some(queued + 1)
            });
        entered.ok().map(|_| Self(state.clone()))
    }
}

impl Drop for QueuedRequest {
    fn drop(&mut self) {
        self.0.queued.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Slot {
    fn new(state: &Arc<QueueState>, permit: OwnedSemaphorePermit) -> Self {
        state.running.fetch_add(1, Ordering::SeqCst);
        Self {
            state: state.clone(),
            since: Instant::now(),
            _permit: permit,
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.state.running.fetch_sub(1, Ordering::SeqCst);
        let took = self.since.elapsed().as_millis() as u64;
        let average = self.state.average_time.load(Ordering::Relaxed);
        self.state
            .average_time
            .store((average * 7 + took) / 8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn running_and_queued_requests_are_limited() {
        let queue = Queue::new(2, 1);
        let one = queue.acquire(|_| panic!("a slot is free")).await.unwrap();
        let _two = queue.acquire(|_| panic!("a slot is free")).await.unwrap();
        assert_eq!((queue.running(), queue.is_full()), (2, false));
        let other = queue.clone();
        let (sender, ahead) = tokio::sync::oneshot::channel();
        let third = tokio::spawn(async move { other.acquire(|ahead| sender.send(ahead).unwrap()).await });
        assert_eq!(ahead.await, Ok(0));
        assert!(queue.is_full());
        let fourth = queue.acquire(|_| ()).await.unwrap_err();
        assert_eq!((fourth.status, &*fourth.kind), (429, "/problems/queue-full"));
        assert!(
            fourth
                .retry_after
                .is_some_and(|seconds| (1..=60).contains(&seconds))
        );
        drop(one);
        let third = third.await.unwrap().unwrap();
        assert_eq!((queue.running(), queue.queued()), (2, 0));
        drop(third);
        assert_eq!(queue.running(), 1);
    }

    #[tokio::test]
    async fn disconnecting_leaves_the_queue() {
        let queue = Queue::new(1, 1);
        let _one = queue.acquire(|_| ()).await.unwrap();
        let waiting = tokio::time::timeout(Duration::from_millis(20), queue.acquire(|_| ())).await;
        assert!(waiting.is_err());
        assert_eq!(queue.queued(), 0);
    }
}
