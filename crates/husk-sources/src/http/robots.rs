//! The rules of a site for robots: `robots.txt`, as in RFC 9309.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use husk::Url;
use robotxt::{BYTE_LIMIT, Robots};
use tokio::time::Instant;

use super::transfer::Failure;
use crate::capture::{Capture, decoded};
use crate::source::LoadError;

/// How much of the file is read: the limit of RFC 9309.
pub(super) const MAX_BYTES: u64 = BYTE_LIMIT as u64 + 1;

/// How many redirects to the file are followed.
pub(super) const MAX_REDIRECTS: usize = 5;

/// How long the rules are used.
pub(super) const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a failure to read the file is remembered.
const MAX_FAILURE_AGE: Duration = Duration::from_secs(5 * 60);

/// With a longer `Crawl-delay`, the page is not loaded.
const MAX_DELAY: Duration = Duration::from_secs(60);

/// The rules of a site.
#[derive(Debug)]
pub(super) enum Rules {
    /// Those of its file.
    File {
        /// The URL of the file.
        url: Url,
        /// The rules for this program.
        robots: Box<Robots>,
    },
    /// Unknown, because the file cannot be read: nothing may be loaded.
    Unknown(Failure),
}

impl Rules {
    /// The rules for a user agent in the response to a request for the file.
    pub(super) fn of(capture: &Capture, product_token: &str, max_bytes: u64) -> Result<Self, LoadError> {
        let robots = match capture.status {
            200..300 => {
                let bytes = text(capture, max_bytes)?;
                Robots::parse(&without_versions(&bytes), product_token)
            }
            // There is no file, or a redirect that cannot be followed.
            300..500 => Robots::allow_all(),
            status => {
                let object = capture.url.to_string();
                return Err(LoadError::Status { object, status });
            }
        };
        Ok(Self::File {
            url: capture.url.clone(),
            robots: Box::new(robots),
        })
    }

    /// The delay between pages, if a page may be loaded.
    pub(super) fn admit(&self, page: &Url) -> Result<Duration, LoadError> {
        let refused = |robots: String| {
            let object = page.to_string();
            Err(LoadError::Robots { object, robots })
        };
        match self {
            Self::File { url, robots } if !robots.is_url_allowed(page) => refused(url.to_string()),
            Self::File { url, robots } => match robots.crawl_delay().unwrap_or_default() {
                delay if delay > MAX_DELAY => Err(LoadError::CrawlDelay {
                    object: page.to_string(),
                    robots: url.to_string(),
                    delay,
                }),
                delay => Ok(delay),
            },
            // Then the page cannot be loaded either, for the same reason.
            Self::Unknown(failure) if failure.is_unreachable => Err(about(page, &failure.cause)),
            Self::Unknown(failure) => refused(format!(
                "its robots.txt, which cannot be read ({})",
                failure.cause
            )),
        }
    }

    /// The delay between pages, whether they may be loaded or not.
    pub(super) fn delay(&self) -> Duration {
        match self {
            Self::File { robots, .. } => robots.crawl_delay().unwrap_or_default().min(MAX_DELAY),
            Self::Unknown(_) => Duration::ZERO,
        }
    }

    /// The sitemaps that the file names.
    pub(super) fn sitemaps(&self) -> &[Url] {
        match self {
            Self::File { robots, .. } => robots.sitemaps(),
            Self::Unknown(_) => &[],
        }
    }

    fn longest_age(&self) -> Duration {
        match self {
            Self::File { .. } => MAX_AGE,
            Self::Unknown(_) => MAX_FAILURE_AGE,
        }
    }
}

/// The beginning of the file.
fn text(capture: &Capture, max_bytes: u64) -> Result<Cow<'_, [u8]>, LoadError> {
    let coding = capture.header("content-encoding").unwrap_or_default();
    let is_plain = coding.is_empty() || coding.eq_ignore_ascii_case("identity");
    let is_long = capture.body.len() as u64 >= MAX_BYTES;
    let bytes = if is_plain && (is_long || capture.is_whole) {
        Cow::Borrowed(&capture.body[..])
    } else {
        decoded(capture, max_bytes)?
    };
    Ok(bytes)
}

/// Reads `User-agent: name/1.0` as `name`: the standard wants the name alone, but site owners copy the header from their
/// logs.
fn without_versions(bytes: &[u8]) -> Vec<u8> {
    let bytes = &bytes[..bytes.len().min(BYTE_LIMIT + 1)];
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        match version_at(line) {
            Some(end) => {
                out.extend(&line[..end]);
                out.push(b'\n');
            }
            None => out.extend(line),
        }
    }
    out
}

/// Where the name ends in a `User-agent` line, if more follows.
fn version_at(line: &[u8]) -> Option<usize> {
    const FIELD: &[u8] = b"user-agent";
    let begin = line.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let field = line.get(begin..begin + FIELD.len())?;
    let colon = line.iter().position(|&byte| byte == b':')?;
    if !field.eq_ignore_ascii_case(FIELD) || !line[begin + FIELD.len()..colon].trim_ascii().is_empty() {
        return None;
    }
    let value = &line[colon + 1..];
    let blank = value.len() - value.trim_ascii_start().len();
    let name = value.trim_ascii_start();
    let end = name
        .iter()
        .position(|&byte| byte == b'/' || byte.is_ascii_whitespace() || byte == b'#')?;
    Some(colon + 1 + blank + end)
}

