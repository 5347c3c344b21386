//! Checks the charset that a server declares.

/// Whether the bytes may be in the declared charset.
///
/// Many servers declare one charset for all files. Text in another encoding is hardly ever valid UTF-8 by chance, so the
/// bytes win if they contradict the server.
pub(crate) fn matches_bytes(charset: &str, bytes: &[u8]) -> bool {
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    let says_utf8 = charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8");
    if says_utf8 {
        // A page that is cut within a character, or has one broken character, is still UTF-8.
        is_utf8 || is_nearly_utf8(bytes)
    } else {
        // East Asian encodings switch modes with plain ASCII, so ASCII proves nothing.
        !is_utf8 || bytes.is_ascii()
    }
}

/// One invalid sequence per so many valid characters is tolerated.
const CHARS_PER_ERROR: usize = 20;

fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut letters, mut accidents) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        accidents += usize::from(!chunk.invalid().is_empty());
    }
    letters >= CHARS_PER_ERROR * accidents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_know_better() {
        assert!(matches_bytes("utf-8", "café".as_bytes()));
        assert!(matches_bytes("UTF-8", b"coffee"));
        assert!(!matches_bytes("utf-8", b"caf\xE9"));
        assert!(matches_bytes("iso-8859-1", b"caf\xE9"));
        assert!(matches_bytes("iso-8859-1", b"coffee"));
        assert!(!matches_bytes("iso-8859-1", "café".as_bytes()));
        assert!(matches_bytes("iso-2022-jp", b"\x1B$B"));
    }

    #[test]
    fn one_accident_is_forgiven() {
        let mut bytes = "é".repeat(40).into_bytes();
        bytes.push(0xC3);
        assert!(matches_bytes("utf-8", &bytes));
        bytes.extend(b"a\xE9b\xE9c");
        assert!(!matches_bytes("utf-8", &bytes));
    }
}
