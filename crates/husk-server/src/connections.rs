//! Limits on connections: how many, in total and by client, and how long they may be silent.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The open connections.
#[derive(Debug, Clone)]
pub(crate) struct Connections(Arc<Mutex<Open>>);

#[derive(Debug)]
struct Open {
    most: usize,
    most_by_client: usize,
    all: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// An open connection; counts until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    connections: Connections,
    client: IpAddr,
}

impl Connections {
    pub(crate) fn new(most: usize, most_by_client: usize) -> Self {
        Self(Arc::new(Mutex::new(Open {
            most,
            most_by_client,
            all: 0,
            by_client: HashMap::new(),
        })))
    }

    /// Counts a connection; none if there are too many already.
    pub(crate) fn open(&self, client: IpAddr) -> Option<OpenConnection> {
        let client = client.to_canonical();
        let mut open = self.lock();
        let of_client = open.by_client.get(&client).copied().unwrap_or(0);
        if open.all >= open.most || of_client >= open.most_by_client {
            return None;
        }
        open.all += 1;
        open.by_client.insert(client, of_client + 1);
        Some(OpenConnection {
            connections: self.clone(),
            client,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.all -= 1;
        if let Some(count) = open.by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.by_client.remove(&self.client);
            }
        }
    }
}

/// A stream whose other end must read what is written to it within a time.
pub(crate) struct WriteTimeout<S> {
    stream: S,
    limit: Duration,
    /// Runs while the other end does not read.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(crate) fn new(stream: S, limit: Duration) -> Self {
        Self {
            stream,
            limit,
            stalled: None,
        }
    }

    fn watch<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.watch(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(polled, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    #[test]
    fn connections_are_limited_in_total_and_by_client() {
        let connections = Connections::new(3, 2);
        let (one, other) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        let first = connections.open(one).unwrap();
        let _second = connections.open(one).unwrap();
        assert!(connections.open("::ffff:192.0.2.1".parse().unwrap()).is_none());
        let _third = connections.open(other).unwrap();
        assert!(connections.open(other).is_none(), "three are open");
        drop(first);
        assert!(connections.open(one).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_is_left() {
        let (near, _far) = tokio::io::duplex(10);
        let mut stream = WriteTimeout::new(near, Duration::from_secs(30));
        let cause = stream.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(cause.kind(), io::ErrorKind::TimedOut);
    }
}
