//! Dates as pages write them, converted to RFC 3339 where possible.

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::{rfc2822, temporal::Pieces};
use jiff::tz::Offset;

use super::numbers::LONGEST_DATE;
use crate::lexicon;

/// A date as RFC 3339, with the time if its offset is known; as written if it is not understood.
pub(super) fn normalised(text: &str) -> String {
    read(text).unwrap_or_else(|| text.trim().to_owned())
}

/// A date as RFC 3339, if the text is one.
pub(crate) fn read(text: &str) -> Option<String> {
    let text = text.trim();
    machine(text).or_else(|| human(text))
}

/// Names of the time zone that is written `Z` in ISO 8601.
const UTC: [&str; 2] = [" UTC", " GMT"];

/// Formats for machines: ISO 8601 and RFC 2822.
fn machine(text: &str) -> Option<String> {
    let zoneless = UTC.iter().find_map(|zone| text.strip_suffix(zone));
    let zulu = zoneless.map(|text| format!("{}Z", text.trim_end()));
    if let Ok(pieces) = Pieces::parse(zulu.as_deref().unwrap_or(text)) {
        return Some(written(pieces.date(), pieces.time(), pieces.to_numeric_offset()));
    }
    let zoned = rfc2822::parse(text).ok()?;
    Some(written(zoned.date(), Some(zoned.time()), Some(zoned.offset())))
}

fn written(date: Date, time: Option<Time>, offset: Option<Offset>) -> String {
    let (Some(time), Some(offset)) = (time, offset) else {
        return date.to_string();
    };
    let time = DateTime::from_parts(date, time.with().subsec_nanosecond(0).build().unwrap_or(time));
    let minutes = offset.seconds() / 60;
    if minutes == 0 {
        return format!("{time}Z");
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{time}{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Formats for people: 14 October 2008, Oct 14, 2008, 2008/10/14, 14.10.2008.
fn human(text: &str) -> Option<String> {
    if text.len() > LONGEST_DATE {
        return None;
    }
    let units = lexicon::entries("date-unit");
    let is_unit = |letter: char| !letter.is_ascii() && units.iter().any(|unit| unit.starts_with(letter));
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric() || is_unit(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let named = words.iter().position(|word| month(word).is_some());
    let date = match named {
        Some(at) => with_name(&words, at)?,
        None => all_numbers(text, &words)?,
    };
    let (year, month, day) = date;
    let date = Date::new(year, month, day).ok()?;
    Some(date.to_string())
}

type YearMonthDay = (i16, i8, i8);

fn with_name(words: &[&str], at: usize) -> Option<YearMonthDay> {
    let month = month(words[at])?;
    let year = words.iter().find_map(|word| year(word))?;
    // The day is next to the month; Spanish and Portuguese have a word between them.
    let before = words[..at].iter().rev().take(2).find_map(|word| day(word));
    let day = before.or_else(|| words.get(at + 1).and_then(|word| day(word)))?;
    Some((year, month, day))
}

fn all_numbers(text: &str, words: &[&str]) -> Option<YearMonthDay> {
    let [first, second, third, ..] = words else {
        return None;
    };
    let number = |word: &str| word.parse::<i8>().ok();
    if let Some(year) = year(first) {
        return Some((year, number(second)?, day(third)?));
    }
    let year = year(third)?;
    let (first, second) = (number(first)?, number(second)?);
    // With dots the day always comes first; with slashes only a number above 12 decides.
    let has_points = text.contains(&format!("{}.", words[0])) && text.contains(&format!("{}.", words[1]));
    match (first, second) {
        (day, month) if has_points || day > 12 => Some((year, month, day)),
        (month, day) if day > 12 => Some((year, month, day)),
        (day, month) if day == month => Some((year, month, day)),
        _ => None,
    }
}

fn year(word: &str) -> Option<i16> {
    (word.len() == 4)
        .then(|| word.parse().ok())
        .flatten()
        .filter(|year| (1000..3000).contains(year))
}

fn day(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let ending = &word[digits.len()..];
    let is_day = ending.is_empty() || lexicon::entries("day-ending").contains(&ending);
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day));
    day.filter(|_| is_day)
}

/// The number of a month by its name, or by its first three letters or more if they are unambiguous.
fn month(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length < 3 || word.chars().any(char::is_numeric) {
        return None;
    }
    let months = || MONTHS.iter().copied();
    let full = months().find(|&(_, name)| name == word);
    if full.is_some() {
        return full.map(|(number, _)| number);
    }
    let mut short = months()
        .filter(|(_, name)| name.starts_with(&*word))
        .map(|(number, _)| number);
    let first = short.next()?;
    short.all(|number| number == first).then_some(first)
}

/// The names of the months with their numbers.
static MONTHS: LazyLock<Vec<(i8, &str)>> = LazyLock::new(|| {
    let numbered = lexicon::entries("month")
        .iter()
        .filter_map(|entry| entry.split_once(' '));
    numbered
        .filter_map(|(number, name)| Some((number.parse().ok()?, name)))
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(normalised(text), expect, "{text}");
    }

    #[test]
    fn forms_for_machines() {
        check("2008-10-14", "2008-10-14");
        check("2008-10-14T09:05:00Z", "2008-10-14T09:05:00Z");
        check("2008-10-14T09:05:00.123+02:00", "2008-10-14T09:05:00+02:00");
        check("2008-10-14T09:05:00-0330", "2008-10-14T09:05:00-03:30");
        check("2008-10-14T09:05", "2008-10-14");
        check("2008-10-14 09:05:00", "2008-10-14");
        check("20081014", "2008-10-14");
        check("2008-10-14 09:05 UTC", "2008-10-14T09:05:00Z");
        check("Tue, 14 Oct 2008 09:05:00 GMT", "2008-10-14T09:05:00Z");
    }

    #[test]
    fn forms_for_people() {
        check("14 October 2008", "2008-10-14");
        check("Oct 14, 2008", "2008-10-14");
        check("Tuesday, October 14th, 2008", "2008-10-14");
        check("2008/10/14", "2008-10-14");
        check("14.10.2008", "2008-10-14");
        check("14/10/2008", "2008-10-14");
        check("10/14/2008", "2008-10-14");
        check("14. Oktober 2008", "2008-10-14");
        check("14 de octubre de 2008", "2008-10-14");
        check("1er mars 2008", "2008-03-01");
        check("9 мая 2008", "2008-05-09");
        check("Lun 14 Juil 2008, 15:25", "2008-07-14");
        check("Dim 10 Mai 2008, 15:25", "2008-05-10");
        check("2008年10月14日", "2008-10-14");
    }

    #[test]
    fn what_cannot_be_told_stays() {
        check("10/11/2008", "10/11/2008");
        check("yesterday", "yesterday");
        check("October 2008", "October 2008");
        check("31 February 2008", "31 February 2008");
        check("", "");
    }
}
