//! Counts what the compared pages say about each node of the key page, and decides what is template.
//!
//! Pages are counted one by one as they arrive; at any time [`Votes`] gives the nodes of the template.
//!
//! Each observation of a node on a page is evidence for template or for content: the logarithm of how much likelier
//! it is in one than in the other. Of all ways to cut content out of the page, the one whose kept nodes have the most
//! evidence is taken, where each slot has a cost. So the number of pages that must agree follows from the evidence,
//! and small islands of template in content, or small holes in a menu, disappear if their evidence is worth less than
//! a slot.

mod numbers;

mod cuts;

mod nature;

mod standing;

mod fit;

mod weighed;

use husk_dom::{Dom, NodeId};
use serde::{Deserialize, Serialize};

use crate::fingerprint::{Fingerprints, Target};
use crate::mapping::{Alignment, NodeSet, Side};
use crate::thresholds::Thresholds;
use cuts::Cuts;
use nature::{Nature, Unit, natures};
use numbers::{LONGEST_HEADING, PAGES_FOR_FULL_COST, PAGES_WEIGHED};

pub(crate) use fit::{NodeState, differ_in_numbers};
pub(crate) use nature::Kind;
pub(crate) use standing::{NodeSupport, Standing};
pub(crate) use weighed::WeighedVotes;

/// The votes on all nodes of a key page.
#[derive(Debug, Clone)]
pub(crate) struct Votes {
    natures: Vec<Nature>,
    tallies: Vec<Tally>,
    pages: u32,
}

/// The votes on one node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Pages that have it.
    pub(crate) found: u32,
    /// Pages that have it with the same text or target.
    pub(crate) verbatim: u32,
    /// Pages that confirm it.
    pub(crate) agree: u32,
    /// Pages that have it with other words or another target.
    pub(crate) differ: u32,
    /// Pages that have it with the same words and target, but another class, id or name.
    pub(crate) restyled: u32,
    /// Pages that lack it but have its parent.
    pub(crate) lack: u32,
    /// Pages that lack both.
    pub(crate) lack_with_parent: u32,
}

impl Votes {
    pub(crate) fn new(key: Side<'_>, thresholds: &Thresholds) -> Self {
        Self {
            natures: natures(key, thresholds),
            tallies: vec![Tally::default(); key.dom.len()],
            pages: 0,
        }
    }

    /// How many pages were counted.
    pub(crate) fn pages(&self) -> usize {
        self.pages as usize
    }

    /// The votes on a node.
    pub(crate) fn tally(&self, node: NodeId) -> Tally {
        self.tallies[node.index()]
    }

    /// Counts a page.
    pub(crate) fn count(&mut self, key: Side<'_>, other: Side<'_>, alignment: &Alignment) {
        self.pages += 1;
        let tallies = &mut self.tallies;
        observe(&self.natures, key, other, alignment, |node, seen| {
            tallies[node.index()].add(seen);
        });
    }

    /// The nodes of the template, by the pages counted so far.
    pub(crate) fn template(
        &self,
        dom: &Dom,
        fingerprints: &Fingerprints,
        thresholds: &Thresholds,
    ) -> NodeSet {
        let said = |node: NodeId| Said::by(&self.tallies[node.index()], thresholds);
        self.cuts(dom, fingerprints, thresholds, said).kept
    }

    /// The best cuts, by what is said of each node.
    fn cuts<'a>(
        &self,
        dom: &'a Dom,
        fingerprints: &'a Fingerprints,
        thresholds: &Thresholds,
        said: impl Fn(NodeId) -> Said,
    ) -> Cuts<'a> {
        let evidence = self.evidence(thresholds, said);
        let slot = slot_cost(self.pages_weighed(), thresholds);
        Cuts::of(dom, fingerprints, evidence, slot)
    }

    /// The evidence for each node, by what is said of it.
    fn evidence(&self, thresholds: &Thresholds, said: impl Fn(NodeId) -> Said) -> impl Fn(NodeId) -> f64 {
        let scale = self.pages_weighed() / f64::from(self.pages.max(1));
        move |node: NodeId| {
            let nature = &self.natures[node.index()];
            said(node)
                .times(scale)
                .evidence(nature, f64::from(self.pages), thresholds)
        }
    }

    fn pages_weighed(&self) -> f64 {
        f64::from(self.pages).min(PAGES_WEIGHED)
    }
}

