//! The trait of all sources of pages, and the errors of loading.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use husk::{Page, SameSite, Url};

/// Decides from the bytes of a page whether it is parsed, for callers whose memory is limited. Admits all by default.
#[derive(Clone, Default)]
pub struct Admission(Option<Arc<AdmitPage>>);

type AdmitPage = dyn Fn(&[u8]) -> bool + Send + Sync;

impl Admission {
    /// Asks a function.
    pub fn new(admit: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(admit)))
    }

    pub(crate) fn admits(&self, bytes: &[u8]) -> bool {
        self.0.as_ref().is_none_or(|admit| admit(bytes))
    }
}

impl fmt::Debug for Admission {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Admission").field(&self.0.is_some()).finish()
    }
}

/// Where pages come from.
pub trait Source {
    /// Loads the page at a URL. The page may have another URL, as after a redirect.
    fn load(&mut self, url: &Url) -> Result<Page, LoadError>;

    /// The URLs of all pages, if the source knows them.
    fn page_urls(&mut self) -> Option<Vec<Url>> {
        None
    }

    /// Announces which pages will probably be loaded next, so that the source may load several at once.
    fn load_ahead(&mut self, _urls: &[Url]) {}

    /// The pages that were loaded ahead but never asked for.
    fn unused_pages(&mut self) -> Vec<Url> {
        Vec::new()
    }

    /// From now on, rejects redirects that leave the site of the key page.
    fn stay_on(&mut self, _key_page: &Url, _same_site: SameSite) {}

    /// Warnings since the last call that concern no single page, such as a damaged archive or a missing sitemap.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        (**self).load(url)
    }

    fn page_urls(&mut self) -> Option<Vec<Url>> {
        (**self).page_urls()
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        (**self).load_ahead(urls);
    }

    fn unused_pages(&mut self) -> Vec<Url> {
        (**self).unused_pages()
    }

    fn stay_on(&mut self, key_page: &Url, same_site: SameSite) {
        (**self).stay_on(key_page, same_site);
    }

    fn take_warnings(&mut self) -> Vec<String> {
        (**self).take_warnings()
    }
}

/// Where pages come from, for asynchronous callers. The methods are those of [`Source`].
pub trait AsyncSource {
    /// Loads the page at a URL. The page may have another URL, as after a redirect.
    fn load(&mut self, url: &Url) -> impl Future<Output = Result<Page, LoadError>> + Send;

    /// The URLs of all pages, if the source knows them.
    fn page_urls(&mut self) -> impl Future<Output = Option<Vec<Url>>> + Send {
        async { None }
    }

    /// Announces which pages will probably be loaded next, so that the source may load several at once.
    fn load_ahead(&mut self, _urls: &[Url]) {}

    /// The pages that were loaded ahead but never asked for.
    fn unused_pages(&mut self) -> Vec<Url> {
        Vec::new()
    }

    /// From now on, rejects redirects that leave the site of the key page.
    fn stay_on(&mut self, _key_page: &Url, _same_site: SameSite) {}

