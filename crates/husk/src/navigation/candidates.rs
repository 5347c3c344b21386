//! Finds elements that could be a block of links, and scores each as a main menu.
//!
//! A [`Survey`] in, [`BlockCandidate`]s with scores out.

use husk_dom::{Name, NodeId, NodeKind, name};
use indexmap::IndexSet;

use super::numbers::{
    DEEPEST_TARGET, LARGEST_MENU, LARGEST_ROW, LEAST_OF_FOOTER, MOST_LINKS, MOST_UNFOLDED, SAME_LOOK,
};
use super::parts::{Looks, Parts};
use super::survey::{Survey, Target};
use crate::hints::Hint;

/// An element that could be a block of links.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockCandidate {
    pub(super) node: NodeId,
    /// Its score as a main menu.
    pub(super) score: f64,
    /// Number of distinct target pages, this page included.
    pub(super) targets: usize,
    /// The share of them on the same site.
    pub(super) of_site: f64,
    /// Whether it cannot be a menu: it leads to a single page of the site, as a logo does with or without a link to log in, or to none, or it is small
    /// and in a footer.
    pub(super) is_no_menu: bool,
}

/// The elements that could be blocks of links, in document order. They may be nested.
pub(super) fn candidates(survey: &Survey<'_>) -> Vec<BlockCandidate> {
    let holders = survey
        .dom
        .nodes()
        .filter(|&node| !survey.is_frame(node) && survey.link_count(node) > 0 && !survey.is_link(node));
    holders.filter_map(|node| candidate(survey, node)).collect()
}

fn candidate(survey: &Survey<'_>, node: NodeId) -> Option<BlockCandidate> {
    let links = survey.link_count(node);
    let kids: Vec<NodeId> = survey.kids(node).collect();
    // A wrapper of a single part is not the smallest element around its links.
    if kids.len() < 2 && links > 1 || links == 1 && !SINGLE.contains(survey.dom.name(node)) {
        return None;
    }
    let kids = if is_row(survey, node, &kids) {
        survey.links_in(node).iter().map(|link| link.node).collect()
    } else {
        kids
    };
    let likeness = likeness(survey, &kids);
    if survey.is_text(node) || !is_one_block(survey, node, &kids, likeness) {
        return None;
    }
    let targets = Targets::of(survey, node);
    let features = Features::of(survey, node, &kids, likeness, &targets);
    Some(BlockCandidate {
        node,
        score: features.score(),
        targets: targets.count + usize::from(targets.leads_here),
        of_site: targets.of_site,
        is_no_menu: targets.count_of_site < 2 || is_small_footer(survey, node, &targets),
    })
}

/// Whether a block is a few links in a footer, as to the imprint.
fn is_small_footer(survey: &Survey<'_>, node: NodeId, targets: &Targets) -> bool {
    let hints = survey.hints_above(node).or(survey.block_hints(node));
    hints.has(Hint::Footer) && !hints.has(Hint::Navigation) && targets.count < LEAST_OF_FOOTER
}

/// Elements around a single link that make it a menu.
const SINGLE: [Name; 7] = [
    name!("ul"),
    name!("ol"),
    name!("nav"),
    name!("div"),
    name!("p"),
    name!("td"),
    name!("li"),
];

/// The share of some siblings with the same element name and first class.
fn likeness(survey: &Survey<'_>, kids: &[NodeId]) -> f64 {
    let mut looks = Looks::default();
    for &kid in kids {
        looks.add(survey.dom, kid);
    }
    looks.most() as f64 / kids.len().max(1) as f64
}

