//! One budget of memory for all requests together.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::{Problem, ProblemType};

/// Memory that requests may reserve.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    /// In units of [`UNIT`].
    free: Arc<Semaphore>,
    total: usize,
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    free: Arc<Semaphore>,
    held: Mutex<OwnedSemaphorePermit>,
}

/// Bytes that are reserved together.
const UNIT: usize = 64 << 10;

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            free: Arc::new(Semaphore::new(units)),
            total: units * UNIT,
        }
    }

    /// Waits until so many bytes are free; fails if there will never be so many.
    pub(crate) async fn reserve(&self, bytes: usize) -> Result<Reservation, Problem> {
        let units = self.units(bytes)?;
        let held = self.free.clone().acquire_many_owned(units).await;
        // The semaphore is never closed.
        held.map(|held| self.reservation(held)).map_err(Problem::internal)
    }

    /// Reserves memory that is free now.
    pub(crate) fn try_reserve(&self, bytes: usize) -> Result<Reservation, Problem> {
        let units = self.units(bytes)?;
        let held = self.free.clone().try_acquire_many_owned(units);
        held.map(|held| self.reservation(held))
            .map_err(|_| Problem::no_memory())
    }

    fn units(&self, bytes: usize) -> Result<u32, Problem> {
        if bytes > self.total {
            let message = format!(
                "the request may need {} MiB of memory: this server has {} MiB for it; send fewer or smaller pages",
                bytes >> 20,
                self.total >> 20
            );
            return Err(Problem::new(ProblemType::BodyTooLarge, message));
        }
        Ok(units(bytes))
    }

    fn reservation(&self, held: OwnedSemaphorePermit) -> Reservation {
        Reservation {
            free: self.free.clone(),
            held: Mutex::new(held),
        }
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl Reservation {
    /// Reserves more, if it is free now.
    pub(crate) fn grow(&self, bytes: usize) -> bool {
        let more = self.free.clone().try_acquire_many_owned(units(bytes));
        more.map(|more| self.held().merge(more)).is_ok()
    }

    /// Gives back all but so many bytes.
    pub(crate) fn shrink_to(&self, bytes: usize) {
        let mut held = self.held();
        let surplus = held.num_permits().saturating_sub(units(bytes) as usize);
        drop(held.split(surplus));
    }

    fn held(&self) -> std::sync::MutexGuard<'_, OwnedSemaphorePermit> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the memory reserved until the body of a response is sent.
    pub(crate) fn until_sent(self: Arc<Self>, response: Response) -> Response {
        response.map(|body| Body::new(Held { body, _memory: self }))
    }
}

/// A body whose memory is reserved.
struct Held {
    body: Body,
    _memory: Arc<Reservation>,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// The memory that a page may need as a sibling: its text in several stages, and nodes for its tags.
pub(crate) fn sibling_memory(html: &[u8]) -> usize {
    let tags = html.iter().filter(|&&byte| byte == b'<').count();
    SIBLING_BYTE * html.len() + SIBLING_TAG * tags
}

/// The memory that a page may need as the key page, its outputs included.
pub(crate) fn key_page_memory(html: &[u8]) -> usize {
    let tags = html.iter().filter(|&&byte| byte == b'<').count();
    LEAST_OUTPUT + KEY_BYTE * html.len() + KEY_TAG * tags
}

/// An output may have 16 times the bytes of its page, and a buffer that grows holds it up to three times; the page is there as text
/// and parsed, too.
const KEY_BYTE: usize = 64;

/// An output of a page without text may have so many bytes, and a result has all outputs.
const LEAST_OUTPUT: usize = 6 << 20;

/// Text and attributes, as they came and parsed.
const SIBLING_BYTE: usize = 16;

/// A tag makes an element and the text behind it. Pages of nothing but `<p>x` take 900 and 300 bytes.
const KEY_TAG: usize = 1200;
const SIBLING_TAG: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_wait_for_memory_that_others_hold() {
        let memory = Memory::new(10 * UNIT);
        let one = memory.reserve(6 * UNIT).await.unwrap();
        assert_eq!(memory.try_reserve(5 * UNIT).unwrap_err().status, 503);
        assert!(one.grow(2 * UNIT) && !one.grow(3 * UNIT));
        let other = memory.clone();
        let waiting = tokio::spawn(async move { other.reserve(5 * UNIT).await.is_ok() });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        one.shrink_to(UNIT);
        assert!(waiting.await.unwrap());
        drop(one);
        assert!(memory.try_reserve(10 * UNIT).is_ok());
        let problem = memory.try_reserve(11 * UNIT).unwrap_err();
        assert_eq!(
            (problem.status, &*problem.kind),
            (413, "/problems/body-too-large")
        );
    }

    #[tokio::test]
    async fn memory_is_held_until_the_body_is_dropped() {
        let memory = Memory::new(UNIT);
        let held = Arc::new(memory.try_reserve(UNIT).unwrap());
        let response = held.until_sent(Response::new(Body::from("text")));
        assert!(memory.try_reserve(UNIT).is_err());
        let body = axum::body::to_bytes(response.into_body(), 100).await.unwrap();
        assert_eq!(body, "text");
        assert!(memory.try_reserve(UNIT).is_ok());
    }
}
