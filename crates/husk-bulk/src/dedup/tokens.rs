//! Cuts pages where templates and what fills them meet: around tags and at the ends of lines.

use xxhash_rust::xxh3::xxh3_64;

/// Longer runs without a tag or a line's end are cut, so that no token takes long to compare.
const MOST_TOKEN: usize = 4096;

/// A piece of a page: a tag, or what stands between two of them on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Where it begins.
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) hash: u64,
}

impl Token {
    pub(super) fn end(&self) -> usize {
        self.at + self.len
    }
}

/// The tokens of any bytes, one behind the other, all of them covered.
pub(super) fn tokens(bytes: &[u8]) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let token = Token {
            at,
            len: token_len(rest),
            hash: 0,
        };
        at = token.end();
        let hash = xxh3_64(&rest[..token.len]);
        Some(Token { hash, ..token })
    })
}

/// A token ends behind `>` and the end of a line, and before `<`.
fn token_len(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(MOST_TOKEN)];
    let ends_behind = |byte: &u8| matches!(byte, b'>' | b'\n');
    let end = bytes
        .iter()
        .enumerate()
        .find(|&(at, byte)| ends_behind(byte) || (*byte == b'<' && at > 0));
    match end {
        Some((at, b'<')) => at,
        Some((at, _)) => at + 1,
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(bytes: &[u8]) -> Vec<&[u8]> {
        tokens(bytes).map(|token| &bytes[token.at..token.end()]).collect()
    }

    #[test]
    fn cuts_around_tags_and_lines() {
        let expect: [&[u8]; 7] = [b"<ul>", b"\n", b"  ", b"<li>", b"a >", b" b", b"</li>"];
        assert_eq!(cut(b"<ul>\n  <li>a > b</li>"), expect);
        assert_eq!(cut(b""), [b""; 0]);
        assert_eq!(cut(b"<<\n\n"), [&b"<"[..], b"<\n", b"\n"]);
    }

    #[test]
    fn all_bytes_are_covered() {
        let long = [&[b'x'; 10_000][..], b"<p>", &[0xFF; 3]].concat();
        let cut = cut(&long);
        assert_eq!(cut.concat(), long);
        assert!(cut.iter().all(|token| (1..=MOST_TOKEN).contains(&token.len())));
    }

    #[test]
    fn equal_tokens_have_equal_hashes() {
        let hashes: Vec<u64> = tokens(b"<p>a<p>b").map(|token| token.hash).collect();
        assert_eq!(hashes[0], hashes[2]);
        assert_ne!(hashes[1], hashes[3]);
    }
}
