//! The page selection of the default method: pages most similar to the key page first, until more would change nothing.

use std::iter;

use husk_dom::{NodeKind, name};
use url::Url;

use super::{Arrivals, PageSelection};
use crate::extraction::{Extraction, Visit};
use crate::fingerprint::{Acquaintance, Fingerprints};
use crate::likeness::Shapes;
use crate::links::is_view;
use crate::mapping::{NodeSet, Side, align};
use crate::options::Options;
use crate::page::Page;
use crate::refusal::{leads_on, refusal};
use crate::select::{Ranking, SelectionReason};
use crate::template::Template;
use crate::thresholds::Thresholds;
use crate::vote::WeighedVotes;

/// If at least this many pages agree, one less than wanted is enough.
const FEWEST_THAT_SETTLE: usize = 2;

/// A page of which less than this share of the letters is left without the template has hardly any content.
const LEAST_LEFT: f64 = 0.05;

/// The default method: pages by rank, and votes of the compared pages.
pub(super) struct RankedSelection {
    key_page: Page,
    options: Options,
    ranking: Ranking,
    /// The candidate to ask for next.
    next: Option<usize>,
    /// Begun with the first page to compare: a page that stays alone is compared with none.
    comparison: Option<Comparison>,
    compared: Vec<Url>,
    /// The template by the pages compared so far, once there are enough.
    template: Option<NodeSet>,
    is_settled: bool,
    was_offered: bool,
    arrivals: Arrivals,
}

/// The key page as other pages are compared with it, and their votes.
struct Comparison {
    fingerprints: Fingerprints,
    shapes: Shapes,
    acquaintance: Acquaintance,
    votes: WeighedVotes,
}

impl Comparison {
    fn of(key_page: &Page, thresholds: &Thresholds) -> Self {
        let mut acquaintance = Acquaintance::new();
        let fingerprints = Fingerprints::with(key_page, &mut acquaintance);
        Self {
            shapes: Shapes::of(&key_page.dom, &fingerprints),
            votes: WeighedVotes::new(Side::of(key_page, &fingerprints), thresholds),
            fingerprints,
            acquaintance,
        }
    }

    /// Counts the votes of a page, or returns why it has none.
    fn count(&mut self, key_page: &Page, page: &Page, thresholds: &Thresholds) -> Result<(), String> {
        let fingerprints = Fingerprints::with(page, &mut self.acquaintance);
        let key = Side::of(key_page, &self.fingerprints);
        let other = Side::of(page, &fingerprints);
        let alignment = align(key, other, thresholds.moved_block);
        let is_view = is_view(&key_page.url, &page.url);
        if let Some(reason) = refusal(key, other, &alignment, is_view, thresholds) {
            return Err(reason);
        }
        let likeness = self.shapes.likeness(&Shapes::of(&page.dom, &fingerprints));
        self.votes.count(key, other, &alignment, likeness);
        Ok(())
    }
}

impl RankedSelection {
    pub(super) fn new(key_page: Page, options: Options) -> Self {
        let mut ranking = Ranking::of(&key_page, options.same_site, &options.thresholds);
        Self {
            next: ranking.next(&options.thresholds),
            arrivals: Arrivals::new(&key_page, options.same_site),
            key_page,
            options,
            ranking,
            comparison: None,
            compared: Vec::new(),
            template: None,
            is_settled: false,
            was_offered: false,
        }
    }

    /// How many pages are compared even if all agree.
    fn needed_at_least(&self) -> usize {
        let wanted = self.options.pages_to_compare;
        if wanted > FEWEST_THAT_SETTLE {
            wanted - 1
        } else {
            wanted
        }
    }

    /// How many more pages may be asked for. Without `max_pages`, only loaded pages count, up to a limit of tries.
    fn still_allowed(&self) -> usize {
        let asked = self.arrivals.asked;
        if let Some(most) = self.options.max_pages {
            return most.saturating_sub(asked);
        }
        let thresholds = &self.options.thresholds;
        let most = thresholds.most_pages.max(self.options.pages_to_compare);
        let loaded = self.arrivals.loaded.len() - 1;
        most.saturating_sub(loaded)
            .min(thresholds.most_tries.saturating_sub(asked))
    }

