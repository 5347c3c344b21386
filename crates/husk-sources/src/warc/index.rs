//! Which record of which file answers for an address.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::SystemTime;

use husk::{Address, Url};

use super::unpack::Position;

/// The most that an index may take, in bytes: more than ten million pages.
const MOST_BYTES: usize = 2 << 30;

/// Nobody links to longer addresses.
const MOST_URL: usize = 8 * 1024;

/// In place of a status that only another record tells, or none.
pub(super) const UNKNOWN: u16 = 0;

/// What kind of record stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// An answer; whether it may be a page, and whether it is all there.
    Answer {
        is_page: bool,
        is_whole: bool,
    },
    Revisit,
    Failure,
}

/// A record, as an index is told of it.
#[derive(Debug, Clone)]
pub(super) struct Listed<'a> {
    pub(super) url: &'a Url,
    pub(super) date: SystemTime,
    pub(super) status: u16,
    pub(super) content: Content,
    pub(super) place: Place,
    /// The id of the record.
    pub(super) id: Option<&'a str>,
    /// The digest of the body.
    pub(super) digest: Option<&'a str>,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The number of the file.
    pub(super) file: usize,
    pub(super) position: Position,
}

/// A record that may answer for an address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) place: Place,
    pub(super) date: SystemTime,
    /// Whether its status is that of a page, or not known yet.
    pub(super) may_be_page: bool,
}

#[derive(Debug)]
struct Row {
    /// Where in the text of all addresses this one ends; it begins where the last ends.
    url_end: usize,
    date: SystemTime,
    place: Place,
    status: u16,
    content: Content,
}

/// The records of some files. It holds their addresses and places, nothing of what they say.
#[derive(Debug, Default)]
pub(super) struct Index {
    urls: String,
    rows: Vec<Row>,
    /// Numbers of rows, by the hash of what they are looked for by.
    by_url: Keys,
    by_address: Keys,
    by_id: Keys,
    by_digest: Keys,
}

/// Hashes with numbers of rows, sorted when everything is in.
#[derive(Debug, Default)]
struct Keys(Vec<(u64, u32)>);

impl Keys {
    fn add(&mut self, key: impl Hash, row: u32) {
        self.0.push((hash(key), row));
    }

    /// The rows of a key in their order, and some of another key by chance.
    fn get(&self, key: impl Hash) -> impl Iterator<Item = usize> {
        let key = hash(key);
        let from = self.0.partition_point(|&(other, _)| other < key);
        let rows = self.0[from..].iter().take_while(move |&&(other, _)| other == key);
        rows.map(|&(_, row)| row as usize)
    }
}

