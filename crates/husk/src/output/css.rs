//! URLs in style sheets, made absolute or replaced by what stands there.

use std::borrow::Cow;

use super::urls::Resolver;

/// A style sheet with the URLs in `url(…)` and `@import` made absolute, or replaced by what was saved along.
pub(super) fn absolute<'a>(css: &'a str, resolver: &Resolver) -> Cow<'a, str> {
    if !has_addresses(css) {
        return Cow::Borrowed(css);
    }
    let mut out = String::with_capacity(css.len() + 64);
    for (text, is_import) in tokens(css) {
        if let Some(address) = in_url(text) {
            let target = if is_import {
                resolver.style_sheet(&address)
            } else {
                resolver.shown(&address)
            };
            out.push_str("url(");
            push_string(&target, &mut out);
            out.push(')');
        } else if is_import && is_string(text) {
            push_string(
                &resolver.style_sheet(&unescaped(&text[1..text.len() - 1])),
                &mut out,
            );
        } else {
            out.push_str(text);
        }
    }
    Cow::Owned(out)
}

/// The URLs of the style sheets that one imports, as they are written.
pub(super) fn imports(css: &str) -> Vec<Cow<'_, str>> {
    if !has_addresses(css) {
        return Vec::new();
    }
    let address = |text| match in_url(text) {
        None if is_string(text) => Some(unescaped(&text[1..text.len() - 1])),
        in_url => in_url,
    };
    tokens(css)
        .filter(|&(_, is_import)| is_import)
        .filter_map(|(text, _)| address(text))
        .collect()
}

/// The tokens of a style sheet, each with whether it stands right behind `@import`.
fn tokens(css: &str) -> impl Iterator<Item = (&str, bool)> {
    let (mut rest, mut is_import) = (css, false);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (text, behind) = rest.split_at(token_length(rest));
        rest = behind;
        let was_import = is_import;
        let is_between = text.trim().is_empty() || text.starts_with("/*");
        is_import = text.eq_ignore_ascii_case("@import") || (is_import && is_between);
        Some((text, was_import))
    })
}

fn has_addresses(css: &str) -> bool {
    let has = |word: &[u8]| {
        css.as_bytes()
            .windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word))
    };
    has(b"url(") || has(b"@import")
}

/// How long the next token is: a comment, a string, a whole `url(…)`, a word, or one letter.
fn token_length(css: &str) -> usize {
    let bytes = css.as_bytes();
    match bytes[0] {
        b'/' if bytes.get(1) == Some(&b'*') => css[2..].find("*/").map_or(css.len(), |end| end + 4),
        quote @ (b'"' | b'\'') => string_length(css, quote),
        b'@' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' => {
            let word = 1 + css[1..].find(|c: char| !is_word(c)).unwrap_or(css.len() - 1);
            if css[..word].eq_ignore_ascii_case("url") && bytes.get(word) == Some(&b'(') {
                word + bracket_length(&css[word..])
            } else {
                word
            }
        }
        _ => css.chars().next().map_or(1, char::len_utf8),
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '-' || letter == '_'
}

/// The length of a quoted string, quotes included; an unclosed one ends with its line.
fn string_length(css: &str, quote: u8) -> usize {
    let bytes = css.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    // A backslash at the very end may have led past it.
    css.len()
}

/// The length of `(…)`, which may hold one string.
fn bracket_length(css: &str) -> usize {
    let inner = css[1..].trim_start();
    let start = css.len() - inner.len();
    let from = match inner.as_bytes().first() {
        Some(&quote @ (b'"' | b'\'')) => start + string_length(inner, quote),
        _ => start,
    };
    let mut at = from;
    while let Some(&byte) = css.as_bytes().get(at) {
        match byte {
            b')' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    css.len()
}

fn is_string(text: &str) -> bool {
    text.len() >= 2
        && matches!(text.as_bytes()[0], b'"' | b'\'')
        && text.as_bytes()[0] == text.as_bytes()[text.len() - 1]
}

/// The URL in a whole `url(…)` token.
fn in_url(text: &str) -> Option<Cow<'_, str>> {
    if !text.get(..4)?.eq_ignore_ascii_case("url(") {
        return None;
    }
    let inner = text[4..].strip_suffix(')')?.trim();
    Some(unescaped(if is_string(inner) {
        &inner[1..inner.len() - 1]
    } else {
        inner
    }))
}

/// A text with its escapes resolved: `\26 ` is a code point, a line end behind a backslash is nothing, and any other
/// letter there stands for itself.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let digits = escape.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        rest = if digits > 0 {
            let code = u32::from_str_radix(&escape[..digits], 16)
                .ok()
                .and_then(char::from_u32);
            out.push(code.filter(|&letter| letter != '\0').unwrap_or('\u{FFFD}'));
            let behind = &escape[digits..];
            behind.strip_prefix([' ', '\n', '\t']).unwrap_or(behind)
        } else {
            escape.strip_prefix('\n').unwrap_or_else(|| {
                let mut letters = escape.chars();
                out.extend(letters.next());
                letters.as_str()
            })
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Writes a URL as a string, in such a way that it neither ends the string nor the style element it stands in.
fn push_string(address: &str, out: &mut String) {
    out.push('"');
    for letter in address.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\a "),
            '<' => out.push_str("\\3c "),
            _ => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(css: &str, expect: &str) {
        let resolver = Resolver::new(url::Url::parse("https://example.org/css/main.css").unwrap(), None);
        assert_eq!(absolute(css, &resolver), expect);
    }

    #[test]
    fn addresses_are_made_absolute() {
        check(
            "a{background:url(x.png)}",
            "a{background:url(\"https://example.org/css/x.png\")}",
        );
        check(
            "a{background:URL( '/x.png' )}",
            "a{background:url(\"https://example.org/x.png\")}",
        );
        check(
            "@import \"a.css\" screen;",
            "@import \"https://example.org/css/a.css\" screen;",
        );
        check(
            "@import url(a.css);",
            "@import url(\"https://example.org/css/a.css\");",
        );
        check("url(a\\(b\\).png)", "url(\"https://example.org/css/a(b).png\")");
        check("Url('a\\20 b.png')", "url(\"https://example.org/css/a%20b.png\")");
        check(
            "@IMPORT/**/'a.css';",
            "@IMPORT/**/\"https://example.org/css/a.css\";",
        );
        check("url('data:,a\\\nb')", "url(\"data:,ab\")");
        check("url('data:,<\\/style>')", "url(\"data:,\\3c /style>\")");
        check("url('a\\'b)c.png')", "url(\"https://example.org/css/a'b)c.png\")");
    }

    #[test]
    fn the_rest_stays() {
        for css in [
            "a::before{content:\"url(x)\"}",
            "/* url(x) */ b{}",
            "a{background:url(\"data:image/png;base64,AA==\")}",
            "a{color:red}",
            "a{--url: x; xurl(y)}",
            "a{background:url(\"#gradient\")}",
            "/* url(",
            "url(x",
            "\"url(\\",
            "é url",
        ] {
            check(css, css);
        }
    }
}
