//! Finds the authors and dates of posts.
//!
//! Each post has several texts that may be its author or its date: its markup, names and targets say how likely each is. The same
//! markup must hold the field in most posts, and where it varies from post to post it is no label.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexMap;
use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64;

use super::groups::{Group, classes};
use super::numbers::{IN_ORDER, LONGEST_DATE, LONGEST_NAME, MOST, MOST_NAME_WORDS};
use crate::lexicon::{self, Pattern};
use crate::measure::{is_never_shown, mix};
use crate::metadata::{read_date, words_of};

/// A field of a post.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) node: NodeId,
    pub(super) value: String,
    /// Whether it is where most posts have it.
    pub(super) is_usual: bool,
}

/// A text that may be a field.
struct Candidate {
    /// The same in posts that are built alike.
    markup: u64,
    /// The higher, the likelier.
    strength: u8,
    field: Field,
}

/// All texts of a page that may be fields, in document order.
pub(super) struct Fields<'a> {
    dom: &'a Dom,
    authors: Vec<Text>,
    dates: Vec<Text>,
}

/// A text that may be a field, with its strength.
struct Text {
    node: NodeId,
    strength: u8,
    value: String,
}

impl<'a> Fields<'a> {
    pub(super) fn of(dom: &'a Dom, body: NodeId) -> Self {
        let (mut authors, mut dates) = (Vec::new(), Vec::new());
        let mut hidden_until = 0;
        for node in dom.subtree(body) {
            if node.index() < hidden_until {
                continue;
            }
            if is_never_shown(dom, node) && !dom.is_element(node, &name!("meta")) {
                hidden_until = dom.range(node).end;
                continue;
            }
            let text = |(strength, value)| Text {
                node,
                strength,
                value,
            };
            authors.extend(author(dom, node).map(text));
            dates.extend(date(dom, node).map(text));
        }
        Self { dom, authors, dates }
    }

    /// The authors of the members of a group, if most have one.
    pub(super) fn authors(&self, group: &Group) -> Option<Vec<Option<Field>>> {
        let candidates = self.candidates(group, &self.authors, |_, _| false);
        choose(&candidates, |values, strength| {
            let first = values.first()?;
            let varies = values.iter().any(|value| value != first);
            (varies || strength >= SAID).then_some(true)
        })
    }

    /// The dates of the members of a group, if most have one.
    pub(super) fn dates(&self, group: &Group) -> Option<Vec<Option<Field>>> {
        // A post was changed after it was written.
        let is_better =
            |text: &Text, known: &Candidate| known.strength >= EXACT && text.value < known.field.value;
        let candidates = self.candidates(group, &self.dates, is_better);
        choose(&candidates, |values, _| Some(are_in_order(values)))
    }

    fn candidates(
        &self,
        group: &Group,
        texts: &[Text],
        is_better: impl Fn(&Text, &Candidate) -> bool,
    ) -> Vec<Vec<Candidate>> {
        let dom = self.dom;
        let of_member = |number: usize| {
            let mut found: Vec<Candidate> = Vec::new();
            let member = group.members[number];
            let range = dom.range(member);
            let first = texts.partition_point(|text| text.node.index() < range.start);
            let mut nested = group.members[number + 1..].iter().peekable();
            let mut nested_until = 0;
            for text in texts[first..]
                .iter()
                .take_while(|text| text.node.index() < range.end)
            {
                while let Some(inner) = nested.next_if(|inner| **inner <= text.node) {
                    nested_until = nested_until.max(dom.range(*inner).end);
                }
                if text.node.index() < nested_until {
                    continue;
                }
                let markup = markup(dom, text.node, member);
                let field = || Field {
                    node: text.node,
                    value: text.value.clone(),
                    is_usual: true,
                };
                let known = found
                    .iter_mut()
                    .find(|known| (known.markup, known.strength) == (markup, text.strength));
                match known {
                    Some(known) if is_better(text, known) => known.field = field(),
                    Some(_) => {}
                    None => found.push(Candidate {
                        markup,
                        strength: text.strength,
                        field: field(),
                    }),
                }
            }
            found
        };
        (0..group.members.len()).map(of_member).collect()
    }
}