/// Whether an element is one block of links, not a wrapper around several or around one and a logo.
fn is_one_block(survey: &Survey<'_>, node: NodeId, kids: &[NodeId], likeness: f64) -> bool {
    const LISTS: [Name; 5] = [name!("ul"), name!("ol"), name!("dl"), name!("menu"), name!("li")];
    if LISTS.contains(survey.dom.name(node)) || survey.is_grouped(node) {
        return true;
    }
    let are_lists = kids.iter().all(|&kid| super::survey::is_list(survey.dom, kid));
    let are_alike = kids.len() >= 3 && likeness >= SAME_LOOK;
    if are_alike && (!are_lists || have_one_link(survey, kids)) {
        return true;
    }
    let parts = Parts::of(survey, node);
    if kids.iter().any(|&kid| survey.has_list(kid)) {
        // Lists below captions; the first may have none.
        let captioned = parts.groups + usize::from(parts.begins_loose);
        return parts.loose <= usize::from(parts.begins_loose) && captioned >= 2 && captioned == kids.len();
    }
    parts.loose == 0 || parts.loose == kids.len() && kids.len() != 2
}

/// Whether all links of an element stand in one line of text, in elements that only say how it looks.
fn is_row(survey: &Survey<'_>, node: NodeId, kids: &[NodeId]) -> bool {
    let dom = survey.dom;
    let (Some(first), Some(last)) = (kids.first(), kids.last()) else {
        return false;
    };
    let is_plain = |part: NodeId| {
        let element = &**dom.name(part);
        dom.kind(part) != NodeKind::Element
            || survey.is_link(part)
            || matches!(
                element,
                "b" | "big" | "em" | "font" | "i" | "small" | "span" | "strong" | "u"
            ) && dom.attribute(part, &name!("class")).is_none()
    };
    dom.size(node) <= LARGEST_ROW && {
        let mut parts = (first.index()..dom.range(*last).end).map(NodeId::from_index);
        let mut link_until = 0;
        parts.all(|part| {
            if survey.is_link(part) {
                link_until = link_until.max(dom.range(part).end);
            }
            part.index() < link_until || is_plain(part)
        })
    }
}

/// Whether most of some siblings have one link each.
fn have_one_link(survey: &Survey<'_>, kids: &[NodeId]) -> bool {
    let single = kids.iter().filter(|&&kid| survey.link_count(kid) == 1).count();
    2 * single > kids.len()
}

/// The targets of a block's links.
struct Targets {
    /// Distinct pages other than this one.
    count: usize,
    /// The number, without those to log in, and the share of pages of the site, this page included.
    count_of_site: usize,
    of_site: f64,
    leads_here: bool,
    /// Whether one is the home page: none has a shorter path.
    leads_home: bool,
}

impl Targets {
    fn of(survey: &Survey<'_>, node: NodeId) -> Self {
        let mut pages = IndexSet::new();
        let (mut of_site, mut to_log_in) = (0_usize, 0);
        let (mut leads_here, mut leads_home) = (false, false);
        for link in survey.links_in(node).iter().take(MOST_LINKS) {
            match link.target {
                Target::Site { page, steps } => {
                    if pages.insert(page) {
                        of_site += 1;
                        to_log_in += usize::from(link.is_login);
                        leads_home |= steps == survey.shortest;
                    }
                }
                Target::Elsewhere { page } => {
                    pages.insert(page);
                }
                Target::Here { is_place } => leads_here |= !is_place,
                Target::Nowhere => {}
            }
        }
        let own = usize::from(leads_here);
        Self {
            count: pages.len(),
            count_of_site: of_site + own - to_log_in,
            of_site: (of_site + own) as f64 / (pages.len() + own).max(1) as f64,
            leads_here,
            leads_home,
        }
    }
}

/// The mean number of path segments of the top entries, above those of the shortest URL of the site.
fn depth(survey: &Survey<'_>, kids: &[NodeId]) -> f64 {
    let first_steps = |&kid: &NodeId| {
        let links = survey.links_in(kid);
        let links = &links[..links.len().min(MOST_UNFOLDED)];
        links.iter().find_map(|link| link.target.steps())
    };
    let depths: Vec<usize> = kids.iter().filter_map(first_steps).collect();
    let depths = depths
        .iter()
        .map(|steps| (steps - survey.shortest).min(DEEPEST_TARGET));
    let count = depths.len().max(1);
    depths.sum::<usize>() as f64 / count as f64
}

