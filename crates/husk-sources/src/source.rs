//! What every source of pages can do, and how loading fails.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use husk::{Page, Url};

/// A place that pages come from.
pub trait Source {
    /// The page at an address. Its own address may be another one, as after a redirect.
    fn load(&mut self, url: &Url) -> Result<Page, LoadError>;

    /// The addresses of all pages, where a source can tell.
    fn addresses(&mut self) -> Option<Vec<Url>> {
        None
    }

    /// Says which pages will most likely be asked for, so that a source that can may load several at once.
    fn load_ahead(&mut self, _urls: &[Url]) {}

    /// The pages that were loaded ahead and never asked for.
    fn loaded_in_vain(&mut self) -> Vec<Url> {
        Vec::new()
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        (**self).load(url)
    }

    fn addresses(&mut self) -> Option<Vec<Url>> {
        (**self).addresses()
    }

    fn load_ahead(&mut self, urls: &[Url]) {
        (**self).load_ahead(urls);
    }

    fn loaded_in_vain(&mut self) -> Vec<Url> {
        (**self).loaded_in_vain()
    }
}

/// A place that pages come from, for callers that wait for several things at once.
pub trait AsyncSource {
    /// The page at an address. Its own address may be another one, as after a redirect.
    fn load(&mut self, url: &Url) -> impl Future<Output = Result<Page, LoadError>> + Send;

    /// The addresses of all pages, where a source can tell.
    fn addresses(&mut self) -> impl Future<Output = Option<Vec<Url>>> + Send {
        async { None }
    }

    /// Says which pages will most likely be asked for, so that a source that can may load several at once.
    fn load_ahead(&mut self, _urls: &[Url]) {}

    /// The pages that were loaded ahead and never asked for.
    fn loaded_in_vain(&mut self) -> Vec<Url> {
        Vec::new()
    }
}

/// Why a page could not be loaded.
///
/// The message holds the cause, so `source()` does not: who prints the whole chain would say it twice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The source has no such page.
    #[error("no page {object} in {}: save it there, or check the address the site was saved from", .root.display())]
    NotFound {
        /// The address or the file that was asked for.
        object: String,
        /// The folder that was searched.
        root: PathBuf,
    },
    /// Something is there, but it is no HTML.
    #[error("{object} is {kind}, not a page: name an HTML page of the site")]
    NotAPage {
        /// The address or the file that was asked for.
        object: String,
        /// What it is instead, such as `a PDF document`.
        kind: &'static str,
    },
    /// The file is not below the site's folder, or a symbolic link leads out of it.
    #[error("{} lies outside the site's folder {}: copy it in, or open a folder that holds both", .file.display(), .root.display())]
    Outside {
        /// The file that was asked for.
        file: PathBuf,
        /// The site's folder.
        root: PathBuf,
    },
    /// The address belongs to another site than the one this source holds.
    #[error("{object} does not belong to {site}: open the folder with the address it was saved from")]
    OtherSite {
        /// The address that was asked for.
        object: String,
        /// The address of the site.
        site: String,
    },
    /// The page is larger than allowed.
    #[error("{object} is too large: pages of more than {} are not read", size(*.limit))]
    TooLarge {
        /// The address or the file that was asked for.
        object: String,
        /// The most bytes allowed.
        limit: u64,
    },
    /// The server answers with an error, as 404.
    #[error("{object} answers {status}{}: {}", reason(*.status), remedy_of_status(*.status))]
    Status {
        /// The address that was asked for.
        object: String,
        /// The status of the answer.
        status: u16,
    },
    /// The server, or another one that it leads to, has too much to do.
    #[error("{object} answers {status}{}{}: try again later", reason(*.status), wait(*.retry_after))]
    Busy {
        /// The address that was asked for.
        object: String,
        /// The status of the answer.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server said more than once that it has too much to do, so it is left alone.
    #[error(
        "{object} is not asked for: its server answers {status}{}{}; try again later",
        reason(*.status),
        wait(*.retry_after)
    )]
    Closed {
        /// The address that was asked for.
        object: String,
        /// The status of its answers.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The address holds a secret.
    #[error(
        "{object} comes with a user name or password, which would end up in results: load the page by other means \
         and pass it on (-)"
    )]
    Secret {
        /// The address, without them.
        object: String,
    },
    /// A redirect that leads nowhere.
    #[error("{object} {fault}")]
    Redirect {
        /// The address that was asked for.
        object: String,
        /// What is wrong with it.
        fault: RedirectFault,
    },
    /// The address leads into a network that is closed to the outside.
    #[error(
        "{object} leads to {address}, which is not on the public internet: allow private addresses \
         (--allow-private) if that is meant"
    )]
    Private {
        /// The address that was asked for.
        object: String,
        /// Where it leads to.
        address: String,
    },
    /// The site does not want it to be loaded.
    #[error("{object} is not to be loaded, says {robots}: ignore it (--ignore-robots) if you may")]
    Robots {
        /// The address that was asked for.
        object: String,
        /// The address of the site's `robots.txt`, or why there is none.
        robots: String,
    },
    /// The site wants more time between its pages than anybody waits.
    #[error(
        "{object} is not loaded: {robots} asks for {} between two pages; ignore it (--ignore-robots) if you may",
        seconds(*.delay)
    )]
    CrawlDelay {
        /// The address that was asked for.
        object: String,
        /// The address of the site's `robots.txt`.
        robots: String,
        /// The time it asks for.
        delay: Duration,
    },
    /// Something took too long.
    #[error("{object}: {stage} took more than {}; allow more time (--timeout) if the server is slow", seconds(*.limit))]
    Timeout {
        /// The address that was asked for.
        object: String,
        /// What took so long, such as `the answer`.
        stage: &'static str,
        /// The time it had.
        limit: Duration,
    },
    /// The server cannot be reached, or does not speak as it should.
    #[error("cannot load {object}: {cause}")]
    Network {
        /// The address that was asked for.
        object: String,
        /// What happened, and what to do where that is known.
        cause: String,
    },
    /// The answer is not packed as it says.
    #[error("{object} cannot be unpacked: it claims to be {coding}, but {cause}")]
    Coding {
        /// The address that was asked for.
        object: String,
        /// The coding, such as `gzip`.
        coding: String,
        /// What is wrong.
        cause: String,
    },
    /// The address is of a kind that is not loaded, such as `file:` on a page of the web.
    #[error("{object} is not loaded: pages of the web have http: and https: addresses")]
    Scheme {
        /// The address that was asked for.
        object: String,
    },
    /// The archive has no such page.
    #[error("no page {object} in {archive}: check the address, or pack it too")]
    NotInArchive {
        /// The address that was asked for.
        object: String,
        /// The archive, or several.
        archive: String,
    },
    /// The archive is broken where the page should be, or lacks a part of it.
    #[error("cannot read {object} from {archive}: {cause}")]
    Archive {
        /// The address that was asked for.
        object: String,
        /// The archive.
        archive: String,
        /// What is wrong, and what to do where that is known.
        cause: String,
    },
    /// What had been written down when the page could not be loaded from the web.
    #[error("{cause}")]
    Recorded {
        /// The message from then.
        cause: String,
    },
    /// A file that should hold a page and what belongs to it does not.
    #[error("{object} is no whole MHTML file: {cause}; save the page again")]
    Mhtml {
        /// The file.
        object: String,
        /// What is missing.
        cause: &'static str,
    },
    /// A file that should list pages lists none.
    #[error(
        "{object} is no list of pages: {cause}; name a sitemap, a feed or a file with one address a line"
    )]
    NotASitemap {
        /// The file.
        object: String,
        /// What is missing.
        cause: &'static str,
    },
    /// Nobody knows where a page comes from.
    #[error("{object} does not say which address it comes from: say it (--base-url)")]
    NoAddress {
        /// The page.
        object: String,
    },
    /// The browser that pages are to be rendered by is missing or failed.
    #[error("cannot render {object}: {cause}")]
    Browser {
        /// The address that was asked for.
        object: String,
        /// What happened, and what to do where that is known.
        cause: String,
    },
    /// The system could not read the file.
    #[error("cannot read {}: {cause}; check that the file may be read", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

