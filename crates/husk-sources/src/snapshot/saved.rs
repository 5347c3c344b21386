//! Where pages saved in one HTML file come from.

use husk::Url;
use husk::dom::Dom;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

use crate::folder::declared_url;

/// Where a page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) url: Url,
    pub(super) saved_at: Option<Timestamp>,
}

impl Origin {
    fn new(url: &str, saved_at: Option<Timestamp>) -> Option<Self> {
        let url = Url::parse(url.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(Self { url, saved_at })
    }
}

/// What the program that saved a page recorded; `head` is the beginning of the page.
pub(super) fn recorded_origin(head: &str) -> Option<Origin> {
    comments(head)
        .find_map(of_comment)
        .or_else(|| of_meta_elements(head))
}

/// The URL that a page itself declares, which need not be the one it was saved from.
pub(super) fn declared_origin(head: &str) -> Option<Origin> {
    let dom = Dom::parse(head);
    dom.nodes()
        .filter_map(|node| declared_url(&dom, node))
        .find_map(|address| Origin::new(address, None))
}

/// The most comments that are read: those of saving programs are among the first.
const MAX_COMMENTS: usize = 100;

fn comments(head: &str) -> impl Iterator<Item = &str> {
    let pieces = head.split("<!--").skip(1).take(MAX_COMMENTS);
    pieces.filter_map(|piece| Some(piece.split_once("-->")?.0))
}

fn of_comment(comment: &str) -> Option<Origin> {
    of_single_file(comment)
        .or_else(|| of_browser(comment))
        .or_else(|| of_monolith(comment))
}

/// As SingleFile writes it: lines with `url:` and `saved date:`.
fn of_single_file(comment: &str) -> Option<Origin> {
    if !comment.trim_start().starts_with("Page saved with SingleFile") {
        return None;
    }
    let value = |name| {
        let mut lines = comment.lines();
        lines
            .find_map(|line| line.trim().strip_prefix(name))
            .map(str::trim)
    };
    Origin::new(value("url:")?, value("saved date:").and_then(date_of_script))
}

/// As browsers write it, for Windows to know that a file comes from the web: `saved from url=(0020)https://example.org/`,
/// with the length of the URL.
fn of_browser(comment: &str) -> Option<Origin> {
    let behind = comment.trim_start().strip_prefix("saved from url=(")?;
    let (_, url) = behind.split_once(')')?;
    Origin::new(url.split_ascii_whitespace().next()?, None)
}

/// As monolith writes it: `Saved from https://example.org/ at 2026-11-16T06:17:03Z using monolith v2.10`.
fn of_monolith(comment: &str) -> Option<Origin> {
    let behind = comment.trim().strip_prefix("Saved from ")?;
    let mut words = behind.split_ascii_whitespace();
    let (url, _, date) = (words.next()?, words.next()?, words.next()?);
    Origin::new(url, date.parse().ok())
}

/// As Save Page WE writes it.
fn of_meta_elements(head: &str) -> Option<Origin> {
    if !head.contains("savepage-url") {
        return None;
    }
    let dom = Dom::parse(head);
    let value = |wanted| {
        dom.nodes().find_map(|node| {
            let has = |name: &str| {
                dom.attributes(node)
                    .find(|attribute| &**attribute.name == name)
                    .map(|attribute| attribute.value)
            };
            has("name").filter(|name| *name == wanted)?;
            has("content")
        })
    };
    Origin::new(
        value("savepage-url")?,
        value("savepage-date").and_then(date_of_script),
    )
}

/// A date as JavaScript writes it: `Mon Nov 16 2026 06:19:51 GMT+0100 (Central European Standard Time)`.
fn date_of_script(text: &str) -> Option<Timestamp> {
    let words: Vec<&str> = text.split_ascii_whitespace().take(6).collect();
    let [_, month, day, year, time, zone] = words[..] else {
        return None;
    };
    let zone = zone
        .strip_prefix("GMT")
        .filter(|zone| !zone.is_empty())
        .unwrap_or("+0000");
    date_of_mail(&format!("{day} {month} {year} {time} {zone}"))
}

/// A date as in e-mail.
pub(super) fn date_of_mail(text: &str) -> Option<Timestamp> {
    static PARSER: rfc2822::DateTimeParser = rfc2822::DateTimeParser::new();
    PARSER.parse_timestamp(text.trim()).ok()
}

/// The original URL of a page that a web archive shows.
///
/// Links on such pages lead to the archive, each with the time of its target: pages are identified by their original URLs.
pub(super) fn original_url(url: &Url) -> Option<Url> {
    const ARCHIVES: [&str; 2] = ["web.archive.org", "wayback.archive-it.org"];
    if !ARCHIVES.contains(&url.host_str()?) {
        return None;
    }
    let text = url.as_str();
    let is_time = |step: &str| step.len() >= 4 && step.starts_with(|sign: char| sign.is_ascii_digit());
    let mut steps = text.match_indices('/').map(|(at, _)| at + 1);
    let behind = steps.find(|&start| {
        let (front, behind) = text.split_at(start);
        let time = front.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        is_time(time) && (behind.starts_with("http:/") || behind.starts_with("https:/"))
    })?;
    Url::parse(&text[behind..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str, expect: Option<(&str, Option<&str>)>) {
        let found = recorded_origin(head);
        let found = found.map(|origin| {
            (
                origin.url.to_string(),
                origin.saved_at.map(|date| date.to_string()),
            )
        });
        let expect = expect.map(|(url, date)| (url.to_owned(), date.map(str::to_owned)));
        assert_eq!(found, expect, "{head}");
    }

    #[test]
    fn savers_leave_marks() {
        check(
            "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://example.org/a?b \n \
             saved date: Mon Nov 16 2026 06:19:51 GMT+0100 (Central European Standard Time)\n--><meta charset=utf-8>",
            Some(("https://example.org/a?b", Some("2026-11-16T05:19:51Z"))),
        );
        check(
            "<!DOCTYPE html>\n<!-- saved from url=(0024)https://example.org/a/b/ -->\n<html>",
            Some(("https://example.org/a/b/", None)),
        );
        check(
            "<!-- Saved from https://example.org/ at 2026-11-16T06:17:03Z using monolith v2.10.1 --><html>",
            Some(("https://example.org/", Some("2026-11-16T06:17:03Z"))),
        );
        check(
            "<html><meta name=\"savepage-url\" content=\"https://example.org/x\"><meta name=\"savepage-date\" \
             content=\"Mon Nov 16 2026 06:19:51 GMT+0000 (UTC)\">",
            Some(("https://example.org/x", Some("2026-11-16T06:19:51Z"))),
        );
    }

    #[test]
    fn other_comments_are_none() {
        check("<!-- saved from url=(0014)about:internet -->", None);
        check("<!-- saved from url=(0014) -->", None);
        check("<!-- saved from url=(0030)file:///C:/a.html -->", None);
        check(
            "<!-- Mirrored from example.org/ by HTTrack Website Copier/3.x -->",
            None,
        );
        check("<!-- Page saved with SingleFile \n url: nowhere -->", None);
        check(
            "<!-- Page saved with SingleFile \n url: https://example.org/",
            None,
        );
        check("<p>saved from url=(0020)https://example.org/", None);
        check("<link rel=canonical href=https://example.org/>", None);
        check("", None);
    }

    #[test]
    fn a_broken_date_is_none() {
        check(
            "<!--\n Page saved with SingleFile \n url: https://example.org/ \n saved date: yesterday\n-->",
            Some(("https://example.org/", None)),
        );
        assert!(date_of_mail("Mon, 16 Nov 2026 06:17:03 GMT").is_some());
        assert!(date_of_mail("16.11.2026").is_none());
    }

    #[test]
    fn pages_tell_their_address_themselves() {
        let word = |head| declared_origin(head).map(|origin| origin.url.to_string());
        assert_eq!(
            word("<link rel=canonical href=https://example.org/a>").as_deref(),
            Some("https://example.org/a")
        );
        assert_eq!(word("<link rel=canonical href=/a>"), None);
    }

    #[test]
    fn archives_show_other_pages() {
        let check = |url: &str, expect: Option<&str>| {
            let found = original_url(&Url::parse(url).unwrap());
            assert_eq!(found.as_ref().map(Url::as_str), expect, "{url}");
        };
        check(
            "https://web.archive.org/web/20200102030405/https://example.org/a?b=http://c/",
            Some("https://example.org/a?b=http://c/"),
        );
        check(
            "http://web.archive.org/web/2020id_/http://example.org/",
            Some("http://example.org/"),
        );
        check("https://web.archive.org/web/", None);
        check("https://web.archive.org/details/http://example.org/", None);
        check("https://example.org/web/2020/http://example.com/", None);
    }
}
