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

/// The text before the first colon.
pub(super) fn before_colon(title: &str) -> Option<&str> {
    title.split_once(": ").map(|(before, _)| before)
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
    let labels: Vec<String> = host
        .split('.')
        .map(plain)
        .filter(|label| label.len() > 2)
        .collect();
    let whole = plain(host.strip_prefix("www.").unwrap_or(host));
    let parts = parts(title);
    let is_site = |part: &&&str| {
        let part = plain(part);
        labels.contains(&part) || part == whole
    };
    let site = [parts.last(), parts.first()]
        .into_iter()
        .flatten()
        .find(is_site)?;
    without(title, site)
}

/// Letters and digits only, in lower case.
fn plain(text: &str) -> String {
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
