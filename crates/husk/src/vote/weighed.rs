//! Weighs the votes of pages by how similarly they are built to the key page.
//!
//! A page of another layout confirms what both share. That it lacks a block says little: its layout may have no place
//! for it. So what a page lacks counts by its likeness, relative to the page that represents the key page's layout.

use husk_dom::{Dom, NodeId};

use super::nature::Kind;
use super::numbers::{LEAST_WEIGHT, LIKENESS_POWER};
use super::{Said, Tally, Vote, Votes, observe};
use crate::fingerprint::Fingerprints;
use crate::mapping::{Alignment, NodeSet, Side};
use crate::thresholds::Thresholds;

/// The votes of pages of one layout or several on the nodes of a key page.
#[derive(Debug, Clone)]
pub(crate) struct WeighedVotes {
    votes: Votes,
    ballots: Vec<Ballot>,
}

/// What one page says.
#[derive(Debug, Clone)]
struct Ballot {
    /// How similarly the page is built to the key page, from 0 to 1.
    likeness: f64,
    /// By node.
    votes: Vec<Vote>,
}

impl WeighedVotes {
    pub(crate) fn new(key: Side<'_>, thresholds: &Thresholds) -> Self {
        Self {
            votes: Votes::new(key, thresholds),
            ballots: Vec::new(),
        }
    }

    /// How many pages were counted.
    pub(crate) fn pages(&self) -> usize {
        self.votes.pages()
    }

    /// The likeness of the page that is most similar to the key page.
    pub(crate) fn most_likeness(&self) -> Option<f64> {
        let all = self.ballots.iter().map(|ballot| ballot.likeness);
        all.reduce(f64::max)
    }

    /// The votes on a node, each page counted once.
    pub(crate) fn tally(&self, node: NodeId) -> Tally {
        self.votes.tally(node)
    }

    /// Counts a page with this likeness to the key page.
    pub(crate) fn count(&mut self, key: Side<'_>, other: Side<'_>, alignment: &Alignment, likeness: f64) {
        let Votes {
            natures,
            tallies,
            pages,
        } = &mut self.votes;
        *pages += 1;
        let mut votes = vec![Vote::Abstain; key.dom.len()];
        observe(natures, key, other, alignment, |node, seen| {
            tallies[node.index()].add(seen);
            votes[node.index()] = seen.vote;
        });
        self.ballots.push(Ballot { likeness, votes });
    }

    /// The nodes of the template, by the pages counted so far.
    pub(crate) fn template(
        &self,
        dom: &Dom,
        fingerprints: &Fingerprints,
        thresholds: &Thresholds,
    ) -> NodeSet {
        let said = self.said(thresholds);
        let said = |node: NodeId| said[node.index()];
        self.votes.cuts(dom, fingerprints, thresholds, said).kept
    }

    /// The same, and the share of the key page's nodes that would change sides if further pages lacked the nodes that
    /// only some pages have.
    pub(crate) fn template_and_doubt(
        &self,
        dom: &Dom,
        fingerprints: &Fingerprints,
        thresholds: &Thresholds,
    ) -> (NodeSet, f64) {
        let said = self.said(thresholds);
        let now = |node: NodeId| said[node.index()];
        let is_disputed = |node: NodeId| {
            let tally = &self.votes.tallies[node.index()];
            0 < tally.verbatim && tally.verbatim < self.votes.pages
        };
        let then = |node: NodeId| Said {
            missing: now(node).missing + if is_disputed(node) { thresholds.doubt } else { 0.0 },
            ..now(node)
        };
        let cuts = self.votes.cuts(dom, fingerprints, thresholds, now);
        let changes = cuts.changes(self.votes.evidence(thresholds, then), is_disputed);
        let compared = dom.nodes().filter(|&node| fingerprints.is_compared(node));
        let share = changes as f64 / compared.count().max(1) as f64;
        (cuts.kept, share)
    }

    /// What the pages say of each node, weighed.
    fn said(&self, thresholds: &Thresholds) -> Vec<Said> {
        let mut all = vec![Said::default(); self.votes.tallies.len()];
        for (ballot, weight) in self.ballots.iter().zip(self.weights()) {
            // Another layout rarely has something else at the same place.
            let differs = weight.sqrt();
            let with_parent = weight * thresholds.missing_with_parent;
            for (said, vote) in all.iter_mut().zip(&ballot.votes) {
                match vote {
                    Vote::Agree => said.agree += 1.0,
                    Vote::Abstain => {}
                    Vote::Differ => said.differ += differs,
                    Vote::Lack => said.missing += weight,
                    Vote::LackWithParent => said.missing += with_parent,
                }
            }
        }
        all
    }

    /// How much the lack of a block counts, for each page: all for pages as similar to the key page as the one that
    /// represents its layout. That is the most similar one that does not have the key page's words as well.
    fn weights(&self) -> Vec<f64> {
        let own = self.ballots.iter().zip(self.shares_copied());
        let own = own.map(|(ballot, copied)| (ballot.likeness * (1.0 - copied), ballot.likeness));
        let (_, most) = own.fold(
            (0.0, 0.0),
            |best, page| if page.0 >= best.0 { page } else { best },
        );
        let weight = |ballot: &Ballot| {
            let relative = if most > 0.0 {
                (ballot.likeness / most).min(1.0)
            } else {
                1.0
            };
            LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * relative.powf(LIKENESS_POWER)
        };
        self.ballots.iter().map(weight).collect()
    }