/// The markup that most posts have and that is the likeliest; posts without it have their likeliest candidate.
/// `judge` says of its values whether they can be the field, and whether they are as expected.
fn choose(
    candidates: &[Vec<Candidate>],
    judge: impl Fn(&[&str], u8) -> Option<bool>,
) -> Option<Vec<Option<Field>>> {
    let mut by_markup: IndexMap<(u64, u8), Vec<&str>> = IndexMap::new();
    for candidate in candidates.iter().flatten() {
        let markup = (candidate.markup, candidate.strength);
        by_markup.entry(markup).or_default().push(&candidate.field.value);
    }
    let mut best: Option<((bool, u8, usize), u64)> = None;
    for (&(markup, strength), values) in &by_markup {
        // Guests and members, or old posts and new ones, may be built differently.
        if 2 * values.len() < candidates.len() {
            continue;
        }
        let Some(is_expected) = judge(values, strength) else {
            continue;
        };
        let rank = (is_expected, strength, values.len());
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, markup));
        }
    }
    let ((_, strength, _), markup) = best?;
    let fields: Vec<Option<Field>> = candidates
        .iter()
        .map(|of_member| {
            let alike = || of_member.iter().filter(|candidate| candidate.markup == markup);
            let same = alike().find(|candidate| candidate.strength == strength);
            let same = same.or_else(|| alike().next());
            // The first post may be built differently.
            let other = || {
                let strong = of_member.iter().filter(|candidate| candidate.strength >= NAMED);
                strong.reduce(|best, other| {
                    if other.strength > best.strength {
                        other
                    } else {
                        best
                    }
                })
            };
            let is_usual = same.is_some();
            same.or_else(other).map(|candidate| Field {
                is_usual,
                ..candidate.field.clone()
            })
        })
        .collect();
    let found = fields.iter().flatten().count();
    (found as f64 >= MOST * fields.len() as f64).then_some(fields)
}

/// The element's classes, or its name and position, with those of its parent.
fn markup(dom: &Dom, node: NodeId, member: NodeId) -> u64 {
    let own = |node: NodeId| {
        let mut hash = 0u64;
        let mut has_class = false;
        for class in classes(dom, node) {
            has_class = true;
            hash = hash.wrapping_add(xxh3_64(class.as_bytes()));
        }
        (hash, has_class)
    };
    let (hash, has_class) = own(node);
    if has_class || node == member {
        return hash;
    }
    let Some(parent) = dom.parent(node) else {
        return hash;
    };
    let position = dom
        .children(parent)
        .take_while(|&child| child < node)
        .filter(|&child| dom.kind(child) == NodeKind::Element)
        .count();
    let own_name = mix(xxh3_64(dom.name(node).as_bytes()), position as u64);
    mix(own_name, own(parent).0)
}

/// The strength of what the page says for machines.
const SAID: u8 = 5;
const LINKED: u8 = 4;
const NAMED: u8 = 3;

/// The strength of a date that is written in an attribute.
const EXACT: u8 = 3;

/// The name of an author at a node.
fn author(dom: &Dom, node: NodeId) -> Option<(u8, String)> {
    if dom.kind(node) != NodeKind::Element {
        return None;
    }
    let strength = author_strength(dom, node)?;
    let content = dom.attribute(node, &name!("content")).map(str::to_owned);
    let text = content.or_else(|| author_text(dom, node))?;
    let text = without_affixes(&text);
    is_name(text).then(|| (strength, text.to_owned()))
}

/// The text of an `itemprop=name` in an element, of a link to a person, or of the element.
fn author_text(dom: &Dom, node: NodeId) -> Option<String> {
    let named = dom
        .subtree(node)
        .skip(1)
        .find(|&inner| dom.attribute(inner, &name!("itemprop")) == Some("name"));
    let text = match named {
        Some(named) => dom
            .attribute(named, &name!("content"))
            .map(str::to_owned)
            .or_else(|| words_of(dom, named)),
        None => words_of(dom, node),
    }?;
    // A link names the author alone; the text may have a rank as well.
    let mut links = dom
        .subtree(node)
        .skip(1)
        .filter(|&inner| dom.is_element(inner, &name!("a")) && author_strength(dom, inner) >= Some(LINKED));
    let linked = links.find_map(|link| words_of(dom, link).filter(|name| is_name(name)));
    Some(linked.filter(|_| named.is_none()).unwrap_or(text))
}

fn author_strength(dom: &Dom, node: NodeId) -> Option<u8> {
    let mut strength = None;
    let mut raise = |to: u8| strength = strength.max(Some(to));
    for attribute in dom.attributes(node) {
        let value = attribute.value;
        match &**attribute.name {
            "itemprop" if has_word(value, |word| matches!(word, "author" | "creator")) => raise(SAID),
            "rel" if has_word(value, |word| word == "author") => raise(SAID),
            "href" if dom.is_element(node, &name!("a")) && is_profile(value) => raise(LINKED),
            "class" => {
                let names = lexicon::entries("author-class");
                let is_named = |word: &str| names.iter().any(|name| Pattern::of(name).matches(word));
                if value
                    .split_ascii_whitespace()
                    .any(|class| ends_with_word(class, is_named))
                {
                    raise(NAMED);
                }
            }
            _ => {}
        }
    }
    strength
}

fn has_word(value: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    value.split_ascii_whitespace().any(is_wanted)
}