    /// Warnings since the last call that concern no single page, such as a missing sitemap.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Why a page could not be loaded.
///
/// The message contains the cause, so `source()` returns none: printing the chain would repeat it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The source has no such page.
    #[error("no page {object} in {}: save it there, or check the URL the site was saved from", .root.display())]
    NotFound {
        /// The URL or file that was asked for.
        object: String,
        /// The folder that was searched.
        root: PathBuf,
    },
    /// What was found is not HTML.
    #[error("{object} is {kind}, not a page: expected HTML")]
    NotAPage {
        /// The URL or file that was asked for.
        object: String,
        /// What it is instead, such as `a PDF document`.
        kind: &'static str,
    },
    /// The file is not in the site's folder, or a symbolic link leads out of it.
    #[error("{} is outside the site's folder {}: copy it in, or open a folder that contains both", .file.display(), .root.display())]
    Outside {
        /// The file that was asked for.
        file: PathBuf,
        /// The site's folder.
        root: PathBuf,
    },
    /// The URL belongs to another site than that of the source.
    #[error("{object} is not a URL of {site}: open the folder with the URL it was saved from (--base-url)")]
    OtherSite {
        /// The URL that was asked for.
        object: String,
        /// The URL of the site.
        site: String,
    },
    /// The page is larger than allowed.
    #[error("{object} is too large: the limit is {}", size(*.limit))]
    TooLarge {
        /// The URL or file that was asked for.
        object: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The caller has no memory for the page.
    #[error("{object} was not read: no memory is free for it")]
    NotAdmitted {
        /// The URL that was asked for.
        object: String,
    },
    /// The server answered with an error such as 404.
    #[error("{object} answers {status}{}: {}", reason(*.status), remedy_of_status(*.status))]
    Status {
        /// The URL that was asked for.
        object: String,
        /// The status of the answer.
        status: u16,
    },
    /// The server is overloaded, or limits the rate of requests.
    #[error("{object} answers {status}{}{}: try again later", reason(*.status), wait(*.retry_after))]
    Busy {
        /// The URL that was asked for.
        object: String,
        /// The status of the answer.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server was busy more than once, so no more requests are sent to it.
    #[error(
        "{object} was not requested: its server answers {status}{}{}; try again later",
        reason(*.status),
        wait(*.retry_after)
    )]
    Closed {
        /// The URL that was asked for.
        object: String,
        /// The status of its answers.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The URL contains a user name or password.
    #[error(
        "the URL of {object} contains a user name or password, which would end up in the results: download the page \
         yourself and pass it on standard input (-)"
    )]
    Credentials {
        /// The URL without them.
        object: String,
    },
    /// A redirect that cannot be followed.
    #[error("{object} {fault}")]
    Redirect {
        /// The URL that was asked for.
        object: String,
        /// What is wrong with it.
        fault: RedirectFault,
    },
    /// The host has a private IP address.
    #[error(
        "{object} leads to {address}, which is not on the public internet: pass --allow-private if that \
         is intended"
    )]
    Private {
        /// The URL that was asked for.
        object: String,
        /// The IP address.
        address: String,
    },
    /// The site's `robots.txt` disallows the page.
    #[error("{object} is disallowed by {robots}: pass --ignore-robots to load it anyway")]
    Robots {
        /// The URL that was asked for.
        object: String,
        /// The URL of the site's `robots.txt`, or why there is none.
        robots: String,
    },
    /// The site's `Crawl-delay` is too long to wait for.
    #[error(
        "{object} was not requested: {robots} asks for {} between requests; pass --ignore-robots to load it anyway",
        seconds(*.delay)
    )]
    CrawlDelay {
        /// The URL that was asked for.
        object: String,
        /// The URL of the site's `robots.txt`.
        robots: String,
        /// The delay it asks for.
        delay: Duration,
    },
    /// A time limit was exceeded.
    #[error("{object}: {stage} took more than {}; raise the limit (--timeout) if the server is slow", seconds(*.limit))]
    Timeout {
        /// The URL that was asked for.
        object: String,
        /// What took too long, such as `the response`.
        stage: &'static str,
        /// The limit.
        limit: Duration,
    },
    /// The host has no IP address.
    #[error("cannot load {object}: {cause}")]
    UnknownHost {
        /// The URL that was asked for.
        object: String,
        /// What happened, and what to do if known.
        cause: String,
    },
    /// The server cannot be reached, or violates the protocol.
    #[error("cannot load {object}: {cause}")]
    Network {
        /// The URL that was asked for.
        object: String,
        /// What happened, and what to do if known.
        cause: String,
    },
    /// The response cannot be decompressed as its `Content-Encoding` says.
    #[error("cannot decompress {object}: its Content-Encoding is {coding}, but {cause}")]
    Coding {
        /// The URL that was asked for.
        object: String,
        /// The encoding, such as `gzip`.
        coding: String,
        /// What is wrong.
        cause: String,
    },
    /// The URL has a scheme that is not loaded from the web, such as `ftp:`.
    #[error("unsupported URL scheme `{}` in {object}: expected http:// or https://", scheme(.object))]
    Scheme {
        /// The URL that was asked for.
        object: String,
    },
    /// The archive has no such page.
    #[error("no page {object} in {archive}: check the URL, or add the page to the archive")]
    NotInArchive {
        /// The URL that was asked for.
        object: String,
        /// The archive or archives.
        archive: String,
    },
    /// The archive is damaged at the page, or lacks a part of it.
    #[error("cannot read {object} from {archive}: {cause}")]
    Archive {
        /// The URL that was asked for.
        object: String,
        /// The archive.
        archive: String,
        /// What is wrong, and what to do if known.
        cause: String,
    },
    /// The failure that an archive recorded for the page.
    #[error("{cause}")]
    Recorded {
        /// The recorded message.
        cause: String,
    },
    /// An MHTML file is incomplete.
    #[error("{object} is not a complete MHTML file: {cause}; save the page again")]
    Mhtml {
        /// The file.
        object: String,
        /// What is missing.
        cause: &'static str,
    },
    /// A sitemap lists no pages.
    #[error("{object} is not a list of pages: {cause}; expected a sitemap, a feed, or one URL per line")]
    NotASitemap {
        /// The file.
        object: String,
        /// What is missing.
        cause: &'static str,
    },
    /// The URL of a page is unknown.
    #[error("{object} does not contain its URL: set it with --base-url")]
    UnknownUrl {
        /// The page.
        object: String,
    },
    /// The browser that renders pages is missing or failed.
    #[error("cannot render {object}: {cause}")]
    Browser {
        /// The URL that was asked for.
        object: String,
        /// What happened, and what to do if known.
        cause: String,
    },
    /// The file could not be read.
    #[error("cannot read {}: {cause}; check that the file is readable", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
}

