//! What work for a page may cost: a flag that ends it, and the bytes that an output may have.
//!
//! Both belong to the thread that works, so that no stage passes them on. Where a limit is reached, the stack unwinds to the call
//! that set it, without a message. Where panics abort, only the length of the finished output is checked.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends work that runs on another thread. Clones share one flag.
///
/// ```
/// use husk::{Cancel, Cancelled};
///
/// let cancel = Cancel::default();
/// assert_eq!(cancel.run(|| 1 + 1), Ok(2));
/// cancel.cancel();
/// assert_eq!(cancel.run(|| 1 + 1), Err(Cancelled));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The work was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the work was cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// An output would become longer than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

thread_local! {
    static CANCEL: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    /// Whether there is a flag, for those who check it often.
    static HAS_CANCEL: Cell<bool> = const { Cell::new(false) };
    static MOST_BYTES: Cell<usize> = const { Cell::new(usize::MAX) };
    #[cfg(test)]
    static CHECKS: Cell<usize> = const { Cell::new(0) };
}

impl Cancel {
    /// Makes [`Cancel::run`] return soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Runs work of the engine on this thread; returns early if it is cancelled.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        let before = CANCEL.replace(Some(self.clone()));
        let had_cancel = HAS_CANCEL.replace(true);
        let done = catch_unwind(AssertUnwindSafe(|| {
            check();
            work()
        }));
        CANCEL.set(before);
        HAS_CANCEL.set(had_cancel);
        done.map_err(limit)
    }
}

/// Returns to [`Cancel::run`] if the work of this thread was cancelled. Every loop that may take long calls it.
#[inline]
pub(crate) fn check() {
    #[cfg(test)]
    CHECKS.set(CHECKS.get() + 1);
    if HAS_CANCEL.get() {
        check_flag();
    }
}

#[cold]
fn check_flag() {
    let is_cancelled = CANCEL.with_borrow(|cancel| cancel.as_ref().is_some_and(Cancel::is_cancelled));
    if is_cancelled {
        throw(Cancelled);
    }
}

/// Runs a writer whose output may have so many bytes.
pub(crate) fn within<T>(most_bytes: usize, write: impl FnOnce() -> T) -> Result<T, TooLong> {
    let before = MOST_BYTES.replace(most_bytes);
    let done = catch_unwind(AssertUnwindSafe(write));
    MOST_BYTES.set(before);
    done.map_err(limit)
}

/// The bytes that the output of this thread may have.
pub(crate) fn most_bytes() -> usize {
    MOST_BYTES.get()
}

/// Returns to [`within`] if an output is too long, and to [`Cancel::run`] if the work was cancelled. Writers call it for each node.
#[inline]
pub(crate) fn check_length(written: usize) {
    check();
    if written > most_bytes() {
        throw(TooLong);
    }
}

fn throw(limit: impl Any + Send) {
    if cfg!(panic = "unwind") {
        resume_unwind(Box::new(limit));
    }
}

/// The limit that ended work. Other panics, and limits of calls further up, go on.
fn limit<L: Any>(payload: Box<dyn Any + Send>) -> L {
    match payload.downcast() {
        Ok(limit) => *limit,
        Err(other) => resume_unwind(other),
    }
}

/// How often work checks its flag.
#[cfg(test)]
pub(crate) fn count_checks(work: impl FnOnce()) -> usize {
    CHECKS.set(0);
    work();
    CHECKS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_next_check_and_leaves_no_flag() {
        let cancel = Cancel::default();
        let mut goes_on = false;
        let done = cancel.run(|| {
            check();
            cancel.cancel();
            check();
            goes_on = true;
        });
        assert_eq!((done, goes_on), (Err(Cancelled), false));
        check();
    }

    #[test]
    fn each_limit_returns_to_the_call_that_set_it() {
        let cancel = Cancel::default();
        assert_eq!(within(10, || check_length(10)), Ok(()));
        assert_eq!(cancel.run(|| within(10, || check_length(11))), Ok(Err(TooLong)));
        cancel.cancel();
        let outer = cancel.clone();
        assert_eq!(outer.run(|| within(10, || check_length(0))), Err(Cancelled));
        assert_eq!(most_bytes(), usize::MAX);
        let panicked = catch_unwind(|| within(10, || panic!("a mistake")));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"a mistake"));
    }
}
