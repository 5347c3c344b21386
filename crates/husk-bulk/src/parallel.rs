//! Work on several threads whose results come in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How work is shared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads {
    /// How many threads work, this one included.
    pub(crate) count: usize,
    /// How many jobs may be in work, or done and waiting for those before them.
    pub(crate) ahead: u64,
}

/// Takes one job after the other, does them on several threads, and hands each result on in the order of the jobs.
///
/// There are no threads beside those that work: whoever is free takes the next job, and whoever has the result that is
/// due hands it on. The first error, in the order of the jobs, ends it all.
pub(crate) fn in_order<J, R, S, E>(
    threads: Threads,
    next: impl FnMut() -> Result<Option<J>, E> + Send,
    room: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) -> Result<R, E> + Sync,
    hand_on: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    J: Send,
    R: Send,
    E: Send,
{
    let belt = Belt {
        next: Mutex::new(next),
        hand_on: Mutex::new(hand_on),
        state: Mutex::new(State::default()),
        changed: Condvar::new(),
        ahead: threads.ahead.max(1),
    };
    let run = || {
        let _guard = StopOnPanic(&belt);
        let mut room = room();
        while let Some((number, job)) = belt.take() {
            let result = job.and_then(|job| work(&mut room, job));
            belt.put(number, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.count.max(1) {
            scope.spawn(run);
        }
        run();
    });
    lock(&belt.state).failed.take().map_or(Ok(()), Err)
}

struct Belt<N, H, R, E> {
    next: Mutex<N>,
    hand_on: Mutex<H>,
    state: Mutex<State<R, E>>,
    changed: Condvar,
    ahead: u64,
}

struct State<R, E> {
    /// How many jobs were taken.
    taken: u64,
    /// How many results were handed on.
    done: u64,
    /// Results that those before them are waited for.
    waiting: BTreeMap<u64, Result<R, E>>,
    is_handing_on: bool,
    /// No job is left, or none is wanted any more.
    has_ended: bool,
    failed: Option<E>,
}

impl<R, E> Default for State<R, E> {
    fn default() -> Self {
        Self {
            taken: 0,
            done: 0,
            waiting: BTreeMap::new(),
            is_handing_on: false,
            has_ended: false,
            failed: None,
        }
    }
}

impl<N, H, J, R, E> Belt<N, H, R, E>
where
    N: FnMut() -> Result<Option<J>, E>,
    H: FnMut(R) -> Result<(), E>,
{
    /// The next job and its number, once there is room for its result.
    fn take(&self) -> Option<(u64, Result<J, E>)> {
        let mut next = lock(&self.next);
        {
            let mut state = lock(&self.state);
            while !state.has_ended && state.taken >= state.done + self.ahead {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.has_ended {
                return None;
            }
        }
        let job = next().transpose();
        let mut state = lock(&self.state);
        // What cannot be taken ends it, but what was taken before is still done.
        state.has_ended |= !matches!(job, Some(Ok(_)));
        let number = state.taken;
        state.taken += u64::from(job.is_some());
        job.map(|job| (number, job))
    }

    /// Keeps a result; hands on all that are due, unless another thread is at it.
    fn put(&self, number: u64, result: Result<R, E>) {
        let mut state = lock(&self.state);
        state.waiting.insert(number, result);
        if state.is_handing_on {
            return;
        }
        state.is_handing_on = true;
        while state.failed.is_none() {
            let due = state.done;
            let Some(result) = state.waiting.remove(&due) else {
                break;
            };
            drop(state);
            let handed = result.and_then(|result| lock(&self.hand_on)(result));
            state = lock(&self.state);
            state.done += 1;
            if let Err(cause) = handed {
                state.failed = Some(cause);
                state.has_ended = true;
            }
            self.changed.notify_all();
        }
        state.is_handing_on = false;
    }
}

/// A thread that panics must not leave the others waiting for its result.
struct StopOnPanic<'a, N, H, R, E>(&'a Belt<N, H, R, E>);

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

    /// The results of jobs 0 to 99, one of which may fail, as may the source or the end of the way.
    fn results(count: usize, ahead: u64, fails: [Option<u64>; 3]) -> (Vec<u64>, Result<(), String>) {
        let [source, work, end] = fails;
        let mut numbers = 0..100;
        let mut handed = Vec::new();
        let in_work = AtomicU64::new(0);
        let done = in_order(
            Threads { count, ahead },
            || match numbers.next() {
                number if number.is_some() && number == source => Err("source".to_owned()),
                number => {
                    let before = in_work.fetch_add(1, Ordering::SeqCst);
                    assert!(before < ahead || number.is_none(), "{before} in work");
                    Ok(number)
                }
            },
            || 0,
            |room, number| {
                *room += 1;
                // The later of two is often the sooner.
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
                handed.push(number);
                Ok(())
            },
        );
        (handed, done)
    }

    #[test]
    fn results_come_in_order() {
        for count in [1, 2, 4, 9] {
            for ahead in [1, 2, 20] {
                let (handed, done) = results(count, ahead, [None; 3]);
                assert_eq!(handed, (0..100).collect::<Vec<_>>(), "{count} threads");
                assert_eq!(done, Ok(()));
            }
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        for count in [1, 3] {
            for (fails, cause) in [
                ([Some(40), None, None], "source"),
                ([None, Some(40), None], "work"),
                ([None, None, Some(40)], "end"),
                ([Some(50), Some(40), Some(45)], "work"),
            ] {
                let (handed, done) = results(count, 8, fails);
                assert_eq!(handed, (0..40).collect::<Vec<_>>(), "{count} threads, {cause}");
                assert_eq!(done, Err(cause.to_owned()));
            }
        }
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_does_not_hang() {
        let mut numbers = 0..100;
        let _ = in_order(
            Threads { count: 3, ahead: 4 },
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