/// What a page shows of a node.
#[derive(Clone, Copy)]
struct Observation {
    vote: Vote,
    /// Whether the page has it with the same text or target.
    is_verbatim: bool,
    /// Whether the page has it with another class, id or name.
    is_restyled: bool,
}

/// Calls `see` with what a page shows of each compared node of the key page.
fn observe(
    natures: &[Nature],
    key: Side<'_>,
    other: Side<'_>,
    alignment: &Alignment,
    mut see: impl FnMut(NodeId, Observation),
) {
    // Whether a node is in a link or heading that differs, or is one.
    let mut is_muted = vec![false; key.dom.len()];
    for node in key.dom.nodes() {
        let index = node.index();
        let nature = natures[index];
        if nature.kind == Kind::NotCompared {
            continue;
        }
        let parent = key.dom.parent(node);
        is_muted[index] = parent.is_some_and(|parent| is_muted[parent.index()]);
        let Some(mate) = alignment.mate(node) else {
            let has_parent = parent.is_some_and(|parent| alignment.mate(parent).is_some());
            let vote = if has_parent {
                Vote::Lack
            } else {
                Vote::LackWithParent
            };
            see(
                node,
                Observation {
                    vote,
                    is_verbatim: false,
                    is_restyled: false,
                },
            );
            continue;
        };
        let mut vote = vote(key, other, node, mate, nature.kind);
        is_muted[index] |= match nature.unit {
            Unit::Link => vote == Vote::Differ,
            Unit::Heading => !read_the_same(key, other, node, mate),
            Unit::None => false,
        };
        if vote == Vote::Agree && is_muted[index] {
            vote = Vote::Abstain;
        }
        let (print, mate_print) = (key.fingerprints.get(node), other.fingerprints.get(mate));
        let seen = Observation {
            vote,
            is_verbatim: print.says == mate_print.says,
            is_restyled: print.label != mate_print.label,
        };
        see(node, seen);
    }
}

/// The cost of a slot. One page alone has less evidence than that.
fn slot_cost(pages: f64, thresholds: &Thresholds) -> f64 {
    thresholds.slot * (pages / PAGES_FOR_FULL_COST).min(1.0)
}

/// The votes on a node as they are weighed: numbers of pages, or shares of them.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    agree: f64,
    differ: f64,
    missing: f64,
}

impl Said {
    fn by(tally: &Tally, thresholds: &Thresholds) -> Self {
        let with_parent = thresholds.missing_with_parent * f64::from(tally.lack_with_parent);
        Self {
            agree: f64::from(tally.agree),
            differ: f64::from(tally.differ),
            missing: f64::from(tally.lack) + with_parent,
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            agree: self.agree * factor,
            differ: self.differ * factor,
            missing: self.missing * factor,
        }
    }

    /// The evidence that a node is template, summed over the pages.
    fn evidence(self, nature: &Nature, pages: f64, thresholds: &Thresholds) -> f64 {
        let against = self.differ + self.missing;
        let (for_it, against_it) = (f64::from(nature.found), f64::from(nature.missing));
        match nature.kind {
            Kind::NotCompared | Kind::Neutral => 0.0,
            Kind::Text => self.agree * for_it + against * against_it,
            Kind::Target => self.agree * for_it + thresholds.other_target * against * against_it,
            Kind::Frame => -thresholds.text_frame * pages,
            Kind::Container | Kind::Empty => self.agree * for_it + self.missing * against_it,
        }
    }
}

