//! Caches responses on disk.
//!
//! Each URL has a file, named by its hash: a line of JSON, then the body as sent. Other files are ignored, and replaced when
//! there is something to cache.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use husk::Url;
use serde::{Deserialize, Serialize};

use crate::capture::{Capture, MediaType};

/// The longest lifetime that is accepted from a server.
const LONGEST_WORD: Duration = Duration::from_secs(24 * 60 * 60);

/// Files that were not used for so long are deleted.
const MAX_UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The limit for the line of JSON. Header fields were limited when they were received.
const MAX_HEAD_BYTES: u64 = 4 << 20;

const FORMAT: u32 = 1;

/// A folder of responses.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    max_bytes: u64,
    tidied: Once,
}

/// A cached response.
#[derive(Debug)]
pub(super) struct CachedResponse {
    pub(super) capture: Capture,
    /// When the server last confirmed the response.
    checked: SystemTime,
}

/// The line of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    format: u32,
    url: String,
    status: u16,
    headers: Vec<(String, String)>,
    is_whole: bool,
    date: SystemTime,
    checked: SystemTime,
    ip: Option<IpAddr>,
    body_md5: String,
}

impl CachedResponse {
    /// Whether the response needs no request.
    pub(super) fn is_fresh(&self, max_age: Duration, now: SystemTime) -> bool {
        let good_for = max_age.max(server_max_age(&self.capture).min(LONGEST_WORD));
        // If the clock was set back, the age is unknown.
        now.duration_since(self.checked).is_ok_and(|age| age < good_for)
    }

    /// The header fields that ask whether the response changed.
    pub(super) fn conditions(&self) -> Vec<(&'static str, String)> {
        if !matches!(self.capture.status, 200 | 203) {
            return Vec::new();
        }
        let field = |condition, name| Some((condition, self.capture.header(name)?.to_owned()));
        let etag = field("if-none-match", "etag");
        let date = field("if-modified-since", "last-modified");
        etag.into_iter().chain(date).collect()
    }

    /// The response after the server confirmed it (304).
    pub(super) fn confirmed(self, not_modified: &Capture) -> Capture {
        const RENEWED: [&str; 4] = ["cache-control", "etag", "expires", "last-modified"];
        let mut capture = self.capture;
        for name in RENEWED {
            if let Some(value) = not_modified.header(name) {
                capture
                    .headers
                    .retain(|(field, _)| !field.eq_ignore_ascii_case(name));
                capture.headers.push((name.to_owned(), value.to_owned()));
            }
        }
        capture
    }
}

/// The lifetime that the server states.
fn server_max_age(capture: &Capture) -> Duration {
    let seconds = directives(capture).find_map(|directive| {
        let value = directive.strip_prefix("max-age=")?;
        value.trim_matches('"').parse().ok()
    });
    Duration::from_secs(seconds.unwrap_or(0))
}

fn directives(capture: &Capture) -> impl Iterator<Item = String> {
    let fields = capture
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("cache-control"));
    let directives = fields.flat_map(|(_, value)| value.split(','));
    directives.map(|directive| directive.trim().to_ascii_lowercase())
}

impl Cache {
    /// Opens the folder, and creates it if necessary.
    pub(super) fn open(folder: &Path, max_bytes: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let cache = Self {
            folder: folder.to_owned(),
            max_bytes,
            tidied: Once::new(),
        };
        let trial = cache.part();
        create(&trial)?;
        fs::remove_file(&trial)?;
        Ok(cache)
    }

    /// The cached response for a URL.
    pub(super) fn find(&self, url: &Url) -> Option<CachedResponse> {
        let path = self.file(url);
        // Only regular files are opened: reading a pipe would never end.
        if !fs::metadata(&path).ok()?.is_file() {
            return None;
        }
        self.read(File::open(&path).ok()?, url)
    }

