//! A client of the Chrome DevTools Protocol: JSON messages, each followed by a zero byte.
//!
//! Messages are kept as `Value`s, except long answers, which callers parse from bytes. Unknown messages, or those that a newer
//! browser sends in another form, are ignored.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::process::{ChildStdin, ChildStdout};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A connection to a browser.
pub(super) struct Devtools {
    to_browser: ToBrowser,
    from_browser: FromBrowser,
    /// Bytes that are still to be sent.
    outgoing: Vec<u8>,
    received: Vec<u8>,
    /// How much of `received` was searched for the end of a message.
    searched: usize,
    max_message: usize,
    last_id: u64,
    /// The calls whose answers are returned as bytes.
    unread: BTreeSet<u64>,
    /// Messages that arrived while waiting for an answer.
    waiting: VecDeque<Message>,
}

type ToBrowser = Box<dyn AsyncWrite + Send + Sync + Unpin>;
type FromBrowser = Box<dyn AsyncRead + Send + Sync + Unpin>;

/// A message of a browser.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to a call.
    Answer {
        /// The ID that [`Devtools::send`] returned.
        id: u64,
        /// The result, or the browser's error.
        result: Result<Value, String>,
    },
    /// The answer to a call of [`Devtools::send_for_bytes`], not parsed.
    Bytes {
        /// The ID that it returned.
        id: u64,
        /// The message, to be parsed by [`read`].
        bytes: Vec<u8>,
    },
    /// An event.
    Event {
        /// The session of the tab; none for the browser itself.
        session: Option<String>,
        /// Its name, such as `Page.loadEventFired`.
        method: String,
        /// Its parameters.
        params: Value,
    },
}

/// The size limit for a message, not counting the page in it.
const MAX_MESSAGE: usize = 64 << 20;

impl Devtools {
    pub(super) fn over(
        to_browser: Option<ChildStdin>,
        from_browser: Option<ChildStdout>,
    ) -> io::Result<Self> {
        let (Some(to_browser), Some(from_browser)) = (to_browser, from_browser) else {
            return Err(io::Error::other("the browser was started without pipes"));
        };
        let (to_browser, from_browser) = waited_for(to_browser, from_browser)?;
        Ok(Self {
            to_browser,
            from_browser,
            outgoing: Vec::new(),
            received: Vec::new(),
            searched: 0,
            max_message: MAX_MESSAGE,
            last_id: 0,
            unread: BTreeSet::new(),
            waiting: VecDeque::new(),
        })
    }

    /// Allows messages with pages of so many bytes. That is less than the longest encoding of such a page, with six bytes for
    /// each character: a message is held in memory, and once more when it is parsed.
    pub(super) fn allow(&mut self, max_bytes: u64) {
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        self.max_message = max_bytes.saturating_add(MAX_MESSAGE);
    }