impl Tally {
    const NONE: Self = Self {
        found: 0,
        verbatim: 0,
        agree: 0,
        differ: 0,
        restyled: 0,
        lack: 0,
        lack_with_parent: 0,
    };

    fn add(&mut self, seen: Observation) {
        match seen.vote {
            Vote::Agree => self.agree += 1,
            Vote::Abstain => {}
            Vote::Differ => self.differ += 1,
            Vote::Lack => self.lack += 1,
            Vote::LackWithParent => self.lack_with_parent += 1,
        }
        self.found += u32::from(!matches!(seen.vote, Vote::Lack | Vote::LackWithParent));
        self.verbatim += u32::from(seen.is_verbatim);
        self.restyled += u32::from(seen.is_restyled && seen.vote != Vote::Differ);
    }
}

/// What a page says about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vote {
    /// It confirms it.
    Agree,
    /// It has it, and says neither way.
    Abstain,
    /// It has it with other words or another target.
    Differ,
    /// It lacks it but has its parent.
    Lack,
    /// It lacks both.
    LackWithParent,
}

/// What a page says about a node that it has.
fn vote(key: Side<'_>, other: Side<'_>, node: NodeId, mate: NodeId, kind: Kind) -> Vote {
    let (print, mate_print) = (key.fingerprints.get(node), other.fingerprints.get(mate));
    match kind {
        Kind::Text if print.says == mate_print.says => Vote::Agree,
        Kind::Text => Vote::Differ,
        Kind::Target if print.says == mate_print.says => Vote::Agree,
        Kind::Target => {
            let target = key.fingerprints.target(key.dom, node);
            let mate_target = other.fingerprints.target(other.dom, mate);
            // Tools such as "print this page" have another target on each page and are template all the same.
            if target == Some(Target::Tool) || target.is_some() && target == mate_target {
                Vote::Abstain
            } else {
                Vote::Differ
            }
        }
        Kind::Container | Kind::Empty => Vote::Agree,
        Kind::NotCompared | Kind::Neutral | Kind::Frame => Vote::Abstain,
    }
}

fn read_the_same(key: Side<'_>, other: Side<'_>, node: NodeId, mate: NodeId) -> bool {
    let (text, other) = (key.dom.text_of(node), other.dom.text_of(mate));
    text.len().max(other.len()) <= LONGEST_HEADING && text.trim() == other.trim()
}

#[cfg(test)]
mod tests {
    use husk_dom::{name, outline_marked};
    use url::Url;

    use super::*;
    use crate::mapping::align;
    use crate::page::Page;

    pub(super) fn page(path: &str, html: &str) -> Page {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        Page::parse(url, html)
    }

    /// Counts pages for the first of them.
    fn count(pages: &[Page]) -> (Fingerprints, Votes) {
        let thresholds = Thresholds::default();
        let fingerprints = Fingerprints::of(&pages[0]);
        let key = Side::of(&pages[0], &fingerprints);
        let mut votes = Votes::new(key, &thresholds);
        for page in &pages[1..] {
            let fingerprints = Fingerprints::of(page);
            let other = Side::of(page, &fingerprints);
            votes.count(key, other, &align(key, other, thresholds.moved_block));
        }
        (fingerprints, votes)
    }

    /// Checks the template of the first of some pages.
    #[track_caller]
    fn check(pages: &[&str], expect: &str) {
        let pages: Vec<_> = pages
            .iter()
            .enumerate()
            .map(|(number, html)| page(["one", "two", "three", "four", "five"][number], html))
            .collect();
        let (fingerprints, votes) = count(&pages);
        let dom = &pages[0].dom;
        let template = votes.template(dom, &fingerprints, &Thresholds::default());
        let mark = |node| Some(if template.contains(node) { 'T' } else { '-' });
        assert_eq!(
            outline_marked(dom, dom.part(&name!("body")).unwrap(), mark),
            expect
        );
    }