    /// Records the page that was asked for, with its final URL if it was loaded.
    fn record_visit(&mut self, found_at: Option<Url>) {
        if let Some(next) = self.next {
            let url = self.ranking.url(next).clone();
            self.arrivals.visit(url, self.ranking.why(next), found_at);
        }
    }

    fn skip(&mut self, cause: String) {
        if let Some(next) = self.next {
            self.arrivals.fail(self.ranking.url(next).clone(), cause);
        }
        self.advance(None);
    }

    /// Counts the votes of a page, or returns why it has none.
    fn compare(&mut self, page: &Page) -> Result<(), String> {
        if let Some(target) = leads_on(page) {
            if let Some(next) = self.next {
                self.ranking.add_instead(target.clone(), next);
            }
            return Err(format!("leads on to {target}"));
        }
        let thresholds = &self.options.thresholds;
        self.comparison
            .get_or_insert_with(|| Comparison::of(&self.key_page, thresholds))
            .count(&self.key_page, page, thresholds)?;
        self.compared.push(page.url.clone());
        self.settle();
        Ok(())
    }

    /// Records a page without a vote. Its links are still used.
    fn refuse(&mut self, page: &Page, cause: String) {
        self.arrivals.fail(page.url.clone(), cause);
        self.advance(Some(page));
    }

    /// Computes the template, if it may be settled, and whether it is: more pages would not change it.
    fn settle(&mut self) {
        let thresholds = &self.options.thresholds;
        let wanted = self.options.pages_to_compare;
        let most_in_doubt = match self.compared.len() {
            pages if pages >= wanted => thresholds.settled,
            pages if pages >= FEWEST_THAT_SETTLE && pages + 1 == wanted => 0.0,
            _ => return,
        };
        let Some(Comparison {
            votes, fingerprints, ..
        }) = &self.comparison
        else {
            return;
        };
        let (template, in_doubt) = votes.template_and_doubt(&self.key_page.dom, fingerprints, thresholds);
        self.is_settled = in_doubt <= most_in_doubt && self.leaves_content(&template);
        self.template = Some(template);
    }

    /// Whether a template leaves some of the key page's words. If not, the compared pages may list or copy the same
    /// content, and others are needed.
    fn leaves_content(&self, template: &NodeSet) -> bool {
        let dom = &self.key_page.dom;
        let (mut all, mut left) = (0, 0);
        let is_code = |node| matches!(*dom.name(node), name!("script") | name!("style"));
        let texts = dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Text);
        for node in texts.filter(|&node| !dom.parent(node).is_some_and(is_code)) {
            let length = dom.text_of(node).trim().len();
            all += length;
            if !template.contains(node) {
                left += length;
            }
        }
        left as f64 >= LEAST_LEFT * all as f64
    }

    /// Moves to the next candidate, links of a loaded page included.
    fn advance(&mut self, page: Option<&Page>) {
        self.arrivals.asked += 1;
        if self.is_settled || self.still_allowed() == 0 {
            self.next = None;
            return;
        }
        let thresholds = &self.options.thresholds;
        if let Some(page) = page
            && self.ranking.needs_links(self.still_allowed(), thresholds)
        {
            self.ranking.add_links_of(page, thresholds);
        }
        self.next = self.ranking.next(thresholds);
    }
}

impl PageSelection for RankedSelection {
    fn next_wanted(&self) -> Option<&Url> {
        let next = self
            .next
            .filter(|_| !self.is_settled && self.still_allowed() > 0)?;
        Some(self.ranking.url(next))
    }