    /// Like [`Devtools::send`], for an answer that is too large for a `Value`.
    pub(super) async fn send_for_bytes(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<u64> {
        // Inserted first, since the caller may cancel the sending.
        self.unread.insert(self.last_id + 1);
        self.send(session, method, params).await
    }

    /// Sends a call without waiting; the answer will have the returned ID.
    pub(super) async fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<u64> {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        serde_json::to_writer(&mut self.outgoing, &message)?;
        self.outgoing.push(0);
        self.flush().await?;
        Ok(self.last_id)
    }

    /// Sends pending bytes. If cancelled, the next call sends the rest.
    async fn flush(&mut self) -> io::Result<()> {
        while !self.outgoing.is_empty() {
            let sent = self.to_browser.write(&self.outgoing).await?;
            self.outgoing.drain(..sent);
        }
        Ok(())
    }

    /// Sends a call and waits for the answer; other messages are queued.
    pub(super) async fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> io::Result<Value> {
        let asked = self.send(session, method, params).await?;
        loop {
            match self.receive().await? {
                Message::Answer { id, result } if id == asked => {
                    return result.map_err(|cause| io::Error::other(format!("{method}: {cause}")));
                }
                other => self.waiting.push_back(other),
            }
        }
    }

    /// The next message. Cancelling loses nothing.
    pub(super) async fn next(&mut self) -> io::Result<Message> {
        match self.waiting.pop_front() {
            Some(message) => Ok(message),
            None => self.receive().await,
        }
    }

    async fn receive(&mut self) -> io::Result<Message> {
        self.flush().await?;
        loop {
            if let Some(message) = self.take_message() {
                return Ok(message);
            }
            if self.received.len() > self.max_message {
                return Err(io::Error::other("the browser sent too large a message"));
            }
            if self.from_browser.read_buf(&mut self.received).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// The first complete message received. Messages that cannot be parsed are skipped.
    fn take_message(&mut self) -> Option<Message> {
        loop {
            let Some(length) = self.received[self.searched..].iter().position(|&byte| byte == 0) else {
                self.searched = self.received.len();
                return None;
            };
            let end = self.searched + length;
            let message = match self.unread_answer(end) {
                Some(id) => {
                    self.unread.remove(&id);
                    let rest = self.received.split_off(end + 1);
                    let mut bytes = std::mem::replace(&mut self.received, rest);
                    bytes.truncate(end);
                    Some(Message::Bytes { id, bytes })
                }
                None => {
                    let message = parse(&self.received[..end]);
                    self.received.drain(..=end);
                    message
                }
            };
            self.searched = 0;
            if message.is_some() {
                return message;
            }
        }
    }

    /// The ID of the message that ends at `end`, if it is to be returned as bytes.
    fn unread_answer(&self, end: usize) -> Option<u64> {
        if self.unread.is_empty() {
            return None;
        }
        let Number { id } = serde_json::from_slice(&self.received[..end]).ok()?;
        self.unread.contains(&id).then_some(id)
    }
}

/// The ID of an answer; the rest is ignored.
#[derive(Deserialize)]
struct Number {
    id: u64,
}

/// Parses the result of an answer.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Answer<T> {
        result: Option<T>,
        error: Option<Trouble>,
    }
    #[derive(Deserialize)]
    struct Trouble {
        message: String,
    }
    let answer: Answer<T> = serde_json::from_slice(bytes)
        .or_else(|_| serde_json::from_slice(&without_lone_surrogates(bytes)))
        .map_err(|cause| cause.to_string())?;
    let nothing = || answer.error.map_or("no result".to_owned(), |error| error.message);
    answer.result.ok_or_else(nothing)
}

/// The pipes as tokio types.
#[cfg(unix)]
fn waited_for(to_browser: ChildStdin, from_browser: ChildStdout) -> io::Result<(ToBrowser, FromBrowser)> {
    use tokio::net::unix::pipe;
    let to_browser = pipe::Sender::from_owned_fd(to_browser.into())?;
    let from_browser = pipe::Receiver::from_owned_fd(from_browser.into())?;
    Ok((Box::new(to_browser), Box::new(from_browser)))
}

/// On other systems, passing pipes to a browser needs unsafe code.
#[cfg(not(unix))]
fn waited_for(_: ChildStdin, _: ChildStdout) -> io::Result<(ToBrowser, FromBrowser)> {
    Err(io::Error::other(
        "pages can be rendered on Linux, macOS and other Unix systems only",
    ))
}

impl std::fmt::Debug for Devtools {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Devtools")
            .field("last_id", &self.last_id)
            .finish_non_exhaustive()
    }
}

fn parse(bytes: &[u8]) -> Option<Message> {
    let mut message: Value = serde_json::from_slice(bytes)
        .or_else(|_| serde_json::from_slice(&without_lone_surrogates(bytes)))
        .ok()?;
    if let Some(id) = message["id"].as_u64() {
        let result = match message["error"]["message"].as_str() {
            Some(cause) => Err(cause.to_owned()),
            None => Ok(message["result"].take()),
        };
        return Some(Message::Answer { id, result });
    }
    Some(Message::Event {
        session: message["sessionId"].as_str().map(str::to_owned),
        method: message["method"].as_str()?.to_owned(),
        params: message["params"].take(),
    })
}

/// Replaces lone surrogates: scripts can create such text, but JSON parsers reject it.
fn without_lone_surrogates(json: &[u8]) -> Vec<u8> {
    let mut out = json.to_vec();
    let mut at = 0;
    while at + 1 < out.len() {
        if out[at] != b'\\' {
            at += 1;
            continue;
        }
        match (surrogate(&out[at..]), out.get(at + 6..).and_then(surrogate)) {
            (Some(Half::First), Some(Half::Second)) => at += 12,
            (Some(_), _) => {
                out[at + 2..at + 6].copy_from_slice(b"fffd");
                at += 6;
            }
            (None, _) => at += 2,
        }
    }
    out
}

