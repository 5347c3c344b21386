//! A URL relative to the root of a site.

use husk::Url;
use percent_encoding::percent_decode_str;

use super::host::share_host;

/// The part of a URL below that of the site.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<'a> {
    /// The segments of the path, percent-encoded, none empty.
    pub(super) steps: Vec<&'a str>,
    /// Whether the path ended with a slash.
    pub(super) is_folder: bool,
    pub(super) query: Option<&'a str>,
}

/// Why a URL cannot be in a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotInSite {
    /// It is on another host.
    OtherHost,
    /// It is not below the path of the site.
    OtherPath,
}

impl<'a> Request<'a> {
    /// The part of `url` below `base`.
    pub(super) fn below(base: &Url, url: &'a Url) -> Result<Self, NotInSite> {
        if !share_host(base, url) {
            return Err(NotInSite::OtherHost);
        }
        let mut steps = steps(url);
        let base_steps = self::steps(base);
        let decode = |step| percent_decode_str(step);
        let is_below = steps.len() >= base_steps.len()
            && steps
                .iter()
                .zip(&base_steps)
                .all(|(one, other)| decode(one).eq(decode(other)));
        if !is_below {
            return Err(NotInSite::OtherPath);
        }
        steps.drain(..base_steps.len());
        let is_folder = steps.is_empty() || url.path().ends_with('/');
        let query = url.query().filter(|query| !query.is_empty());
        Ok(Self {
            steps,
            is_folder,
            query,
        })
    }
}

fn steps(url: &Url) -> Vec<&str> {
    url.path().split('/').filter(|step| !step.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, url: &str, expect: Result<(&[&str], bool, Option<&str>), NotInSite>) {
        let (base, url) = (Url::parse(base).unwrap(), Url::parse(url).unwrap());
        let expect = expect.map(|(steps, is_folder, query)| Request {
            steps: steps.to_vec(),
            is_folder,
            query,
        });
        assert_eq!(Request::below(&base, &url), expect, "{url} below {base}");
    }

    #[test]
    fn below_the_root_of_a_host() {
        let base = "https://example.org/";
        check(base, "http://www.example.org", Ok((&[], true, None)));
        check(
            base,
            "https://example.org/a/b.html?x=1#y",
            Ok((&["a", "b.html"], false, Some("x=1"))),
        );
        check(base, "https://example.org/a//b/?", Ok((&["a", "b"], true, None)));
        check(base, "https://example.org/../../a", Ok((&["a"], false, None)));
        check(base, "https://example.com/", Err(NotInSite::OtherHost));
    }

    #[test]
    fn below_a_path() {
        let base = "https://example.org/~me/docs/";
        check(
            base,
            "https://example.org/%7Eme/docs/a",
            Ok((&["a"], false, None)),
        );
        check(base, "https://example.org/~me/docs", Ok((&[], true, None)));
        check(base, "https://example.org/~me/docsy", Err(NotInSite::OtherPath));
        check(base, "https://example.org/", Err(NotInSite::OtherPath));
    }

    #[test]
    fn below_a_folder_on_disk() {
        check(
            "file:///srv/site/",
            "file:///srv/site/a%20b.html",
            Ok((&["a%20b.html"], false, None)),
        );
        check(
            "file:///srv/site/",
            "file:///srv/other.html",
            Err(NotInSite::OtherPath),
        );
        check(
            "file:///srv/site/",
            "https://example.org/",
            Err(NotInSite::OtherHost),
        );
    }
}