    pub(super) const MENU: &str =
        "<ul><li><a href=/>Home</a><li><a href=/a>About us</a><li><a href=/b>Contact</a></ul>";

    #[test]
    fn what_all_pages_say_is_template() {
        let page = |own: &str| format!("{MENU}<main><h1>{own}</h1></main><p>Imprint of the firm</p>");
        check(
            &[
                &page("Welcome"),
                &page("About"),
                &page("Contact us"),
                &page("Jobs"),
            ],
            "T body\nT   ul\nT     li\nT       a\nT         \"Home\"\nT     li\nT       a\nT         \"About us\"\n\
             T     li\nT       a\nT         \"Contact\"\nT   main\n-     h1\n-       \"Welcome\"\nT   p\n\
             T     \"Imprint of the firm\"\n",
        );
    }

    #[test]
    fn one_odd_page_takes_nothing_away() {
        let page = |own: &str| format!("{MENU}<p>{own}</p>");
        check(
            &[&page("one"), &page("two"), &page("three"), "<form>Log in</form>"],
            "T body\nT   ul\nT     li\nT       a\nT         \"Home\"\nT     li\nT       a\nT         \"About us\"\n\
             T     li\nT       a\nT         \"Contact\"\n-   p\n-     \"one\"\n",
        );
    }

    #[test]
    fn a_speck_in_content_is_content() {
        let page = |own: &str| format!("{MENU}<div><p>{own} a</p><p>,</p><p>{own} b</p></div>");
        check(
            &[&page("one"), &page("two"), &page("three")],
            "T body\nT   ul\nT     li\nT       a\nT         \"Home\"\nT     li\nT       a\nT         \"About us\"\n\
             T     li\nT       a\nT         \"Contact\"\nT   div\n-     p\n-       \"one a\"\n-     p\n-       \",\"\n\
             -     p\n-       \"one b\"\n",
        );
    }

    #[test]
    fn a_link_to_another_page_is_content_and_a_tool_is_not() {
        let page = |own: &str| {
            format!(
                "{MENU}<div><a href=/after{own}>After {own}</a></div>\
                 <div><a href='?edit={own}'>Edit this page</a></div>"
            )
        };
        check(
            &[
                &page("one"),
                &page("two"),
                &page("three"),
                &page("four"),
                &page("five"),
            ],
            "T body\nT   ul\nT     li\nT       a\nT         \"Home\"\nT     li\nT       a\nT         \"About us\"\n\
             T     li\nT       a\nT         \"Contact\"\nT   div\n-     a\n-       \"After one\"\nT   div\nT     a\n\
             T       \"Edit this page\"\n",
        );
    }

    #[test]
    fn a_heading_is_read_as_one() {
        let page = |own: &str| format!("{MENU}<div><h1><a href=/>Our shop</a> {own}</h1></div>");
        check(
            &[
                &page("Welcome"),
                &page("Shoes"),
                &page("Hats and caps"),
                &page("Gloves"),
            ],
            "T body\nT   ul\nT     li\nT       a\nT         \"Home\"\nT     li\nT       a\nT         \"About us\"\n\
             T     li\nT       a\nT         \"Contact\"\nT   div\n-     h1\n-       a\n-         \"Our shop\"\n\
             -       \"Welcome\"\n",
        );
    }

    #[test]
    fn support_is_counted() {
        let pages = [
            page("one", "<p>a</p><i>x</i>"),
            page("two", "<p>a</p><i>y</i>"),
            page("six", "<p>b</p>"),
        ];
        let (_, votes) = count(&pages);
        let dom = &pages[0].dom;
        let tally = |name| {
            let element = dom.nodes().find(|&node| dom.is_element(node, &name)).unwrap();
            let tally = votes.tally(NodeId::from_index(element.index() + 1));
            (tally.found, tally.verbatim)
        };
        assert_eq!((tally(name!("p")), tally(name!("i"))), ((2, 1), (1, 0)));
    }
}