/// Whether the last word of a class name, or all of it, is wanted: `post-author` is the author of a post, `author-posts` are not.
fn ends_with_word(class: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    let lower = class.to_ascii_lowercase();
    let last = lower.rsplit(['-', '_']).find(|word| !word.is_empty());
    let joined: String = lower.chars().filter(|letter| letter.is_alphanumeric()).collect();
    last.is_some_and(&is_wanted) || is_wanted(&joined)
}

/// Whether a target is the page of a person: `/users/12/ann`, `member.php?u=12`, `/@ann`.
pub(super) fn is_profile(target: &str) -> bool {
    let target = target.trim();
    let path = target.split_once("://").map_or(target, |(_, rest)| {
        rest.find('/').map_or("", |slash| &rest[slash..])
    });
    if path.starts_with('#') {
        return false;
    }
    let names = lexicon::entries("profile-path");
    let path = path.to_ascii_lowercase();
    let mut words = path
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    while let Some(word) = words.next() {
        if words.peek().is_some() && names.binary_search(&word).is_ok() {
            return true;
        }
    }
    let last = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    last.len() > 1 && last.starts_with(['@', '~'])
}

fn without_affixes(text: &str) -> &str {
    let lower = text.to_lowercase();
    let prefixes = lexicon::entries("byline-prefix");
    let prefix = prefixes
        .iter()
        .find(|prefix| lower.starts_with(&format!("{prefix} ")) && text.is_char_boundary(prefix.len()));
    let text = prefix.map_or(text, |prefix| &text[prefix.len()..]);
    let mut suffixes = lexicon::entries("byline-suffix").iter();
    let text = suffixes
        .find_map(|suffix| text.strip_suffix(suffix)?.strip_suffix(' '))
        .unwrap_or(text);
    text.trim_matches(|letter: char| {
        letter.is_whitespace() || matches!(letter, ':' | ',' | '·' | '•' | '|' | '–' | '—')
    })
}

fn is_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    // A single letter stands for a picture.
    (1..=MOST_NAME_WORDS).contains(&words)
        && (2..=LONGEST_NAME).contains(&text.chars().count())
        && text.chars().any(char::is_alphabetic)
        && !text.contains("://")
        && !text.split_whitespace().any(|word| read_date(word).is_some())
        && !text.ends_with([':', '?', '!', '…'])
        && !text.ends_with("...")
        && read_date(text).is_none()
}

/// A date at a node: what is written for machines, else a text that is read as a date, else what is named so.
fn date(dom: &Dom, node: NodeId) -> Option<(u8, String)> {
    match dom.kind(node) {
        NodeKind::Text => {
            let text = dom.text_of(node).trim();
            let is_short = !text.is_empty() && text.len() <= LONGEST_DATE;
            is_short.then(|| shown_date(text)).flatten().map(|date| (2, date))
        }
        NodeKind::Element => {
            let is_time = dom.is_element(node, &name!("time"));
            let mut best: Option<(u8, String)> = None;
            for attribute in dom.attributes(node) {
                let (name, value) = (&**attribute.name, attribute.value.trim());
                let (strength, date) = match name {
                    "datetime" if is_time => (4, read_date(value)),
                    "content" | "datetime" if is_date_property(dom, node) => (SAID, read_date(value)),
                    "title" | "aria-label" if value.len() <= LONGEST_DATE => (3, shown_date(value)),
                    "href" | "src" | "id" | "class" | "style" => continue,
                    _ => (3, machine_date(name, value)),
                };
                if let Some(date) = date
                    && best.as_ref().is_none_or(|&(known, _)| strength > known)
                {
                    best = Some((strength, date));
                }
            }
            best.or_else(|| named_date(dom, node, is_time))
        }
        _ => None,
    }
}

fn is_date_property(dom: &Dom, node: NodeId) -> bool {
    let property = dom.attribute(node, &name!("itemprop")).unwrap_or_default();
    has_word(property, |word| {
        matches!(
            word,
            "dateCreated" | "datePublished" | "commentTime" | "uploadDate"
        )
    })
}

/// A date in an attribute for scripts: in full, or as seconds since 1970.
fn machine_date(name: &str, value: &str) -> Option<String> {
    if !(10..=40).contains(&value.len()) || !value.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    if value.bytes().all(|letter| letter.is_ascii_digit()) {
        let is_time = ["time", "date", "utc", "stamp"]
            .iter()
            .any(|word| name.contains(word));
        let seconds: i64 = match value.len() {
            10 => value.parse().ok()?,
            13 => value.parse::<i64>().ok()? / 1000,
            _ => return None,
        };
        return is_time
            .then(|| Timestamp::from_second(seconds).ok())
            .flatten()
            .map(|time| time.to_string());
    }
    let is_date = value.as_bytes().get(4) == Some(&b'-');
    is_date.then(|| read_date(value)).flatten()
}

