//! The technique while its pages still have to be loaded.
//!
//! A key [`Page`] in; then one wanted address out and one page in, again and again; an [`Extraction`] at the end.

use indexmap::{IndexMap, IndexSet};
use url::Url;

use crate::extraction::{Extraction, Failure};
use crate::links::{Address, links};
use crate::mapping::Equality;
use crate::options::Options;
use crate::page::Page;
use crate::select::CliqueSearch;

/// An extraction that asks for one page at a time. It never loads a page itself, so it works over any source.
///
/// ```
/// use husk::{Options, Page, Session, Url};
///
/// let page = |address: &str, text: &str| {
///     let menu = "<nav><a href=/one>One</a> <a href=/two>Two</a></nav>";
///     Page::parse(Url::parse(address).unwrap(), &format!("{menu}<p>{text}</p>"))
/// };
/// let mut session = Session::new(page("https://example.org/", "Welcome"), Options::default());
/// while let Some(url) = session.next_wanted() {
///     let text = format!("<b>Page {}</b>", url.path());
///     session.give(page(url.clone().as_str(), &text));
/// }
/// let extraction = session.finish();
/// assert_eq!(extraction.compared.len(), 2);
/// let content = extraction.key_page.dom.xpath(extraction.template.cuts(&extraction.key_page.dom)[0].nodes[0]);
/// assert_eq!(content, "/html[1]/body[1]/p[1]/text()[1]");
/// ```
pub struct Session {
    key_page: Page,
    options: Options,
    equality: Box<dyn Equality>,
    /// The links of the key page, in document order.
    candidates: IndexMap<Address, Candidate>,
    /// The candidate that is asked for next.
    next: usize,
    /// How many pages were asked for so far.
    asked: usize,
    search: CliqueSearch,
    /// What was loaded, in that order.
    loaded: Vec<Url>,
    /// The key page and all pages taken in.
    known: IndexSet<Address>,
    failures: Vec<Failure>,
}

/// A link of the key page, and what it led to.
struct Candidate {
    url: Url,
    page: Option<Page>,
}

impl Session {
    /// Begins with the page whose template is wanted.
    pub fn new(key_page: Page, options: Options) -> Self {
        let equality = options.equality();
        Self::with_equality(key_page, options, equality)
    }

    /// Begins with the page whose template is wanted and an equality of your own.
    pub fn with_equality(key_page: Page, options: Options, equality: Box<dyn Equality>) -> Self {
        let candidates: IndexMap<_, _> = links(&key_page, options.same_site)
            .into_iter()
            .map(|link| {
                (
                    link.address,
                    Candidate {
                        url: link.url,
                        page: None,
                    },
                )
            })
            .collect();
        let search = CliqueSearch::new(candidates.len(), options.pages_to_compare);
        let loaded = vec![key_page.url.clone()];
        let known = IndexSet::from([Address::of(&key_page.url)]);
        Self {
            key_page,
            options,
            equality,
            candidates,
            next: 0,
            asked: 0,
            search,
            loaded,
            known,
            failures: Vec::new(),
        }
    }

    /// The page that is needed next; none when enough is known. Asks for the same page until it is given or
    /// given up.
    pub fn next_wanted(&self) -> Option<&Url> {
        let has_asked_enough = self.options.max_pages.is_some_and(|most| self.asked >= most);
        if self.search.is_complete() || has_asked_enough {
            return None;
        }
        self.candidates
            .get_index(self.next)
            .map(|(_, candidate)| &candidate.url)
    }

    /// How many more pages may be asked for at most.
    pub fn wanted_at_most(&self) -> usize {
        if self.next_wanted().is_none() {
            return 0;
        }
        let allowed = self
            .options
            .max_pages
            .map_or(usize::MAX, |most| most - self.asked);
        allowed.min(self.candidates.len() - self.next)
    }

    /// Gives the page that was asked for. Its address may be another one, after a redirect.
    pub fn give(&mut self, page: Page) {
        if self.next_wanted().is_none() {
            return;
        }
        self.loaded.push(page.url.clone());
        match self.candidate_of(&page) {
            Ok(candidate) => {
                self.add(candidate, page);
                self.go_on();
            }
            Err(cause) => self.give_up(cause),
        }
    }

    /// Says that the page that was asked for cannot be had, and why.
    pub fn give_up(&mut self, cause: impl Into<String>) {
        if let Some(url) = self.next_wanted().cloned() {
            self.failures.push(Failure {
                url,
                cause: cause.into(),
            });
            self.go_on();
        }
    }

    /// Extracts from what was given so far.
    pub fn finish(mut self) -> Extraction {
        let clique: Vec<Page> = self
            .search
            .best()
            .filter_map(|candidate| self.candidates[candidate].page.take())
            .collect();
        let mut extraction = Extraction::of(self.key_page, clique, &self.options, &*self.equality);
        extraction.loaded = self.loaded;
        extraction.failures = self.failures;
        extraction
    }

    /// The candidate that a page is: the one asked for, unless a redirect led to another one.
    ///
    /// No candidate is a page that tells nothing new, or is not of the site.
    fn candidate_of(&self, page: &Page) -> Result<usize, String> {
        let address = Address::of(&page.url);
        match self.known.get_index_of(&address) {
            Some(0) => Err("leads back to the key page".to_owned()),
            Some(_) => Err(format!("leads to {} again", page.url)),
            None if !self.options.same_site.holds(&self.key_page.url, &page.url) => {
                Err(format!("leads to another site, {}", page.url))
            }
            None => Ok(self.candidates.get_index_of(&address).unwrap_or(self.next)),
        }
    }