    fn wanted_ahead(&self) -> Vec<Url> {
        let Some(next) = self.next_wanted() else {
            return Vec::new();
        };
        let needed = self
            .needed_at_least()
            .saturating_sub(self.compared.len())
            .clamp(1, self.still_allowed());
        let mut ranking = self.ranking.clone();
        let thresholds = &self.options.thresholds;
        let further = iter::from_fn(|| {
            let number = ranking.next(thresholds)?;
            // Links of the next page may rank higher.
            let is_certain = ranking.comes_first(number, thresholds);
            is_certain.then(|| ranking.url(number).clone())
        });
        iter::once(next.clone()).chain(further).take(needed).collect()
    }

    fn wanted_at_most(&self) -> usize {
        if self.next_wanted().is_none() {
            return 0;
        }
        self.still_allowed()
    }

    fn why_wanted(&self) -> Option<SelectionReason> {
        self.next_wanted()?;
        self.next.map(|next| self.ranking.why(next))
    }

    fn give(&mut self, page: Page) {
        self.record_visit(Some(page.url.clone()));
        match self.arrivals.take(&page) {
            Ok(address) => {
                self.ranking.is_loaded(&address);
                match self.compare(&page) {
                    Ok(()) => self.advance(Some(&page)),
                    Err(cause) => self.refuse(&page, cause),
                }
                self.arrivals.pages.push(page);
            }
            Err(cause) => self.skip(cause),
        }
    }

    fn give_up(&mut self, cause: String) {
        self.record_visit(None);
        self.skip(cause);
    }

    fn wants_addresses(&self) -> bool {
        self.next.is_none()
            && !self.was_offered
            && !self.is_settled
            && self.still_allowed() > 0
            && self.compared.len() < self.options.pages_to_compare
    }

    fn offer(&mut self, addresses: Vec<Url>) {
        if self.wants_addresses() {
            self.was_offered = true;
            self.ranking.add_listed(addresses);
            self.next = self.ranking.next(&self.options.thresholds);
        }
    }

    fn visits(&self) -> &[Visit] {
        &self.arrivals.visits
    }

