//! Chunked transfer coding.

/// Joins the chunks of a body in place. False if the last chunk is missing.
///
/// Some crawlers store the body without chunks but keep the header field; such a body is left as it is.
pub(crate) fn join_chunks(body: &mut Vec<u8>) -> bool {
    let Some((mut length, mut from)) = chunk_at(body, 0) else {
        return true;
    };
    let overruns = from.checked_add(length).is_none_or(|end| end > body.len());
    if overruns && !begins_with_tag(&body[from..]) {
        return true;
    }
    let mut to = 0;
    let is_complete = loop {
        if length == 0 {
            break true;
        }
        let end = from.saturating_add(length).min(body.len());
        body.copy_within(from..end, to);
        to += end - from;
        let next = chunk_at(body, end + line_end(&body[end..]));
        let Some(found) = next.filter(|_| end < body.len()) else {
            break false;
        };
        (length, from) = found;
    };
    body.truncate(to);
    is_complete
}

/// A body that ends within its first chunk can be distinguished from a body without chunks only by its content.
fn begins_with_tag(bytes: &[u8]) -> bool {
    let is_skipped = |byte: &u8| byte.is_ascii_whitespace() || b"\0\xEF\xBB\xBF\xFE\xFF".contains(byte);
    bytes.iter().find(|byte| !is_skipped(byte)) == Some(&b'<')
}

/// Length and first byte of the chunk whose size line starts at `at`.
fn chunk_at(body: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = body.get(at..)?;
    let end = rest.iter().take(1000).position(|&byte| byte == b'\n')?;
    let line = rest[..end].split(|&byte| byte == b';').next()?.trim_ascii();
    let digits = std::str::from_utf8(line).ok()?;
    let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let length = usize::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    Some((length, at + end + 1))
}

fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expect: &str, complete: bool) {
        let mut bytes = body.as_bytes().to_vec();
        let is_complete = join_chunks(&mut bytes);
        assert_eq!(
            (bytes.as_slice(), is_complete),
            (expect.as_bytes(), complete),
            "{body:?}"
        );
    }

    #[test]
    fn joins_chunks() {
        check(
            "5\r\n<p>He\r\n6;x=y\r\nllo yo\r\nA\r\nu and me..\r\n0\r\n\r\n",
            "<p>Hello you and me..",
            true,
        );
        check("5\n<p>He\n2\nll\n0\nTrailer: x\n\n", "<p>Hell", true);
        check("0\r\n\r\n", "", true);
        check("5  \r\n<p>He\r\n0\r\n", "<p>He", true);
    }

    #[test]
    fn leaves_other_bodies_alone() {
        for body in [
            "<html>",
            "",
            "\n",
            "dad\nis here",
            "12345",
            "-5\r\nhello\r\n",
            "ffffffffffffffffffff\r\n",
        ] {
            check(body, body, true);
        }
    }

    #[test]
    fn broken_chunks_give_their_beginning() {
        check("ff\r\n<p>Hello", "<p>Hello", false);
        check("5\r\n<p>He\r\nff\r\nllo", "<p>Hello", false);
        check("5\r\n<p>He\r\nrest", "<p>He", false);
        check("5\r\n<p>He", "<p>He", false);
        check("5\r\n<p>He\r\n", "<p>He", false);
        check("5\r\n<p>He\r\nffffffffffffffff\r\nllo", "<p>Hello", false);
    }
}
