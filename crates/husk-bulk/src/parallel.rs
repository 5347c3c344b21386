//! Runs jobs on several threads and delivers their results in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Limits for [`run_in_order`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads {
    /// Number of threads, including the calling one.
    pub(crate) count: usize,
    /// Limit on jobs that are running, or finished and waiting for earlier ones.
    pub(crate) max_pending: u64,
}

/// Takes jobs from `next`, runs `work` on several threads, and passes the results to `deliver` in the order of the jobs.
///
/// There is no coordinating thread: a free worker takes the next job, and the worker with the next result delivers it. The
/// first error, in the order of the jobs, ends the run. `make_state` makes the state of a worker.
pub(crate) fn run_in_order<J, R, S, E>(
    threads: Threads,
    next: impl FnMut() -> Result<Option<J>, E> + Send,
    make_state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) -> Result<R, E> + Sync,
    deliver: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    J: Send,
    R: Send,
    E: Send,
{
    let queue = JobQueue {
        next: Mutex::new(next),
        deliver: Mutex::new(deliver),
        state: Mutex::new(QueueState::default()),
        changed: Condvar::new(),
        max_pending: threads.max_pending.max(1),
    };
    let run = || {
        let _guard = StopOnPanic(&queue);
        let mut worker = make_state();
        while let Some((number, job)) = queue.take() {
            let result = job.and_then(|job| work(&mut worker, job));
            queue.put(number, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.count.max(1) {
            scope.spawn(run);
        }
        run();
    });
    lock(&queue.state).failed.take().map_or(Ok(()), Err)
}

struct JobQueue<N, H, R, E> {
    next: Mutex<N>,
    deliver: Mutex<H>,
    state: Mutex<QueueState<R, E>>,
    changed: Condvar,
    max_pending: u64,
}

struct QueueState<R, E> {
    /// Jobs taken.
    taken: u64,
    /// Results delivered.
    delivered: u64,
    /// Results that wait for earlier ones.
    waiting: BTreeMap<u64, Result<R, E>>,
    is_delivering: bool,
    /// No further job is taken.
    has_ended: bool,
    failed: Option<E>,
}

impl<R, E> Default for QueueState<R, E> {
    fn default() -> Self {
        Self {
            taken: 0,
            delivered: 0,
            waiting: BTreeMap::new(),
            is_delivering: false,
            has_ended: false,
            failed: None,
        }
    }
}

impl<N, H, J, R, E> JobQueue<N, H, R, E>
where
    N: FnMut() -> Result<Option<J>, E>,
    H: FnMut(R) -> Result<(), E>,
{
    /// The next job and its number. Waits while too many are pending.
    fn take(&self) -> Option<(u64, Result<J, E>)> {
        let mut next = lock(&self.next);
        {
            let mut state = lock(&self.state);
            while !state.has_ended && state.taken >= state.delivered + self.max_pending {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.has_ended {
                return None;
            }
        }
        let job = next().transpose();
        let mut state = lock(&self.state);
        // An error of `next` ends the run after the jobs taken before it.
        state.has_ended |= !matches!(job, Some(Ok(_)));
        let number = state.taken;
        state.taken += u64::from(job.is_some());
        job.map(|job| (number, job))
    }

    /// Stores a result, and delivers all that are due unless another thread does.
    fn put(&self, number: u64, result: Result<R, E>) {
        let mut state = lock(&self.state);
        state.waiting.insert(number, result);
        if state.is_delivering {
            return;
        }
        state.is_delivering = true;
        while state.failed.is_none() {
            let due = state.delivered;
            let Some(result) = state.waiting.remove(&due) else {
                break;
            };
            drop(state);
            let delivered = result.and_then(|result| lock(&self.deliver)(result));
            state = lock(&self.state);
            state.delivered += 1;
            if let Err(cause) = delivered {
                state.failed = Some(cause);
                state.has_ended = true;
            }
            self.changed.notify_all();
        }
        state.is_delivering = false;
    }
}

/// Stops the other threads if one panics, so that they don't wait for its result.
struct StopOnPanic<'a, N, H, R, E>(&'a JobQueue<N, H, R, E>);

impl<N, H, R, E> Drop for StopOnPanic<'_, N, H, R, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).has_ended = true;
            self.0.changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// The results of jobs 0 to 99; source, work or delivery may fail at a job.
    fn results(count: usize, max_pending: u64, fails: [Option<u64>; 3]) -> (Vec<u64>, Result<(), String>) {
        let [source, work, end] = fails;
        let mut numbers = 0..100;
        let mut delivered = Vec::new();
        let in_work = AtomicU64::new(0);
        let done = run_in_order(
            Threads { count, max_pending },
            || match numbers.next() {
                number if number.is_some() && number == source => Err("source".to_owned()),
                number => {
                    let before = in_work.fetch_add(1, Ordering::SeqCst);
                    assert!(before < max_pending || number.is_none(), "{before} in work");
                    Ok(number)
                }
            },
            || 0,
            |jobs, number| {
                *jobs += 1;
                // Makes results finish out of order.
                std::thread::sleep(std::time::Duration::from_micros(number % 2 * 300));
                if Some(number) == work {
                    return Err("work".to_owned());
                }
                Ok(number)
            },
            |number| {
                in_work.fetch_sub(1, Ordering::SeqCst);
                if Some(number) == end {
                    return Err("end".to_owned());
                }
                delivered.push(number);
                Ok(())
            },
        );
        (delivered, done)
    }

    #[test]
    fn results_come_in_order() {
        for count in [1, 2, 4, 9] {
            for max_pending in [1, 2, 20] {
                let (delivered, done) = results(count, max_pending, [None; 3]);
                assert_eq!(delivered, (0..100).collect::<Vec<_>>(), "{count} threads");
                assert_eq!(done, Ok(()));
            }
        }
    }

    #[test]
    fn the_first_error_ends_the_run() {
        for count in [1, 3] {
            for (fails, cause) in [
                ([Some(40), None, None], "source"),
                ([None, Some(40), None], "work"),
                ([None, None, Some(40)], "end"),
                ([Some(50), Some(40), Some(45)], "work"),
            ] {
                let (delivered, done) = results(count, 8, fails);
                assert_eq!(delivered, (0..40).collect::<Vec<_>>(), "{count} threads, {cause}");
                assert_eq!(done, Err(cause.to_owned()));
            }
        }
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_does_not_hang() {
        let mut numbers = 0..100;
        let _ = run_in_order(
            Threads {
                count: 3,
                max_pending: 4,
            },
            || Ok::<_, ()>(numbers.next()),
            || (),
            |(), number| {
                assert!(number != 20, "it panicked");
                Ok(number)
            },
            |_| Ok(()),
        );
    }
}
