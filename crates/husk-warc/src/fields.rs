//! Header fields: lines of `Name: value`.

use std::ops::Range;

/// The longest header of a record or an HTTP response.
pub(crate) const MAX_HEADER: usize = 64 * 1024;

/// Parses fields in their order. Skips lines without a colon, so that one broken line does not lose the rest.
pub(crate) fn parse(text: &[u8]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines(text) {
        if line.first().is_some_and(|first| matches!(first, b' ' | b'\t')) {
            // A line that starts with white space continues the previous one.
            if let Some((_, value)) = fields.last_mut() {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(decoded(line).trim());
            }
            continue;
        }
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            continue;
        };
        let name = decoded(&line[..colon]);
        if !name.trim().is_empty() {
            let value = decoded(&line[colon + 1..]);
            fields.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    fields
}

/// The first field called `name`, in any letter case.
pub(crate) fn get<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut found = fields
        .iter()
        .filter(|(field, _)| field.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value.as_str())
}

/// The lines of a text without their line ends, CRLF or LF.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The range of the first empty line, which ends a header.
pub(crate) fn empty_line(text: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(length) = text[at..].iter().position(|&byte| byte == b'\n') {
        if matches!(&text[at..at + length], b"" | b"\r") {
            return Some(at..at + length + 1);
        }
        at += length + 1;
    }
    None
}

/// Decodes UTF-8, or else Latin-1.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_fields() {
        let text = b"A: 1\r\nb :2: 3 \nno colon\r\n: no name\nC:\r\n D\xE9\n\tE\r\na: 4";
        let fields = parse(text);
        let expect = [("A", "1"), ("b", "2: 3"), ("C", "Dé E"), ("a", "4")];
        assert_eq!(
            fields,
            expect.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert_eq!(get(&fields, "B"), Some("2: 3"));
        assert_eq!(get(&fields, "a"), Some("1"));
        assert_eq!(get(&fields, "d"), None);
    }

    #[test]
    fn finds_the_end_of_a_header() {
        assert_eq!(empty_line(b"A: 1\r\n\r\nbody"), Some(6..8));
        assert_eq!(empty_line(b"A: 1\n\nbody"), Some(5..6));
        assert_eq!(empty_line(b"\nbody"), Some(0..1));
        assert_eq!(empty_line(b"A: 1\r\nbody"), None);
        assert_eq!(empty_line(b""), None);
    }
}
