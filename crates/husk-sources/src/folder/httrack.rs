//! HTTrack's file names for pages with a query: four digits of the query's MD5 follow the name.
//!
//! `item.php?id=1` becomes `item681a.html`, and links to it become `item681a.html?id=1`. Observed with HTTrack 3.49.

/// The digits that may stand for a query: of the query as written, and with lower-case percent-encoding, which HTTrack uses
/// for characters that a page did not encode.
pub(super) fn query_digits(query: &str) -> Vec<String> {
    let mut digits = vec![digits_of(query)];
    let lower = digits_of(&with_lower_case_codes(query));
    if lower != digits[0] {
        digits.push(lower);
    }
    digits
}

/// Whether a file's name, without extension, was made for this query; a suffix such as `-2` distinguishes equal names.
pub(super) fn is_named_for(stem: &str, query: &str) -> bool {
    let stem = match stem.rsplit_once('-') {
        Some((front, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            front
        }
        _ => stem,
    };
    query_digits(query)
        .iter()
        .any(|digits| stem.ends_with(digits.as_str()))
}

fn digits_of(query: &str) -> String {
    let mut digest = format!("{:x}", md5::compute(query));
    digest.truncate(4);
    digest
}

fn with_lower_case_codes(query: &str) -> String {
    let mut pieces = query.split('%');
    let mut lower = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.chars().take(2).collect::<String>();
        lower.push('%');
        lower.push_str(&code.to_ascii_lowercase());
        lower.push_str(&piece[code.len()..]);
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    // Queries and names of a mirror that HTTrack 3.49 made.
    #[test]
    fn digits_as_httrack_writes_them() {
        for (query, digits) in [
            ("id=1", "681a"),
            ("id=2", "0b30"),
            ("id=3&x=a/b", "ac13"),
            ("id=%C3%A9", "77d3"),
            ("q=x%20y", "b729"),
            ("a=1|2*3", "5cce"),
            ("%D1%8F=%D0%AE", "f0e5"),
        ] {
            assert!(query_digits(query).contains(&digits.to_owned()), "{query}");
        }
    }

    #[test]
    fn names_made_for_a_query() {
        assert!(is_named_for("item681a", "id=1"));
        assert!(is_named_for("item681a-2", "id=1"));
        assert!(!is_named_for("item", "id=1"));
        assert!(!is_named_for("item681a", "id=2"));
    }

    #[test]
    fn codes_in_lower_case() {
        assert_eq!(with_lower_case_codes("Q=%C3%A9&100%&%Ü"), "Q=%c3%a9&100%&%Ü");
    }
}