/// The same in every run, for `DefaultHasher::new` has no secret. Who provokes collisions makes only their own archive
/// slow: what is found is compared.
fn hash(key: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Index {
    /// Adds a record. False if it is not taken, for its address is too long or the index is full.
    pub(super) fn add(&mut self, listed: &Listed<'_>) -> bool {
        let url = listed.url.as_str();
        let size = self.urls.len() + self.rows.len() * (size_of::<Row>() + 4 * size_of::<(u64, u32)>());
        let Ok(row) = u32::try_from(self.rows.len()) else {
            return false;
        };
        if url.len() > MOST_URL || size > MOST_BYTES {
            return false;
        }
        self.urls.push_str(url);
        self.rows.push(Row {
            url_end: self.urls.len(),
            date: listed.date,
            place: listed.place,
            status: listed.status,
            content: listed.content,
        });
        self.by_url.add(url, row);
        self.by_address.add(Address::of(listed.url), row);
        if let Some(id) = listed.id {
            self.by_id.add(id, row);
        }
        let has_body = !matches!(listed.content, Content::Revisit | Content::Failure);
        if let Some(digest) = listed.digest.filter(|_| has_body) {
            self.by_digest.add(digest, row);
        }
        true
    }

    /// Must be called when everything is in.
    pub(super) fn sort(&mut self) {
        for keys in [
            &mut self.by_url,
            &mut self.by_address,
            &mut self.by_id,
            &mut self.by_digest,
        ] {
            keys.0.sort_unstable();
        }
    }

    /// Forgets the records of a file.
    pub(super) fn without(self, file: usize) -> Self {
        let mut kept = Self::default();
        let old = self;
        // Ids and digests are known by their hashes only, so they are kept as such.
        let mut renumbered = vec![None; old.rows.len()];
        for (number, row) in old
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.place.file != file)
        {
            renumbered[number] = u32::try_from(kept.rows.len()).ok();
            kept.urls.push_str(old.url(number));
            kept.rows.push(Row {
                url_end: kept.urls.len(),
                ..*row
            });
        }
        let keep = |keys: &Keys| {
            let rows = keys.0.iter();
            Keys(
                rows.filter_map(|&(key, row)| Some((key, renumbered[row as usize]?)))
                    .collect(),
            )
        };
        kept.by_url = keep(&old.by_url);
        kept.by_address = keep(&old.by_address);
        kept.by_id = keep(&old.by_id);
        kept.by_digest = keep(&old.by_digest);
        kept
    }

    fn url(&self, row: usize) -> &str {
        let start = row.checked_sub(1).map_or(0, |before| self.rows[before].url_end);
        &self.urls[start..self.rows[row].url_end]
    }

    /// The answers for an address, the best first: the newest pages, then the newest of any kind. Addresses that are
    /// written in another way count if there is none that is written so.
    pub(super) fn candidates(&self, url: &Url) -> Vec<Candidate> {
        let mut url = url.clone();
        url.set_fragment(None);
        let exact = self
            .by_url
            .get(url.as_str())
            .filter(|&row| self.url(row) == url.as_str());
        let address = Address::of(&url);
        let alike = || {
            let same =
                |row: &usize| Url::parse(self.url(*row)).is_ok_and(|found| Address::of(&found) == address);
            self.by_address.get(&address).filter(same).collect()
        };
        let mut rows: Vec<usize> = exact.collect();
        if rows.is_empty() {
            rows = alike();
        }
        rows.sort_by_cached_key(|&row| Reverse(self.rank(row)));
        let candidates = rows.into_iter().map(|row| Candidate {
            place: self.rows[row].place,
            date: self.rows[row].date,
            may_be_page: self.rank(row).0 > 0,
        });
        candidates.collect()
    }

    /// The higher, the better: pages that are all there, pages, anything; then the newest, then the last in the files.
    /// Repetitions that do not tell their status may be pages.
    fn rank(&self, row: usize) -> (u8, SystemTime, usize) {
        let Row {
            content,
            status,
            date,
            ..
        } = self.rows[row];
        let is_page = (200..300).contains(&status);
        let class = match content {
            Content::Revisit if status == UNKNOWN => 2,
            Content::Answer { is_whole: true, .. } | Content::Revisit if is_page => 2,
            Content::Answer { .. } if is_page => 1,
            _ => 0,
        };
        (class, date, row)
    }

    /// Where the record of an id is.
    pub(super) fn by_id(&self, id: &str) -> Vec<Place> {
        self.by_id
            .get(id)
            .take(MOST_ORIGINALS)
            .map(|row| self.rows[row].place)
            .collect()
    }

    /// Where records with a body of a digest are.
    pub(super) fn by_digest(&self, digest: &str) -> Vec<Place> {
        self.by_digest
            .get(digest)
            .take(MOST_ORIGINALS)
            .map(|row| self.rows[row].place)
            .collect()
    }

    /// Where answers with a body for an address are: that of the date first, then the newest before it, then others.
    pub(super) fn by_url_and_date(&self, url: &Url, date: SystemTime) -> Vec<Place> {
        let rows = self
            .by_url
            .get(url.as_str())
            .filter(|&row| self.url(row) == url.as_str());
        let has_body = |row: &usize| matches!(self.rows[*row].content, Content::Answer { .. });
        let mut rows: Vec<usize> = rows.filter(has_body).collect();
        rows.sort_by_key(|&row| {
            let found = self.rows[row].date;
            let is_later = found > date;
            let distance = found
                .duration_since(date)
                .unwrap_or_else(|before| before.duration());
            (is_later, distance)
        });
        rows.into_iter()
            .take(MOST_ORIGINALS)
            .map(|row| self.rows[row].place)
            .collect()
    }

    /// Whether there is an answer with a status for the address of a row.
    fn is_answered(&self, row: usize) -> bool {
        let url = self.url(row);
        let mut same = self.by_url.get(url).filter(|&other| self.url(other) == url);
        same.any(|other| self.rows[other].status != UNKNOWN)
    }

    /// The addresses of what may be a page, each once, in the order of their first appearance.
    pub(super) fn pages(&self) -> Vec<Url> {
        let mut seen = HashSet::new();
        let rows = self.rows.iter().enumerate().filter(|&(number, row)| {
            let is_page = matches!(
                row.content,
                Content::Answer { is_page: true, .. } | Content::Revisit
            );
            match row.status {
                // What else is known of the address decides.
                UNKNOWN => is_page && !self.is_answered(number),
                status => is_page && (200..300).contains(&status),
            }
        });
        let urls = rows.filter_map(|(number, _)| Url::parse(self.url(number)).ok());
        urls.filter(|url| seen.insert(hash(url.as_str()))).collect()
    }
}