    /// The share of the key page's texts that a page confirms, of those that at most half of the other pages confirm;
    /// for each page.
    fn shares_copied(&self) -> Vec<f64> {
        let others = self.ballots.len().saturating_sub(1);
        let mut copied = vec![0_usize; self.ballots.len()];
        let mut all = copied.clone();
        let texts = self.votes.natures.iter().enumerate();
        for (node, _) in texts.filter(|(_, nature)| nature.kind == Kind::Text) {
            let confirms = |ballot: &Ballot| ballot.votes[node] == Vote::Agree;
            let confirmed = self.ballots.iter().filter(|ballot| confirms(ballot)).count();
            if 2 * confirmed.saturating_sub(1) > others {
                continue;
            }
            for (number, ballot) in self.ballots.iter().enumerate() {
                let own = usize::from(confirms(ballot));
                if 2 * (confirmed - own) <= others {
                    all[number] += 1;
                    copied[number] += own;
                }
            }
        }
        let shares = copied.iter().zip(&all);
        shares
            .map(|(&copied, &all)| copied as f64 / all.max(1) as f64)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MENU, page};
    use super::*;
    use crate::likeness::Shapes;
    use crate::mapping::align;
    use crate::page::Page;

    /// Counts pages for the first of them.
    fn count(pages: &[Page]) -> (Fingerprints, WeighedVotes) {
        let thresholds = Thresholds::default();
        let fingerprints = Fingerprints::of(&pages[0]);
        let key = Side::of(&pages[0], &fingerprints);
        let shapes = Shapes::of(&pages[0].dom, &fingerprints);
        let mut votes = WeighedVotes::new(key, &thresholds);
        for page in &pages[1..] {
            let fingerprints = Fingerprints::of(page);
            let other = Side::of(page, &fingerprints);
            let likeness = shapes.likeness(&Shapes::of(&page.dom, &fingerprints));
            let alignment = align(key, other, thresholds.moved_block);
            votes.count(key, other, &alignment, likeness);
        }
        (fingerprints, votes)
    }

    const AUTHOR: &str = "<aside><h3>About the author</h3><p>Writes for us each week</p>\
                          <a href=/author>All by this author</a><a href=/subscribe>Read us by mail</a></aside>";

    fn article(path: &str) -> Page {
        let html =
            format!("{MENU}<article class=story><h1>{path}</h1><p>Words of {path}</p></article>{AUTHOR}");
        page(path, &html)
    }

    fn shop(path: &str) -> Page {
        let html = format!("{MENU}<table class=cart><tr><td><form class=order><b>{path}</b></form></table>");
        page(path, &html)
    }

    /// The texts of the template of the first of some pages.
    fn template(pages: &[Page]) -> Vec<String> {
        let (fingerprints, votes) = count(pages);
        let dom = &pages[0].dom;
        let nodes = votes.template(dom, &fingerprints, &Thresholds::default());
        let texts = nodes
            .iter()
            .filter(|&node| dom.kind(node) == husk_dom::NodeKind::Text && !dom.is_blank_text(node));
        texts.map(|node| dom.text_of(node).to_owned()).collect()
    }

    #[test]
    fn pages_of_another_layout_do_not_outvote_the_own() {
        let own = [article("one"), article("two"), article("six")];
        let found = template(&own);
        assert!(found.contains(&"About the author".to_owned()), "{found:?}");
        let mut pages = Vec::from(own);
        pages.extend(["cart", "till", "gift", "sale"].map(shop));
        assert_eq!(template(&pages), found);
    }

    #[test]
    fn a_copy_does_not_represent_the_layout() {
        let story = |path: &str, words: &str| {
            let html =
                format!("{MENU}<article class=story><h1>{words}</h1><p>{words} and more</p></article>");
            page(path, &html)
        };
        let pages = [
            story("one", "Rain"),
            story("copy", "Rain"),
            story("two", "Snow"),
            story("six", "Wind"),
        ];
        let (_, votes) = count(&pages);
        assert_eq!(votes.shares_copied(), [1.0, 0.0, 0.0]);
        assert!(!template(&pages).iter().any(|text| text.contains("Rain")));
    }

    #[test]
    fn a_block_of_some_pages_leaves_doubt() {
        let thresholds = Thresholds::default();
        let offers = "<ol><li><a href=/x>First offer</a><li><a href=/y>Second offer</a></ol>";
        let with = |own: &str| page(own, &format!("{MENU}{offers}<p>{own}</p>"));
        let without = |own: &str| page(own, &format!("{MENU}<p>{own}</p>"));
        let share = |pages: &[Page]| {
            let (fingerprints, votes) = count(pages);
            votes
                .template_and_doubt(&pages[0].dom, &fingerprints, &thresholds)
                .1
        };
        assert_eq!(share(&[with("one"), with("two"), with("six")]), 0.0);
        let disputed = share(&[with("one"), with("two"), without("six")]);
        assert!(disputed > 0.1, "{disputed}");
    }
}