/// What is wrong with a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RedirectFault {
    /// It has no `Location` header.
    Nowhere,
    /// Its target is not a valid `http:` or `https:` URL.
    NoPage(String),
    /// It leads back to itself.
    Loop(Url),
    /// There are too many in a row.
    TooMany(usize),
    /// It leads to another site.
    OtherSite(Url),
}

impl fmt::Display for RedirectFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => write!(out, "is a redirect without a Location header"),
            Self::NoPage(target) => write!(
                out,
                "redirects to {target:?}, which is not an http:// or https:// URL"
            ),
            Self::Loop(url) => write!(out, "redirects in a loop, back to {url}"),
            Self::TooMany(count) => write!(out, "redirects too often: stopped after {count} redirects"),
            Self::OtherSite(url) => write!(out, "leads to another site, {url}"),
        }
    }
}

/// The reason phrase of a status, after a space.
fn reason(status: u16) -> String {
    let words = match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return String::new(),
    };
    format!(" {words}")
}

fn remedy_of_status(status: u16) -> &'static str {
    match status {
        401 | 403 => "access is restricted",
        404 | 410 => "check the URL",
        500..=599 => "the server failed, try again later",
        _ => "there is no page",
    }
}

fn scheme(url: &str) -> &str {
    url.split(':').next().unwrap_or_default()
}

fn wait(retry_after: Option<Duration>) -> String {
    retry_after.map_or(String::new(), |wait| {
        format!(" and asks to wait {}", seconds(wait))
    })
}

fn seconds(time: Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 10.0).round() / 10.0)
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn messages_name_the_object_and_the_remedy() {
        let errors = [
            LoadError::NotFound {
                object: "https://example.org/a".into(),
                root: "/site".into(),
            },
            LoadError::NotAPage {
                object: "/site/a.png".into(),
                kind: "a PNG image",
            },
            LoadError::Outside {
                file: "/etc/passwd".into(),
                root: "/site".into(),
            },
            LoadError::OtherSite {
                object: "https://example.org/a".into(),
                site: "https://example.com/".into(),
            },
            LoadError::TooLarge {
                object: "/site/big.html".into(),
                limit: 64 << 20,
            },
            LoadError::Scheme {
                object: "ftp://example.org/a".into(),
            },
            LoadError::Io {
                path: "/site/a".into(),
                cause: io::ErrorKind::PermissionDenied.into(),
            },
        ];
        let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "no page https://example.org/a in /site: save it there, or check the URL the site was saved from",
                "/site/a.png is a PNG image, not a page: expected HTML",
                "/etc/passwd is outside the site's folder /site: copy it in, or open a folder that contains both",
                "https://example.org/a is not a URL of https://example.com/: open the folder with the URL it was saved from (--base-url)",
                "/site/big.html is too large: the limit is 64 MiB",
                "unsupported URL scheme `ftp` in ftp://example.org/a: expected http:// or https://",
                "cannot read /site/a: permission denied; check that the file is readable",
            ]
        );
    }

    #[test]
    fn messages_contain_the_cause_once() {
        let error = LoadError::Io {
            path: "/site/a".into(),
            cause: io::ErrorKind::PermissionDenied.into(),
        };
        assert!(error.to_string().contains("permission denied"));
        assert!(error.source().is_none());
    }
}
