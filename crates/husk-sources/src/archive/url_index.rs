//! Which record of which file holds the response for a URL.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::SystemTime;

use husk::{Address, Url};
use husk_warc::Position;

/// The largest size of an index in bytes: enough for more than ten million pages.
const MAX_BYTES: usize = 2 << 30;

/// Records with longer URLs are skipped.
const MAX_URL: usize = 8 * 1024;

/// Stands for a status that is stored in another record, or not at all.
pub(super) const UNKNOWN_STATUS: u16 = 0;

/// What the index keeps of the content of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentSummary {
    Response { is_page: bool, is_whole: bool },
    Revisit,
    Failure,
}

/// A record to add to the index.
#[derive(Debug, Clone)]
pub(super) struct IndexedRecord<'a> {
    pub(super) url: &'a Url,
    pub(super) date: SystemTime,
    pub(super) status: u16,
    pub(super) content: ContentSummary,
    pub(super) location: RecordLocation,
    pub(super) id: Option<&'a str>,
    /// The digest of the body, normalized.
    pub(super) digest: Option<String>,
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordLocation {
    /// The number of the file.
    pub(super) file: usize,
    pub(super) position: Position,
}

/// A record that may hold the response for a URL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) location: RecordLocation,
    pub(super) date: SystemTime,
    /// Whether its status is 2xx or unknown.
    pub(super) may_be_page: bool,
}

#[derive(Debug)]
struct Row {
    /// Where the URL ends in the string of all URLs; it starts where that of the previous row ends.
    url_end: usize,
    date: SystemTime,
    location: RecordLocation,
    status: u16,
    content: ContentSummary,
}

/// The records of some files: their URLs and locations, without their content.
#[derive(Debug, Default)]
pub(super) struct UrlIndex {
    urls: String,
    rows: Vec<Row>,
    by_url: HashedKeys,
    by_address: HashedKeys,
    by_id: HashedKeys,
    by_digest: HashedKeys,
}

/// Hashes of keys with row numbers, sorted once everything is added.
#[derive(Debug, Default)]
struct HashedKeys(Vec<(u64, u32)>);

impl HashedKeys {
    fn add(&mut self, key: impl Hash, row: u32) {
        self.0.push((hash(key), row));
    }

    /// The rows of a key in their order, and possibly some of other keys with the same hash.
    fn get(&self, key: impl Hash) -> impl Iterator<Item = usize> {
        let key = hash(key);
        let from = self.0.partition_point(|&(other, _)| other < key);
        let rows = self.0[from..].iter().take_while(move |&&(other, _)| other == key);
        rows.map(|&(_, row)| row as usize)
    }
}

