//! Word lists of many languages, compiled in from `lexicon/*.txt`; `lexicon/README.md` describes them.

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

/// The entries of a section in all languages, sorted and without duplicates.
pub(crate) fn entries(section: &str) -> &'static [&'static str] {
    SECTIONS
        .binary_search_by_key(&section, |&(name, _)| name)
        .map_or(&[], |at| SECTIONS[at].1)
}

/// The sections of class names with the name of the hint each is for.
pub(crate) fn class_sections() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SECTIONS
        .iter()
        .filter_map(|&(name, entries)| Some((name.strip_prefix("class ")?, entries)))
}

/// An entry as it is looked for: as a whole word, or within longer words, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern<'a> {
    /// `word`
    Whole(&'a str),
    /// `*word*`
    Part(&'a str),
}

impl<'a> Pattern<'a> {
    pub(crate) fn of(entry: &'a str) -> Self {
        match entry.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')) {
            Some(part) => Self::Part(part),
            None => Self::Whole(entry),
        }
    }

    pub(crate) fn matches(self, word: &str) -> bool {
        match self {
            Self::Whole(whole) => word == whole,
            Self::Part(part) => word.contains(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hints::Hint;

    const OTHER_SECTIONS: [&str; 29] = [
        "active",
        "alert",
        "alert caution",
        "alert important",
        "alert note",
        "alert tip",
        "alert warning",
        "author-class",
        "byline-prefix",
        "byline-suffix",
        "consent",
        "copyright",
        "date-class",
        "date-unit",
        "day-ending",
        "error-title",
        "heading comments",
        "heading related",
        "hidden-code",
        "login-title",
        "month",
        "permalink",
        "post-tool",
        "profile-path",
        "rating-of",
        "rating-star",
        "search-field",
        "social-host",
        "state",
    ];

    fn is_known(section: &str) -> bool {
        match section.strip_prefix("class ") {
            Some(hint) => Hint::by_name(hint).is_some(),
            None => OTHER_SECTIONS.contains(&section),
        }
    }

    /// The sections of a file with their entries.
    fn read(text: &str) -> Vec<(&str, Vec<&str>)> {
        let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line.strip_prefix('[') {
                Some(rest) => sections.push((rest.strip_suffix(']').unwrap(), Vec::new())),
                None => sections.last_mut().unwrap().1.push(line),
            }
        }
        sections
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test reads the word lists")]
    fn word_lists_are_well_formed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/lexicon");
        let mut files = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            let sections = read(&text);
            let path = path.display();
            assert!(
                sections.is_sorted_by(|one, other| one.0 < other.0),
                "{path}: sections are sorted"
            );
            for (section, entries) in sections {
                assert!(is_known(section), "{path}: no section is called {section:?}");
                assert!(!entries.is_empty(), "{path}: {section:?} is empty");
                let is_sorted = entries.is_sorted_by(|one, other| one < other);
                assert!(is_sorted, "{path}: {section:?} is sorted and has no duplicates");
                for entry in entries {
                    assert_eq!(entry, entry.trim().to_lowercase(), "{path}: lower case, trimmed");
                    if section == "month" {
                        let (number, name) = entry.split_once(' ').unwrap();
                        let number: u8 = number.parse().unwrap();
                        assert!((1..=12).contains(&number) && !name.is_empty(), "{path}: {entry}");
                    }
                }
            }
        }
        assert!(files > 10, "the word lists are where they are looked for");
    }

    #[test]
    fn files_are_compiled_in() {
        assert!(entries("heading related").contains(&"related posts"));
        assert!(entries("heading related").contains(&"читайте также"));
        assert!(entries("month").contains(&"01 jänner"));
        assert_eq!(entries("nothing"), [""; 0]);
    }

    #[test]
    fn stars_match_within_words() {
        assert!(Pattern::of("*search*").matches("mysearchbox"));
        assert!(Pattern::of("q").matches("q") && !Pattern::of("q").matches("qq"));
    }
}