    /// Takes a page in as a candidate, with its links to other candidates.
    fn add(&mut self, candidate: usize, page: Page) {
        let existing_links: Vec<usize> = links(&page, self.options.same_site)
            .iter()
            .filter_map(|link| self.candidates.get_index_of(&link.address))
            .filter(|&other| other != candidate)
            .collect();
        self.search.add(candidate, existing_links);
        self.known.insert(Address::of(&page.url));
        self.candidates[candidate].page = Some(page);
    }

    /// Turns to the next candidate; a redirect may have brought it already.
    fn go_on(&mut self) {
        self.asked += 1;
        self.next += 1;
        while self
            .candidates
            .get_index(self.next)
            .is_some_and(|(_, candidate)| candidate.page.is_some())
        {
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn page(path: &str, links: &[&str]) -> Page {
        let links: String = links
            .iter()
            .map(|link| format!("<a href={link}>{link}</a>"))
            .collect();
        Page::parse(url(path), &links)
    }

    /// Runs a session over a site of pages and the links on them; the first is the key page.
    fn run(site: &[(&str, &[&str])], options: Options) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut session = Session::new(page(site[0].0, site[0].1), options);
        while let Some(wanted) = session.next_wanted().cloned() {
            match site.iter().find(|(path, _)| url(path) == wanted) {
                Some((path, links)) => session.give(page(path, links)),
                None => session.give_up("not found"),
            }
        }
        let extraction = session.finish();
        let paths = |urls: &[Url]| urls.iter().map(|url| url.path().to_owned()).collect();
        let failures = extraction
            .failures
            .iter()
            .map(|failure| failure.url.path().to_owned())
            .collect();
        (paths(&extraction.loaded), paths(&extraction.compared), failures)
    }

    const MENU: [&str; 6] = ["/", "/a", "/b", "/c", "/d", "/e"];

    #[test]
    fn stops_at_the_first_clique() {
        let site: Vec<(&str, &[&str])> = MENU.iter().map(|&path| (path, &MENU[..])).collect();
        let (loaded, compared, _) = run(&site, Options::default());
        assert_eq!(loaded, ["/", "/a", "/b", "/c", "/d"]);
        assert_eq!(compared, ["/a", "/b", "/c", "/d"]);
    }

    #[test]
    fn takes_the_largest_when_there_is_none_as_large() {
        let site: &[(&str, &[&str])] = &[
            ("/", &["/a", "/b", "/c", "/gone"]),
            ("/a", &["/c"]),
            ("/b", &[]),
            ("/c", &["/a"]),
        ];
        let (loaded, compared, failures) = run(site, Options::default());
        assert_eq!(loaded, ["/", "/a", "/b", "/c"]);
        assert_eq!(compared, ["/a", "/c"]);
        assert_eq!(failures, ["/gone"]);
    }

    #[test]
    fn loads_no_more_than_allowed() {
        let site: Vec<(&str, &[&str])> = MENU.iter().map(|&path| (path, &MENU[..])).collect();
        let (loaded, compared, _) = run(
            &site,
            Options {
                max_pages: Some(2),
                ..Options::default()
            },
        );
        assert_eq!(loaded, ["/", "/a", "/b"]);
        assert_eq!(compared, ["/a", "/b"]);
    }

    #[test]
    fn a_redirect_to_a_known_page_is_no_sibling() {
        let mut session = Session::new(page("/", &["/a", "/b", "/c"]), Options::default());
        session.give(page("/", &[]));
        session.give(page("/elsewhere", &[]));
        session.give(page("/elsewhere", &[]));
        assert!(session.next_wanted().is_none());
        let extraction = session.finish();
        assert_eq!(extraction.loaded.len(), 4);
        let causes: Vec<_> = extraction
            .failures
            .iter()
            .map(|failure| failure.cause.as_str())
            .collect();
        assert_eq!(
            causes,
            [
                "leads back to the key page",
                "leads to https://example.org/elsewhere again"
            ]
        );
    }

    #[test]
    fn a_redirect_to_another_candidate_brings_that_one() {
        let mut session = Session::new(page("/", &["/old", "/a", "/b", "/c"]), Options::default());
        session.give(page("/a", &["/b", "/c"]));
        assert_eq!(session.next_wanted().map(Url::path), Some("/b"));
        session.give(page("/b", &["/a", "/c"]));
        session.give(page("/c", &["/a", "/b"]));
        let extraction = session.finish();
        let compared: Vec<_> = extraction.compared.iter().map(Url::path).collect();
        assert_eq!(compared, ["/a", "/b", "/c"]);
        assert_eq!(extraction.loaded.len(), 4);
    }

    #[test]
    fn failures_count_as_asked_for() {
        let mut session = Session::new(
            page("/", &["/a", "/b", "/c"]),
            Options {
                max_pages: Some(2),
                ..Options::default()
            },
        );
        session.give_up("gone");
        assert_eq!(session.wanted_at_most(), 1);
        session.give_up("gone");
        assert!(session.next_wanted().is_none());
    }

    #[test]
    fn what_was_not_asked_for_is_ignored() {
        let mut session = Session::new(page("/", &[]), Options::default());
        session.give(page("/a", &[]));
        session.give_up("why not");
        assert_eq!(session.wanted_at_most(), 0);
        let extraction = session.finish();
        assert!(extraction.compared.is_empty() && extraction.failures.is_empty());
    }
}
