//! Talks with a browser by the Chrome DevTools Protocol: messages in JSON, each behind a zero byte.
//!
//! Messages stay `Value`s. Of the hundreds that browsers know a handful is of interest here, and those that are not, or
//! that a newer browser sends in another form, do no harm.

use std::collections::VecDeque;
use std::io;
use std::process::{ChildStdin, ChildStdout};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A connection with a browser.
pub(super) struct Devtools {
    to_browser: ToBrowser,
    from_browser: FromBrowser,
    /// What is still to be sent.
    outgoing: Vec<u8>,
    received: Vec<u8>,
    /// How much of that was searched for the end of a message.
    searched: usize,
    max_message: usize,
    last_id: u64,
    /// What arrived while an answer was waited for.
    waiting: VecDeque<Message>,
}

type ToBrowser = Box<dyn AsyncWrite + Send + Sync + Unpin>;
type FromBrowser = Box<dyn AsyncRead + Send + Sync + Unpin>;

/// What a browser says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to a call.
    Answer {
        /// What [`Devtools::send`] had returned.
        id: u64,
        /// What was asked for, or why not.
        result: Result<Value, String>,
    },
    /// What happened.
    Event {
        /// The tab in which it did; none for the browser itself.
        session: Option<String>,
        /// Its name, such as `Page.loadEventFired`.
        method: String,
        /// All about it.
        params: Value,
    },
}

/// The most bytes of one message, until a page says what it needs.
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
            waiting: VecDeque::new(),
        })
    }

    /// Allows messages of so many bytes.
    pub(super) fn allow(&mut self, max_message: usize) {
        self.max_message = max_message.max(MAX_MESSAGE);
    }

    /// Asks for something without waiting for it; the answer will have the number that is returned.
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

    /// Sends what is to be sent. Who does not wait for the end leaves the rest to the next.
    async fn flush(&mut self) -> io::Result<()> {
        while !self.outgoing.is_empty() {
            let sent = self.to_browser.write(&self.outgoing).await?;
            self.outgoing.drain(..sent);
        }
        Ok(())
    }

    /// Asks for something and waits for the answer; what happens meanwhile can be heard of later.
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

    /// What the browser says next. Nothing is lost by not waiting for the end.
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
                return Err(io::Error::other("the browser says more than can be listened to"));
            }
            if self.from_browser.read_buf(&mut self.received).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// The first whole message of what was received. What cannot be understood is passed over.
    fn take_message(&mut self) -> Option<Message> {
        loop {
            let Some(length) = self.received[self.searched..].iter().position(|&byte| byte == 0) else {
                self.searched = self.received.len();
                return None;
            };
            let end = self.searched + length;
            let message = parse(&self.received[..end]);
            self.received.drain(..=end);
            self.searched = 0;
            if message.is_some() {
                return message;
            }
        }
    }
}

/// The pipes as tokio knows them.
#[cfg(unix)]
fn waited_for(to_browser: ChildStdin, from_browser: ChildStdout) -> io::Result<(ToBrowser, FromBrowser)> {
    use tokio::net::unix::pipe;
    let to_browser = pipe::Sender::from_owned_fd(to_browser.into())?;
    let from_browser = pipe::Receiver::from_owned_fd(from_browser.into())?;
    Ok((Box::new(to_browser), Box::new(from_browser)))
}

/// Elsewhere browsers are given pipes in a way that needs code beyond what is allowed here.
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

/// The same JSON with halves of letters replaced: scripts can make such text, but no other program can read it.
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

/// Which half of a letter stands at the beginning, written as `\uXXXX`.
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