/// A date as written in an element that is named so.
fn named_date(dom: &Dom, node: NodeId, is_time: bool) -> Option<(u8, String)> {
    let names = lexicon::entries("date-class");
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    let is_named = is_date_property(dom, node)
        || class
            .split_ascii_whitespace()
            .any(|class| ends_with_word(class, |word| names.binary_search(&word).is_ok()));
    if (!is_named && !is_time) || dom.size(node) > 12 {
        return None;
    }
    let text = words_of(dom, node)?;
    // A time of day alone is no date.
    let is_number = |word: &str| word.bytes().any(|letter| letter.is_ascii_digit()) && !word.contains(':');
    let has_number = text.split_whitespace().any(is_number);
    if !has_number || text.len() > LONGEST_DATE {
        return None;
    }
    match shown_date(&text) {
        Some(date) => Some((2, date)),
        None => Some((
            1,
            text.trim_matches(|letter: char| !letter.is_alphanumeric())
                .to_owned(),
        )),
    }
}

/// A date in a text, also behind a label or the number of the post.
pub(super) fn shown_date(text: &str) -> Option<String> {
    let text = text.rsplit_once(": ").map_or(text, |(_, rest)| rest);
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !word.starts_with('#'))
        .collect();
    let text = words.join(" ");
    read_date(&text).or_else(|| {
        let number = text.find(|letter: char| letter.is_ascii_digit())?;
        (number > 0).then(|| read_date(&text[number..])).flatten()
    })
}

/// Whether all posts but the first are in order: its date is then that of something else, such as the last reply.
pub(super) fn is_first_out_of_order(dates: &[&str]) -> bool {
    let [first, rest @ ..] = dates else {
        return false;
    };
    rest.len() > 1 && rest.is_sorted() && rest.first().is_some_and(|second| first > second)
}

/// Whether posts with these dates go forward in time, or backward.
fn are_in_order(dates: &[&str]) -> bool {
    let pairs = dates.windows(2);
    let enough = IN_ORDER * pairs.len() as f64;
    let day = |date: &&str| date.get(..10).unwrap_or(date).to_owned();
    let forward = pairs
        .clone()
        .filter(|pair| day(&pair[0]) <= day(&pair[1]))
        .count();
    let backward = pairs.filter(|pair| day(&pair[0]) >= day(&pair[1])).count();
    forward as f64 >= enough || backward as f64 >= enough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_known_by_their_path() {
        for target in [
            "/users/12/ann",
            "https://example.org/u/ann",
            "member.php?u=12",
            "./profile/ann",
            "/@ann",
            "user?id=ann",
        ] {
            assert!(is_profile(target), "{target}");
        }
        for target in [
            "/users",
            "#user",
            "/story/mill",
            "https://users.example.org/mill",
            "/",
        ] {
            assert!(!is_profile(target), "{target}");
        }
    }

    #[test]
    fn authors_have_ranks() {
        let dom = Dom::parse("<p class=author><a href=/u/ann>A</a> <a href=/u/ann>Ann</a> Senior Member</p>");
        let node = dom
            .nodes()
            .find(|&node| dom.is_element(node, &name!("p")))
            .unwrap();
        assert_eq!(author(&dom, node), Some((NAMED, "Ann".to_owned())));
    }

    #[test]
    fn dates_have_labels() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(shown_date(text).as_deref(), expect, "{text}");
        };
        check("Posted: Tue May 05, 2009 3:14 pm", Some("2009-05-05"));
        check("Reply #3 on: May 05, 2012, 03:14 PM", Some("2012-05-05"));
        check("#3 May 5, 2012", Some("2012-05-05"));
        check("Posted 2012/05/25", Some("2012-05-25"));
        check("Joined: Jan 2005", None);
        check("3 days ago", None);
    }

    #[test]
    fn numbers_are_dates_only_where_they_are_named_so() {
        assert_eq!(
            machine_date("data-time", "1325376000").as_deref(),
            Some("2012-01-01T00:00:00Z")
        );
        assert_eq!(
            machine_date("data-timestamp", "1325376000000").as_deref(),
            Some("2012-01-01T00:00:00Z")
        );
        assert_eq!(machine_date("data-id", "1325376000"), None);
        assert_eq!(
            machine_date("ts", "2012-01-01T00:00:00Z").as_deref(),
            Some("2012-01-01T00:00:00Z")
        );
    }

    #[test]
    fn order_is_either_way() {
        assert!(are_in_order(&["2012-01-01", "2012-01-01", "2012-02-01"]));
        assert!(are_in_order(&["2012-03-01", "2012-02-01", "2012-01-01"]));
        assert!(!are_in_order(&[
            "2012-03-01",
            "2012-05-01",
            "2012-01-01",
            "2012-04-01"
        ]));
    }
}
