//! An extraction while its pages are being loaded.
//!
//! A key [`Page`] in; then one wanted URL out and one page in, repeatedly; an [`Extraction`] at the end.

mod clique;

mod ranked;

use indexmap::IndexSet;
use url::Url;

use crate::extraction::{Extraction, Failure, Outcome, Visit};
use crate::links::{Address, SameSite};
use crate::mapping::Equality;
use crate::options::{Method, Options};
use crate::page::Page;
use crate::select::SelectionReason;
use clique::CliqueSelection;
use ranked::RankedSelection;

/// An extraction that asks for one page at a time. It never loads a page itself, so it works over any source.
///
/// ```
/// use husk::{Options, Page, Session, Url};
///
/// let page = |address: &str, text: &str| {
///     let menu = "<nav><a href=/one>One</a> <a href=/two>Two</a></nav>";
///     let html = format!("<title>{text}</title>{menu}<main><p>{text} of our shop</p></main>");
///     Page::parse(Url::parse(address).unwrap(), &html)
/// };
/// let mut session = Session::new(page("https://example.org/", "Welcome to all"), Options::default());
/// while let Some(url) = session.next_wanted().cloned() {
///     session.give(page(url.as_str(), &format!("The page {}", url.path())));
/// }
/// let extraction = session.finish();
/// assert_eq!(extraction.compared.len(), 2);
/// let dom = &extraction.key_page.dom;
/// let content = extraction.template.cuts(dom)[1].nodes[0];
/// assert_eq!(dom.xpath(content), "/html[1]/body[1]/main[1]/p[1]");
/// ```
pub struct Session(Box<dyn PageSelection>);

/// How a method selects pages, and computes the template from those it was given.
///
/// A [`Session`] calls `give` and `give_up` only while a page is wanted.
trait PageSelection: Send {
    /// The page that is needed next; none when enough is known.
    fn next_wanted(&self) -> Option<&Url>;

    /// The pages that will be needed unless something goes wrong, the next one first.
    fn wanted_ahead(&self) -> Vec<Url>;

    /// How many more pages may be needed at most.
    fn wanted_at_most(&self) -> usize;

    /// Why the next page is needed.
    fn why_wanted(&self) -> Option<SelectionReason>;

    /// Takes the wanted page.
    fn give(&mut self, page: Page);

    /// Goes on without the wanted page.
    fn give_up(&mut self, cause: String);

    /// Whether a list of the site's pages would help.
    fn wants_addresses(&self) -> bool {
        false
    }

    /// Takes a list of the site's pages.
    fn offer(&mut self, _addresses: Vec<Url>) {}

    /// Every page given or given up so far.
    fn visits(&self) -> &[Visit];

    /// Computes the template.
    fn finish(self: Box<Self>) -> Extraction;
}

impl Session {
    /// Begins with the page whose template is wanted.
    pub fn new(key_page: Page, options: Options) -> Self {
        let equality = options.equality();
        Self::with_equality(key_page, options, equality)
    }

    /// Begins with the page whose template is wanted and a custom equality, which only the published method uses.
    pub fn with_equality(key_page: Page, options: Options, equality: Box<dyn Equality>) -> Self {
        Self(match options.method {
            Method::Husk => Box::new(RankedSelection::new(key_page, options)),
            Method::Paper => Box::new(CliqueSelection::new(key_page, options, equality)),
        })
    }

    /// The page that is needed next; none when enough is known. Returns the same page until it is given or given up.
    pub fn next_wanted(&self) -> Option<&Url> {
        self.0.next_wanted()
    }

    /// The pages that will be needed unless something goes wrong, the next one first.
    ///
    /// Callers that load several pages at once may load these ahead. Links of the loaded pages may change the order, so
    /// that one of them is never needed; this is rare.
    pub fn wanted_ahead(&self) -> Vec<Url> {
        self.0.wanted_ahead()
    }

    /// How many more pages may be needed at most. Pages that fail to load may not count.
    pub fn wanted_at_most(&self) -> usize {
        self.0.wanted_at_most()
    }

    /// Gives the page that is needed next. Its URL may differ, after a redirect.
    pub fn give(&mut self, page: Page) {
        if self.next_wanted().is_some() {
            self.0.give(page);
        }
    }

    /// Reports that the page that is needed next is unavailable, and why.
    pub fn give_up(&mut self, cause: impl Into<String>) {
        if self.next_wanted().is_some() {
            self.0.give_up(cause.into());
        }
    }

    /// Why the next page is needed.
    pub fn why_wanted(&self) -> Option<SelectionReason> {
        self.0.why_wanted()
    }

    /// Every page given or given up so far, in order. The published method may still drop pages marked as compared, as
    /// it selects among all pages at the end.
    pub fn visits(&self) -> &[Visit] {
        self.0.visits()
    }

    /// Whether there are too few links, so that a list of the site's pages would help, if the source has one.
    pub fn wants_addresses(&self) -> bool {
        self.0.wants_addresses()
    }

    /// Offers the URLs of pages of the site, linked or not. Ignored unless wanted.
    pub fn offer(&mut self, addresses: Vec<Url>) {
        self.0.offer(addresses);
    }

    /// Computes the extraction from the pages given so far.
    pub fn finish(self) -> Extraction {
        self.0.finish()
    }
}

/// The pages that were asked for, and their outcome.
struct Arrivals {
    /// How many pages were asked for so far.
    asked: usize,
    /// The URLs loaded, in order, the key page first.
    loaded: Vec<Url>,
    /// The same, normalised, each once.
    known: IndexSet<Address>,
    /// The loaded pages of the site, without the key page.
    pages: Vec<Page>,
    failures: Vec<Failure>,
    visits: Vec<Visit>,
    same_site: SameSite,
}