/// How many records are looked at to find the body of a repetition.
const MOST_ORIGINALS: usize = 10;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn day(number: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(number * 86400)
    }

    const PAGE: Content = Content::Answer {
        is_page: true,
        is_whole: true,
    };

    fn index(rows: &[(&str, u64, u16, Content)]) -> Index {
        let mut index = Index::default();
        for (number, &(address, date, status, content)) in rows.iter().enumerate() {
            let is_taken = index.add(&Listed {
                url: &url(address),
                date: day(date),
                status,
                content,
                place: place(number),
                id: Some(&format!("id-{number}")),
                digest: Some(&format!("digest-{}", number % 2)),
            });
            assert!(is_taken);
        }
        index.sort();
        index
    }

    fn place(number: usize) -> Place {
        Place {
            file: number % 2,
            position: Position {
                member: number as u64,
                within: 0,
            },
        }
    }

    fn best(index: &Index, address: &str) -> Option<u64> {
        let candidates = index.candidates(&url(address));
        candidates.first().map(|best| best.place.position.member)
    }

    #[test]
    fn the_newest_page_is_the_best() {
        let cut = Content::Answer {
            is_page: true,
            is_whole: false,
        };
        let found = |rows: &[(u64, u16, Content)]| {
            let rows = rows
                .iter()
                .map(|&(date, status, content)| ("http://a.org/", date, status, content));
            best(&index(&rows.collect::<Vec<_>>()), "http://a.org/")
        };
        assert_eq!(found(&[(1, 200, PAGE), (3, 200, PAGE), (2, 200, PAGE)]), Some(1));
        assert_eq!(found(&[(1, 200, PAGE), (3, 404, PAGE), (2, 301, PAGE)]), Some(0));
        assert_eq!(found(&[(1, 301, PAGE), (3, 404, PAGE), (2, 500, PAGE)]), Some(1));
        assert_eq!(found(&[(1, 200, PAGE), (2, 200, cut)]), Some(0));
        assert_eq!(found(&[(1, 404, PAGE), (0, 200, cut)]), Some(1));
        assert_eq!(
            found(&[(1, 200, PAGE), (1, 200, PAGE)]),
            Some(1),
            "the last of one date"
        );
        assert_eq!(found(&[(1, 301, PAGE), (1, 0, Content::Failure)]), Some(1));
        assert_eq!(found(&[(1, 200, PAGE), (2, 200, Content::Revisit)]), Some(1));
    }

    #[test]
    fn addresses_are_compared_as_links_are() {
        let index = index(&[
            ("http://www.a.org/x/", 1, 200, PAGE),
            ("https://a.org/y", 1, 404, PAGE),
            ("http://a.org/y", 1, 200, PAGE),
        ]);
        assert_eq!(best(&index, "https://a.org/x#part"), Some(0));
        assert_eq!(best(&index, "https://a.org/x/index.html"), Some(0));
        assert_eq!(best(&index, "https://a.org/y"), Some(1), "written so");
        assert_eq!(best(&index, "https://www.a.org/y"), Some(2), "the page");
        assert_eq!(best(&index, "https://a.org/X"), None);
        assert_eq!(best(&index, "https://b.org/x"), None);
    }

    #[test]
    fn originals_are_found() {
        let index = index(&[
            ("http://a.org/", 1, 200, PAGE),
            ("http://a.org/", 5, 200, PAGE),
            ("http://a.org/", 7, 200, Content::Revisit),
        ]);
        assert_eq!(index.by_id("id-1"), [place(1)]);
        assert!(index.by_id("id-9").is_empty());
        assert_eq!(index.by_digest("digest-0"), [place(0)], "revisits have no body");
        let by_date = |date| index.by_url_and_date(&url("http://a.org/"), day(date));
        assert_eq!(by_date(5), [place(1), place(0)]);
        assert_eq!(by_date(4), [place(0), place(1)]);
    }

    #[test]
    fn a_file_can_be_forgotten() {
        let index = index(&[
            ("http://a.org/", 1, 200, PAGE),
            ("http://a.org/b", 1, 200, PAGE),
            ("http://a.org/c", 1, 200, PAGE),
        ])
        .without(0);
        assert_eq!(index.pages(), [url("http://a.org/b")]);
        assert_eq!(best(&index, "http://a.org/b"), Some(1));
        assert_eq!(best(&index, "http://a.org/"), None);
        assert_eq!(index.by_id("id-1"), [place(1)]);
        assert!(index.by_id("id-2").is_empty());
    }

    #[test]
    fn pages_are_listed_once() {
        let image = Content::Answer {
            is_page: false,
            is_whole: true,
        };
        let index = index(&[
            ("http://a.org/b", 1, 200, PAGE),
            ("http://a.org/", 1, 200, PAGE),
            ("http://a.org/b", 2, 200, PAGE),
            ("http://a.org/i.png", 2, 200, image),
            ("http://a.org/gone", 2, 404, PAGE),
        ]);
        assert_eq!(index.pages(), [url("http://a.org/b"), url("http://a.org/")]);
    }

    #[test]
    fn endless_addresses_are_not_taken() {
        let long = url(&format!("http://a.org/{}", "x".repeat(MOST_URL)));
        let mut index = Index::default();
        let is_taken = index.add(&Listed {
            url: &long,
            date: day(1),
            status: 200,
            content: PAGE,
            place: place(0),
            id: None,
            digest: None,
        });
        assert!(!is_taken);
    }
}
