//! The whole server without a socket: what it answers to whom, what it keeps, and where it does not go.

#![allow(
    clippy::unwrap_used,
    reason = "all of this is test code, what the tests share included"
)]

/// Requests and answers.
mod app;

/// A small site: its pages, and what the engine finds in them.
mod site;

/// A server on the loopback interface that remembers who came.
mod listener;

/// Every part of a page in every format.
mod outputs;

/// Requests that make no sense, or too much of it.
mod refusals;

/// Progress.
mod events;

/// Results that are kept.
mod results;

/// Archives in the request.
mod archives;

/// Who may ask, and what browsers are told.
mod access;

/// What those who run the server see.
mod operation;

/// Templates that are used again.
mod learned;

/// More requests than places, and requests that nobody waits for.
mod load;

/// Every way to lead the server into the network that it is in.
mod guard;