/// The same in every run, since `DefaultHasher::new` has no random key. Collisions only cost time: URLs are compared
/// after the lookup.
fn hash(key: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl UrlIndex {
    /// Adds a record. False if its URL is too long or the index is full.
    pub(super) fn add(&mut self, record: &IndexedRecord<'_>) -> bool {
        let url = record.url.as_str();
        let size = self.urls.len() + self.rows.len() * (size_of::<Row>() + 4 * size_of::<(u64, u32)>());
        let Ok(row) = u32::try_from(self.rows.len()) else {
            return false;
        };
        if url.len() > MAX_URL || size > MAX_BYTES {
            return false;
        }
        self.urls.push_str(url);
        self.rows.push(Row {
            url_end: self.urls.len(),
            date: record.date,
            location: record.location,
            status: record.status,
            content: record.content,
        });
        self.by_url.add(url, row);
        self.by_address.add(Address::of(record.url), row);
        if let Some(id) = record.id {
            self.by_id.add(id, row);
        }
        let has_body = !matches!(record.content, ContentSummary::Revisit | ContentSummary::Failure);
        if let Some(digest) = record.digest.as_deref().filter(|_| has_body) {
            self.by_digest.add(digest, row);
        }
        true
    }

    /// Must be called once everything is added.
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

    /// Removes the records of a file.
    pub(super) fn without(self, file: usize) -> Self {
        let mut kept = Self::default();
        let old = self;
        let mut renumbered = vec![None; old.rows.len()];
        for (number, row) in old
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.location.file != file)
        {
            renumbered[number] = u32::try_from(kept.rows.len()).ok();
            kept.urls.push_str(old.url(number));
            kept.rows.push(Row {
                url_end: kept.urls.len(),
                ..*row
            });
        }
        let keep = |keys: &HashedKeys| {
            let rows = keys.0.iter();
            HashedKeys(
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

    /// The responses for a URL, best first: the newest pages, then the newest of any status. If no record has exactly this
    /// URL, records with an equivalent one count.
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
            location: self.rows[row].location,
            date: self.rows[row].date,
            may_be_page: self.rank(row).0 > 0,
        });
        candidates.collect()
    }

    /// Higher is better: complete pages, other pages, anything; then the newest, then the last in the files. A `revisit`
    /// record without status may be a page.
    fn rank(&self, row: usize) -> (u8, SystemTime, usize) {
        let Row {
            content,
            status,
            date,
            ..
        } = self.rows[row];
        let is_page = (200..300).contains(&status);
        let class = match content {
            ContentSummary::Revisit if status == UNKNOWN_STATUS => 2,
            ContentSummary::Response { is_whole: true, .. } | ContentSummary::Revisit if is_page => 2,
            ContentSummary::Response { .. } if is_page => 1,
            _ => 0,
        };
        (class, date, row)
    }

    /// The records with an id.
    pub(super) fn by_id(&self, id: &str) -> Vec<RecordLocation> {
        self.by_id
            .get(id)
            .take(MAX_ORIGINALS)
            .map(|row| self.rows[row].location)
            .collect()
    }

    /// The records whose body has a digest.
    pub(super) fn by_digest(&self, digest: &str) -> Vec<RecordLocation> {
        self.by_digest
            .get(digest)
            .take(MAX_ORIGINALS)
            .map(|row| self.rows[row].location)
            .collect()
    }

    /// The responses with a body for a URL: that of the date first, then the newest before it, then others.
    pub(super) fn by_url_and_date(&self, url: &Url, date: SystemTime) -> Vec<RecordLocation> {
        let rows = self
            .by_url
            .get(url.as_str())
            .filter(|&row| self.url(row) == url.as_str());
        let has_body = |row: &usize| matches!(self.rows[*row].content, ContentSummary::Response { .. });
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
            .take(MAX_ORIGINALS)
            .map(|row| self.rows[row].location)
            .collect()
    }

    /// Whether the URL of a row has a response with a known status.
    fn has_status(&self, row: usize) -> bool {
        let url = self.url(row);
        let mut same = self.by_url.get(url).filter(|&other| self.url(other) == url);
        same.any(|other| self.rows[other].status != UNKNOWN_STATUS)
    }

    /// The URLs of records that may be pages, each once, in the order of their first appearance.
    pub(super) fn pages(&self) -> Vec<Url> {
        let mut seen = HashSet::new();
        let rows = self.rows.iter().enumerate().filter(|&(number, row)| {
            let is_page = matches!(
                row.content,
                ContentSummary::Response { is_page: true, .. } | ContentSummary::Revisit
            );
            match row.status {
                // Other records of the same URL decide.
                UNKNOWN_STATUS => is_page && !self.has_status(number),
                status => is_page && (200..300).contains(&status),
            }
        });
        let urls = rows.filter_map(|(number, _)| Url::parse(self.url(number)).ok());
        urls.filter(|url| seen.insert(hash(url.as_str()))).collect()
    }
}

