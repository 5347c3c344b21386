//! Follows redirects, without loading anything itself.

use husk::{Page, SameSite, Url};

use super::Capture;
use crate::source::{LoadError, RedirectFault};

/// Browsers follow twenty; no page needs half of them.
const MOST_REDIRECTS: usize = 10;

/// How far a redirect may lead.
#[derive(Debug, Clone, Default)]
pub(crate) struct Boundary {
    /// The site that must not be left; none if any may be entered.
    pub(crate) site: Option<(Url, SameSite)>,
    /// The most bytes that a page may have.
    pub(crate) max_bytes: u64,
}

/// A page under way: its address, or that of the redirect that was met last.
#[derive(Debug)]
pub(crate) struct Chase {
    boundary: Boundary,
    /// Every address asked for, the one that is to be asked for next at the end.
    path: Vec<Url>,
}

/// What an answer means.
#[derive(Debug)]
pub(crate) enum Step {
    /// There is another address to ask for: [`Chase::at`].
    Further,
    /// There is the page.
    Arrived(Box<Page>),
}

impl Chase {
    pub(crate) fn new(url: &Url, boundary: Boundary) -> Result<Self, LoadError> {
        let mut url = url.clone();
        url.set_fragment(None);
        if !is_of_the_web(&url) {
            return Err(LoadError::Scheme {
                object: url.to_string(),
            });
        }
        if has_secret(&url) {
            return Err(LoadError::Secret {
                object: without_secret(&url),
            });
        }
        Ok(Self {
            boundary,
            path: vec![url],
        })
    }

    /// The address to ask for next.
    pub(crate) fn at(&self) -> &Url {
        &self.path[self.path.len() - 1]
    }

    /// Whether that address was asked for before.
    #[cfg(feature = "http")]
    pub(crate) fn is_return(&self) -> bool {
        self.path[..self.path.len() - 1].contains(self.at())
    }

    /// Takes the answer for that address.
    pub(crate) fn take(&mut self, capture: &Capture) -> Result<Step, LoadError> {
        if self.follow(capture)? {
            return Ok(Step::Further);
        }
        capture
            .page(self.boundary.max_bytes)
            .map(|page| Step::Arrived(Box::new(page)))
    }

    /// Follows the answer if it is a redirect; tells whether it was.
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
        if !is_of_the_web(&target) || has_secret(&target) {
            return fail(RedirectFault::NoPage(location.to_owned()));
        }
        // To set a cookie a page may lead to itself once; more than that is a circle.
        if self.path.iter().filter(|&url| *url == target).count() > 1 {
            return fail(RedirectFault::Loop(target));
        }
        if self.path.len() > MOST_REDIRECTS {
            return fail(RedirectFault::TooMany(MOST_REDIRECTS));
        }
        match &self.boundary.site {
            Some((site, same_site)) if !same_site.holds(site, &target) => {
                fail(RedirectFault::OtherSite(target))
            }
            _ => Ok(target),
        }
    }
}

fn has_secret(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn without_secret(url: &Url) -> String {
    let mut url = url.clone();
    // Both work for every address of the web.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

fn is_of_the_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::capture;

    fn boundary() -> Boundary {
        Boundary {
            site: None,
            max_bytes: 1000,
        }
    }

    /// Follows redirects, each to the next of these; the last is a page.
    fn follow(places: &[&str], boundary: Boundary) -> Result<String, String> {
        let start = Url::parse("https://example.org/").unwrap();
        let mut chase = Chase::new(&start, boundary).map_err(|cause| cause.to_string())?;
        for place in places {
            let at = chase.at().to_string();
            let answer = capture(&at, 302, &[("Location", place)], b"");
            chase.take(&answer).map_err(|cause| cause.to_string())?;
        }
        let at = chase.at().to_string();
        match chase.take(&capture(&at, 200, &[], b"<p>There")) {
            Ok(Step::Arrived(page)) => Ok(page.url.to_string()),
            Ok(Step::Further) => unreachable!("a page is no redirect"),
            Err(cause) => Err(cause.to_string()),
        }
    }

    #[test]
    fn the_last_address_is_that_of_the_page() {
        assert_eq!(follow(&[], boundary()).unwrap(), "https://example.org/");
        assert_eq!(
            follow(&["/a", "b#c", "//example.com/d", "?e"], boundary()).unwrap(),
            "https://example.com/d?e"
        );
        assert_eq!(
            follow(&["/", "/in"], boundary()).unwrap(),
            "https://example.org/in",
            "a cookie was set"
        );
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        let check = |places: &[&str], expect: &str| {
            let error = follow(places, boundary()).unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check(
            &["/a", "/b", "/a", "/b", "/a"],
            "in a circle, to https://example.org/a again",
        );
        check(
            &["file:///etc/passwd"],
            "leads to \"file:///etc/passwd\", which is no page of the web",
        );
        check(&["https://"], "no page of the web");
        let many: Vec<String> = (0..20).map(|number| format!("/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, "leads on and on: 10 redirects");
        let start = Url::parse("https://example.org/").unwrap();
        let mut chase = Chase::new(&start, boundary()).unwrap();
        let error = chase
            .take(&capture("https://example.org/", 301, &[], b""))
            .unwrap_err();
        assert!(error.to_string().contains("does not say where to"), "{error}");
    }

    #[test]
    fn a_sibling_does_not_leave_the_site() {
        let site = Some((Url::parse("https://example.org/").unwrap(), SameSite::Host));
        let within = || Boundary {
            site: site.clone(),
            ..boundary()
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
        let error = Chase::new(&url, boundary()).unwrap_err().to_string();
        assert!(error.starts_with("https://example.org/a comes with"), "{error}");
        assert!(follow(&["https://user@example.org/"], boundary()).is_err());
    }

    #[test]
    fn files_are_never_asked_for() {
        for address in ["file:///etc/passwd", "ftp://example.org/", "data:text/html,x"] {
            let error = Chase::new(&Url::parse(address).unwrap(), boundary()).unwrap_err();
            assert!(matches!(error, LoadError::Scheme { .. }), "{error}");
        }
    }
}