enum Half {
    First,
    Second,
}

/// Which surrogate is at the beginning, written as `\uXXXX`.
fn surrogate(json: &[u8]) -> Option<Half> {
    let digits = json.strip_prefix(br"\u")?.get(..4)?;
    match (digits[0].to_ascii_lowercase(), digits[1].to_ascii_lowercase()) {
        (b'd', b'8'..=b'9' | b'a'..=b'b') => Some(Half::First),
        (b'd', b'c'..=b'f') => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_answers_from_events() {
        assert_eq!(
            parse(br#"{"id":3,"result":{"a":1}}"#),
            Some(Message::Answer {
                id: 3,
                result: Ok(json!({"a": 1}))
            })
        );
        assert_eq!(
            parse(br#"{"id":4,"error":{"code":-1,"message":"no such frame"}}"#),
            Some(Message::Answer {
                id: 4,
                result: Err("no such frame".into())
            })
        );
        assert_eq!(
            parse(br#"{"method":"Page.x","params":{"b":2},"sessionId":"S"}"#),
            Some(Message::Event {
                session: Some("S".into()),
                method: "Page.x".into(),
                params: json!({"b": 2})
            })
        );
        assert_eq!(parse(b"[1]"), None);
        assert_eq!(parse(b"nothing"), None);
    }

    /// A connection with a browser that has said this, and says no more.
    fn having_said(said: &[u8]) -> Devtools {
        Devtools {
            to_browser: Box::new(tokio::io::sink()),
            from_browser: Box::new(tokio::io::empty()),
            outgoing: Vec::new(),
            received: said.to_vec(),
            searched: 0,
            max_message: MAX_MESSAGE,
            last_id: 0,
            unread: BTreeSet::new(),
            waiting: VecDeque::new(),
        }
    }

    #[tokio::test]
    async fn large_answers_are_handed_over_as_they_are() {
        let said = b"{\"method\":\"a\"}\0{\"id\":1,\"result\":[\"\\ud800\"]}\0{\"id\":2,\"result\":3}\0";
        let mut devtools = having_said(said);
        let id = devtools.send_for_bytes(None, "x", json!({})).await.unwrap();
        assert_eq!(id, 1);
        assert!(matches!(devtools.next().await.unwrap(), Message::Event { .. }));
        let Message::Bytes { id: 1, bytes } = devtools.next().await.unwrap() else {
            panic!("it was read");
        };
        assert_eq!(read(&bytes), Ok(vec!["\u{fffd}".to_owned()]));
        let last = Message::Answer {
            id: 2,
            result: Ok(json!(3)),
        };
        assert_eq!(devtools.next().await.unwrap(), last);
        assert!(devtools.next().await.is_err());
    }

    #[test]
    fn an_answer_says_why_there_is_none() {
        let error = |bytes: &[u8]| read::<Vec<u8>>(bytes).unwrap_err();
        assert_eq!(
            error(br#"{"id":1,"error":{"message":"no such frame"}}"#),
            "no such frame"
        );
        assert_eq!(error(br#"{"id":1}"#), "no result");
        assert!(error(br#"{"id":1,"result":3}"#).contains("expected a sequence"));
    }

    #[tokio::test]
    async fn a_message_has_its_bounds() {
        let mut devtools = having_said(b"");
        devtools.allow(1000);
        devtools.from_browser = Box::new(tokio::io::repeat(b' '));
        let error = devtools.next().await.unwrap_err();
        assert!(error.to_string().contains("too large a message"), "{error}");
        assert!(devtools.received.len() <= 2 * (MAX_MESSAGE + 1000));
        devtools.allow(u64::MAX);
        assert_eq!(devtools.max_message, usize::MAX);
    }

    #[test]
    fn halves_of_letters_do_not_make_a_message_unreadable() {
        let check = |text: &str, expect: &str| {
            let json = format!(r#"{{"method":"a","params":"{text}"}}"#);
            let Some(Message::Event { params, .. }) = parse(json.as_bytes()) else {
                panic!("{text} is lost")
            };
            assert_eq!(params, expect);
        };
        check(r"\ud800", "\u{fffd}");
        check(r"\udc00\ud83d\ude00\uD83D.", "\u{fffd}😀\u{fffd}.");
        check(r"\\ud800\ud800", "\\ud800\u{fffd}");
        check(r"\ud800\ud83d\ude00", "\u{fffd}😀");
    }
}