/// What is wrong with a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RedirectFault {
    /// It does not say where to.
    Nowhere,
    /// It leads to what is no address, or to none of the web.
    NoPage(String),
    /// It comes back to where it was.
    Loop(Url),
    /// There are more of them than anybody follows.
    TooMany(usize),
    /// It leaves the site.
    OtherSite(Url),
}

impl fmt::Display for RedirectFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => write!(out, "is a redirect that does not say where to"),
            Self::NoPage(target) => write!(out, "leads to {target:?}, which is no page of the web"),
            Self::Loop(url) => write!(out, "leads in a circle, to {url} again"),
            Self::TooMany(count) => write!(out, "leads on and on: {count} redirects were followed"),
            Self::OtherSite(url) => write!(out, "leads to another site, {url}"),
        }
    }
}

/// A status in words, behind a blank.
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
        401 | 403 => "the server does not show it to everybody",
        404 | 410 => "check the address",
        500..=599 => "the server has a problem, try again later",
        _ => "there is no page to read",
    }
}

fn wait(retry_after: Option<Duration>) -> String {
    retry_after.map_or(String::new(), |wait| {
        format!(" and asks to wait {}", seconds(wait))
    })
}

/// A time as people say it.
fn seconds(time: Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 10.0).round() / 10.0)
}

/// A number of bytes as people say it.
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
            LoadError::Io {
                path: "/site/a".into(),
                cause: io::ErrorKind::PermissionDenied.into(),
            },
        ];
        let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "no page https://example.org/a in /site: save it there, or check the address the site was saved from",
                "/site/a.png is a PNG image, not a page: name an HTML page of the site",
                "/etc/passwd lies outside the site's folder /site: copy it in, or open a folder that holds both",
                "https://example.org/a does not belong to https://example.com/: open the folder with the address it was saved from",
                "/site/big.html is too large: pages of more than 64 MiB are not read",
                "cannot read /site/a: permission denied; check that the file may be read",
            ]
        );
    }

    #[test]
    fn the_cause_is_said_once() {
        let error = LoadError::Io {
            path: "/site/a".into(),
            cause: io::ErrorKind::PermissionDenied.into(),
        };
        assert!(error.to_string().contains("permission denied"));
        assert!(error.source().is_none());
    }
}
