//! HTTP responses, the blocks of `response` records.

use crate::chunked;
use crate::fields::{self, MAX_HEADER};

/// Status and header fields of an HTTP response.
///
/// ```
/// use husk_warc::HttpHead;
///
/// let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n2\r\nHi\r\n0\r\n\r\n";
/// let (head, len) = HttpHead::parse(block).unwrap();
/// let mut body = block[len..].to_vec();
/// assert!(head.join_chunks(&mut body));
/// assert_eq!((head.status, &body[..]), (200, &b"<p>Hi"[..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpHead {
    /// The status, such as 200.
    pub status: u16,
    /// The header fields in their order.
    pub headers: Vec<(String, String)>,
}

impl HttpHead {
    /// Parses the head that `block` starts with. Returns it with its length in bytes; the body follows. `None` if there
    /// is no status line.
    pub fn parse(block: &[u8]) -> Option<(Self, usize)> {
        let start = &block[..block.len().min(MAX_HEADER)];
        let first = fields::lines(start).next()?;
        // Bytes, since the reason phrase may be in any encoding.
        let mut words = first[..first.len().min(20)]
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let protocol = words.next()?.to_ascii_uppercase();
        let is_response = protocol.starts_with(b"HTTP") || protocol.starts_with(b"ICY");
        let digits = std::str::from_utf8(words.next()?).ok()?;
        let status = digits.parse().ok().filter(|_| is_response)?;
        // A response without body may lack the empty line too.
        let end = match fields::empty_line(start) {
            Some(line) => line,
            None if block.len() <= MAX_HEADER => block.len()..block.len(),
            None => return None,
        };
        let headers = fields::parse(block.get(first.len()..end.start).unwrap_or_default());
        Some((Self { status, headers }, end.end))
    }

    /// The first header field called `name`, in any letter case.
    pub fn get(&self, name: &str) -> Option<&str> {
        fields::get(&self.headers, name)
    }

    /// Removes the chunked transfer coding from `body`, if the head announces it. False if the last chunk is missing.
    pub fn join_chunks(&self, body: &mut Vec<u8>) -> bool {
        let is_chunked = self.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("transfer-encoding") && value.to_ascii_lowercase().contains("chunked")
        });
        !is_chunked || chunked::join_chunks(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_reason_phrase_is_accepted() {
        for line in [
            &b"HTTP/1.1 404 Refus\xE9"[..],
            "HTTP/1.1 404 aaaaaaé".as_bytes(),
            b"HTTP/1.1 404",
        ] {
            let (head, _) = HttpHead::parse(&[line, b"\r\nA: b\r\n\r\n"].concat()).unwrap();
            assert_eq!((head.status, head.get("a")), (404, Some("b")));
        }
    }

    #[test]
    fn broken_heads_are_read_as_far_as_possible() {
        for (block, status, body) in [
            (&b"HTTP/1.1 200\r\n\r\nx"[..], 200, &b"x"[..]),
            (b"HTTP/2 204 \n\nx", 204, b"x"),
            (b"http/1.0 301 Moved\r\nLocation: /b", 301, b""),
            (b"ICY 200 OK\r\nbroken\r\n\xFF\xFE: x\r\n\r\nx", 200, b"x"),
        ] {
            let (head, len) = HttpHead::parse(block).unwrap();
            assert_eq!(
                (head.status, &block[len..]),
                (status, body),
                "{}",
                block.escape_ascii()
            );
        }
        for block in [
            &b""[..],
            b"HTTP/1.1",
            b"HTTP/1.1 OK",
            b"GET / HTTP/1.1\r\n\r\n",
            b"<html>",
            b"\xFF\xFF",
        ] {
            assert_eq!(HttpHead::parse(block), None, "{}", block.escape_ascii());
        }
    }
}