    fn finish(self: Box<Self>) -> Extraction {
        let dom = &self.key_page.dom;
        let template = match &self.comparison {
            Some(Comparison {
                votes, fingerprints, ..
            }) if votes.pages() > 0 => {
                let by_votes = || votes.template(dom, fingerprints, &self.options.thresholds);
                Template::by_vote(dom, self.template.unwrap_or_else(by_votes), votes)
            }
            _ => Template::of_nothing(dom),
        };
        Extraction {
            key_page: self.key_page,
            method: self.options.method.name(),
            loaded: self.arrivals.loaded,
            compared: self.compared,
            pages: self.arrivals.pages,
            failures: self.arrivals.failures,
            visits: self.arrivals.visits,
            clique: None,
            template,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    /// A page of a site with a menu, and something of its own in it.
    fn page(path: &str, own: &str) -> Page {
        let menu: String = ["", "a", "b", "c", "d", "e", "f", "g", "h"]
            .map(|path| format!("<li><a href=/{path}>Page {path}</a>"))
            .concat();
        let text =
            format!("<title>{path}</title><ul>{menu}</ul><h1>{path}</h1>{own}<p>All rights reserved</p>");
        Page::parse(url(path), &text)
    }

    fn own(path: &str) -> String {
        format!("<div><p>Words of {path}</p></div>")
    }

    /// Answers what a session asks for until it asks no more.
    fn run(mut session: Session, answer: impl Fn(&str) -> Result<Page, String>) -> Extraction {
        while let Some(wanted) = session.next_wanted().cloned() {
            let at_most = session.wanted_at_most();
            match answer(wanted.path()) {
                Ok(page) => session.give(page),
                Err(cause) => session.give_up(cause),
            }
            assert!(session.wanted_at_most() <= at_most);
        }
        session.finish()
    }

    fn session(options: Options) -> Session {
        Session::new(page("/key", &own("/key")), options)
    }

    #[test]
    fn stops_one_page_early_when_all_agree() {
        let extraction = run(session(Options::default()), |path| Ok(page(path, &own(path))));
        assert_eq!(extraction.compared.len(), Options::default().pages_to_compare - 1);
        assert_eq!(extraction.loaded.len(), extraction.compared.len() + 1);
        assert!(extraction.failures.is_empty());
    }

    #[test]
    fn a_page_without_a_page_of_its_layout_is_known() {
        let has_own_layout = |own: String| {
            let session = Session::new(page("/key", &own), Options::default());
            let extraction = run(session, |path| Ok(page(path, &self::own(path))));
            extraction.template.has_own_layout()
        };
        assert!(!has_own_layout(own("/key")));
        let names = [
            "start", "news", "shop", "team", "map", "form", "video", "partners", "awards",
        ];
        let blocks = names.map(|name| format!("<section class={name}><b>{name}</b></section>"));
        assert!(has_own_layout(blocks.concat()));
    }

    /// A session of a page that its own menu lists.
    fn in_menu(options: Options) -> Session {
        Session::new(page("/a", &own("/a")), options)
    }

    #[test]
    fn what_is_wanted_ahead_is_asked_for() {
        let mut session = in_menu(Options::default());
        let ahead = session.wanted_ahead();
        assert_eq!(ahead.len(), Options::default().pages_to_compare - 1);
        for expect in &ahead {
            assert_eq!(session.next_wanted(), Some(expect));
            assert_eq!(session.wanted_ahead().first(), Some(expect));
            let page = page(expect.path(), &own(expect.path()));
            session.give(page);
        }
        assert!(session.next_wanted().is_none() && session.wanted_ahead().is_empty());
    }

    #[test]
    fn no_more_is_wanted_ahead_than_may_be_loaded() {
        let limited = Options {
            max_pages: Some(2),
            ..Options::default()
        };
        assert_eq!(in_menu(limited).wanted_ahead().len(), 2);
        let many = Options {
            pages_to_compare: 100,
            ..Options::default()
        };
        assert_eq!(in_menu(many).wanted_ahead().len(), 7, "there are no more");
        let one = Options {
            pages_to_compare: 1,
            ..Options::default()
        };
        assert_eq!(in_menu(one).wanted_ahead().len(), 1);
    }

    #[test]
    fn what_others_may_come_before_is_not_wanted_ahead() {
        assert_eq!(session(Options::default()).wanted_ahead().len(), 1);
    }

    #[test]
    fn goes_on_while_in_doubt() {
        let links: String = (0..10)
            .map(|number| format!("<li><a href=https://shop.example/{number}>Offer {number}</a>"))
            .collect();
        let texts: String = (0..60)
            .map(|number| format!("<p>Terms, number {number}</p>"))
            .collect();
        let with = |path: &str| format!("<ol>{links}</ol><section>{texts}</section>{}", own(path));
        let key = page("/key", &with("/key"));
        let answer = |path: &str| {
            let has_offers = ["/a", "/c"].contains(&path);
            Ok(page(path, &if has_offers { with(path) } else { own(path) }))
        };
        let extraction = run(Session::new(key, Options::default()), answer);
        assert!(extraction.compared.len() > Options::default().pages_to_compare);
    }

    #[test]
    fn goes_on_while_nothing_is_left() {
        let text = "It was closed for three years, and nobody knew why. ".repeat(20);
        let story = format!("<article><h2>The bridge</h2><p>{text}</p></article>");
        let key = page("/key", &story);
        let answer = |path: &str| {
            let has_same_story = ["/a", "/b", "/c"].contains(&path);
            Ok(page(
                path,
                &if has_same_story { story.clone() } else { own(path) },
            ))
        };
        let extraction = run(Session::new(key, Options::default()), answer);
        assert!(extraction.compared.len() >= Options::default().pages_to_compare);
        let dom = &extraction.key_page.dom;
        let is_of_story = |&node: &husk_dom::NodeId| dom.text_of(node).contains("closed");
        let text = dom
            .nodes()
            .filter(|&node| dom.kind(node) == NodeKind::Text)
            .find(is_of_story);
        assert!(!extraction.template.contains(text.unwrap()));
    }

    #[test]
    fn pages_that_cannot_be_had_hardly_count() {
        let answer = |path: &str| match path {
            "/f" | "/g" | "/h" => Ok(page(path, &own(path))),
            _ => Err("gone".to_owned()),
        };
        let extraction = run(session(Options::default()), answer);
        assert_eq!((extraction.compared.len(), extraction.failures.len()), (3, 5));
        let compared = |visit: &&Visit| visit.outcome.cause().is_none();
        assert_eq!(extraction.visits.len(), 8);
        assert_eq!(extraction.visits.iter().filter(compared).count(), 3);
        let limited = Options {
            max_pages: Some(2),
            ..Options::default()
        };
        let extraction = run(session(limited), answer);
        assert_eq!((extraction.compared.len(), extraction.failures.len()), (0, 2));
        let impatient = Options {
            thresholds: Thresholds {
                most_tries: 4,
                ..Thresholds::default()
            },
            ..Options::default()
        };
        assert_eq!(run(session(impatient), answer).failures.len(), 4);
    }

    #[test]
    fn a_list_of_pages_is_wanted_only_when_links_run_out() {
        let lonely = |path: &str| {
            let text = format!("<title>{path}</title><b>The Daily</b><h1>{path}</h1><p>News of {path}</p>");
            Page::parse(url(path), &text)
        };
        let mut session = Session::new(lonely("/key"), Options::default());
        assert!(session.next_wanted().is_none() && session.wants_addresses());
        session.offer(vec![
            url("/key"),
            url("/a"),
            url("/b"),
            Url::parse("https://other.org/").unwrap(),
        ]);
        assert!(!session.wants_addresses());
        let extraction = run(session, |path| Ok(lonely(path)));
        assert_eq!(extraction.compared.len(), 2);
        let mut session = Session::new(lonely("/key"), Options::default());
        session.offer(Vec::new());
        assert!(session.next_wanted().is_none() && !session.wants_addresses());
        assert!(session.finish().compared.is_empty());
    }

    #[test]
    fn redirects_bring_each_page_once() {
        let answer = |path: &str| match path {
            "/" => Ok(page("/key", &own("/key"))),
            "/a" | "/b" => Ok(page("/c", &own("/c"))),
            other => Ok(page(other, &own(other))),
        };
        let extraction = run(session(Options::default()), answer);
        let mut compared: Vec<_> = extraction.compared.iter().map(Url::path).collect();
        compared.sort_unstable();
        compared.dedup();
        assert_eq!(compared.len(), extraction.compared.len());
        assert!(!compared.contains(&"/key"));
        assert_eq!(
            extraction.loaded.len(),
            1 + compared.len() + extraction.failures.len()
        );
    }

    #[test]
    fn pages_that_lead_on_to_each_other_end() {
        let stub = |path: &str, target: &str| {
            Page::parse(
                url(path),
                &format!("<meta http-equiv=refresh content='0; url={target}'>"),
            )
        };
        let answer = |path: &str| match path {
            "/a" => Ok(stub("/a", "/new")),
            "/new" => Ok(stub("/new", "/a")),
            other => Ok(page(other, &own(other))),
        };
        let extraction = run(session(Options::default()), answer);
        assert_eq!(extraction.compared.len(), 3);
        assert!(
            extraction
                .failures
                .iter()
                .any(|failure| failure.cause.contains("leads on to https://example.org/new"))
        );
    }

    #[test]
    fn one_page_is_enough_to_cut_content_out() {
        let alone = Options {
            pages_to_compare: 1,
            ..Options::default()
        };
        let extraction = run(session(alone), |path| Ok(page(path, &own(path))));
        assert_eq!(extraction.compared.len(), 1);
        let dom = &extraction.key_page.dom;
        let kept = |text: &str| {
            let node = dom
                .nodes()
                .filter(|&node| dom.kind(node) == NodeKind::Text)
                .find(|&node| dom.text_of(node).trim() == text);
            extraction.template.contains(node.unwrap())
        };
        assert!(kept("All rights reserved") && kept("Page a"));
        assert!(!kept("Words of /key") && !kept("/key"));
    }
}
