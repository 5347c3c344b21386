//! How names in URLs become names of files: each mirroring tool has its own rules.

use std::borrow::Cow;
use std::ffi::OsString;

use percent_encoding::percent_decode_str;

/// A rule for file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `caf%C3%A9` is `café`, as with wget and generators. A slash in a name stays `%2F`.
    Decoded,
    /// As in the URL, with its percent-encoding.
    AsWritten,
    /// `wget --restrict-file-names=windows`: what Windows forbids is percent-encoded, `?` before a query becomes `@`.
    Windows,
    /// HTTrack: what Windows forbids becomes an underscore.
    Httrack,
}

impl Spelling {
    /// All of them, likeliest first.
    pub(super) const ALL: [Self; 4] = [Self::Decoded, Self::AsWritten, Self::Windows, Self::Httrack];

    /// A part of a URL as it appears in a file name.
    pub(super) fn spell(self, written: &str) -> Vec<u8> {
        if self == Self::AsWritten {
            return written.replace('/', "%2F").into_bytes();
        }
        let decoded: Cow<'_, [u8]> = percent_decode_str(written).into();
        let mut spelled = Vec::with_capacity(decoded.len());
        for &byte in &*decoded {
            match self {
                _ if !self.must_change(byte) => spelled.push(byte),
                Self::Httrack => spelled.push(b'_'),
                _ => spelled.extend(format!("%{byte:02X}").into_bytes()),
            }
        }
        spelled
    }

    fn must_change(self, byte: u8) -> bool {
        match self {
            Self::Decoded | Self::AsWritten => byte == b'/',
            Self::Windows => is_forbidden_on_windows(byte),
            Self::Httrack => is_forbidden_on_windows(byte) || byte == b'~',
        }
    }

    /// The character between a name and its query; none if the query is not kept.
    pub(super) fn query_mark(self) -> Option<u8> {
        match self {
            Self::Decoded | Self::AsWritten => Some(b'?'),
            Self::Windows => Some(b'@'),
            Self::Httrack => None,
        }
    }
}

fn is_forbidden_on_windows(byte: u8) -> bool {
    byte.is_ascii_control() || br#"\/:*?"<>|"#.contains(&byte)
}

/// Whether a name stays in its folder and names a file on this system.
pub(super) fn is_plain(name: &[u8]) -> bool {
    let leads_elsewhere = matches!(name, b"" | b"." | b"..") || name.contains(&0) || name.contains(&b'/');
    let is_special = cfg!(windows) && is_special_on_windows(name);
    !leads_elsewhere && !is_special
}

/// Drives, streams, other separators and devices: `C:`, `a:b`, `a\b`, `aux.html`.
fn is_special_on_windows(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    let stem = stem.trim_ascii_end().to_ascii_lowercase();
    let is_numbered = |device: &[u8]| stem.len() == 4 && stem.starts_with(device) && stem[3].is_ascii_digit();
    name.contains(&b':')
        || name.contains(&b'\\')
        || matches!(
            &stem[..],
            b"con" | b"prn" | b"aux" | b"nul" | b"conin$" | b"conout$"
        )
        || is_numbered(b"com")
        || is_numbered(b"lpt")
}

/// The name for this system; none if it cannot be written there.
#[cfg(unix)]
pub(super) fn os_name(name: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(name))
}

/// The name for this system; none if it cannot be written there.
#[cfg(not(unix))]
pub(super) fn os_name(name: Vec<u8>) -> Option<OsString> {
    String::from_utf8(name).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spelling: Spelling, written: &str, expect: &str) {
        assert_eq!(
            spelling.spell(written),
            expect.as_bytes(),
            "{written} {spelling:?}"
        );
    }

    // The names that wget 1.21 and HTTrack 3.49 gave to the pages of a test site.
    #[test]
    fn names_as_the_tools_write_them() {
        check(Spelling::Decoded, "caf%C3%A9.html", "café.html");
        check(Spelling::Decoded, "100%25.html", "100%.html");
        check(Spelling::Decoded, "p%2Fq.html", "p%2Fq.html");
        check(Spelling::Decoded, "id=3&x=a/b", "id=3&x=a%2Fb");
        check(Spelling::AsWritten, "a%20b.html", "a%20b.html");
        check(Spelling::Windows, "a%3Fb.html", "a%3Fb.html");
        check(Spelling::Windows, "a=1|2*3", "a=1%7C2%2A3");
        check(Spelling::Windows, "%7Euser", "~user");
        check(Spelling::Httrack, "%7Euser", "_user");
        check(Spelling::Httrack, "colon:x.html", "colon_x.html");
    }

    #[test]
    fn bytes_that_are_no_text_survive() {
        assert_eq!(Spelling::Decoded.spell("caf%E9"), b"caf\xE9");
    }

    #[test]
    fn plain_names_stay_in_their_folder() {
        for name in ["", ".", "..", "a/b", "a\0b"] {
            assert!(!is_plain(name.as_bytes()), "{name:?}");
        }
        for name in ["a", "...", "..a", "a b", "%2F", "café"] {
            assert!(is_plain(name.as_bytes()), "{name:?}");
        }
    }

    #[test]
    fn windows_knows_more_special_names() {
        for name in [
            "C:", "a:b", "a\\b", "aux", "AUX.html", "nul .txt", "com1", "lpt9.htm",
        ] {
            assert!(is_special_on_windows(name.as_bytes()), "{name:?}");
        }
        for name in ["auxiliary", "com", "com12", "console.html"] {
            assert!(!is_special_on_windows(name.as_bytes()), "{name:?}");
        }
    }
}