/// What distinguishes a main menu from other links.
struct Features {
    /// Base-2 logarithm of the number of distinct pages, up to [`LARGEST_MENU`].
    size: f64,
    /// The share of the compared pages that have its links.
    verbatim: f64,
    of_site: f64,
    /// Unlinked words per link.
    other_words: f64,
    /// The share of its links without words.
    wordless: f64,
    /// The share of its links for logging in.
    logins: f64,
    /// The share of its links in the largest of its parts.
    largest_part: f64,
    /// The share of its parts that look the same.
    likeness: f64,
    is_in_item: bool,
    /// Whether it is an item itself: then its list is the menu.
    is_item: bool,
    leads_home: bool,
    depth: f64,
    /// The share of the content before it.
    content_before: f64,
    is_navigation: bool,
    is_in_header: bool,
    is_in_sidebar: bool,
    is_in_footer: bool,
    /// Sharing, login, tags, table of contents.
    is_something_else: bool,
    /// Breadcrumb, pagination, languages.
    is_other_navigation: bool,
    /// Whether an item is this page, or marked so.
    has_active: bool,
    has_field: bool,
}

impl Features {
    fn of(survey: &Survey<'_>, node: NodeId, kids: &[NodeId], likeness: f64, targets: &Targets) -> Self {
        let links = survey.links_in(node);
        let count = links.len() as f64;
        let looked_at = &links[..links.len().min(MOST_LINKS)];
        let share = |sum: f64| sum / looked_at.len() as f64;
        let amount = survey.amount(node);
        let largest = kids.iter().map(|&kid| survey.link_count(kid)).max().unwrap_or(0);
        let pages = targets.count + usize::from(targets.leads_here);
        let near = survey.near_hints(node);
        let above = survey.hints_above(node);
        Self {
            size: (1.0 + pages as f64).log2().min(LARGEST_MENU),
            verbatim: survey.verbatim_in(node),
            of_site: targets.of_site,
            other_words: (f64::from(amount.words - amount.linked_words) / count).min(3.0),
            wordless: share(looked_at.iter().filter(|link| !link.has_words).count() as f64),
            logins: share(looked_at.iter().filter(|link| link.is_login).count() as f64),
            largest_part: if kids.len() > 1 {
                f64::from(largest) / count
            } else {
                0.0
            },
            likeness,
            is_in_item: survey.is_in_item(node),
            is_item: survey.dom.is_element(node, &name!("li")),
            leads_home: targets.leads_home,
            depth: depth(survey, kids),
            content_before: survey.share_of_content_before(node),
            is_navigation: survey.block_hints(node).has(Hint::Navigation),
            is_in_header: above.has(Hint::Header),
            is_in_sidebar: above.has(Hint::Sidebar),
            is_in_footer: above.has(Hint::Footer),
            is_something_else: survey.is_something_else(node),
            is_other_navigation: near.has_any(&[Hint::Breadcrumb, Hint::Pagination, Hint::Language]),
            has_active: targets.leads_here || survey.has_mark(node),
            has_field: survey.has_field(node),
        }
    }

    /// The score as a main menu: a weighted sum.
    ///
    /// What weighs most is what a single page cannot show: that the compared pages have the links as well. The
    /// weights are about half-way between hand-set ones and a conditional logit over the candidates of labelled
    /// pages, where changing all weights by a quarter does least harm; docs/evaluation.md has the figures.
    fn score(&self) -> f64 {
        let either = |is: bool| f64::from(u8::from(is));
        5.5 * self.verbatim + 1.75 * self.size + self.of_site + 1.25 * self.likeness
            - 1.5 * self.other_words
            - 4.0 * self.wordless
            - 4.0 * self.logins
            - 0.75 * self.largest_part
            - 0.75 * self.depth
            - 1.5 * self.content_before
            + 1.5 * either(self.is_navigation)
            + either(self.has_active)
            + 0.5 * either(self.leads_home)
            + 1.25 * either(self.is_in_header)
            - 1.5 * either(self.is_in_sidebar)
            - either(self.is_in_footer)
            - 2.0 * either(self.has_field)
            - 0.5 * either(self.is_item)
            - 4.0 * either(self.is_in_item)
            - 2.25 * either(self.is_something_else)
            - 4.0 * either(self.is_other_navigation)
    }
}