    fn read(&self, file: File, url: &Url) -> Option<CachedResponse> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        reader
            .by_ref()
            .take(MAX_HEAD_BYTES)
            .read_until(b'\n', &mut line)
            .ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        let mut body = Vec::new();
        reader
            .take(self.max_bytes.saturating_add(1))
            .read_to_end(&mut body)
            .ok()?;
        let is_ours = head.format == FORMAT && head.url == url.as_str() && head.body_md5 == md5_of(&body);
        (is_ours && body.len() as u64 <= self.max_bytes).then(|| CachedResponse {
            checked: head.checked,
            capture: Capture {
                url: url.clone(),
                status: head.status,
                headers: head.headers,
                body,
                is_whole: head.is_whole,
                date: head.date,
                ip: head.ip,
                is_rendered: false,
            },
        })
    }

    /// Caches a response, if it may be cached. A full or read-only disk is not an error.
    pub(super) fn keep(&self, capture: &Capture, checked: SystemTime) {
        self.tidied.call_once(|| self.tidy(checked));
        let file = self.file(&capture.url);
        if directives(capture).any(|directive| directive == "no-store") {
            let _ = fs::remove_file(file);
            return;
        }
        if !is_worth_keeping(capture) {
            return;
        }
        let part = self.part();
        let written = write(&part, capture, checked).and_then(|()| fs::rename(&part, file));
        if written.is_err() {
            let _ = fs::remove_file(part);
        }
    }

    /// Deletes old files, and those that were left incomplete.
    fn tidy(&self, now: SystemTime) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let is_ours = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.ends_with(KEPT) || name.ends_with(PART));
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let is_old =
                modified.is_ok_and(|date| now.duration_since(date).is_ok_and(|age| age > MAX_UNUSED));
            if is_ours && is_old {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn file(&self, url: &Url) -> PathBuf {
        self.folder
            .join(format!("{}{KEPT}", md5_of(url.as_str().as_bytes())))
    }

    /// A unique name. Processes in containers may share their number, hence the time.
    fn part(&self) -> PathBuf {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let (process, nanos) = (std::process::id(), time.unwrap_or_default().as_nanos());
        self.folder.join(format!("{process}-{nanos}-{count}{PART}"))
    }
}

const KEPT: &str = ".answer";

const PART: &str = ".answer-part";

/// Whether a response will probably be the same next time. Of a response that is not a page, the beginning is enough.
fn is_worth_keeping(capture: &Capture) -> bool {
    let is_robots = capture.url.path() == "/robots.txt";
    match capture.status {
        200 | 203 => {
            let is_other = MediaType::of(capture).is_some_and(|kind| kind.other_than_page().is_some());
            capture.is_whole || is_robots || is_other
        }
        301 | 302 | 303 | 307 | 308 | 404 | 410 => true,
        400..500 => is_robots && capture.status != 429,
        _ => false,
    }
}

fn write(path: &Path, capture: &Capture, checked: SystemTime) -> io::Result<()> {
    let head = Head {
        format: FORMAT,
        url: capture.url.to_string(),
        status: capture.status,
        headers: capture.headers.clone(),
        is_whole: capture.is_whole,
        date: capture.date,
        checked,
        ip: capture.ip,
        body_md5: md5_of(&capture.body),
    };
    let mut line = serde_json::to_vec(&head)?;
    line.push(b'\n');
    let mut file = create(path)?;
    file.write_all(&line)?;
    file.write_all(&capture.body)
}