impl Arrivals {
    fn new(key_page: &Page, same_site: SameSite) -> Self {
        Self {
            asked: 0,
            loaded: vec![key_page.url.clone()],
            known: IndexSet::from([Address::of(&key_page.url)]),
            pages: Vec::new(),
            failures: Vec::new(),
            visits: Vec::new(),
            same_site,
        }
    }

    /// Records a loaded page and returns its address, or why the page is of no use.
    fn take(&mut self, page: &Page) -> Result<Address, String> {
        let key_url = self.loaded[0].clone();
        self.loaded.push(page.url.clone());
        let address = Address::of(&page.url);
        match self.known.get_index_of(&address) {
            Some(0) => Err("leads back to the key page".to_owned()),
            Some(_) => Err(format!("leads to {} again", page.url)),
            None if !self.same_site.holds(&key_url, &page.url) => {
                Err(format!("leads to another site, {}", page.url))
            }
            None => {
                self.known.insert(address.clone());
                Ok(address)
            }
        }
    }

    /// Records a page that was asked for and, if it was loaded, its final URL. It counts as compared until
    /// [`Self::fail`] is called.
    fn visit(&mut self, url: Url, why: SelectionReason, found_at: Option<Url>) {
        self.visits.push(Visit {
            url,
            found_at,
            why,
            outcome: Outcome::Compared,
        });
    }

    /// Records why the page that was asked for last is not compared.
    fn fail(&mut self, url: Url, cause: String) {
        if let Some(visit) = self.visits.last_mut() {
            visit.outcome = match visit.found_at {
                Some(_) => Outcome::Refused(cause.clone()),
                None => Outcome::Unavailable(cause.clone()),
            };
        }
        self.failures.push(Failure { url, cause });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Method;

    fn paper() -> Options {
        Options {
            method: Method::Paper,
            ..Options::default()
        }
    }

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
        let (loaded, compared, _) = run(&site, paper());
        assert_eq!(loaded, ["/", "/a", "/b", "/c", "/d"]);
        assert_eq!(compared, ["/a", "/b", "/c", "/d"]);
    }

    #[test]
    fn wants_a_whole_clique_ahead() {
        let paths = |session: &Session| -> Vec<String> {
            let ahead = session.wanted_ahead();
            ahead.iter().map(|url| url.path().to_owned()).collect()
        };
        let mut session = Session::new(page("/", &MENU), paper());
        assert_eq!(paths(&session), ["/a", "/b", "/c", "/d"]);
        session.give(page("/c", &MENU));
        assert_eq!(
            paths(&session),
            ["/b", "/d", "/e"],
            "a redirect led from the first to the third"
        );
    }

    #[test]
    fn takes_the_largest_when_there_is_none_as_large() {
        let site: &[(&str, &[&str])] = &[
            ("/", &["/a", "/b", "/c", "/gone"]),
            ("/a", &["/c"]),
            ("/b", &[]),
            ("/c", &["/a"]),
        ];
        let (loaded, compared, failures) = run(site, paper());
        assert_eq!(loaded, ["/", "/a", "/b", "/c"]);
        assert_eq!(compared, ["/a", "/c"]);
        assert_eq!(failures, ["/gone"]);
    }

    #[test]
    fn every_visit_is_on_record() {
        let mut session = Session::new(page("/", &["/a", "/b", "/c", "/gone"]), paper());
        assert_eq!(session.why_wanted(), Some(SelectionReason::DocumentOrder));
        session.give(page("/a", &["/moved"]));
        session.give(page("/b", &[]));
        session.give(page("/", &[]));
        session.give_up("not found");
        let extraction = session.finish();
        let visits: Vec<_> = extraction
            .visits
            .iter()
            .map(|visit| {
                (
                    visit.url.path(),
                    visit.found_at.as_ref().map(Url::path),
                    visit.outcome.clone(),
                )
            })
            .collect();
        let refused = |cause: &str| Outcome::Refused(cause.to_owned());
        assert_eq!(
            visits,
            [
                ("/a", Some("/a"), Outcome::Compared),
                (
                    "/b",
                    Some("/b"),
                    refused("not one of the largest set of pages that all link to each other")
                ),
                ("/c", Some("/"), refused("leads back to the key page")),
                ("/gone", None, Outcome::Unavailable("not found".to_owned())),
            ]
        );
    }

    #[test]
    fn loads_no_more_than_allowed() {
        let site: Vec<(&str, &[&str])> = MENU.iter().map(|&path| (path, &MENU[..])).collect();
        let (loaded, compared, _) = run(
            &site,
            Options {
                max_pages: Some(2),
                ..paper()
            },
        );
        assert_eq!(loaded, ["/", "/a", "/b"]);
        assert_eq!(compared, ["/a", "/b"]);
    }

    #[test]
    fn a_redirect_to_a_known_page_is_no_sibling() {
        let mut session = Session::new(page("/", &["/a", "/b", "/c"]), paper());
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
        let mut session = Session::new(page("/", &["/old", "/a", "/b", "/c"]), paper());
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
                ..paper()
            },
        );
        session.give_up("gone");
        assert_eq!(session.wanted_at_most(), 1);
        session.give_up("gone");
        assert!(session.next_wanted().is_none());
    }

    #[test]
    fn what_was_not_asked_for_is_ignored() {
        let mut session = Session::new(page("/", &[]), paper());
        session.give(page("/a", &[]));
        session.give_up("why not");
        assert_eq!(session.wanted_at_most(), 0);
        let extraction = session.finish();
        assert!(extraction.compared.is_empty() && extraction.failures.is_empty());
    }
}