/// How many records are tried to find the body of a `revisit` record.
const MAX_ORIGINALS: usize = 10;

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

    const PAGE: ContentSummary = ContentSummary::Response {
        is_page: true,
        is_whole: true,
    };

    fn index(rows: &[(&str, u64, u16, ContentSummary)]) -> UrlIndex {
        let mut index = UrlIndex::default();
        for (number, &(text, date, status, content)) in rows.iter().enumerate() {
            let is_added = index.add(&IndexedRecord {
                url: &url(text),
                date: day(date),
                status,
                content,
                location: location(number),
                id: Some(&format!("id-{number}")),
                digest: Some(format!("digest-{}", number % 2)),
            });
            assert!(is_added);
        }
        index.sort();
        index
    }

    fn location(number: usize) -> RecordLocation {
        RecordLocation {
            file: number % 2,
            position: Position {
                offset: number as u64,
                within: 0,
            },
        }
    }

    fn best(index: &UrlIndex, text: &str) -> Option<u64> {
        let candidates = index.candidates(&url(text));
        candidates.first().map(|best| best.location.position.offset)
    }

    #[test]
    fn the_newest_page_is_best() {
        let cut = ContentSummary::Response {
            is_page: true,
            is_whole: false,
        };
        let found = |rows: &[(u64, u16, ContentSummary)]| {
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
        assert_eq!(found(&[(1, 301, PAGE), (1, 0, ContentSummary::Failure)]), Some(1));
        assert_eq!(
            found(&[(1, 200, PAGE), (2, 200, ContentSummary::Revisit)]),
            Some(1)
        );
    }

    #[test]
    fn equivalent_urls_are_found() {
        let index = index(&[
            ("http://www.a.org/x/", 1, 200, PAGE),
            ("https://a.org/y", 1, 404, PAGE),
            ("http://a.org/y", 1, 200, PAGE),
        ]);
        assert_eq!(best(&index, "https://a.org/x#part"), Some(0));
        assert_eq!(best(&index, "https://a.org/x/index.html"), Some(0));
        assert_eq!(best(&index, "https://a.org/y"), Some(1), "the exact URL");
        assert_eq!(best(&index, "https://www.a.org/y"), Some(2), "the page");
        assert_eq!(best(&index, "https://a.org/X"), None);
        assert_eq!(best(&index, "https://b.org/x"), None);
    }

    #[test]
    fn originals_are_found() {
        let index = index(&[
            ("http://a.org/", 1, 200, PAGE),
            ("http://a.org/", 5, 200, PAGE),
            ("http://a.org/", 7, 200, ContentSummary::Revisit),
        ]);
        assert_eq!(index.by_id("id-1"), [location(1)]);
        assert!(index.by_id("id-9").is_empty());
        assert_eq!(
            index.by_digest("digest-0"),
            [location(0)],
            "revisits have no body"
        );
        let by_date = |date| index.by_url_and_date(&url("http://a.org/"), day(date));
        assert_eq!(by_date(5), [location(1), location(0)]);
        assert_eq!(by_date(4), [location(0), location(1)]);
    }

    #[test]
    fn a_file_can_be_removed() {
        let index = index(&[
            ("http://a.org/", 1, 200, PAGE),
            ("http://a.org/b", 1, 200, PAGE),
            ("http://a.org/c", 1, 200, PAGE),
        ])
        .without(0);
        assert_eq!(index.pages(), [url("http://a.org/b")]);
        assert_eq!(best(&index, "http://a.org/b"), Some(1));
        assert_eq!(best(&index, "http://a.org/"), None);
        assert_eq!(index.by_id("id-1"), [location(1)]);
        assert!(index.by_id("id-2").is_empty());
    }

    #[test]
    fn pages_are_listed_once() {
        let image = ContentSummary::Response {
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
    fn long_urls_are_refused() {
        let long = url(&format!("http://a.org/{}", "x".repeat(MAX_URL)));
        let mut index = UrlIndex::default();
        let is_added = index.add(&IndexedRecord {
            url: &long,
            date: day(1),
            status: 200,
            content: PAGE,
            location: location(0),
            id: None,
            digest: None,
        });
        assert!(!is_added);
    }
}