/// Creates a file that only its owner may read: responses may contain cookies.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn md5_of(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::capture;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("a/b"), 1000).unwrap();
        (folder, cache)
    }

    fn answer(status: u16, headers: &[(&str, &str)]) -> Capture {
        capture(
            "https://example.org/a?b",
            status,
            headers,
            b"<p>\xFF\n\0two lines",
        )
    }

    fn kept(status: u16, headers: &[(&str, &str)]) -> Option<Capture> {
        let (_folder, cache) = cache();
        let answer = answer(status, headers);
        cache.keep(&answer, SystemTime::now());
        cache.find(&answer.url).map(|kept| kept.capture)
    }

    #[test]
    fn answers_come_back_as_they_were() {
        let (_folder, cache) = cache();
        let mut answer = answer(200, &[("Set-Cookie", "a=b"), ("X", "é"), ("X", "two")]);
        answer.ip = Some("::1".parse().unwrap());
        assert!(cache.find(&answer.url).is_none());
        cache.keep(&answer, SystemTime::now());
        assert_eq!(cache.find(&answer.url).unwrap().capture, answer);
        answer.body = b"later".to_vec();
        cache.keep(&answer, SystemTime::now());
        assert_eq!(cache.find(&answer.url).unwrap().capture, answer);
        assert!(cache.find(&answer.url.join("?c").unwrap()).is_none());
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), 1);
    }

    #[test]
    fn what_will_be_the_same_is_kept() {
        for status in [200, 203, 301, 302, 307, 308, 404, 410] {
            assert!(kept(status, &[]).is_some(), "{status}");
        }
        for status in [206, 304, 401, 403, 429, 500, 503] {
            assert!(kept(status, &[]).is_none(), "{status}");
        }
        assert!(kept(200, &[("Cache-Control", "private, No-Store")]).is_none());
        assert!(kept(200, &[("Cache-Control", "no-cache")]).is_some());
    }

    #[test]
    fn half_an_answer_is_not_kept() {
        let (_folder, cache) = cache();
        let mut half = answer(200, &[("content-type", "text/html")]);
        half.is_whole = false;
        cache.keep(&half, SystemTime::now());
        assert!(cache.find(&half.url).is_none());
        half.headers = vec![("content-type".to_owned(), "video/mp4".to_owned())];
        cache.keep(&half, SystemTime::now());
        assert!(
            cache.find(&half.url).is_some(),
            "that it is a film is all we want to know"
        );
    }

    #[test]
    fn no_longer_kept_is_forgotten() {
        let (_folder, cache) = cache();
        let mut answer = answer(200, &[]);
        cache.keep(&answer, SystemTime::now());
        answer
            .headers
            .push(("cache-control".to_owned(), "no-store".to_owned()));
        cache.keep(&answer, SystemTime::now());
        assert!(cache.find(&answer.url).is_none());
    }

    #[test]
    fn foreign_and_broken_files_are_replaced() {
        let (_folder, cache) = cache();
        let answer = answer(200, &[]);
        let now = SystemTime::now();
        cache.keep(&answer, now);
        let file = cache.file(&answer.url);
        let whole = fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        let longer = [&whole[..], &vec![0; 2000]].concat();
        let breaks: [&[u8]; 6] = [
            b"",
            b"{}",
            b"\xFF\n",
            &whole[..whole.len() - 1],
            &flipped,
            &longer,
        ];
        for broken in breaks {
            fs::write(&file, broken).unwrap();
            assert!(cache.find(&answer.url).is_none(), "{}", broken.escape_ascii());
            cache.keep(&answer, now);
            assert!(cache.find(&answer.url).is_some());
        }
        let other = Url::parse("https://example.org/other").unwrap();
        fs::copy(&file, cache.file(&other)).unwrap();
        assert!(cache.find(&other).is_none(), "of another address");
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(cache.find(&answer.url).is_none());
        cache.keep(&answer, now);
    }

    #[test]
    fn young_answers_need_no_request() {
        let start = SystemTime::UNIX_EPOCH + 1000 * HOUR;
        let fresh = |headers: &[(&str, &str)], age: Duration| {
            let kept = CachedResponse {
                capture: answer(200, headers),
                checked: start,
            };
            kept.is_fresh(HOUR, start + age)
        };
        assert!(fresh(&[], HOUR / 2));
        assert!(!fresh(&[], HOUR));
        let long = [("Cache-Control", "public, Max-Age=\"7200\"")];
        assert!(fresh(&long, HOUR));
        assert!(!fresh(&long, 2 * HOUR));
        let forever = [("Cache-Control", "max-age=31536000")];
        assert!(fresh(&forever, 23 * HOUR));
        assert!(!fresh(&forever, 24 * HOUR));
        let set_back = CachedResponse {
            capture: answer(200, &[]),
            checked: start,
        };
        assert!(!set_back.is_fresh(HOUR, start - HOUR));
    }

    #[test]
    fn old_answers_are_asked_about() {
        let kept = |status| CachedResponse {
            capture: answer(status, &[("ETag", "\"1\""), ("Last-Modified", "then")]),
            checked: SystemTime::UNIX_EPOCH,
        };
        assert_eq!(
            kept(200).conditions(),
            [
                ("if-none-match", "\"1\"".to_owned()),
                ("if-modified-since", "then".to_owned())
            ]
        );
        assert_eq!(kept(301).conditions(), []);
        let same = answer(304, &[("ETag", "\"2\""), ("Content-Length", "0")]);
        let confirmed = kept(200).confirmed(&same);
        assert_eq!(confirmed.status, 200);
        assert_eq!(confirmed.header("etag"), Some("\"2\""));
        assert_eq!(confirmed.header("content-length"), None);
    }

    #[test]
    fn old_files_go() {
        let (_folder, cache) = cache();
        let answer = answer(200, &[]);
        cache.keep(&answer, SystemTime::now());
        fs::write(cache.folder.join("mine.txt"), "x").unwrap();
        cache.tidy(SystemTime::now() + MAX_UNUSED / 2);
        assert!(cache.find(&answer.url).is_some());
        cache.tidy(SystemTime::now() + MAX_UNUSED * 2);
        assert!(cache.find(&answer.url).is_none());
        assert!(cache.folder.join("mine.txt").exists());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(Cache::open(&file, 1000).is_err());
        assert!(Cache::open(&file.join("below"), 1000).is_err());
    }
}
