//! The technique while its pages still have to be loaded.
//!
//! A key [`Page`] in; then one wanted address out and one page in, again and again; an [`Extraction`] at the end.

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
use clique::CliqueChoice;
use ranked::RankedChoice;

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
pub struct Session(Choice);

/// How the pages are chosen.
enum Choice {
    Clique(Box<CliqueChoice>),
    Ranked(Box<RankedChoice>),
}

impl Session {
    /// Begins with the page whose template is wanted.
    pub fn new(key_page: Page, options: Options) -> Self {
        let equality = options.equality();
        Self::with_equality(key_page, options, equality)
    }

    /// Begins with the page whose template is wanted and an equality of your own, which only the paper's method asks
    /// for.
    pub fn with_equality(key_page: Page, options: Options, equality: Box<dyn Equality>) -> Self {
        Self(match options.method {
            Method::Husk => Choice::Ranked(Box::new(RankedChoice::new(key_page, options))),
            Method::Paper => Choice::Clique(Box::new(CliqueChoice::new(key_page, options, equality))),
        })
    }

    /// The page that is needed next; none when enough is known. Asks for the same page until it is given or
    /// given up.
    pub fn next_wanted(&self) -> Option<&Url> {
        match &self.0 {
            Choice::Clique(choice) => choice.next_wanted(),
            Choice::Ranked(choice) => choice.next_wanted(),
        }
    }

    /// The pages that will be asked for in any case unless something goes wrong, the one that is needed next first.
    ///
    /// Who can load several pages at once may load these ahead. What the loaded pages link to may change the order, so
    /// that one of them is never asked for after all; this is rare.
    pub fn wanted_ahead(&self) -> Vec<Url> {
        match &self.0 {
            Choice::Clique(choice) => choice.wanted_ahead(),
            Choice::Ranked(choice) => choice.wanted_ahead(),
        }
    }

    /// How many more pages may be taken in at most. Those that cannot be had may not count.
    pub fn wanted_at_most(&self) -> usize {
        match &self.0 {
            Choice::Clique(choice) => choice.wanted_at_most(),
            Choice::Ranked(choice) => choice.wanted_at_most(),
        }
    }

    /// Gives the page that was asked for. Its address may be another one, after a redirect.
    pub fn give(&mut self, page: Page) {
        if self.next_wanted().is_none() {
            return;
        }
        match &mut self.0 {
            Choice::Clique(choice) => choice.give(page),
            Choice::Ranked(choice) => choice.give(page),
        }
    }

    /// Says that the page that was asked for cannot be had, and why.
    pub fn give_up(&mut self, cause: impl Into<String>) {
        if self.next_wanted().is_none() {
            return;
        }
        match &mut self.0 {
            Choice::Clique(choice) => choice.give_up(cause.into()),
            Choice::Ranked(choice) => choice.give_up(cause.into()),
        }
    }

    /// Why that page is needed.
    pub fn why_wanted(&self) -> Option<SelectionReason> {
        match &self.0 {
            Choice::Clique(choice) => choice.next_wanted().map(|_| SelectionReason::DocumentOrder),
            Choice::Ranked(choice) => choice.why_wanted(),
        }
    }

    /// Every page that was given or given up so far, in that order. What counts as compared now may be left out in the end
    /// by a method that chooses among all pages it has.
    pub fn visits(&self) -> &[Visit] {
        match &self.0 {
            Choice::Clique(choice) => choice.visits(),
            Choice::Ranked(choice) => choice.visits(),
        }
    }

    /// Whether there are too few links, so that a list of the site's pages would help, if the source has one.
    pub fn wants_addresses(&self) -> bool {
        match &self.0 {
            Choice::Clique(_) => false,
            Choice::Ranked(choice) => choice.wants_addresses(),
        }
    }

    /// Offers the addresses of pages of the site that nothing need link to. What was not wanted is ignored.
    pub fn offer(&mut self, addresses: Vec<Url>) {
        if let Choice::Ranked(choice) = &mut self.0 {
            choice.offer(addresses);
        }
    }

    /// Extracts from what was given so far.
    pub fn finish(self) -> Extraction {
        match self.0 {
            Choice::Clique(choice) => choice.finish(),
            Choice::Ranked(choice) => choice.finish(),
        }
    }
}

/// What came of the pages that were asked for.
struct Arrivals {
    /// How many pages were asked for so far.
    asked: usize,
    /// What was loaded, in that order, the key page first.
    loaded: Vec<Url>,
    /// The same as addresses, each once.
    known: IndexSet<Address>,
    /// What could be read of it, the key page not included.
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

    /// Notes a page that was loaded and tells its address, or why it tells nothing new.
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

    /// Notes that a page was asked for and, unless it could not be had, where it was found. It counts as compared until
    /// something else is said.
    fn visit(&mut self, url: Url, why: SelectionReason, found_at: Option<Url>) {
        self.visits.push(Visit {
            url,
            found_at,
            why,
            outcome: Outcome::Compared,
        });
    }

    /// Says of the page that was asked for last why it is of no use.
    fn is_of_no_use(&mut self, cause: &str) {
        if let Some(visit) = self.visits.last_mut() {
            visit.outcome = match visit.found_at {
                Some(_) => Outcome::Refused(cause.to_owned()),
                None => Outcome::Unavailable(cause.to_owned()),
            };
        }
    }

    /// Notes a page that could not be had or not be used.
    fn fail(&mut self, url: Url, cause: String) {
        self.is_of_no_use(&cause);
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
