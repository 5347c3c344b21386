//! The title of a page without the name of its site.

/// Separators between the title of a page and the name of its site, with a space on either side.
const SEPARATORS: [&str; 12] = ["|", "-", "–", "—", "·", "•", "»", "«", "::", "/", "⋆", "―"];

/// The parts of a title between separators.
pub(crate) fn parts(title: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for word in title.split(' ') {
        let end = at + word.len();
        if SEPARATORS.contains(&word) && at > start {
            parts.push(title[start..at].trim());
            start = end;
        }
        at = end + 1;
    }
    parts.push(title[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Signs that separate without spaces around them.
const STRONG_SIGNS: [char; 5] = ['|', '｜', '»', '«', '：'];

/// Signs that join what stands on either side, also with spaces.
const JOINING_SIGNS: [char; 6] = ['&', '+', '=', '\'', '’', '@'];

/// The starts of a title that end with a separator, the longest first: `Site - `, `Site: `, `[Site] `.
pub(super) fn prefixes(title: &str) -> Vec<&str> {
    let ends = borders(title).into_iter().rev();
    let is_prefix = |border: &Border| border.separates || border.ends_name;
    ends.filter(is_prefix)
        .map(|border| &title[..border.end])
        .collect()
}

/// The ends of a title that begin with a separator, the longest first: ` | Site`, ` [Site]`.
pub(super) fn suffixes(title: &str) -> Vec<&str> {
    let starts = borders(title).into_iter();
    let is_suffix = |border: &Border| border.separates || border.begins_name;
    starts
        .filter(is_suffix)
        .map(|border| &title[border.start..])
        .collect()
}

/// The name in a prefix or suffix: the text without the separator.
pub(super) fn name_in(affix: &str) -> &str {
    let name = affix.trim_matches(|letter: char| !letter.is_alphanumeric());
    // What is abbreviated at the end keeps its point.
    let end = affix.find(name).unwrap_or(0) + name.len();
    match affix[end..].starts_with(['.', '!', '?']) {
        true => &affix[end - name.len()..end + 1],
        false => name,
    }
}

/// What stands between two words of a title.
struct Border {
    start: usize,
    end: usize,
    /// Whether it separates two parts.
    separates: bool,
    /// Whether it ends a name at the start of a title: a colon or a closing bracket.
    ends_name: bool,
    /// Whether it begins a name in brackets.
    begins_name: bool,
}

fn borders(title: &str) -> Vec<Border> {
    let mut borders = Vec::new();
    let mut start = 0;
    for (at, letter) in title.char_indices() {
        if !letter.is_alphanumeric() {
            continue;
        }
        if start > 0 && start < at {
            borders.push(Border::of(title, start, at));
        }
        start = at + letter.len_utf8();
    }
    borders
}

impl Border {
    fn of(title: &str, start: usize, end: usize) -> Self {
        let between = &title[start..end];
        let is_sign = |word: &str| !word.is_empty() && !word.contains(JOINING_SIGNS);
        // The first and the last word stand at the text before and behind.
        let words: Vec<&str> = between.split(' ').collect();
        let stands_alone = words.len() > 2 && words[1..words.len() - 1].iter().any(|word| is_sign(word));
        // What stands at a word belongs to it: "Go! - Site", "Site - “Go”".
        let is_outer = |letter: char| letter == ' ' || STRONG_SIGNS.contains(&letter);
        let inner = between.find(is_outer).unwrap_or(0);
        let outer = between.rfind(is_outer).map_or(between.len(), |at| {
            at + between[at..].chars().next().map_or(0, char::len_utf8)
        });
        Self {
            start: start + inner,
            end: start + outer,
            separates: stands_alone || between.contains(STRONG_SIGNS),
            ends_name: between == ": " || between == "] " && title.starts_with('['),
            begins_name: between.ends_with(" [") || between.ends_with(" (") && title.ends_with(')'),
        }
    }
}

/// A title without separators at its ends.
pub(super) fn trimmed(title: &str) -> String {
    let is_separator =
        |letter: char| letter.is_whitespace() || matches!(letter, '|' | '–' | '—' | '·' | '•' | '»' | '«');
    let trimmed = title.trim_matches(is_separator);
    if trimmed.is_empty() { title } else { trimmed }.to_owned()
}

/// A title without the name of the site at its end or start.
pub(super) fn without(title: &str, site: &str) -> Option<String> {
    if let Some((before, rest)) = title.split_once(": ")
        && plain(before) == plain(site)
    {
        return Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
    }
    let parts = parts(title);
    let site = plain(site);
    let (first, last) = (plain(parts.first()?), plain(parts.last()?));
    if parts.len() < 2 || site.is_empty() {
        return None;
    }
    let (cut, from_end) = if last == site {
        (parts[parts.len() - 1], true)
    } else if first == site {
        (parts[0], false)
    } else {
        return None;
    };
    let is_separator =
        |letter: char| letter.is_whitespace() || SEPARATORS.iter().any(|sign| sign.contains(letter));
    let rest = if from_end {
        title.trim_end().strip_suffix(cut)?.trim_end_matches(is_separator)
    } else {
        title
            .trim_start()
            .strip_prefix(cut)?
            .trim_start_matches(is_separator)
    };
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The part of the title that the first heading repeats.
pub(super) fn by_heading(title: &str, heading: &str) -> Option<String> {
    let heading_is = plain(heading);
    let is_said = !heading_is.is_empty() && parts(title).len() > 1 && {
        let parts = parts(title);
        let title_is = plain(title);
        parts.iter().any(|part| plain(part) == heading_is) || title_is.starts_with(&heading_is)
    };
    is_said.then(|| heading.to_owned())
}

/// A title without the part that is the name of the host.
pub(super) fn by_host(title: &str, host: &str) -> Option<String> {
    let parts = parts(title);
    let is_site = |part: &&&str| names_host(part, host);
    let site = [parts.last(), parts.first()]
        .into_iter()
        .flatten()
        .find(is_site)?;
    without(title, site)
}

/// Whether a text is the name of the host, or a part of it between points.
pub(super) fn names_host(text: &str, host: &str) -> bool {
    let text = plain(text);
    let labels = host.split('.').map(plain);
    text == plain(host.strip_prefix("www.").unwrap_or(host))
        || labels.into_iter().any(|label| label.len() > 2 && label == text)
}

/// Letters and digits only, in lower case.
pub(super) fn plain(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_titles() {
        assert_eq!(parts("A - b | C"), ["A", "b", "C"]);
        assert_eq!(parts("Well-known"), ["Well-known"]);
        assert_eq!(parts("- a"), ["- a"]);
    }

    #[test]
    fn names_stand_at_either_end() {
        assert_eq!(prefixes("A - b | c"), ["A - b | ", "A - "]);
        assert_eq!(suffixes("A - b | c"), [" - b | c", " | c"]);
        assert_eq!(prefixes("A -- b"), ["A -- "]);
        assert_eq!(prefixes("A: b"), ["A: "]);
        assert_eq!(suffixes("A b [S.ORG]"), [" [S.ORG]"]);
        assert_eq!(prefixes("[S] a"), ["[S] "]);
        assert_eq!(suffixes("甲|乙"), ["|乙"]);
        assert_eq!(suffixes("Go (v2)! - S"), [" - S"]);
        assert_eq!(suffixes("Map<K>| S"), ["| S"]);
        assert_eq!(prefixes("S - “Go”"), ["S - "]);
        assert!(suffixes("Well-known Tom & Jerry's a.b, sf::c").is_empty());
        assert!(prefixes("Well-known Tom & Jerry's a.b, sf::c").is_empty());
        for (affix, name) in [
            (" [S.ORG]", "S.ORG"),
            ("A B - ", "A B"),
            (" - The end.", "The end."),
        ] {
            assert_eq!(name_in(affix), name);
        }
    }

    #[test]
    fn the_site_goes() {
        assert_eq!(without("A – b – Site", "site").as_deref(), Some("A – b"));
        assert_eq!(without("Site | A", "Site").as_deref(), Some("A"));
        assert_eq!(without("Site", "Site"), None);
        assert_eq!(
            by_heading("A page | Some site", "A Page").as_deref(),
            Some("A Page")
        );
        assert_eq!(by_heading("A page", "A"), None);
        assert_eq!(by_host("A | Example", "www.example.org").as_deref(), Some("A"));
        assert_eq!(without("Site: a", "Site").as_deref(), Some("a"));
        assert_eq!(trimmed("A |"), "A");
    }
}
