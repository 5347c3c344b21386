//! Dates as WARC files and CDXJ indexes write them.

use std::time::SystemTime;

use jiff::Timestamp;

/// `2026-11-16T06:14:30Z`, with a fraction of a second if there is one.
pub(crate) fn to_text(date: SystemTime) -> String {
    timestamp(date).to_string()
}

/// `20261116061430`, the form of CDXJ indexes.
pub(crate) fn to_digits(date: SystemTime) -> String {
    let text = to_text(date);
    text.chars().filter(char::is_ascii_digit).take(14).collect()
}

/// Parses either form. An invalid date becomes the Unix epoch, the oldest.
pub(crate) fn parse(text: &str) -> SystemTime {
    let parsed = match text.len() {
        14 if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let (day, time) = text.split_at(8);
            format!("{day}T{time}Z").parse()
        }
        // WARC 1.1 allows a year, a month or a day alone.
        4 => format!("{text}-01-01T00:00:00Z").parse(),
        7 => format!("{text}-01T00:00:00Z").parse(),
        10 => format!("{text}T00:00:00Z").parse(),
        _ => text.parse::<Timestamp>(),
    };
    parsed.map_or(SystemTime::UNIX_EPOCH, SystemTime::from)
}

fn timestamp(date: SystemTime) -> Timestamp {
    Timestamp::try_from(date).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_round_trip() {
        for (nanoseconds, text) in [
            (0, "2026-11-16T06:14:30Z"),
            (120_000_000, "2026-11-16T06:14:30.12Z"),
            (1, "2026-11-16T06:14:30.000000001Z"),
        ] {
            let date = SystemTime::UNIX_EPOCH + Duration::new(1_794_809_670, nanoseconds);
            assert_eq!(to_text(date), text);
            assert_eq!(parse(text), date);
            assert_eq!(to_digits(date), "20261116061430");
        }
        let seconds = SystemTime::UNIX_EPOCH + Duration::from_secs(1_794_809_670);
        assert_eq!(parse("20261116061430"), seconds);
        assert_eq!(to_text(parse("2026-11")), "2026-11-01T00:00:00Z");
        assert_eq!(to_text(parse("2026")), "2026-01-01T00:00:00Z");
    }

    #[test]
    fn invalid_dates_are_the_oldest() {
        for text in [
            "",
            "yesterday",
            "20261399999999",
            "2026-13-01",
            "ääää",
            "1é23456789",
        ] {
            assert_eq!(parse(text), SystemTime::UNIX_EPOCH, "{text}");
        }
    }
}