/// The same failure for another URL.
fn about(page: &Url, cause: &LoadError) -> LoadError {
    let object = page.to_string();
    match cause {
        &LoadError::Timeout { stage, limit, .. } => LoadError::Timeout { object, stage, limit },
        &LoadError::Busy {
            status, retry_after, ..
        } => LoadError::Busy {
            object,
            status,
            retry_after,
        },
        LoadError::Private { address, .. } => LoadError::Private {
            object,
            address: address.clone(),
        },
        LoadError::UnknownHost { cause, .. } => LoadError::UnknownHost {
            object,
            cause: cause.clone(),
        },
        LoadError::Network { cause, .. } => LoadError::Network {
            object,
            cause: cause.clone(),
        },
        other => LoadError::Network {
            object,
            cause: other.to_string(),
        },
    }
}

/// The URL of the file for a page.
pub(super) fn address(page: &Url) -> Url {
    let mut url = page.clone();
    url.set_path("/robots.txt");
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// The rules of the sites that were requested.
#[derive(Debug, Default)]
pub(super) struct Sites(Mutex<BTreeMap<String, Site>>);

/// The rules of one site, once they are known; requested by one task at a time.
pub(super) type Site = Arc<tokio::sync::Mutex<Option<Known>>>;

/// Rules, and when they were read.
#[derive(Debug, Clone)]
pub(super) struct Known {
    rules: Arc<Rules>,
    since: Instant,
}

impl Known {
    pub(super) fn now(rules: Arc<Rules>) -> Self {
        let since = Instant::now();
        Self { rules, since }
    }

    /// The rules, unless they are too old.
    pub(super) fn rules(&self) -> Option<Arc<Rules>> {
        (self.since.elapsed() < self.rules.longest_age()).then(|| self.rules.clone())
    }
}

/// If there are more sites, those that no task uses are forgotten.
const MAX_REMEMBERED: usize = 4096;

impl Sites {
    pub(super) fn of(&self, url: &Url) -> Site {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let origin = url.origin().ascii_serialization();
        if sites.len() >= MAX_REMEMBERED && !sites.contains_key(&origin) {
            sites.retain(|_, site| Arc::strong_count(site) > 1);
        }
        sites.entry(origin).or_default().clone()
    }

    /// The rules of a site, if they are known already.
    pub(super) fn known(&self, url: &Url) -> Option<Arc<Rules>> {
        let site = self.of(url);
        let known = site.try_lock().ok()?;
        known.as_ref().and_then(Known::rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::capture;

    fn rules(file: &str) -> Rules {
        let answer = capture("https://example.org/robots.txt", 200, &[], file.as_bytes());
        Rules::of(&answer, "husk", 1 << 20).unwrap()
    }

    fn admits(file: &str, path: &str) -> bool {
        let page = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        rules(file).admit(&page).is_ok()
    }

    #[test]
    fn the_longest_match_decides() {
        let file =
            "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nDisallow: /same\nAllow: /same";
        assert!(admits(file, "/"));
        assert!(!admits(file, "/a"));
        assert!(!admits(file, "/ab"));
        assert!(admits(file, "/a/b"));
        assert!(!admits(file, "/a/b/c?x"));
        assert!(admits(file, "/same"), "in doubt it is allowed");
        assert!(admits(file, "/A"), "paths have letter case");
    }

    #[test]
    fn stars_and_ends() {
        let file =
            "User-agent: *\nDisallow: /*.gif$\nDisallow: /*/private\nDisallow: *secret\nDisallow: /end$";
        assert!(!admits(file, "/x/y.gif"));
        assert!(admits(file, "/y.gif?x"));
        assert!(!admits(file, "/x/private/y"));
        assert!(admits(file, "/private"));
        assert!(!admits(file, "/a-secret"));
        assert!(!admits(file, "/end"));
        assert!(admits(file, "/ends"));
    }

    #[test]
    fn the_group_of_our_name_counts_alone() {
        let file = "User-agent: *\nDisallow: /\n\nUser-agent: HUSK\nDisallow: /a\n\nUser-agent: other\n\
                    Disallow: /b\n\nuser-agent: husk\nDisallow: /c\n";
        assert!(admits(file, "/"));
        assert!(!admits(file, "/a"));
        assert!(admits(file, "/b"));
        assert!(!admits(file, "/c"), "groups of one name are one");
        assert!(admits("User-agent: husky\nDisallow: /", "/"), "another name");
        assert!(admits("User-agent: hus\nDisallow: /", "/"), "another name");
        let shared = "User-agent: other\nUser-agent: husk\nDisallow: /a";
        assert!(!admits(shared, "/a"));
        assert!(admits("Disallow: /", "/"), "of nobody");
        assert!(admits("User-agent: *\nDisallow:", "/"), "nothing is forbidden");
    }

    #[test]
    fn a_version_behind_the_name_is_forgiven() {
        assert!(!admits("User-agent: Husk/0.1\nDisallow: /", "/"));
        assert!(!admits("User-agent : husk crawler # x\r\nDisallow: /", "/"));
        assert!(!admits("User-agent: husk#x\nDisallow: /", "/"));
        assert!(!admits("User-agent: * # all\nDisallow: /", "/"));
        assert!(!admits("User-agent: husk\rDisallow: /\r", "/"));
        assert!(admits("User-agent: other/husk\nDisallow: /", "/"));
    }

    #[test]
    fn percent_signs_do_not_hide() {
        assert!(!admits("User-agent: *\nDisallow: /caf\u{e9}", "/caf%C3%A9"));
        assert!(!admits("User-agent: *\nDisallow: /caf%c3%a9", "/café"));
        assert!(!admits("User-agent: *\nDisallow: /%61", "/a"));
        assert!(!admits("User-agent: *\nDisallow: /a", "/%61"));
        assert!(admits("User-agent: *\nDisallow: /a/b", "/a%2Fb"), "another path");
    }

    #[test]
    fn odd_files_are_read() {
        assert!(!admits("\u{feff}User-agent: *\nDisallow: /", "/"));
        assert!(!admits("user-agent:*\r\n# x\r\n\r\nDISALLOW:/ # y", "/"));
        assert!(!admits("User-agent: *\nNoindex: /x\nDisallow: /a", "/a"));
        assert!(admits("<!DOCTYPE html><p>Not found", "/"));
        assert!(admits("", "/"));
        assert!(admits("User-agent: *\nDisallow: /", "/robots.txt"));
        let long = format!("{}\nUser-agent: *\nDisallow: /", "#".repeat(BYTE_LIMIT));
        assert!(admits(&long, "/"), "nobody reads that far");
        let pattern = format!("User-agent: *\nDisallow: /{}b", "*a".repeat(20_000));
        assert!(admits(&pattern, &"/a".repeat(1000)));
    }

    #[test]
    fn packed_files_are_unpacked() {
        let file = zstd::encode_all(&b"User-agent: *\nDisallow: /"[..], 3).unwrap();
        let mut answer = capture(
            "https://example.org/robots.txt",
            200,
            &[("content-encoding", "zstd")],
            &file,
        );
        let page = Url::parse("https://example.org/").unwrap();
        let rules = Rules::of(&answer, "husk", 1000).unwrap();
        assert!(rules.admit(&page).is_err());
        answer.headers.clear();
        answer.body = b"User-agent: *".to_vec();
        answer.is_whole = false;
        assert!(Rules::of(&answer, "husk", 1000).is_err(), "the end may say more");
    }

    #[test]
    fn a_crawl_delay_is_kept_or_refused() {
        let page = Url::parse("https://example.org/a").unwrap();
        let delay =
            |seconds: &str| rules(&format!("User-agent: *\nCrawl-delay: {seconds}\nAllow: /")).admit(&page);
        assert_eq!(delay("2.5").unwrap(), Duration::from_millis(2500));
        assert_eq!(delay("60").unwrap(), Duration::from_secs(60));
        assert_eq!(delay("-1").unwrap(), Duration::ZERO);
        assert_eq!(delay("soon").unwrap(), Duration::ZERO);
        assert_eq!(
            delay("86400").unwrap_err().to_string(),
            "https://example.org/a was not requested: https://example.org/robots.txt asks for 86400 s between \
             requests; pass --ignore-robots to load it anyway"
        );
    }

    #[test]
    fn a_missing_file_allows_all_and_a_broken_server_nothing() {
        let page = Url::parse("https://example.org/a").unwrap();
        let answer = |status| {
            let answer = capture(
                "https://example.org/robots.txt",
                status,
                &[],
                b"User-agent: *\nDisallow: /",
            );
            Rules::of(&answer, "husk", 1000)
        };
        for status in [301, 400, 401, 403, 404, 410, 451] {
            assert!(answer(status).unwrap().admit(&page).is_ok(), "{status}");
        }
        assert!(answer(200).unwrap().admit(&page).is_err());
        for status in [500, 502, 503, 504] {
            assert!(answer(status).is_err(), "{status}");
        }
        let error = Rules::Unknown(answer(500).unwrap_err().into())
            .admit(&page)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "https://example.org/a is disallowed by its robots.txt, which cannot be read \
             (https://example.org/robots.txt answers 500 Internal Server Error: the server failed, try \
             again later): pass --ignore-robots to load it anyway"
        );
    }

    #[test]
    fn sitemaps_are_named() {
        let rules =
            rules("Sitemap: https://example.org/s.xml\nUser-agent: other\nDisallow: /\nSitemap: /relative");
        assert_eq!(rules.sitemaps().len(), 1);
        assert_eq!(rules.sitemaps()[0].as_str(), "https://example.org/s.xml");
    }
}
