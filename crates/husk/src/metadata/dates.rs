//! Dates as pages write them, in the form of RFC 3339 where they can be told.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::{rfc2822, temporal::Pieces};
use jiff::tz::Offset;

/// A date in the form of RFC 3339: with the time if its offset is known too. As written if it cannot be told.
pub(super) fn normalised(text: &str) -> String {
    read(text).unwrap_or_else(|| text.trim().to_owned())
}

/// A date in the form of RFC 3339, if the text is one.
pub(super) fn read(text: &str) -> Option<String> {
    let text = text.trim();
    machine(text).or_else(|| human(text))
}

/// Forms for machines: ISO 8601, and that of mail.
fn machine(text: &str) -> Option<String> {
    if let Ok(pieces) = Pieces::parse(text) {
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

/// Longer texts are more than a date.
const MAX_LENGTH: usize = 48;

/// Forms for people: 14 October 2008, Oct 14, 2008, 2008/10/14, 14.10.2008.
fn human(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let words: Vec<&str> = text
        .split(|letter: char| {
            !letter.is_alphanumeric() || matches!(letter, '年' | '月' | '日' | '년' | '월' | '일')
        })
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
    // The day stands beside the month; Spanish and Portuguese put a word between them.
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
    // With points the day is first everywhere; with slashes only a number above 12 tells.
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
    let is_day = matches!(ending, "" | "st" | "nd" | "rd" | "th" | "er" | "º");
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day));
    day.filter(|_| is_day)
}

/// The number of a month by its name, in full or cut short, in some languages.
fn month(word: &str) -> Option<i8> {
    const MONTHS: [&[&str]; 12] = [
        &[
            "january",
            "januar",
            "janvier",
            "enero",
            "gennaio",
            "janeiro",
            "januari",
            "января",
            "stycznia",
            "leden",
            "ocak",
            "jänner",
        ],
        &[
            "february",
            "februar",
            "février",
            "febrero",
            "febbraio",
            "fevereiro",
            "februari",
            "февраля",
            "lutego",
            "şubat",
        ],
        &[
            "march",
            "märz",
            "mars",
            "marzo",
            "março",
            "maart",
            "марта",
            "marca",
            "mart",
        ],
        &["april", "avril", "abril", "aprile", "апреля", "kwietnia", "nisan"],
        &[
            "may", "mai", "mayo", "maggio", "maio", "mei", "maj", "мая", "maja", "mayıs",
        ],
        &[
            "june", "juni", "juin", "junio", "giugno", "junho", "июня", "czerwca", "haziran",
        ],
        &[
            "july", "juli", "juillet", "julio", "luglio", "julho", "июля", "lipca", "temmuz",
        ],
        &[
            "august",
            "août",
            "agosto",
            "augustus",
            "augusti",
            "августа",
            "sierpnia",
            "ağustos",
        ],
        &[
            "september",
            "septembre",
            "septiembre",
            "settembre",
            "setembro",
            "сентября",
            "września",
            "eylül",
            "sept",
        ],
        &[
            "october",
            "oktober",
            "octobre",
            "octubre",
            "ottobre",
            "outubro",
            "октября",
            "października",
            "ekim",
        ],
        &[
            "november",
            "novembre",
            "noviembre",
            "novembro",
            "ноября",
            "listopada",
            "kasım",
        ],
        &[
            "december",
            "dezember",
            "décembre",
            "diciembre",
            "dicembre",
            "dezembro",
            "desember",
            "декабря",
            "grudnia",
            "aralık",
        ],
    ];
    let word = word.to_lowercase();
    if word.chars().count() < 3 || word.chars().any(|letter| letter.is_numeric()) {
        return None;
    }
    let is_full = |names: &&[&str]| names.contains(&&*word);
    let is_short =
        |names: &&[&str]| word.chars().count() == 3 && names.iter().any(|name| name.starts_with(&*word));
    let found = MONTHS.iter().position(is_full).or_else(|| {
        let mut short = MONTHS.iter().enumerate().filter(|(_, names)| is_short(names));
        match (short.next(), short.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    })?;
    i8::try_from(found + 1).ok()
}

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
