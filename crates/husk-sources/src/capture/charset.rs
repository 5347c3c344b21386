//! Whether a server knows the encoding of its pages.

/// Whether the bytes may be in the encoding that the server says.
///
/// Many servers send one charset for all files. Text in another encoding is hardly ever valid UTF-8 by chance, so a page
/// whose bytes say something else than its server is told by its bytes.
pub(crate) fn is_believable(charset: &str, bytes: &[u8]) -> bool {
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    let says_utf8 = charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8");
    if says_utf8 {
        // A page that was cut in the middle of a letter, or has one broken letter, is UTF-8 all the same.
        is_utf8 || is_nearly_utf8(bytes)
    } else {
        // Encodings of East Asia shift with plain ASCII, so ASCII says nothing.
        !is_utf8 || bytes.is_ascii()
    }
}

/// One broken place among so many good letters is an accident.
const LETTERS_PER_ACCIDENT: usize = 20;

fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut letters, mut accidents) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        accidents += usize::from(!chunk.invalid().is_empty());
    }
    letters >= LETTERS_PER_ACCIDENT * accidents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_know_better() {
        assert!(is_believable("utf-8", "café".as_bytes()));
        assert!(is_believable("UTF-8", b"coffee"));
        assert!(!is_believable("utf-8", b"caf\xE9"));
        assert!(is_believable("iso-8859-1", b"caf\xE9"));
        assert!(is_believable("iso-8859-1", b"coffee"));
        assert!(!is_believable("iso-8859-1", "café".as_bytes()));
        assert!(is_believable("iso-2022-jp", b"\x1B$B"));
    }

    #[test]
    fn one_accident_is_forgiven() {
        let mut bytes = "é".repeat(40).into_bytes();
        bytes.push(0xC3);
        assert!(is_believable("utf-8", &bytes));
        bytes.extend(b"a\xE9b\xE9c");
        assert!(!is_believable("utf-8", &bytes));
    }
}
