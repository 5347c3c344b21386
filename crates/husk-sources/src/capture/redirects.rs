//! Follows redirects, without loading anything itself.

use husk::{Page, SameSite, Url};

use super::Capture;
use crate::source::{Admission, LoadError, RedirectFault};

/// Browsers follow twenty; no page needs half of them.
const MAX_REDIRECTS: usize = 10;

/// Limits for loading a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadLimits {
    /// The site that redirects must not leave, if any.
    pub(crate) site: Option<(Url, SameSite)>,
    /// The largest page, in bytes.
    pub(crate) max_bytes: u64,
    /// Which pages are parsed.
    pub(crate) admission: Admission,
}

/// The redirects on the way to a page.
#[derive(Debug)]
pub(crate) struct RedirectChain {
    limits: LoadLimits,
    /// Every URL requested so far, then the one to request next.
    path: Vec<Url>,
}

/// What a response means.
#[derive(Debug)]
pub(crate) enum Step {
    /// Another URL must be requested: [`RedirectChain::at`].
    Further,
    /// The page was found.
    Arrived(Box<Page>),
}

impl RedirectChain {
    pub(crate) fn new(url: &Url, limits: LoadLimits) -> Result<Self, LoadError> {
        let mut url = url.clone();
        url.set_fragment(None);
        if !is_web_url(&url) {
            return Err(LoadError::Scheme {
                object: url.to_string(),
            });
        }
        if has_credentials(&url) {
            return Err(LoadError::Credentials {
                object: without_credentials(&url),
            });
        }
        Ok(Self {
            limits,
            path: vec![url],
        })
    }

    /// The URL to request next.
    pub(crate) fn at(&self) -> &Url {
        &self.path[self.path.len() - 1]
    }

    /// Whether that URL was requested before.
    #[cfg(feature = "http")]
    pub(crate) fn is_return(&self) -> bool {
        self.path[..self.path.len() - 1].contains(self.at())
    }

    /// Takes the response for that URL.
    pub(crate) fn take(&mut self, capture: &Capture) -> Result<Step, LoadError> {
        if self.follow(capture)? {
            return Ok(Step::Further);
        }
        let page = capture.admitted_page(self.limits.max_bytes, &self.limits.admission)?;
        Ok(Step::Arrived(Box::new(page)))
    }

    /// Follows the response if it is a redirect; returns whether it was.
    pub(crate) fn follow(&mut self, capture: &Capture) -> Result<bool, LoadError> {
        if !capture.is_redirect() {
            return Ok(false);
        }
        let target = self.target(capture)?;
        self.path.push(target);
        Ok(true)
    }

    fn target(&self, capture: &Capture) -> Result<Url, LoadError> {
        let fail = |fault| {
            Err(LoadError::Redirect {
                object: self.path[0].to_string(),
                fault,
            })
        };
        let Some(location) = capture.header("location") else {
            return fail(RedirectFault::Nowhere);
        };
        let target = match self.at().join(location) {
            Ok(mut target) => {
                target.set_fragment(None);
                target
            }
            Err(_) => return fail(RedirectFault::NoPage(location.to_owned())),
        };
        if !is_web_url(&target) || has_credentials(&target) {
            return fail(RedirectFault::NoPage(location.to_owned()));
        }
        // A page may redirect to itself once, to set a cookie; more often is a loop.
        if self.path.iter().filter(|&url| *url == target).count() > 1 {
            return fail(RedirectFault::Loop(target));
        }
        if self.path.len() > MAX_REDIRECTS {
            return fail(RedirectFault::TooMany(MAX_REDIRECTS));
        }
        match &self.limits.site {
            Some((site, same_site)) if !same_site.holds(site, &target) => {
                fail(RedirectFault::OtherSite(target))
            }
            _ => Ok(target),
        }
    }
}

fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn without_credentials(url: &Url) -> String {
    let mut url = url.clone();
    // Neither fails for http: and https: URLs.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

fn is_web_url(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::capture;

    fn limits() -> LoadLimits {
        LoadLimits {
            site: None,
            max_bytes: 1000,
            admission: Admission::default(),
        }
    }

    /// Follows redirects, each to the next of these; the last is a page.
    fn follow(places: &[&str], limits: LoadLimits) -> Result<String, String> {
        let start = Url::parse("https://example.org/").unwrap();
        let mut chain = RedirectChain::new(&start, limits).map_err(|cause| cause.to_string())?;
        for place in places {
            let at = chain.at().to_string();
            let answer = capture(&at, 302, &[("Location", place)], b"");
            chain.take(&answer).map_err(|cause| cause.to_string())?;
        }
        let at = chain.at().to_string();
        match chain.take(&capture(&at, 200, &[], b"<p>There")) {
            Ok(Step::Arrived(page)) => Ok(page.url.to_string()),
            Ok(Step::Further) => unreachable!("a page is no redirect"),
            Err(cause) => Err(cause.to_string()),
        }
    }

    #[test]
    fn the_last_address_is_that_of_the_page() {
        assert_eq!(follow(&[], limits()).unwrap(), "https://example.org/");
        assert_eq!(
            follow(&["/a", "b#c", "//example.com/d", "?e"], limits()).unwrap(),
            "https://example.com/d?e"
        );
        assert_eq!(
            follow(&["/", "/in"], limits()).unwrap(),
            "https://example.org/in",
            "a cookie was set"
        );
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        let check = |places: &[&str], expect: &str| {
            let error = follow(places, limits()).unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check(
            &["/a", "/b", "/a", "/b", "/a"],
            "in a loop, back to https://example.org/a",
        );
        check(
            &["file:///etc/passwd"],
            "redirects to \"file:///etc/passwd\", which is not an http:// or https:// URL",
        );
        check(&["https://"], "not an http:// or https:// URL");
        let many: Vec<String> = (0..20).map(|number| format!("/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, "stopped after 10 redirects");
        let start = Url::parse("https://example.org/").unwrap();
        let mut chain = RedirectChain::new(&start, limits()).unwrap();
        let error = chain
            .take(&capture("https://example.org/", 301, &[], b""))
            .unwrap_err();
        assert!(error.to_string().contains("without a Location header"), "{error}");
    }

    #[test]
    fn a_sibling_does_not_leave_the_site() {
        let site = Some((Url::parse("https://example.org/").unwrap(), SameSite::Host));
        let within = || LoadLimits {
            site: site.clone(),
            ..limits()
        };
        assert!(follow(&["http://www.example.org/a"], within()).is_ok());
        let error = follow(&["https://example.com/"], within()).unwrap_err();
        assert_eq!(
            error,
            "https://example.org/ leads to another site, https://example.com/"
        );
    }

    #[test]
    fn secrets_are_not_spread() {
        let url = Url::parse("https://user:pw@example.org/a").unwrap();
        let error = RedirectChain::new(&url, limits()).unwrap_err().to_string();
        assert!(
            error.starts_with("the URL of https://example.org/a contains a user"),
            "{error}"
        );
        assert!(follow(&["https://user@example.org/"], limits()).is_err());
    }

    #[test]
    fn files_are_never_asked_for() {
        for address in ["file:///etc/passwd", "ftp://example.org/", "data:text/html,x"] {
            let error = RedirectChain::new(&Url::parse(address).unwrap(), limits()).unwrap_err();
            assert!(matches!(error, LoadError::Scheme { .. }), "{error}");
        }
    }
}
